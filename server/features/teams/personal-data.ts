import type { Person, PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

const rows = ({ id }: Person) => sql`ticket_id = any(array(select id from tickets where contact_id = ${id}))`

export const teamData: PersonalTable[] = [
  {
    table: 'ticket_assignments',
    rows,
    export: { exempt: 'which members had the conversation' },
    erase: 'delete',
    kept: 'as long as their ticket; they hold no text',
  },
  {
    table: 'away_messages',
    rows,
    export: { exempt: 'the times of messages, which are exported' },
    erase: 'delete',
    kept: 'as long as their ticket; they hold no text',
  },
]
