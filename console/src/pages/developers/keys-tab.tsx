import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Code, Group, Menu, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { summaryOf } from '../../records/scopes/scopes.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { Status } from '../../ui/status.tsx'
import { useLast } from '../../ui/use-last.ts'
import { EditKeyForm } from './edit-key-form.tsx'
import { KeyForm } from './key-form.tsx'
import { OverlapForm } from './overlap-form.tsx'

const isOver = (at: string | null) => at !== null && Date.parse(at) <= Date.now()
const works = ({ revoked_at, expires_at }: types.Key) => !isOver(revoked_at) && !isOver(expires_at)

function KeyState({ apiKey }: { apiKey: types.Key }) {
  if (isOver(apiKey.revoked_at)) return <Status tone="bad">Revoked</Status>
  if (isOver(apiKey.expires_at)) return <Status tone="waiting">Expired</Status>
  return apiKey.last_used_at ? <Status tone="good">In use</Status> : <Status tone="waiting">Not used yet</Status>
}

export function KeysTab() {
  const refresh = useRefresh('keys')
  const [parameters, setParameters] = useSearchParams()
  const [made, setMade] = useState<types.KeyWithSecret>()
  const [rolling, setRolling] = useState<types.Key>()
  const shown = useLast(made)
  const rolled = useLast(rolling)
  const [editing, setEditing] = useState<types.Key>()
  const edited = useLast(editing)
  const list = useCursorList(['keys'], (starting_after, signal) =>
    api.keys.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const showsAll = parameters.get('show') === 'all'
  const put = (name: string, value: string | undefined) =>
    setParameters((now) => {
      if (value) now.set(name, value)
      else now.delete(name)
      return now
    })
  const createButton = <NewButton onClick={() => put('new', 'key')}>New key</NewButton>
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="Which keys"
          value={showsAll ? 'all' : 'working'}
          onChange={(value) => put('show', value === 'all' ? 'all' : undefined)}
          data={[
            { value: 'working', label: 'Active' },
            { value: 'all', label: 'All' },
          ]}
        />
        <Group gap="xs">
          <ApiRequest method="GET" path="/keys" />
          {createButton}
        </Group>
      </Group>
      <RecordList
        list={list}
        rows={list.rows.filter((key) => showsAll || works(key))}
        empty={{
          title: 'No keys yet',
          text: 'A key gives a program access to the API: your website, your CRM, a script. Its secret is shown once.',
          action: createButton,
        }}
        skeletons={4}
        columns={[
          { label: 'Key', cell: (key) => <KeyName apiKey={key} /> },
          { label: 'Mode', from: 'xs', cell: ({ mode }) => (mode === 'live' ? 'Live' : 'Test') },
          { label: 'Permissions', from: 'md', cell: ({ scopes }) => summaryOf(scopes) },
          { label: 'Status', cell: (key) => <KeyState apiKey={key} /> },
          {
            label: 'Last used',
            from: 'sm',
            cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : 'Never'),
          },
          {
            label: 'Expires',
            from: 'md',
            cell: ({ expires_at }) => (expires_at ? <Moment at={expires_at} /> : 'Never'),
          },
          {
            label: 'Actions',
            isLabelHidden: true,
            align: 'right',
            cell: (key) =>
              works(key) && (
                <KeyMenu apiKey={key} edit={() => setEditing(key)} roll={() => setRolling(key)} refresh={refresh} />
              ),
          },
        ]}
      />
      <KeyForm
        opened={parameters.get('new') === 'key'}
        close={() => put('new', undefined)}
        onMade={(key) => {
          put('new', undefined)
          setMade(key)
          void refresh()
        }}
      />
      <EditKeyForm
        opened={editing !== undefined}
        apiKey={edited}
        close={() => setEditing(undefined)}
        onSaved={() => {
          setEditing(undefined)
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
        Creates a new key with the same name and permissions. Replace the old one in your programs before it stops
        working.
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

function KeyName({ apiKey: { name, prefix, last_four, allowed_ips } }: { apiKey: types.Key }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Code>
        {prefix}…{last_four}
      </Code>
      {allowed_ips && (
        <Text size="xs" c="dimmed">
          From {allowed_ips.length === 1 ? allowed_ips[0] : `${allowed_ips.length} addresses`} only
        </Text>
      )}
    </>
  )
}

function KeyMenu({
  apiKey,
  edit,
  roll,
  refresh,
}: {
  apiKey: types.Key
  edit(): void
  roll(): void
  refresh(): Promise<void>
}) {
  const { id, name, last_used_at } = apiKey
  const revoke = () =>
    askFirst({
      title: `Revoke ${name}?`,
      consequence: last_used_at
        ? 'Programs that still use it are refused within five seconds. You cannot undo this. To replace the key without downtime, roll it instead.'
        : 'It has never been used. You cannot undo this.',
      action: 'Revoke key',
      run: async () => {
        await api.keys.revoke(id)
        await refresh()
      },
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for the key ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={edit}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={14} />} onClick={roll}>
          Roll
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={revoke}>
          Revoke
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
