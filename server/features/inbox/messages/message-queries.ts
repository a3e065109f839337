import Type from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { Message, type MessageError, type MessageFilter } from './schema.ts'

/** A message as the API shows it. Select these columns from `messagesWithMedia`. */
const messageColumns = (address: string) => sql`messages.id, messages.ticket_id as inbox_id,
  messages.organization_id, messages.contact_id, messages.channel_id as chat_phone_number_id, messages.chat_message_id,
  messages.direction, messages.message_type, messages.body, messages.status, messages.error,
  ${address}::text || media.id as media_url, media.mime_type as media_mime_type, media.file_name as media_filename,
  media.size_bytes::integer as media_size,  messages.context_message_id,
  (select json_object_agg(sender, reaction ->> 'emoji') from jsonb_each(messages.reactions) r (sender, reaction)
    where reaction ->> 'emoji' <> '') as reactions,
  messages.edited_at, coalesce(messages.edits -> 'history', '[]') as edit_history,
  coalesce((messages.edits ->> 'text_missing')::boolean, false) as edit_text_missing,
  messages.revoked_at is not null as revoked, messages.revoked_at,
  messages.payload, messages.actor_type, messages.actor_id, messages.feedback, messages.livemode, messages.created_at, messages.updated_at`

const messagesWithMedia = sql`messages left join message_media media on media.message_id = messages.id
  and media.organization_id = messages.organization_id and media.livemode = messages.livemode`

export const findMessages = (tx: TenantSql, ids: string[], address: string) =>
  tx.all(Message)`
    select ${messageColumns(address)} from ${messagesWithMedia} where messages.id = any(${ids}::uuid[])
    order by messages.created_at, messages.id`

/** One row of the page, with the total. Its columns are null if the page is empty. */
const MessageRow = Type.Unsafe<Message & { total: number }>({})

const inOrder = {
  asc: { found: sql`order by created_at, id`, page: sql`order by messages.created_at, messages.id` },
  desc: {
    found: sql`order by created_at desc, id desc`,
    page: sql`order by messages.created_at desc, messages.id desc`,
  },
}

/** No row at all means that the ticket does not exist. The subquery for the ids can use an index-only scan. */
export function listMessages(tx: TenantSql, ticketId: string, filter: MessageFilter, address: string) {
  const { limit, offset, order } = filter
  return tx.all(MessageRow)`
    select page.*, ticket.total from
      (select message_count as total from tickets where id = ${ticketId}) ticket
      left join lateral (
        select ${messageColumns(address)} from ${messagesWithMedia}
        where messages.id in (
          select id from messages where ticket_id = ${ticketId} ${inOrder[order].found} limit ${limit} offset ${offset})
        ${inOrder[order].page}
      ) page on true`
}

interface OutboundRow {
  id: string
  ticketId: string
  contactId: string
  channelId: string
  type: Message['message_type']
  body: string
  contextMessageId: string | null
  payload?: Record<string, unknown>
  actor: { type: Message['actor_type']; id: string | null }
}

export const insertOutbound = (tx: TenantTx, row: OutboundRow) =>
  tx.run`
    insert into messages
      (id, ticket_id, contact_id, channel_id, direction, message_type, body, status, context_message_id,
        payload, actor_type, actor_id)
    values (${row.id}, ${row.ticketId}, ${row.contactId}, ${row.channelId}, 'outbound', ${row.type}, ${row.body}, 'sent',
      ${row.contextMessageId}, ${row.payload ?? null}, ${row.actor.type}, ${row.actor.id})`

/**
 * Locks contacts before their messages, in the same order as the deletion of a contact. The opposite order would
 * deadlock with it.
 */
export const lockContactsOf = (tx: TenantTx, messageIds: string[]) =>
  tx.run`
    select id from contacts where id in (select contact_id from messages where id = any(${messageIds}::uuid[]))
    order by id for no key update`

const Changed = Type.Object({ id: Type.String() })

/** Updates messages that are in flight and messages whose outcome was unknown. */
export const markAccepted = (tx: TenantTx, accepted: { id: string; chatMessageId: string }[]) =>
  tx.all(Changed)`
    update messages set chat_message_id = accepted.chat_message_id, accepted_at = now(), updated_at = now(),
      status = case when status = 'failed' and error ->> 'code' = 'unknown' then 'sent' else status end,
      error = case when error ->> 'code' = 'unknown' then null else error end
    from unnest(${accepted.map(({ id }) => id)}::uuid[], ${accepted.map(({ chatMessageId }) => chatMessageId)}::text[])
      accepted (id, chat_message_id)
    where messages.id = accepted.id and messages.direction = 'outbound' and messages.accepted_at is null
    returning messages.id`

export const markFailed = (tx: TenantTx, failures: { id: string; error: MessageError }[]) =>
  tx.all(Changed)`
    update messages set status = 'failed', error = failure.error, updated_at = now()
    from unnest(${failures.map(({ id }) => id)}::uuid[],
      ${failures.map(({ error }) => JSON.stringify(error))}::jsonb[]) failure (id, error)
    where messages.id = failure.id and messages.direction = 'outbound' and messages.accepted_at is null
      and messages.status = 'sent'
    returning messages.id`

export interface ReactionRow {
  messageId: string
  /** The sender's phone number or chat account. */
  sender: string
  /** Empty if the reaction was removed. */
  emoji: string
  /** ISO 8601 in UTC with milliseconds, so that a later time compares greater. */
  at: string
}

const Reacted = Type.Object({ id: Id, previous: Message.properties.reactions })

/**
 * Keeps one reaction per message and sender. An older one never replaces a newer one, whatever order they arrive in.
 * Returns the messages whose reactions changed, with the previous reactions.
 */
export const putReactions = (tx: TenantTx, rows: ReactionRow[]) =>
  tx.all(Reacted)`
    with latest as (
      select distinct on (message_id, sender) message_id, sender, emoji, at
      from unnest(${rows.map(({ messageId }) => messageId)}::uuid[], ${rows.map(({ sender }) => sender)}::text[],
        ${rows.map(({ emoji }) => emoji)}::text[], ${rows.map(({ at }) => at)}::text[])
        r (message_id, sender, emoji, at)
      order by message_id, sender, at desc
    ), before as materialized (
      select id, reactions from messages where id in (select message_id from latest) order by id for no key update
    ), changed as (
      select before.id, jsonb_object_agg(sender, jsonb_build_object('emoji', emoji, 'at', at)) as reactions,
        bool_or(coalesce(before.reactions -> sender ->> 'emoji', '') <> emoji) as is_change
      from latest join before on before.id = latest.message_id
      where coalesce(before.reactions -> sender ->> 'at', '') <= at
      group by before.id
    ), put as (
      update messages set reactions = coalesce(messages.reactions, '{}') || changed.reactions, updated_at = now()
      from changed where messages.id = changed.id
      returning messages.id, changed.is_change
    )
    select put.id, (select json_object_agg(sender, reaction ->> 'emoji')
      from jsonb_each(before.reactions) r (sender, reaction) where reaction ->> 'emoji' <> '') as previous
    from put join before on before.id = put.id where put.is_change`

/** The unread messages of a ticket are its newest few; the index on the ticket finds them. */
export const markInboundRead = (tx: TenantTx, ticketId: string) =>
  tx.all(Changed)`
    update messages set status = 'read', updated_at = now()
    where ticket_id = ${ticketId} and direction = 'inbound' and status = 'delivered'
    returning id`

const PlatformIds = Type.Object({
  id: Type.String(),
  contact_id: Type.String(),
  channel_id: Type.String(),
  chat_message_id: Type.String(),
})

export const findPlatformIds = (tx: TenantSql, messageId: string) =>
  tx.maybe(PlatformIds)`select id, contact_id, channel_id, chat_message_id from messages where id = ${messageId}`

const LostMessage = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean(), id: Type.String() })

/**
 * Messages older than any reply takes to send (up to minutes with a file). Those older than seven days were handled by
 * earlier runs.
 */
export const findLostMessages = (system: SystemSql) =>
  system.all(LostMessage)`
    select messages.organization_id, messages.livemode, messages.id from messages
    where direction = 'outbound' and accepted_at is null and status = 'sent'
      and created_at > now() - interval '7 days'
      and created_at < now() - case when message_type = 'text' then interval '2 minutes' else interval '10 minutes' end
    order by created_at limit 1000`
