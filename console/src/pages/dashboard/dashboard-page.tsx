import { Anchor, Card, Group, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../app/api.ts'
import { Page } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { useRecord } from '../../parts/use-records.ts'

const stages = [
  ['new', 'New', 'new'],
  ['engaged', 'Engaged', 'engaged'],
  ['qualified', 'Qualified', 'qualified'],
  ['customers', 'Customers', 'customer'],
  ['lost', 'Lost', 'lost'],
] as const

export function DashboardPage() {
  const { data, error, refetch } = useRecord(['dashboard'], (signal) => api.dashboard.get({ signal }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <Page title="Dashboard">
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
        <Figure label="Contacts" value={data?.contacts.total} to="/contacts" />
        <Figure label="Answered by AI" value={data?.handling.ai} to="/contacts?ai_handling=true" />
        <Figure label="Tasks to do" value={data?.tasks.pending} to="/tasks?status=pending" />
        <Figure
          label="Overdue"
          value={data?.tasks.overdue}
          to="/tasks?overdue=true"
          isBad={(data?.tasks.overdue ?? 0) > 0}
        />
      </SimpleGrid>
      <Card withBorder>
        <Title order={2} mb="sm">
          Contacts by stage
        </Title>
        <Stack gap="xs">
          {stages.map(([key, label, stage]) => (
            <Group key={key} gap="sm" wrap="nowrap">
              <Anchor component={Link} to={`/contacts?stage=${stage}`} w={90} size="sm">
                {label}
              </Anchor>
              <Progress
                value={data?.contacts.total ? (100 * data.contacts[key]) / data.contacts.total : 0}
                flex={1}
                aria-label={`${label}: ${data?.contacts[key] ?? 0} of ${data?.contacts.total ?? 0} contacts`}
              />
              <Text size="sm" w={64} ta="right">
                {data ? data.contacts[key].toLocaleString() : <Skeleton height={14} />}
              </Text>
            </Group>
          ))}
        </Stack>
      </Card>
    </Page>
  )
}

function Figure({
  label,
  value,
  to,
  isBad,
}: {
  label: string
  value: number | undefined
  to: string
  isBad?: boolean
}) {
  return (
    <Card component={Link} to={to} withBorder>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={26} fw={650} c={isBad ? 'red' : undefined} component="div">
        {value === undefined ? <Skeleton height={32} width={80} mt={6} /> : value.toLocaleString()}
      </Text>
    </Card>
  )
}
