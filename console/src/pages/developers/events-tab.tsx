import type { api as types } from '@frontdesk/sdk'
import { Code, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { Copy } from '../../ui/copy.tsx'
import { JsonBody } from '../../ui/json-body.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { useSteady } from '../../ui/use-steady.ts'
import { eventGroups, eventText } from './event-types.ts'

const choices = eventGroups.map(({ kind, label, types }) => ({
  group: label,
  items: [
    { value: `${kind}.*`, label: `${kind}.*` },
    ...(types.length > 1 ? types.map(([value]) => ({ value, label: value })) : []),
  ],
}))

/** The name of the record that the event is about, where it has one. */
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
          aria-label="Event types"
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
      <RecordList
        list={list}
        rows={rows}
        filters={{ isFiltered: wanted.length > 0, clear: () => setParameters({}, { replace: true }) }}
        empty={{
          title: 'No events yet',
          text: 'Every change creates an event. Events appear here, in the event stream and at your webhooks.',
        }}
        noMatch={{
          title: 'No matching events',
          text: 'No event of these types in the retention period. New events appear here as they happen.',
        }}
        newer={{ count: waiting, one: 'event', many: 'events', show }}
        expand={{
          opened,
          open: setOpened,
          label: ({ type }) => `Body of ${type}`,
          body: (event) => (
            <>
              <Group gap={4} mb="xs">
                <Text size="xs" c="dimmed">
                  ID
                </Text>
                <Code>{event.id}</Code>
                <Copy value={event.id} what="ID" />
              </Group>
              <JsonBody label="Body" body={event} />
            </>
          ),
        }}
        columns={[
          { label: 'Event', cell: ({ type }) => <Code>{type}</Code> },
          {
            label: 'Description',
            from: 'sm',
            cell: (event) => (
              <>
                {eventText(event.type)}
                <Text span c="dimmed" size="sm" lineClamp={1}>
                  <bdi>{subjectOf(event)}</bdi>
                </Text>
              </>
            ),
            below: (event) => (
              <Text inherit lineClamp={1}>
                {subjectOf(event)}
              </Text>
            ),
          },
          { label: 'Time', noWrap: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </Stack>
  )
}
