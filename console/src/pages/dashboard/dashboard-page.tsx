import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Card, Group, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { stages } from '../../records/contacts/stages.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { DayBars } from './day-bars.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'

const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function DashboardPage() {
  const { data, error, refetch } = useRecord(['dashboard'], (signal) => api.dashboard.get({ signal }))
  // Messages may arrive by the thousand, so the counts are not refetched for each.
  const daily = useRecord(
    ['activity', 'daily'],
    (signal) => api.dashboard.getDailyActivity({ time_zone }, { signal }),
    { refetchInterval: 30_000 },
  )
  const days = daily.data?.data
  const sources = useRecord(
    ['activity', 'sources'],
    (signal) => api.dashboard.getContactSources({ time_zone }, { signal }),
    { refetchInterval: 30_000 },
  )
  // The counts by ai_handling do not tell whether an agent answers.
  const unattendedPage = useRecord(['contacts', 'unattended'], (signal) =>
    api.contacts.list({ handled_by: 'no_one', limit: 1 }, { signal }),
  )
  const firstSteps = useFirstSteps()
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  const total = data?.contacts.total
  const unattended = unattendedPage.data?.total_count ?? (unattendedPage.error ? 0 : undefined)
  const answeredByAi = data && unattended !== undefined ? Math.max(0, data.handling.ai - unattended) : undefined
  return (
    <Page
      title="Dashboard"
      actions={
        firstSteps?.isHidden && (
          <Button variant="subtle" size="xs" onClick={() => firstSteps.setHidden(false)}>
            {firstSteps.title}
          </Button>
        )
      }
    >
      <FirstSteps />
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
        <Figure label="Contacts" value={total} to="/contacts" />
        <Figure label="Tasks to do" value={data?.tasks.pending} to="/tasks?status=pending" />
        <Figure
          label="Overdue tasks"
          value={data?.tasks.overdue}
          to="/tasks?overdue=true"
          isBad={!!data?.tasks.overdue}
        />
        <Figure label="Handled by people" value={data?.handling.human} to="/contacts?handled_by=person" />
      </SimpleGrid>
      {daily.error && !days ? (
        <ErrorState error={daily.error} retry={daily.refetch} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
          <DayBars
            title="Messages per day"
            noun="messages"
            to="/inbox?status=all"
            days={days?.map(({ date, messages }) => ({ date, count: messages }))}
          />
          <DayBars
            title="Calls per day"
            noun="calls"
            to={days?.[0] ? `/calls?from=${days[0].date}` : '/calls'}
            days={days?.map(({ date, calls }) => ({ date, count: calls }))}
          />
        </SimpleGrid>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack gap="md">
          <Shares title="Contacts by stage">
            {stages.map(({ value, label }) => (
              <Share
                key={value}
                label={value === 'customer' ? 'Customers' : label}
                of={total}
                count={data?.contacts[value === 'customer' ? 'customers' : value]}
                to={`/contacts?stage=${value}`}
                what="contacts"
              />
            ))}
          </Shares>
          {sources.data && sources.data.total > 0 && <Sources {...sources.data} />}
        </Stack>
        <Stack gap="md">
          <Shares title="Handled by">
            <Share label="AI" of={total} count={answeredByAi} to="/contacts?handled_by=ai" what="contacts" />
            <Share
              label="People"
              of={total}
              count={data?.handling.human}
              to="/contacts?handled_by=person"
              what="contacts"
            />
            {!!unattended && (
              <Share
                label="No one"
                of={total}
                count={unattended}
                to="/contacts?handled_by=no_one"
                what="contacts"
                isBad
              />
            )}
          </Shares>
          <Shares title="Tasks to do">
            <Share
              label="On time"
              of={data?.tasks.pending}
              count={data && data.tasks.pending - data.tasks.overdue}
              to="/tasks?status=pending"
              what="tasks"
            />
            <Share
              label="Overdue"
              of={data?.tasks.pending}
              count={data?.tasks.overdue}
              to="/tasks?overdue=true"
              what="tasks"
              isBad
            />
          </Shares>
        </Stack>
      </SimpleGrid>
    </Page>
  )
}

const sourcesShown = 5

/** Ads and posts that brought most contacts. */
function Sources({ total, data }: types.ContactSources) {
  return (
    <Shares title="Contacts from ads, last 30 days">
      {data.slice(0, sourcesShown).map(({ source_type, source_id, source_headline, contacts }) => (
        <Share
          key={`${source_type} ${source_id}`}
          label={source_headline || source_id || 'Unknown ad'}
          labelWidth={140}
          of={total}
          count={contacts}
          to={
            source_id ? `/contacts?source_id=${encodeURIComponent(source_id)}` : `/contacts?source_type=${source_type}`
          }
          what="contacts"
        />
      ))}
    </Shares>
  )
}

function Shares({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Stack gap="xs">{children}</Stack>
    </Card>
  )
}

/** A share of a total, linked to its list. */
function Share(props: {
  label: string
  of: number | undefined
  count: number | undefined
  to: string
  what: string
  labelWidth?: number
  isBad?: boolean
}) {
  const { label, of = 0, count, to, what, labelWidth = 84, isBad } = props
  return (
    <Group gap="sm" wrap="nowrap">
      <Anchor component={Link} to={to} w={labelWidth} size="sm" style={{ flex: 'none' }} truncate title={label}>
        {label}
      </Anchor>
      <Progress
        value={of ? (100 * (count ?? 0)) / of : 0}
        {...(isBad && { color: 'red' })}
        flex={1}
        aria-label={`${label}: ${count ?? 0} of ${of} ${what}`}
      />
      <Text size="sm" w={56} ta="right" component="div" style={{ flex: 'none' }}>
        {count === undefined ? <Skeleton height={14} /> : count.toLocaleString()}
      </Text>
    </Group>
  )
}
