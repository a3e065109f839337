import type { api as types } from '@frontdesk/sdk'
import { Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordTable } from '../../ui/record-list.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'

const refetchInterval = 5_000

/** Version, health, queues and jobs that need attention. */
export function WorkTab() {
  const state = useRecord(['installation'], (signal) => api.operator.getInstallation({ signal }), { refetchInterval })
  const jobs = useRecord(['stuck-jobs'], (signal) => api.operator.listStuckJobs({ signal }), { refetchInterval })
  const error = state.error ?? jobs.error
  if (error) return <ErrorState error={error} retry={() => void Promise.all([state.refetch(), jobs.refetch()])} />
  return (
    <Stack gap="md" aria-busy={!state.data || !jobs.data}>
      {state.data && <Health state={state.data} />}
      {state.data && <Queues queues={state.data.queues} />}
      {jobs.data && <StuckJobs jobs={jobs.data.data} />}
    </Stack>
  )
}

function Health({
  state: { version, is_healthy, checks, organizations_count, suspended_count },
}: {
  state: types.InstallationState
}) {
  const faults = Object.entries(checks).filter(([, check]) => check !== 'ok')
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Group gap="lg">
          <Status tone={is_healthy ? 'good' : 'bad'}>
            {is_healthy ? 'Healthy' : faults.map(([part, check]) => `${part}: ${check}`).join(', ')}
          </Status>
          <Text size="sm">Version {version}</Text>
          <Text size="sm">
            {organizations_count.toLocaleString()} organizations
            {suspended_count > 0 && `, ${suspended_count.toLocaleString()} suspended`}
          </Text>
        </Group>
        <ApiRequest method="GET" path="/operator/installation" />
      </Group>
    </Card>
  )
}

function age(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

const Queues = ({ queues }: { queues: types.WorkQueue[] }) => (
  <Card withBorder>
    <Title order={2} mb="xs">
      Queues
    </Title>
    <RecordTable
      name="Queues"
      rows={queues.map((queue) => ({ ...queue, id: queue.name }))}
      columns={[
        { label: 'Queue', cell: ({ name }) => name },
        { label: 'Waiting', align: 'right', cell: ({ waiting }) => waiting.toLocaleString() },
        { label: 'Oldest', align: 'right', cell: ({ oldest_seconds }) => age(oldest_seconds) },
        {
          label: 'Running',
          from: 'xs',
          align: 'right',
          cell: ({ active }) => active.toLocaleString(),
          below: ({ active, failed }) => `${active.toLocaleString()} running, ${failed.toLocaleString()} failed`,
        },
        { label: 'Failed', from: 'xs', align: 'right', cell: ({ failed }) => failed.toLocaleString() },
      ]}
    />
  </Card>
)

const states = { failed: 'Failed', waiting: 'Waiting too long', running: 'Running for an hour' }

function StuckJobs({ jobs }: { jobs: types.StuckJob[] }) {
  const refresh = useRefresh('stuck-jobs')
  const retry = useMutation({
    mutationFn: (id: string) => api.operator.retryJob(id),
    onSuccess: () => refresh(),
    onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
  })
  return (
    <Card withBorder>
      <Title order={2} mb="xs">
        Stuck jobs
      </Title>
      {jobs.length === 0 ? (
        <EmptyState title="No stuck jobs" isNarrow>
          Jobs that failed for good, wait for ten minutes or run for an hour appear here.
        </EmptyState>
      ) : (
        <Table aria-label="Stuck jobs">
          <Table.Tbody>
            {jobs.map(({ id, name, state, error, attempts, created_at }) => (
              <Table.Tr key={id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm" fw={500}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {states[state]} after {attempts} retries, <Moment at={created_at} />
                    {error && `: ${error}`}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  {state === 'failed' && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={retry.isPending && retry.variables === id}
                      onClick={() => retry.mutate(id)}
                    >
                      Retry
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  )
}
