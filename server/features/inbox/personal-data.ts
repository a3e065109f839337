import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

const ofOwnMessages = (contactId: string) =>
  sql`message_id = any(array(select id from messages where contact_id = ${contactId}))`

export const inboxData: PersonalTable[] = [
  {
    table: 'tickets',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { columns: sql`id, channel_id, status, message_count, last_message_at, created_at, updated_at` },
    erase: 'delete',
    kept: 'as long as their contact; they hold no text',
  },
  {
    table: 'chat_windows',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'the time of the last message, which is exported' },
    erase: 'delete',
    kept: 'as long as their contact; they hold no text',
  },
  {
    table: 'messages',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: {
      columns: sql`id, ticket_id, channel_id, chat_message_id, direction, message_type, body, status, error,
        context_message_id, reactions, payload, actor_type, edits, edited_at, revoked_at, created_at`,
    },
    erase: 'delete',
  },
  {
    table: 'message_media',
    rows: ({ id }) => ofOwnMessages(id),
    export: { columns: sql`id, message_id, mime_type, file_name, size_bytes, sha256, file_key, created_at` },
    erase: 'delete',
    hasFiles: true,
  },
  {
    table: 'messages_to_answer',
    rows: ({ id }) => ofOwnMessages(id),
    export: { exempt: 'ids of messages' },
    erase: 'delete',
    kept: 'until an agent has answered',
  },
]
