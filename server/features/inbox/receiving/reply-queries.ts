import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import type { InboundRow } from './receive-queries.ts'

export type PossibleReply = Pick<
  InboundRow,
  'contactId' | 'channelId' | 'ticketId' | 'contextMessageId' | 'at' | 'body' | 'payload'
>

const Answered = Type.Object({ position: Type.Integer(), id: Id, ticket_id: Nullable(Id), delivery_id: Id })

/**
 * The campaign message that each inbound message replies to: the one that it quotes. If it quotes none, the last message
 * that we sent the contact on that channel, if that is a campaign's and at most seven days old. The platform's times
 * have whole seconds, hence the second of tolerance.
 */
export const findAnswered = (tx: TenantSql, rows: PossibleReply[]) =>
  tx.all(Answered)`
    select given.position, m.id, m.ticket_id, (m.payload ->> 'delivery_id')::uuid as delivery_id
    from unnest(${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
        ${rows.map(({ contextMessageId }) => contextMessageId)}::text[], ${rows.map(({ at }) => at)}::timestamptz[])
        with ordinality given (contact_id, channel_id, quoted_id, at, position)
      cross join lateral (
        select id, ticket_id, payload from messages
        where given.quoted_id is not null and channel_id = given.channel_id and chat_message_id = given.quoted_id
          and chat_message_id <> '' and direction = 'outbound' and contact_id = given.contact_id
        union all
        (select id, ticket_id, payload from messages
        where given.quoted_id is null and contact_id = given.contact_id and channel_id = given.channel_id
          and direction = 'outbound' and status <> 'failed'
          and created_at between given.at - interval '7 days' and given.at + interval '1 second'
        order by created_at desc, id desc limit 1)
      ) m
    where m.payload ->> 'delivery_id' is not null
    order by given.position`

export const joinTickets = (tx: TenantTx, rows: [messageId: string, ticketId: string][]) =>
  tx.run`
    update messages set ticket_id = joined.ticket_id, updated_at = now()
    from unnest(${rows.map(([id]) => id)}::uuid[], ${rows.map(([, ticketId]) => ticketId)}::uuid[]) joined (id, ticket_id)
    where messages.id = any(${rows.map(([id]) => id)}::uuid[]) and messages.id = joined.id and messages.ticket_id is null`

const StoredReply = Type.Unsafe<PossibleReply>({})

/** What contacts wrote on a channel since a campaign started: it may quote a message that was recorded only afterwards. */
export const findWrittenSince = (
  tx: TenantSql,
  rows: { contactId: string; channelId: string; since: string }[],
): Promise<PossibleReply[]> =>
  tx.all(StoredReply)`
    select m.contact_id as "contactId", m.channel_id as "channelId", m.ticket_id as "ticketId",
      m.context_message_id as "contextMessageId", m.created_at as at, m.body, m.payload
    from unnest(${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
        ${rows.map(({ since }) => since)}::timestamptz[]) given (contact_id, channel_id, since)
      cross join lateral (
        select * from messages where contact_id = given.contact_id and channel_id = given.channel_id
          and direction = 'inbound' and created_at >= given.since
        order by created_at, id limit 100
      ) m`
