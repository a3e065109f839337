import { Anchor, SimpleGrid, Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { percentOf } from '../../ui/shares.ts'
import { ErrorState } from '../../ui/states.tsx'
import { ComparedFigure } from './compared-figure.tsx'
import { ReportCard, ReportTable } from './report-card.tsx'
import { ReportFilters } from './report-filters.tsx'
import { useReportPeriod } from './report-period.ts'

export function CampaignsTab() {
  const { filters, period, today } = useReportPeriod()
  const { data, error, refetch } = useRecord(
    ['reports', 'campaigns', period],
    (signal) => api.reports.getCampaigns(period, { signal }),
    { refetchInterval: 30_000 },
  )
  const { totals: now, previous: before, previous_period: previous } = data ?? {}
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <>
      <ReportFilters filters={filters} period={period} today={today} />
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
        <ComparedFigure label="Campaigns" now={now?.campaigns} before={before?.campaigns} previous={previous} />
        <ComparedFigure label="Messages sent" now={now?.sent} before={before?.sent} previous={previous} />
        <ComparedFigure label="Read" now={now?.read} before={before?.read} previous={previous} />
        <ComparedFigure label="Replied" now={now?.replied} before={before?.replied} previous={previous} />
      </SimpleGrid>
      {data ? (
        <ReportCard title="Campaigns" note="Campaigns that started in this period, with all replies so far.">
          <ReportTable
            label="Campaigns"
            head={['Campaign', 'Recipients', 'Sent', 'Delivered', 'Read', 'Replied', 'Failed']}
            rows={data.campaigns.map(({ id, name, recipients, sent, delivered, read, replied, failed }) => ({
              id,
              cells: [
                <Anchor key={id} component={Link} to={`/campaigns/${id}`} size="sm">
                  {name}
                </Anchor>,
                recipients.toLocaleString(),
                sent.toLocaleString(),
                percentOf(delivered, sent),
                percentOf(read, sent),
                percentOf(replied, sent),
                failed.toLocaleString(),
              ],
            }))}
          />
        </ReportCard>
      ) : (
        <Skeleton height={300} />
      )}
    </>
  )
}
