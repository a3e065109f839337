import { Stack, Text } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { ResultFacts } from '../../records/results/result-facts.tsx'
import { PanelSection } from './panel-section.tsx'
import type { Ticket } from './tickets.ts'

/** The summary and results that the agent wrote when the conversation was last closed; nothing without one. */
export function TicketAnalysis({ ticket }: { ticket: Ticket }) {
  const { data } = useRecord(['analyses', ticket.id, ticket.updated_at], (signal) =>
    api.inbox.listTicketAnalyses({ inbox_id: ticket.id }, { signal }),
  )
  const [analysis] = data?.data ?? []
  if (!analysis) return null
  return (
    <PanelSection title={ticket.status === 'open' ? 'When last closed' : 'Summary'}>
      <Stack gap="sm">
        {analysis.summary && (
          <Text size="sm" dir="auto">
            {analysis.summary}
          </Text>
        )}
        {analysis.results && <ResultFacts results={analysis.results} />}
      </Stack>
    </PanelSection>
  )
}
