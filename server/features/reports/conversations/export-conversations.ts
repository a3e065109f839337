import { exportRows } from '../export-report.ts'
import { type ConversationExportFilter, ConversationFigures, type ConversationReport } from '../schema.ts'

type Facts = Pick<ConversationReport, 'series' | 'by_channel' | 'by_member' | 'by_team' | 'by_ticket_tag' | 'by_tag'>

export const exportConversations = (facts: Facts, by: ConversationExportFilter['by']): AsyncGenerator<string> =>
  by === 'interval' ? exportRows(facts.series, [...intervalColumns]) : exportRows(facts[`by_${by}`], [...groupColumns])

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
const groupColumns = ['name', ...Object.keys(ConversationFigures.properties), 'id'] as (keyof Group)[]
