import type { api as types } from '@frontdesk/sdk'
import { Group, SegmentedControl, Select, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { MoreOf } from '../../ui/more-button.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { useSteady } from '../../ui/use-steady.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { eventGroups } from './event-types.ts'
import { NewerButton } from './newer-button.tsx'

const lookAgainMs = 2_000
const statuses = ['all', 'succeeded', 'pending', 'failed'] as const
const wordOf = { all: 'All', succeeded: 'Delivered', pending: 'On its way', failed: 'Failed' }
const choices = eventGroups.map(({ label, types }) => ({ group: label, items: types.map(([type]) => type) }))

/** What was sent to an endpoint, and what it answered. */
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
    // Attempts are no events: how they went has to be asked for.
    { refetchInterval: lookAgainMs },
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
            aria-label="Type of event"
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
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : list.data && list.rows.length === 0 ? (
        <EmptyState title="No delivery">
          {query
            ? 'None is like this.'
            : 'Nothing has been sent to this endpoint yet. Send a test event to see whether it answers.'}
        </EmptyState>
      ) : (
        <>
          <NewerButton count={waiting} one="delivery" many="deliveries" show={show} />
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={36}>
                  <span className="sr-only">Details</span>
                </Table.Th>
                <Table.Th>Event</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th visibleFrom="sm">Answer</Table.Th>
                <Table.Th visibleFrom="sm" ta="right">
                  Attempts
                </Table.Th>
                <Table.Th visibleFrom="sm">When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data ? (
                rows.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    delivery={delivery}
                    isOpen={opened === delivery.id}
                    toggle={() => setOpened(opened === delivery.id ? undefined : delivery.id)}
                    refresh={list.refetch}
                  />
                ))
              ) : (
                <RowSkeletons columns={6} />
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
      <Text size="xs" c="dimmed">
        A failed delivery is tried again for about three days, each time after a longer wait.
      </Text>
    </Stack>
  )
}
