import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe, useSession } from '../../data/session.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useLast } from '../../ui/use-last.ts'
import { RoleForm } from './role-form.tsx'
import { useRoles } from './roles.ts'

/** What each role allows; custom roles are defined here. */
export function RolesTab() {
  const me = useMe()
  const { mode } = useSession()
  const queries = useQueryClient()
  const { roles, canGive, error, isLoaded, refetch } = useRoles()
  const [editing, setEditing] = useState<types.CustomRole | 'new'>()
  const shown = useLast(editing)
  const refresh = () => queries.invalidateQueries({ queryKey: [mode, 'roles'] })
  const remove = ({ id, name }: types.CustomRole) =>
    askFirst({
      title: `Delete the role ${name}?`,
      consequence: 'A role that a member or an invitation has cannot be deleted.',
      action: 'Delete role',
      run: async () => {
        await api.roles.delete(id)
        await refresh()
      },
    })
  if (error && !isLoaded) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          What members of {me.organization.name} may do. Built-in roles cannot be changed.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/roles" />
          {may(me, 'members:manage') && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
              New role
            </Button>
          )}
        </Group>
      </Group>
      <Table aria-label="Roles" aria-busy={!isLoaded}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Role</Table.Th>
            <Table.Th visibleFrom="sm">Permissions</Table.Th>
            <Table.Th visibleFrom="sm">Members</Table.Th>
            <Table.Th>
              <span className="sr-only">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map(({ value, label, words, custom }) => (
            <Table.Tr key={value}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" fw={500}>
                  <bdi>{label}</bdi>
                </Text>
                <Text size="xs" c="dimmed">
                  {custom ? 'Custom' : 'Built-in'}
                </Text>
                <Text size="sm" hiddenFrom="sm" mt={4}>
                  {words}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">{words}</Table.Td>
              <Table.Td visibleFrom="sm">{custom?.members_count}</Table.Td>
              <Table.Td>
                {custom && canGive(me, value) && (
                  <Group gap="xs" justify="flex-end">
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => setEditing(custom)}
                      aria-label={`Edit ${label}`}
                    >
                      Edit
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => remove(custom)}
                      aria-label={`Delete ${label}`}
                    >
                      Delete
                    </Button>
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <RoleForm
        opened={editing !== undefined}
        role={shown === 'new' ? undefined : shown}
        close={() => setEditing(undefined)}
        onSaved={() => {
          setEditing(undefined)
          void refresh()
        }}
      />
    </Stack>
  )
}
