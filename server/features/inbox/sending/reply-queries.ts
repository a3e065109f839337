import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'

const Outlook = Type.Object({
  contact_id: Type.String(),
  phone_number: Type.String(),
  whatsapp_user_id: Nullable(Type.String()),
  is_blocked: Type.Boolean(),
  channel_id: Nullable(Type.String()),
  is_open: Type.Boolean(),
  knows_context: Type.Boolean(),
})
export type Outlook = Static<typeof Outlook>

/** Whether the 24-hour window of this contact is open on this channel, so that free-form messages can be sent. */
const isOpen = (channelId: Fragment) => sql`exists (
  select from chat_windows w where w.contact_id = contacts.id and w.channel_id = ${channelId}
    and w.last_inbound_at > now() - interval '24 hours')`

/**
 * Everything that decides about a reply, in one statement. The channel is the ticket's own, else the one that the
 * contact last wrote to, else the oldest, preferring channels with a chat side. Deleted channels are excluded.
 */
const outlook = (ticketsAndContacts: Fragment, contextMessageId: string | null) => sql`
    select contacts.id as contact_id, contacts.phone_number, contacts.whatsapp_user_id, channel.id as channel_id,
      contacts.blocked_at is not null as is_blocked,
      ${isOpen(sql`channel.id`)} as is_open,
      exists (
        select from messages where messages.channel_id = channel.id and messages.chat_message_id = ${contextMessageId}
          and messages.chat_message_id <> '' and messages.contact_id = contacts.id) as knows_context
    from ${ticketsAndContacts}
      left join lateral (
        select channels.id from channels
          left join chat_windows w on w.channel_id = channels.id and w.contact_id = contacts.id
            and w.organization_id = channels.organization_id and w.livemode = channels.livemode
        where channels.deleted_at is null
        order by (channels.id = tickets.channel_id) desc nulls last, w.last_inbound_at desc nulls last,
          (channels.chat is not null) desc, channels.id
        limit 1
      ) channel on true`

export const findOutlook = (tx: TenantSql, ticketId: string, contextMessageId: string | null) =>
  tx.maybe(Outlook)`${outlook(
    sql`tickets join contacts on contacts.id = tickets.contact_id
      and contacts.organization_id = tickets.organization_id and contacts.livemode = tickets.livemode`,
    contextMessageId,
  )}
    where tickets.id = ${ticketId}`

/** The same for a message to a contact, in their open ticket or in a new one. */
export const findContactOutlook = (tx: TenantSql, contactId: string) =>
  tx.maybe(Outlook)`${outlook(
    sql`contacts left join lateral (
      select open.channel_id from tickets open where open.contact_id = contacts.id and open.status = 'open'
        and open.organization_id = contacts.organization_id and open.livemode = contacts.livemode
      order by open.last_activity_at desc, open.id desc limit 1) tickets on true`,
    null,
  )}
    where contacts.id = ${contactId}`

const Reactable = Type.Object({
  channel_id: Type.String(),
  chat_message_id: Type.String(),
  phone_number: Type.String(),
  whatsapp_user_id: Nullable(Type.String()),
  is_blocked: Type.Boolean(),
  is_open: Type.Boolean(),
})

export const findReactable = (tx: TenantSql, ticketId: string, messageId: string) =>
  tx.maybe(Reactable)`
    select messages.channel_id, messages.chat_message_id, contacts.phone_number, contacts.whatsapp_user_id,
      contacts.blocked_at is not null as is_blocked, ${isOpen(sql`messages.channel_id`)} as is_open
    from messages join contacts on contacts.id = messages.contact_id
      and contacts.organization_id = messages.organization_id and contacts.livemode = messages.livemode
    where messages.id = ${messageId} and messages.ticket_id = ${ticketId}`
