import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { outboundJson } from '../messages/message-json.ts'
import type { MessageError } from '../messages/schema.ts'

/**
 * Ascending precedence: the highest status ever received is kept, so the order of arrival does not matter. `delivered`
 * is above `failed`, because a message that was delivered did not fail.
 */
export const statusOrder = ['sent', 'failed', 'delivered', 'read'] as const
export type StatusWord = (typeof statusOrder)[number]

export interface StatusToMatch {
  channelId: string
  chatMessageId: string
  /** Our id of the message, if the platform returned it. */
  callbackId: string | null
}

/** The rank of the stored status. A message with an unknown outcome has rank 0, so any status replaces it. */
const order = sql`array['sent', 'failed', 'delivered', 'read']`
const storedRank = sql`case when messages.error ->> 'code' = 'unknown' then 0
  else array_position(${order}, messages.status) end`

const rankOf = (status: StatusWord) => statusOrder.indexOf(status) + 1

const MatchedStatus = Type.Object({
  position: Type.Integer(),
  id: Id,
  contact_id: Id,
  is_accepted: Type.Boolean(),
  is_behind: Type.Boolean(),
})

/**
 * Matches each status to its outbound message, by the platform's id or else by our callback id. `is_behind` says
 * whether the status would move the message forward.
 */
export const matchStatuses = (tx: TenantSql, rows: (StatusToMatch & { status: StatusWord })[]) => {
  const found = sql`select messages.id, messages.contact_id, messages.accepted_at is not null as is_accepted,
    given.rank > ${storedRank} as is_behind
    from messages where messages.channel_id = given.channel_id and messages.direction = 'outbound'`
  return tx.all(MatchedStatus)`
    select given.position, found.* from unnest(${rows.map(({ channelId }) => channelId)}::uuid[],
        ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ callbackId }) => callbackId)}::uuid[],
        ${rows.map(({ status }) => rankOf(status))}::integer[])
        with ordinality given (channel_id, chat_message_id, callback_id, rank, position)
      cross join lateral (
        ${found} and messages.chat_message_id = given.chat_message_id and messages.chat_message_id <> ''
        union all
        ${found} and messages.id = given.callback_id
        limit 1
      ) found`
}

interface StatusMove {
  messageId: string
  chatMessageId: string
  status: StatusWord
  error: MessageError | null
}

const Moved = Type.Object({ id: Id, status: Type.Unsafe<StatusWord>({ type: 'string' }) })

/**
 * Returns the messages that moved forward. Two nodes that do this concurrently are serialized by row locks, and the
 * second finds nothing left to move.
 */
export const moveStatuses = (tx: TenantTx, moves: StatusMove[]) =>
  tx.all(Moved)`
    update messages set status = given.status, error = given.error, updated_at = now(),
      chat_message_id = case when messages.chat_message_id = '' then given.chat_message_id else messages.chat_message_id end
    from unnest(${moves.map(({ messageId }) => messageId)}::uuid[],
      ${moves.map(({ chatMessageId }) => chatMessageId)}::text[], ${moves.map(({ status }) => status)}::text[],
      ${moves.map(({ status }) => rankOf(status))}::integer[],
      ${moves.map(({ error }) => error && JSON.stringify(error))}::jsonb[]) given (id, chat_message_id, status, rank, error)
    where messages.id = given.id and given.rank > ${storedRank}
    returning messages.id, messages.status`

interface QuickMove extends Omit<StatusMove, 'messageId'> {
  channelId: string
  eventId: string
}

const Left = Type.Object({ position: Type.Integer() })

/**
 * Most statuses are the next one of an accepted message: one statement moves those, inserts their events, and returns
 * the positions of the others. A message must be delivered before it is read, otherwise the event of its delivery would
 * be missing: it may be accepted between the statements for `delivered` and `read`.
 */
export const moveQuickly = (tx: TenantTx, moves: QuickMove[], address: string) =>
  tx.all(Left)`
    with given as materialized (
      select *, array_position(${order}, status) as rank
      from unnest(${moves.map(({ channelId }) => channelId)}::uuid[],
        ${moves.map(({ chatMessageId }) => chatMessageId)}::text[], ${moves.map(({ status }) => status)}::text[],
        ${moves.map(({ error }) => error && JSON.stringify(error))}::jsonb[],
        ${moves.map(({ eventId }) => eventId)}::uuid[])
        with ordinality given (channel_id, chat_message_id, status, error, event_id, position)
    ), moved as (
      update messages set status = given.status, error = given.error, updated_at = now() from given
      where messages.channel_id = given.channel_id and messages.chat_message_id = given.chat_message_id
        and messages.chat_message_id <> '' and messages.direction = 'outbound' and messages.accepted_at is not null
        and given.rank > ${storedRank} and (given.status <> 'read' or messages.status = 'delivered')
      returning messages.*, given.position, given.event_id
    ), emitted as (
      insert into events (id, type, data)
      select event_id, 'message.' || m.status, jsonb_build_object('object', ${outboundJson({
        media: sql`'media_url', ${address}::text || media.id, 'media_mime_type', media.mime_type,
          'media_filename', media.file_name, 'media_size', media.size_bytes`,
        reactions: sql`case when m.reactions is not null then (
          select json_object_agg(sender, reaction ->> 'emoji') from jsonb_each(m.reactions) r (sender, reaction)
          where reaction ->> 'emoji' <> '') end`,
        createdAt: sql`iso(m.created_at)`,
        updatedAt: sql`moment`,
      })})
      from (select iso(now()::timestamptz(3)) as moment offset 0) now, moved m
        left join message_media media on media.message_id = m.id
    )
    select position from given where position not in (select position from moved)`
