import { exportRows } from '../export-report.ts'
import { type ConversationExportFilter, ConversationFigures, type ConversationReport } from '../schema.ts'

type Facts = Omit<ConversationReport, 'period' | 'previous_period' | 'time_zone' | 'interval' | 'totals' | 'previous'>
type By = ConversationExportFilter['by']

/** The number of hand-off reasons that have rows of their own. Agents word them freely. */
export const exportedReasons = 1_000

export const exportName = (by: By): string =>
  by === 'handoff_reason' ? 'handoffs-by-reason' : `conversations-by-${by}`

export function exportConversations(facts: Facts, by: By): AsyncGenerator<string> {
  if (by === 'interval') return exportRows(facts.series, [...intervalColumns])
  if (by === 'handoff_reason') return exportRows(reasonsOf(facts), ['reason', 'handoffs', 'share'])
  return exportRows(facts[`by_${by}`], [...groupColumns])
}

/** The rows add up to all hand-offs. */
function reasonsOf({ handoff_reasons: reasons, handoff_count: all }: Facts) {
  const others = all - reasons.reduce((sum, { count }) => sum + count, 0)
  return [
    ...reasons.map(({ reason, count }) => ({ reason: reason ?? 'A member took over', handoffs: count })),
    ...(others > 0 ? [{ reason: 'Other reasons', handoffs: others }] : []),
  ].map((row) => ({ ...row, share: Math.round((row.handoffs / all) * 10_000) / 10_000 }))
}

const intervalColumns = [
  'date',
  'opened',
  'closed',
  'backlog',
  'first_reply_median_seconds',
  'resolution_median_seconds',
  'messages_received',
  'messages_sent',
] as const satisfies (keyof Facts['series'][number])[]

type Group = Facts['by_channel'][number]
/** Later columns stand at the end, for programs that read them by position. */
const groupColumns = ['name', ...Object.keys(ConversationFigures.properties), 'id', 'backlog'] as (keyof Group)[]
