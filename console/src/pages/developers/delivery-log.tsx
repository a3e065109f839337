import type { api as types } from '@frontdesk/sdk'
import { Code, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { useSteady } from '../../ui/use-steady.ts'
import { DeliveryDetails, DeliveryState, responseOf } from './delivery-details.tsx'
import { eventGroups } from './event-types.ts'

const pollMs = 2_000
const statuses = ['all', 'succeeded', 'pending', 'failed'] as const
const wordOf = { all: 'All', succeeded: 'Delivered', pending: 'Pending', failed: 'Failed' }
const choices = eventGroups.map(({ label, types }) => ({ group: label, items: types.map(([type]) => type) }))

/** What was sent to an endpoint and how it responded. */
export function DeliveryLog({ webhook }: { webhook: types.Webhook }) {
  const [parameters, setParameters] = useSearchParams()
  const status = statuses.find((each) => each === parameters.get('status')) ?? 'all'
  const eventType = parameters.get('event_type')
  const [opened, setOpened] = useState<string>()
  const filter = { ...(status !== 'all' && { status }), ...(eventType && { event_type: eventType }) }
  const list = useCursorList(
    ['webhooks', webhook.id, 'deliveries', filter],
    (starting_after, signal) =>
      api.webhooks.listDeliveries(
        webhook.id,
        { limit: 30, ...filter, ...(starting_after && { starting_after }) },
        { signal },
      ),
    // Attempts make no events, so the log is polled.
    { refetchInterval: pollMs },
  )
  const { rows, waiting, show } = useSteady(list.rows, opened !== undefined, JSON.stringify(filter))
  const put = (name: string, value: string | null) =>
    setParameters(
      (now) => {
        if (value && value !== 'all') now.set(name, value)
        else now.delete(name)
        return now
      },
      { replace: true },
    )
  const query = new URLSearchParams(filter).toString()
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Deliveries"
            value={status}
            onChange={(value) => put('status', value)}
            data={statuses.map((value) => ({ value, label: wordOf[value] }))}
          />
          <Select
            size="xs"
            aria-label="Event type"
            placeholder="All types"
            data={[{ group: 'Test', items: ['ping'] }, ...choices]}
            value={eventType}
            onChange={(value) => put('event_type', value)}
            searchable
            clearable
            w={200}
          />
        </Group>
        <ApiRequest method="GET" path={`/webhooks/${webhook.id}/deliveries${query && `?${query}`}`} />
      </Group>
      <RecordList
        label="Deliveries"
        list={list}
        rows={rows}
        filters={{ isFiltered: query !== '', clear: () => setParameters({}, { replace: true }) }}
        empty={{
          title: 'No deliveries yet',
          text: 'Nothing has been sent to this endpoint. Send a test event to check that it responds.',
        }}
        newer={{ count: waiting, one: 'delivery', many: 'deliveries', show }}
        expand={{
          opened,
          open: setOpened,
          label: ({ event_type }) => `Details of ${event_type}`,
          body: (delivery) => <DeliveryDetails delivery={delivery} refresh={list.refetch} />,
        }}
        columns={[
          {
            label: 'Event',
            cell: ({ event_type }) => <Code>{event_type}</Code>,
          },
          { label: 'Status', cell: (delivery) => <DeliveryState delivery={delivery} /> },
          { label: 'Response', from: 'sm', cell: responseOf },
          { label: 'Attempts', from: 'sm', align: 'right', cell: ({ attempts }) => attempts },
          {
            label: 'Time',
            from: 'sm',
            noWrap: true,
            cell: ({ created_at }) => <Moment at={created_at} />,
            below: (delivery) => (
              <>
                {responseOf(delivery)}, <Moment at={delivery.created_at} />
              </>
            ),
          },
        ]}
      />
      <Text size="xs" c="dimmed">
        Failed deliveries are retried for about three days, with increasing delays.
      </Text>
    </Stack>
  )
}
