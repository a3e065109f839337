import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

const ofOwnMessages = (contactId: string) =>
  sql`message_id = any(array(select id from messages where contact_id = ${contactId}))`

export const inboxData: PersonalTable[] = [
  { table: 'tickets', rows: ({ id }) => sql`contact_id = ${id}`, erase: 'delete' },
  { table: 'chat_windows', rows: ({ id }) => sql`contact_id = ${id}`, erase: 'delete' },
  { table: 'messages', rows: ({ id }) => sql`contact_id = ${id}`, erase: 'delete' },
  { table: 'message_media', rows: ({ id }) => ofOwnMessages(id), erase: 'delete', hasFiles: true },
  { table: 'messages_to_answer', rows: ({ id }) => ofOwnMessages(id), erase: 'delete' },
]
