import type { api as types } from '@frontdesk/sdk'
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { EditButtons } from '../../ui/edit-buttons.tsx'
import { RecordTable } from '../../ui/record-list.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useLast } from '../../ui/use-last.ts'
import { RoleForm } from './role-form.tsx'
import { useRoles } from './roles.ts'

/** What each role allows; custom roles are defined here. */
export function RolesTab() {
  const me = useMe()
  const refresh = useRefresh('roles')
  const { roles, canGive, error, isLoaded, refetch } = useRoles()
  const [editing, setEditing] = useState<types.CustomRole | 'new'>()
  const shown = useLast(editing)
  const remove = ({ id, name }: types.CustomRole) =>
    askFirst({
      title: `Delete the role ${name}?`,
      consequence: 'You cannot delete a role that a member or an invitation has.',
      action: 'Delete role',
      run: async () => {
        await api.roles.delete(id)
        await refresh()
      },
    })
  if (error && !isLoaded) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <Stack gap="md" aria-busy={!isLoaded}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          What members of {me.organization.name} may do. Built-in roles cannot be changed.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/roles" />
          {may(me, 'members:manage') && <NewButton onClick={() => setEditing('new')}>New role</NewButton>}
        </Group>
      </Group>
      <RecordTable
        name="Roles"
        rows={roles.map((role) => ({ ...role, id: role.value }))}
        columns={[
          {
            label: 'Role',
            cell: ({ label, custom }) => (
              <>
                <Text size="sm" fw={500}>
                  <bdi>{label}</bdi>
                </Text>
                <Text size="xs" c="dimmed">
                  {custom ? 'Custom' : 'Built-in'}
                </Text>
              </>
            ),
          },
          { label: 'Permissions', from: 'sm', cell: ({ words }) => words, below: ({ words }) => words },
          { label: 'Members', from: 'sm', cell: ({ custom }) => custom?.members_count },
          {
            label: 'Actions',
            isLabelHidden: true,
            cell: ({ value, label, custom }) =>
              custom &&
              canGive(me, value) && (
                <EditButtons name={label} edit={() => setEditing(custom)} remove={() => remove(custom)} />
              ),
          },
        ]}
      />
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
