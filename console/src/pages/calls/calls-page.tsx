import type { api as types } from '@frontdesk/sdk'
import { Badge, Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { clock, money, otherSide, reasonOf, statusOf, whoOf } from '../../records/calls/call-text.ts'
import { StartCall } from '../../records/calls/start-call.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { Status } from '../../ui/status.tsx'
import { CallFilterBar, useCallFilters } from './call-filters.tsx'
import { CallIcon } from './call-icon.tsx'
import { Running } from './running.tsx'
import { useCalls } from './use-calls.ts'

const isLive = ({ status }: types.Call) => status === 'in-progress'

export function CallsPage() {
  const filters = useCallFilters()
  const { calls, agentNames, list } = useCalls(filters.values)
  return (
    <Page title="Calls" actions={<StartCall variant="filled" />}>
      <RecordList
        label="Calls"
        list={list}
        rows={calls}
        filters={filters}
        toolbar={<CallFilterBar filters={filters} />}
        empty={{
          title: 'No calls yet',
          text: 'Calls that your agents make and answer appear here, with recording, transcript and cost. Call a number with the button above, or talk to an agent in this browser.',
          action: (
            <Button component={Link} to="/agents" variant="default">
              Go to agents
            </Button>
          ),
        }}
        noMatch={{ text: 'Search for any part of a phone number, in any format, or for a call ID.' }}
        address={({ id }) => `/calls/${id}`}
        isHighlighted={isLive}
        columns={[
          { label: 'With', cell: (call) => <CallWith call={call} /> },
          {
            label: 'Agent',
            from: 'sm',
            cell: ({ agent_id }) => (agent_id ? agentNames.get(agent_id) : 'Deleted'),
          },
          { label: 'Status', cell: (call) => <CallStatus call={call} /> },
          {
            label: 'How it ended',
            from: 'sm',
            cell: (call) => (
              <Text size="sm" c="dimmed" lineClamp={1}>
                {reasonOf(call) || '–'}
              </Text>
            ),
          },
          {
            label: 'Duration',
            from: 'sm',
            align: 'right',
            cell: (call) =>
              isLive(call) ? <Running call={call} /> : call.duration_seconds ? clock(call.duration_seconds) : '–',
          },
          {
            label: 'Cost',
            from: 'sm',
            align: 'right',
            cell: ({ cost, cost_breakdown }) => (cost_breakdown ? money(cost) : '–'),
          },
          { label: 'Started', from: 'sm', noWrap: true, cell: ({ started_at }) => <Moment at={started_at} /> },
        ]}
      />
      {filters.values.search && calls.length > 0 && (
        <Text size="xs" c="dimmed" ta="center">
          If no call matches exactly, the closest matches are shown.
        </Text>
      )}
    </Page>
  )
}

function CallWith({ call }: { call: types.Call }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <CallIcon call={call} />
      <div style={{ minWidth: 0 }}>
        <RowLink to={`/calls/${call.id}`}>{whoOf(call)}</RowLink>
        {call.contact_name && (
          <Text size="xs" c="dimmed">
            {otherSide(call)}
          </Text>
        )}
        <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
          <Moment at={call.started_at} />
          {call.duration_seconds > 0 && ` · ${clock(call.duration_seconds)}`}
        </Text>
      </div>
    </Group>
  )
}

function CallStatus({ call }: { call: types.Call }) {
  const [tone, word] = statusOf(call)
  return (
    <Group gap="xs" wrap="nowrap">
      <Status tone={tone}>{word}</Status>
      {isLive(call) && (
        <Badge size="xs" color="red.9" variant="filled">
          Live
        </Badge>
      )}
    </Group>
  )
}
