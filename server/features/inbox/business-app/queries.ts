import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import type { AppMessage, AppMessageRow } from './app-message.ts'

const Added = Type.Object({ id: Id })

/** Returns the rows that were inserted; duplicates are skipped. */
export const insertAppMessages = (tx: TenantTx, rows: AppMessageRow[]) =>
  tx.all(Added)`
    insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body, status,
      context_message_id, payload, actor_type, accepted_at, created_at)
    select id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body, status,
      context_message_id, payload, case direction when 'outbound' then 'user' else 'system' end,
      case direction when 'outbound' then created_at end, created_at
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ ticketId }) => ticketId)}::uuid[],
      ${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
      ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ direction }) => direction)}::text[],
      ${rows.map(({ type }) => type)}::text[], ${rows.map(({ body }) => body)}::text[],
      ${rows.map(({ status }) => status)}::text[], ${rows.map(({ contextMessageId }) => contextMessageId)}::text[],
      ${rows.map(({ payload }) => payload && JSON.stringify(payload))}::jsonb[],
      ${rows.map(({ at }) => at)}::timestamptz[]
    ) r (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body, status,
      context_message_id, payload, created_at)
    on conflict do nothing
    returning id`

const Busy = Type.Object({ contact_id: Id })

/** Contacts with a message of ours whose platform id is not known yet. */
export const findUnacceptedTo = (tx: TenantSql, contactIds: string[]) =>
  tx.all(Busy)`
    select distinct contact_id from messages
    where contact_id = any(${contactIds}::uuid[]) and created_at > now() - interval '10 minutes'
      and direction = 'outbound' and accepted_at is null and status = 'sent'`

interface CopiedTicket {
  id: string
  contactId: string
  channelId: string
  firstAt: string
  lastAt: string
}

const Copied = Type.Object({ id: Id, contact_id: Id, copied_from: Id })

/** The closed conversations for copied messages; an existing one is kept. The contacts must be locked. */
export async function openCopiedTickets(tx: TenantTx, rows: CopiedTicket[]) {
  await tx.run`
    insert into tickets (id, contact_id, channel_id, copied_from, status, created_at, last_activity_at)
    select id, contact_id, channel_id, channel_id, 'closed', first_at, last_at
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ contactId }) => contactId)}::uuid[],
      ${rows.map(({ channelId }) => channelId)}::uuid[], ${rows.map(({ firstAt }) => firstAt)}::timestamptz[],
      ${rows.map(({ lastAt }) => lastAt)}::timestamptz[]) r (id, contact_id, channel_id, first_at, last_at)
    on conflict do nothing`
  return tx.all(Copied)`
    select id, contact_id, copied_from from tickets
    where contact_id = any(${rows.map(({ contactId }) => contactId)}::uuid[]) and copied_from is not null`
}

/** Counts copied messages. Lists are sorted by the times of the messages, not by the time of the copy. */
export const countCopiedMessages = (
  tx: TenantTx,
  rows: { ticketId: string; messages: number; firstAt: string; lastAt: string }[],
) =>
  tx.run`
    update tickets set message_count = message_count + added.messages, created_at = least(created_at, added.first_at),
      last_message_at = greatest(last_message_at, added.last_at),
      last_activity_at = greatest(last_activity_at, added.last_at), updated_at = now()
    from unnest(${rows.map(({ ticketId }) => ticketId)}::uuid[], ${rows.map(({ messages }) => messages)}::integer[],
      ${rows.map(({ firstAt }) => firstAt)}::timestamptz[], ${rows.map(({ lastAt }) => lastAt)}::timestamptz[])
      added (ticket_id, messages, first_at, last_at)
    where tickets.id = added.ticket_id`

const Filled = Type.Object({ id: Id, position: Type.Integer() })

/** The file of a copied message arrives apart from it: the message then gets its real type and text. */
export const fillPlaceholders = (tx: TenantTx, rows: AppMessage[]) =>
  tx.all(Filled)`
    update messages set message_type = given.type, body = given.body, payload = given.payload, updated_at = now()
    from unnest(${rows.map(({ channelId }) => channelId)}::uuid[],
      ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ type }) => type)}::text[],
      ${rows.map(({ body }) => body)}::text[],
      ${rows.map(({ payload }) => payload && JSON.stringify(payload))}::jsonb[])
      with ordinality given (channel_id, chat_message_id, type, body, payload, position)
    where messages.channel_id = given.channel_id and messages.chat_message_id = given.chat_message_id
      and messages.chat_message_id <> '' and messages.payload ->> 'type' = 'media_placeholder'
    returning messages.id, given.position::integer`
