import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

export const slaData: PersonalTable[] = [
  {
    table: 'ticket_targets',
    rows: ({ id }) => sql`ticket_id = any(array(select id from tickets where contact_id = ${id}))`,
    export: { exempt: 'due times of the organization’s own replies' },
    erase: 'delete',
    kept: 'as long as their ticket; they hold no text',
  },
]
