import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Code, Group, MultiSelect, Stack, Table, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { Copy } from '../../ui/copy.tsx'
import { JsonBody } from '../../ui/json-body.tsx'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { useSteady } from '../../ui/use-steady.ts'
import { eventGroups, wordsOfEvent } from './event-types.ts'
import { NewerButton } from './newer-button.tsx'

const choices = eventGroups.map(({ kind, label, types }) => ({
  group: label,
  items: [
    { value: `${kind}.*`, label: `${kind}.*` },
    ...(types.length > 1 ? types.map(([value]) => ({ value, label: value })) : []),
  ],
}))

/** Who or what it happened to, as far as the record names itself. */
function subjectOf({ data: { object } }: types.Event): string {
  for (const name of ['name', 'title', 'file_name', 'body', 'phone_number', 'url', 'message', 'status'])
    if (typeof object[name] === 'string' && object[name]) return object[name]
  return ''
}

export function EventsTab() {
  const [parameters, setParameters] = useSearchParams()
  const wanted = parameters.getAll('type')
  const [opened, setOpened] = useState<string>()
  const list = useCursorList(['events', wanted], (starting_after, signal) =>
    api.events.list(
      { limit: 50, ...(wanted.length > 0 && { type: wanted }), ...(starting_after && { starting_after }) },
      { signal },
    ),
  )
  const { rows, waiting, show } = useSteady(list.rows, opened !== undefined, wanted.join())
  const query = wanted.length > 0 ? `?${new URLSearchParams(wanted.map((type) => ['type', type]))}` : ''
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <MultiSelect
          aria-label="Types of events"
          placeholder={wanted.length === 0 ? 'All types' : ''}
          data={choices}
          value={wanted}
          onChange={(types) => setParameters({ type: types }, { replace: true })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Show all types' }}
          flex={1}
          maw={480}
        />
        <ApiRequest method="GET" path={`/events${query}`} />
      </Group>
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : list.data && list.rows.length === 0 ? (
        <EmptyState title={wanted.length > 0 ? 'No such event' : 'Nothing has happened yet'}>
          {wanted.length > 0
            ? 'Nothing of this type has happened, or it is older than events are kept. New ones appear here by themselves.'
            : 'Whatever changes here becomes an event: it shows up on this page, in the stream, and at your webhooks.'}
        </EmptyState>
      ) : (
        <>
          <NewerButton count={waiting} one="event" many="events" show={show} />
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={36}>
                  <span className="sr-only">Body</span>
                </Table.Th>
                <Table.Th>Event</Table.Th>
                <Table.Th visibleFrom="sm">What happened</Table.Th>
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data ? (
                rows.map((event) => (
                  <Row
                    key={event.id}
                    event={event}
                    isOpen={opened === event.id}
                    toggle={() => setOpened(opened === event.id ? undefined : event.id)}
                  />
                ))
              ) : (
                <RowSkeletons columns={4} />
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
    </Stack>
  )
}

function Row({ event, isOpen, toggle }: { event: types.Event; isOpen: boolean; toggle(): void }) {
  const subject = subjectOf(event)
  return (
    <>
      <Table.Tr onClick={toggle} style={{ cursor: 'pointer' }}>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={isOpen}
            aria-label={`Body of ${event.type}`}
            onClick={(click) => {
              click.stopPropagation()
              toggle()
            }}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <Code>{event.type}</Code>
          <Text size="xs" c="dimmed" hiddenFrom="sm" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            {subject}
          </Text>
        </Table.Td>
        <Table.Td visibleFrom="sm">
          {wordsOfEvent(event.type)}
          {subject && (
            <Text span c="dimmed" size="sm" lineClamp={1}>
              <bdi>{subject}</bdi>
            </Text>
          )}
        </Table.Td>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>
          <Moment at={event.created_at} />
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={4} maw={0}>
            <Group gap={4} mb="xs">
              <Text size="xs" c="dimmed">
                Id
              </Text>
              <Code>{event.id}</Code>
              <Copy value={event.id} what="id" />
            </Group>
            <JsonBody label="Body" body={event} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}
