import type { PersonalTable, RetentionRule } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { deleteOldAnalyses } from './queries.ts'

export const analysisData: PersonalTable[] = [
  {
    table: 'ticket_analyses',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { columns: sql`id, ticket_id, summary, results, closed_at, created_at` },
    erase: 'delete',
    merge: 'move',
  },
]

export const analysisRetention: RetentionRule[] = [
  { kind: 'messages', table: 'ticket_analyses', expire: deleteOldAnalyses },
]
