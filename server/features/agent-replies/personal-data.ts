import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

export const replyData: PersonalTable[] = [
  {
    table: 'agent_answers',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'ids of messages' },
    erase: 'delete',
    kept: 'for an hour',
  },
  { table: 'agent_sessions', exempt: 'trials of agents by members' },
]
