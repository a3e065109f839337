import type { api as types } from '@frontdesk/sdk'
import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { useTags } from '../../records/contacts/use-tags.ts'
import { memberChoices, useMembers } from '../../records/members/use-members.ts'
import { useTeams } from '../../records/teams/use-teams.ts'
import { useTicketTags } from '../../records/tickets/use-ticket-tags.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { durationText } from '../../ui/duration.ts'
import { percentagesOf, percentOf } from '../../ui/shares.ts'
import { ErrorState } from '../../ui/states.tsx'
import { ComparedFigure } from './compared-figure.tsx'
import { ReportCard, ReportTable } from './report-card.tsx'
import { ReportFilters } from './report-filters.tsx'
import { conversationFilters, useReportPeriod } from './report-period.ts'

type Report = types.ConversationReport
type Group = Report['by_channel'][number]

export function ConversationsTab() {
  const { filters, period, today } = useReportPeriod()
  const query = { ...period, ...conversationFilters(filters) }
  const { data, error, refetch } = useRecord(
    ['reports', 'conversations', query],
    (signal) => api.reports.getConversations(query, { signal }),
    { refetchInterval: 30_000 },
  )
  const { channels = [] } = useChannels()
  const { members } = useMembers()
  const { teams = [] } = useTeams()
  const ticketTags = useTicketTags()
  const tags = useTags()
  return (
    <>
      <ReportFilters
        filters={filters}
        period={period}
        today={today}
        fields={[
          {
            name: 'channel',
            label: 'Channel',
            choices: channels.map(({ id, display_name, phone_number }) => ({
              value: id,
              label: display_name || phone_number,
            })),
          },
          { name: 'member', label: 'Member', choices: memberChoices(members), isSearchable: true },
          ...(teams.length > 0
            ? [
                {
                  name: 'team' as const,
                  label: 'Team',
                  choices: teams.map(({ id, name }) => ({ value: id, label: name })),
                },
              ]
            : []),
          ...(ticketTags.length > 0
            ? [
                {
                  name: 'ticket_tag' as const,
                  label: 'Conversation tag',
                  choices: ticketTags.map((tag) => ({ value: tag, label: tag })),
                  isSearchable: true,
                },
              ]
            : []),
          {
            name: 'tag',
            label: 'Contact tag',
            choices: tags.map(({ tag }) => ({ value: tag, label: tag })),
            isSearchable: true,
          },
        ]}
      />
      {error && !data ? <ErrorState error={error} retry={refetch} /> : <Figures report={data} />}
      {data ? <Details report={data} /> : !error && <Skeleton height={300} />}
    </>
  )
}

const duration = durationText

const goodShare = (of: Report['totals'] | undefined) => {
  if (!of) return undefined
  const rated = of.rated_good + of.rated_okay + of.rated_bad
  return rated ? of.rated_good / rated : null
}

function Figures({ report }: { report: Report | undefined }) {
  const now = report?.totals
  const before = report?.previous
  const previous = report?.previous_period
  const share = (of: Report['totals'] | undefined) =>
    of && (of.answered_by_ai ? of.contained / of.answered_by_ai : null)
  const figures: [
    label: string,
    of: (totals: Report['totals']) => number | null,
    format?: (value: number) => string,
  ][] = [
    ['Conversations', ({ opened }) => opened],
    ['Closed', ({ closed }) => closed],
    ['Open at the end', ({ backlog }) => backlog],
    ['First reply, median', ({ first_reply_median_seconds }) => first_reply_median_seconds, duration],
    ['Time to close, median', ({ resolution_median_seconds }) => resolution_median_seconds, duration],
    ['Messages received', ({ messages_received }) => messages_received],
    ['Messages sent', ({ messages_sent }) => messages_sent],
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} mb="md">
      {figures.map(([label, of, format]) => (
        <ComparedFigure
          key={label}
          label={label}
          now={now && of(now)}
          before={before && of(before)}
          previous={previous}
          {...(format && { format })}
        />
      ))}
      <ComparedFigure
        label="Rated good"
        now={goodShare(now)}
        before={goodShare(before)}
        previous={previous}
        format={(value) => percentOf(value, 1)}
      />
      <ComparedFigure
        label="Solved by AI"
        now={share(now)}
        before={share(before)}
        previous={previous}
        format={(value) => percentOf(value, 1)}
      />
    </SimpleGrid>
  )
}

const hour = 3_600
const timeSteps = [60, 120, 600, 1_200, hour, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 48 * hour, 168 * hour]
const roundTime = (highest: number) =>
  timeSteps.find((step) => step >= highest) ?? Math.ceil(highest / (168 * hour)) * 168 * hour

function Details({ report }: { report: Report }) {
  const { series, by_channel, by_member, by_team, by_ticket_tag, by_tag, totals } = report
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ReportCard title="Conversations">
          <BarChart
            label="Conversations"
            series={['opened', 'closed']}
            bars={series.map(({ date, opened, closed }) => ({ date, values: [opened, closed] }))}
          />
        </ReportCard>
        <ReportCard title="Open conversations">
          <BarChart
            label="Open conversations"
            series={['open']}
            bars={series.map(({ date, backlog }) => ({ date, values: [backlog] }))}
          />
        </ReportCard>
        <ReportCard title="First reply, median">
          <BarChart
            label="First reply, median"
            series={['to the first reply']}
            format={duration}
            roundUp={roundTime}
            bars={series.map(({ date, first_reply_median_seconds }) => ({
              date,
              values: [first_reply_median_seconds],
            }))}
          />
        </ReportCard>
        <ReportCard title="Time to close, median">
          <BarChart
            label="Time to close, median"
            series={['to close']}
            format={duration}
            roundUp={roundTime}
            bars={series.map(({ date, resolution_median_seconds }) => ({ date, values: [resolution_median_seconds] }))}
          />
        </ReportCard>
      </SimpleGrid>
      <Groups title="By channel" name="Channel" groups={by_channel} />
      <Groups
        title="By member"
        name="Member"
        groups={by_member}
        note="The assignee, or the first member who replied."
      />
      <Groups title="By team" name="Team" groups={by_team} />
      <Groups
        title="By conversation tag"
        name="Tag"
        groups={by_ticket_tag}
        note="A conversation counts once for each of its tags."
      />
      <Groups
        title="By contact tag"
        name="Tag"
        groups={by_tag}
        note="A conversation counts once for each tag of its contact."
      />
      <ReportCard
        title="Hand-offs to people"
        note={`An agent replied in ${totals.answered_by_ai.toLocaleString()} closed conversations; ${totals.contained.toLocaleString()} were closed without a person.`}
      >
        <HandoffReasons report={report} />
      </ReportCard>
    </Stack>
  )
}

/** The shares are those of all hand-offs, also where the report lists only the most frequent reasons. */
function HandoffReasons({ report: { handoff_reasons, handoff_count } }: { report: Report }) {
  const others = handoff_count - handoff_reasons.reduce((sum, { count }) => sum + count, 0)
  const rows = [
    ...handoff_reasons.map(({ reason, count }) => ({
      id: `reason ${reason ?? ''}`,
      label: reason ?? 'A member took over',
      count,
    })),
    ...(others > 0 ? [{ id: 'others', label: 'Other reasons', count: others }] : []),
  ]
  const shares = percentagesOf(rows.map(({ count }) => count))
  return (
    <ReportTable
      label="Hand-offs to people"
      head={['Reason', 'Hand-offs', 'Share']}
      rows={rows.map(({ id, label, count }, i) => ({
        id,
        cells: [label, count.toLocaleString(), shares[i] ?? ''],
      }))}
    />
  )
}

const timeOf = (seconds: number | null) => (seconds === null ? '–' : duration(seconds))

/** Left out if the organization does not group its conversations in this way: all of them are in the group of the others. */
function Groups({ title, name, groups, note }: { title: string; name: string; groups: Group[]; note?: string }) {
  if (groups.length > 0 && groups.every(({ id }) => id === null)) return null
  return (
    <ReportCard title={title} {...(note && { note })}>
      <ReportTable
        label={title}
        head={[
          name,
          'Opened',
          'Closed',
          'Open at the end',
          'First reply',
          'Time to close',
          'Solved by AI',
          'Rated good',
        ]}
        rows={groups.map((group) => ({
          id: group.id ?? '',
          cells: [
            group.name,
            group.opened.toLocaleString(),
            group.closed.toLocaleString(),
            group.backlog.toLocaleString(),
            timeOf(group.first_reply_median_seconds),
            timeOf(group.resolution_median_seconds),
            percentOf(group.contained, group.answered_by_ai),
            percentOf(group.rated_good, group.rated_good + group.rated_okay + group.rated_bad),
          ],
        }))}
      />
    </ReportCard>
  )
}
