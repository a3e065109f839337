import { Button, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate } from 'react-router'
import { StartCall } from '../../records/calls/start-call.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { CallFilterBar, useCallFilters } from './call-filters.tsx'
import { CallRow } from './call-row.tsx'
import { useCalls } from './use-calls.ts'

export function CallsPage() {
  const navigate = useNavigate()
  const choice = useCallFilters()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { calls, agentNames, list } = useCalls(choice.filters)
  const isEmpty = list.isSuccess && calls.length === 0
  return (
    <Page title="Calls" actions={<StartCall variant="filled" />}>
      {(choice.isFiltered || !isEmpty) && <CallFilterBar {...choice} />}
      {list.error && calls.length === 0 ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : isEmpty ? (
        choice.isFiltered ? (
          <EmptyState
            title="No call fits"
            action={
              <Button variant="default" onClick={choice.clear}>
                Show all calls
              </Button>
            }
          >
            The search takes part of a number, however it is written, or of a call id.
          </EmptyState>
        ) : (
          <EmptyState
            title="No calls yet"
            action={
              <Button component={Link} to="/agents" variant="default">
                To the agents
              </Button>
            }
          >
            Calls that your agents make and take are listed here, with recording, transcript and cost. Call a number
            with the button above, or talk to an agent in this browser.
          </EmptyState>
        )
      ) : (
        <>
          <Table.ScrollContainer minWidth={320}>
            <Table stickyHeader>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>With</Table.Th>
                  <Table.Th visibleFrom="sm">Agent</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th visibleFrom="sm">How it ended</Table.Th>
                  <Table.Th visibleFrom="sm" ta="right">
                    Duration
                  </Table.Th>
                  <Table.Th visibleFrom="sm" ta="right">
                    Cost
                  </Table.Th>
                  <Table.Th visibleFrom="sm">Started</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.isPending && <RowSkeletons columns={isPhone ? 2 : 7} />}
                {calls.map((call) => (
                  <CallRow
                    key={call.id}
                    call={call}
                    agentName={call.agent_id ? agentNames.get(call.agent_id) : undefined}
                    onOpen={() => void navigate(`/calls/${call.id}`)}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <MoreButton
            shown={calls.length}
            total={list.total}
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
          {choice.filters.search && (
            <Text size="xs" c="dimmed" ta="center">
              Where no call has exactly that, the nearest are shown.
            </Text>
          )}
        </>
      )}
    </Page>
  )
}
