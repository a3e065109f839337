import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { reasonText } from '../../records/calls/call-text.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { durationText } from '../../ui/duration.ts'
import { percentagesOf, percentOf } from '../../ui/shares.ts'
import { ErrorState } from '../../ui/states.tsx'
import { ComparedFigure } from './compared-figure.tsx'
import { ReportCard, ReportTable } from './report-card.tsx'
import { ReportFilters } from './report-filters.tsx'
import { useReportPeriod } from './report-period.ts'

export function CallsTab() {
  const { filters, period, today } = useReportPeriod()
  const { data, error, refetch } = useRecord(
    ['reports', 'calls', period],
    (signal) => api.reports.getCalls(period, { signal }),
    { refetchInterval: 30_000 },
  )
  const { totals: now, previous: before, previous_period: previous } = data ?? {}
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  const shares = percentagesOf(data?.ended_reasons.map(({ count }) => count) ?? [])
  return (
    <>
      <ReportFilters filters={filters} period={period} today={today} />
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
        <ComparedFigure label="Calls" now={now?.calls} before={before?.calls} previous={previous} />
        <ComparedFigure label="Completed" now={now?.completed} before={before?.completed} previous={previous} />
        <ComparedFigure label="Handed off" now={now?.handed_off} before={before?.handed_off} previous={previous} />
        <ComparedFigure
          label="Talk time"
          now={now?.talk_seconds}
          before={before?.talk_seconds}
          previous={previous}
          format={durationText}
        />
      </SimpleGrid>
      {data ? (
        <Stack gap="md">
          <ReportCard title="Calls">
            <BarChart
              label="Calls"
              series={['inbound', 'outbound']}
              bars={data.series.map(({ date, inbound, outbound }) => ({ date, values: [inbound, outbound] }))}
            />
          </ReportCard>
          {(['by_channel', 'by_agent'] as const).map((by) => (
            <ReportCard key={by} title={by === 'by_channel' ? 'By channel' : 'By agent'}>
              <ReportTable
                label={by === 'by_channel' ? 'By channel' : 'By agent'}
                head={[by === 'by_channel' ? 'Channel' : 'Agent', 'Calls', 'Completed', 'Handed off', 'Talk time']}
                rows={data[by].map((group) => ({
                  id: group.id ?? '',
                  cells: [
                    group.name,
                    group.calls.toLocaleString(),
                    percentOf(group.completed, group.calls),
                    group.handed_off.toLocaleString(),
                    durationText(group.talk_seconds),
                  ],
                }))}
              />
            </ReportCard>
          ))}
          <ReportCard title="How calls ended">
            <ReportTable
              label="How calls ended"
              head={['Reason', 'Calls', 'Share']}
              rows={data.ended_reasons.map(({ reason, count }, i) => ({
                id: reason,
                cells: [reasonText(reason), count.toLocaleString(), shares[i] ?? ''],
              }))}
            />
          </ReportCard>
        </Stack>
      ) : (
        <Skeleton height={300} />
      )}
    </>
  )
}
