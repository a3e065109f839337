import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Code, Group, Menu, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { IconDots, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useLast } from '../../ui/use-last.ts'
import { KeyForm } from './key-form.tsx'
import { OverlapForm } from './overlap-form.tsx'
import { summaryOf } from './scopes.ts'

const isOver = (at: string | null) => at !== null && Date.parse(at) <= Date.now()
const works = ({ revoked_at, expires_at }: types.Key) => !isOver(revoked_at) && !isOver(expires_at)

function KeyState({ apiKey }: { apiKey: types.Key }) {
  if (isOver(apiKey.revoked_at)) return <Status tone="bad">Revoked</Status>
  if (isOver(apiKey.expires_at)) return <Status tone="waiting">Expired</Status>
  return apiKey.last_used_at ? <Status tone="good">In use</Status> : <Status tone="waiting">Not used yet</Status>
}

export function KeysTab() {
  const queries = useQueryClient()
  const { mode } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const [made, setMade] = useState<types.KeyWithSecret>()
  const [rolling, setRolling] = useState<types.Key>()
  const shown = useLast(made)
  const rolled = useLast(rolling)
  const list = useCursorList(['keys'], (starting_after, signal) =>
    api.keys.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const showsAll = parameters.get('show') === 'all'
  const keys = list.data ? list.rows.filter((key) => showsAll || works(key)) : undefined
  const refresh = () => queries.invalidateQueries({ queryKey: [mode, 'keys'] })
  const put = (name: string, value: string | undefined) =>
    setParameters((now) => {
      if (value) now.set(name, value)
      else now.delete(name)
      return now
    })
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => put('new', 'key')}>
      Create a key
    </Button>
  )
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="Which keys"
          value={showsAll ? 'all' : 'working'}
          onChange={(value) => put('show', value === 'all' ? 'all' : undefined)}
          data={[
            { value: 'working', label: 'Working' },
            { value: 'all', label: 'With revoked and expired' },
          ]}
        />
        <Group gap="xs">
          <ApiRequest method="GET" path="/keys" />
          {createButton}
        </Group>
      </Group>
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : keys?.length === 0 && !list.hasNextPage ? (
        <EmptyState title="No key yet" action={createButton}>
          A key lets a program of yours use the API: your website, your CRM, a script. Its secret is shown once.
        </EmptyState>
      ) : (
        <>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Key</Table.Th>
                <Table.Th visibleFrom="xs">Mode</Table.Th>
                <Table.Th visibleFrom="md">May use</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th visibleFrom="sm">Last used</Table.Th>
                <Table.Th visibleFrom="md">Expires</Table.Th>
                <Table.Th w={40}>
                  <span className="sr-only">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys?.map((key) => <Row key={key.id} apiKey={key} roll={() => setRolling(key)} refresh={refresh} />) ?? (
                <RowSkeletons columns={7} rows={4} />
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
      <KeyForm
        opened={parameters.get('new') === 'key'}
        close={() => put('new', undefined)}
        onMade={(key) => {
          put('new', undefined)
          setMade(key)
          void refresh()
        }}
      />
      <OverlapForm
        opened={rolling !== undefined}
        title={`Roll ${rolled?.name}`}
        action="Roll key"
        close={() => setRolling(undefined)}
        run={async (overlap_seconds) => {
          if (!rolling) return
          const key = await api.keys.roll(rolling.id, { overlap_seconds })
          setRolling(undefined)
          setMade(key)
          await refresh()
        }}
      >
        A new key takes its place, with the same name and permissions. Put the new one where the old one is before the
        old one stops.
      </OverlapForm>
      <SecretOnce
        title={`Your key: ${shown?.name}`}
        what="key"
        secret={made ? made.secret : undefined}
        onStored={() => setMade(undefined)}
      >
        <Text size="sm" c="dimmed">
          A {shown?.mode} key for {shown && summaryOf(shown.scopes).toLowerCase()}.
        </Text>
      </SecretOnce>
    </Stack>
  )
}

function Row({ apiKey, roll, refresh }: { apiKey: types.Key; roll(): void; refresh(): Promise<void> }) {
  const { id, name, prefix, last_four, mode, scopes, last_used_at, expires_at } = apiKey
  const revoke = () =>
    askFirst({
      title: `Revoke ${name}?`,
      consequence: last_used_at
        ? 'Whatever still uses it is refused within five seconds. This cannot be undone: to replace it without a gap, roll it instead.'
        : 'It has never been used. It cannot be brought back.',
      action: 'Revoke key',
      run: async () => {
        await api.keys.revoke(id)
        await refresh()
      },
    })
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Code>
          {prefix}…{last_four}
        </Code>
      </Table.Td>
      <Table.Td visibleFrom="xs">{mode === 'live' ? 'Live' : 'Test'}</Table.Td>
      <Table.Td visibleFrom="md">{summaryOf(scopes)}</Table.Td>
      <Table.Td>
        <KeyState apiKey={apiKey} />
      </Table.Td>
      <Table.Td visibleFrom="sm">{last_used_at ? <Moment at={last_used_at} /> : 'Never'}</Table.Td>
      <Table.Td visibleFrom="md">{expires_at ? <Moment at={expires_at} /> : 'Never'}</Table.Td>
      <Table.Td>
        {works(apiKey) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Actions for the key ${name}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconRefresh size={14} />} onClick={roll}>
                Roll: replace it by a new one
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={revoke}>
                Revoke
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
