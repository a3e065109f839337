import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { ContactBrief } from '../../contacts/schema.ts'

const Conversation = Type.Object({
  contact: ContactBrief,
  messages: Type.Array(
    Type.Object({
      id: Type.String(),
      direction: Type.Union([Type.Literal('inbound'), Type.Literal('outbound')]),
      message_type: Type.String(),
      body: Type.String(),
    }),
  ),
})
export type Conversation = Static<typeof Conversation>

/**
 * Returns the contact and the latest messages, oldest first. Messages that failed and messages that the contact deleted
 * are left out.
 */
export const readConversation = (sql: TenantSql, ticketId: string, limit: number) =>
  sql.maybe(Conversation)`
    select json_build_object('id', c.id, 'name', c.name, 'phone_number', c.phone_number, 'tags', c.tags,
        'notes', c.notes, 'custom_fields', c.custom_fields) as contact,
      coalesce((select json_agg(json_build_object('id', m.id, 'direction', m.direction, 'message_type', m.message_type,
          'body', m.body || case when m.text_missing then
            ' [The customer edited this message since. The new text was not delivered.]' else '' end) order by m.created_at, m.id)
        from (select id, direction, message_type, body, created_at,
            coalesce((edits ->> 'text_missing')::boolean, false) as text_missing from messages
          where ticket_id = tickets.id and revoked_at is null and (direction = 'inbound' or status <> 'failed')
          order by created_at desc, id desc limit ${limit}) m), '[]') as messages
    from tickets join contacts c on c.id = tickets.contact_id
      and c.organization_id = tickets.organization_id and c.livemode = tickets.livemode
    where tickets.id = ${ticketId}`
