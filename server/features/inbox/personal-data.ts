import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { moveWindows } from './receiving/receive-queries.ts'
import { mergeTickets } from './tickets/merge-tickets.ts'

export const inboxData: PersonalTable[] = [
  {
    table: 'tickets',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { columns: sql`id, channel_id, status, tags, message_count, last_message_at, created_at, updated_at` },
    erase: 'delete',
    kept: 'as long as their contact; they hold no text',
    merge: mergeTickets,
  },
  {
    table: 'chat_windows',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'the time of the last message, which is exported' },
    erase: 'delete',
    kept: 'as long as their contact; they hold no text',
    merge: moveWindows,
  },
  {
    table: 'messages',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: {
      columns: sql`id, ticket_id, channel_id, chat_message_id, direction, message_type, body, status, error,
        context_message_id, reactions, payload, actor_type, edits, edited_at, revoked_at, created_at`,
    },
    erase: 'delete',
    merge: 'move',
  },
  {
    table: 'ticket_notes',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'what members wrote to each other, which never leaves the organization' },
    erase: 'delete',
    merge: 'move',
  },
  {
    table: 'ticket_tags',
    rows: ({ id }) => sql`ticket_id = any(array(select id from tickets where contact_id = ${id}))`,
    export: { exempt: 'the tickets have them' },
    erase: 'delete',
    kept: 'as long as the ticket has them',
  },
  { table: 'saved_replies', exempt: 'texts that members wrote for all contacts' },
  { table: 'saved_reply_attachments', exempt: 'files that members send to all contacts' },
  {
    table: 'scheduled_messages',
    rows: ({ id }) => sql`ticket_id = any(array(select id from tickets where contact_id = ${id}))`,
    export: { columns: sql`id, ticket_id, message, send_at, status, message_id, created_at` },
    erase: 'delete',
  },
  {
    table: 'message_media',
    rows: ({ id }) => sql`message_id = any(array(select id from messages where contact_id = ${id}))`,
    export: { columns: sql`id, message_id, mime_type, file_name, size_bytes, sha256, file_key, created_at` },
    erase: 'delete',
    hasFiles: true,
  },
]
