import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import type { TemplateVariables } from '../templates/schema.ts'

/** From lowest to highest rank, as for messages: a later `delivered` overrides `failed`. */
export const statusOrder = ['sent', 'failed', 'delivered', 'read'] as const
type StatusWord = (typeof statusOrder)[number]

/**
 * Locks the contacts of deliveries that are not known to be accepted yet. Every transaction locks contacts before
 * deliveries, which prevents deadlocks.
 */
export const lockRecipients = (tx: TenantTx, deliveryIds: string[]) =>
  tx.run`
    with recipient as materialized (
      select distinct d.contact_id as id from unnest(${deliveryIds}::uuid[]) given (id) cross join lateral (
        select contact_id from deliveries where id = given.id and accepted_at is null limit 1) d
      order by d.contact_id
    )
    select locked.id from recipient cross join lateral (
      select id from contacts where id = recipient.id limit 1 for no key update) locked`

/** Locks in ascending order of ids, so that two transactions with the same deliveries cannot deadlock. */
export const lockDeliveries = (tx: TenantTx, deliveryIds: string[]) =>
  tx.run`
    select locked.id from unnest(${deliveryIds.toSorted()}::uuid[]) given (id) cross join lateral (
      select id from deliveries where id = given.id limit 1 for no key update) locked`

export interface DeliveryMove {
  deliveryId: string
  chatMessageId: string
  /** Id of the message to create if this is the first time the platform reports acceptance. */
  messageId: string
  status: StatusWord
  /** The platform's timestamp; null for now. */
  at: string | null
  error: { code: string; message: string } | null
}

const Moved = Type.Object({
  id: Id,
  campaign_id: Id,
  contact_id: Nullable(Id),
  chat_message_id: Type.String(),
  message_id: Nullable(Id),
  variables: Type.Unsafe<TemplateVariables>({ type: 'object' }),
  status: Type.String(),
  is_first: Type.Boolean(),
})
export type Moved = Static<typeof Moved>

/**
 * Moves locked deliveries to a higher rank, never to a lower one. `is_first` says that the platform was not known to
 * have accepted the delivery before. Receipts of an earlier attempt, before a retry, are ignored.
 */
export const moveForward = (tx: TenantTx, moves: DeliveryMove[]) =>
  tx.all(Moved)`
    with move as materialized (
      select given.*, d.ctid, d.accepted_at is null as is_first
      from unnest(${moves.map(({ deliveryId }) => deliveryId)}::uuid[],
          ${moves.map(({ chatMessageId }) => chatMessageId)}::text[], ${moves.map(({ messageId }) => messageId)}::uuid[],
          ${moves.map(({ status }) => status)}::text[],
          ${moves.map(({ status }) => statusOrder.indexOf(status) + 1)}::integer[],
          ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ error }) => error?.code ?? null)}::text[],
          ${moves.map(({ error }) => error?.message ?? null)}::text[])
          given (id, chat_message_id, message_id, status, rank, at, code, reason)
        cross join lateral (
          select ctid, status, accepted_at, former_message_ids from deliveries where id = given.id limit 1) d
      where not (given.chat_message_id = any(coalesce(d.former_message_ids, '{}')))
        and given.rank > case when d.accepted_at is null then 0
          else coalesce(array_position(${statusOrder as unknown as string[]}::text[], d.status), 0) end
    )
    update deliveries d set
      status = move.status, code = move.code, reason = move.reason, detail = null, next_attempt_at = null,
      accepted_at = coalesce(d.accepted_at, least(move.at, now())),
      chat_message_id = coalesce(d.chat_message_id, move.chat_message_id),
      message_id = case when move.is_first and d.contact_id is not null then move.message_id else d.message_id end,
      delivered_at = case when move.status in ('delivered', 'read')
        then coalesce(d.delivered_at, greatest(d.accepted_at, move.at), now()) else d.delivered_at end,
      read_at = case when move.status = 'read'
        then coalesce(d.read_at, greatest(d.accepted_at, move.at), now()) else d.read_at end,
      updated_at = now()
    from move where d.ctid = move.ctid
    returning d.id, d.campaign_id, d.contact_id, d.chat_message_id, d.message_id, d.variables, d.status, move.is_first`

const SendingCampaign = Type.Object({
  id: Id,
  channel_id: Id,
  status: Type.String(),
  template_name: Nullable(Type.String()),
  template_language: Nullable(Type.String()),
  template_components: Type.Unsafe<Record<string, unknown>[] | null>({}),
  created_by_type: Type.Unsafe<'user' | 'ai' | 'system'>({ type: 'string' }),
  created_by_id: Nullable(Id),
})

/** Template, channel and creator of these campaigns. */
export const findSendingCampaigns = (tx: TenantSql, ids: string[]) =>
  tx.all(SendingCampaign)`
    select id, channel_id, status, template_name, template_language, template_components, created_by_type, created_by_id
    from campaigns where id = any(${ids}::uuid[])`

interface StatusToMatch {
  channelId: string
  chatMessageId: string
  callbackId: string | null
}

const Matched = Type.Object({ position: Type.Integer(), id: Id })

/**
 * Finds the delivery of each status: by the delivery id that the platform returned with it, else by the message that
 * was created for it.
 */
export const matchDeliveries = (tx: TenantSql, rows: StatusToMatch[]) =>
  tx.all(Matched)`
    select given.position, found.id from unnest(${rows.map(({ channelId }) => channelId)}::uuid[],
        ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ callbackId }) => callbackId)}::uuid[])
        with ordinality given (channel_id, chat_message_id, callback_id, position)
      cross join lateral (
        select d.id from deliveries d join campaigns k on k.id = d.campaign_id
          and k.organization_id = d.organization_id and k.livemode = d.livemode
        where d.id = given.callback_id and k.channel_id = given.channel_id
        union all
        select d.id from messages m join deliveries d on d.organization_id = m.organization_id
          and d.livemode = m.livemode and d.id = case when m.payload ->> 'delivery_id' ~ '^[0-9a-f-]{36}$'
            then (m.payload ->> 'delivery_id')::uuid end
        where given.callback_id is null and m.channel_id = given.channel_id
          and m.chat_message_id = given.chat_message_id and m.chat_message_id <> '' and m.direction = 'outbound'
        limit 1
      ) found`

export interface SettledRow {
  id: string
  status: 'pending' | 'failed' | 'unknown'
  code: string
  reason: string
  delayMs: number | null
}

/**
 * Records the outcome of locked deliveries that this worker had in flight and that were not accepted. If the worker's
 * lease expired meanwhile, a delivery may be `unknown` already: the outcome replaces that. If its campaign is over, the
 * delivery fails instead of returning to `pending`; a member can retry it.
 */
export const settleClaimed = (tx: TenantTx, rows: SettledRow[], workerId: string) =>
  tx.run`
    with result as materialized (
      select d.ctid, given.code, given.reason, given.delay_ms,
        case when d.status = 'unknown' and given.status = 'pending' and k.status is distinct from 'sending'
          and k.status is distinct from 'paused' then 'failed' else given.status end as status
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ status }) => status)}::text[],
          ${rows.map(({ code }) => code)}::text[], ${rows.map(({ reason }) => reason)}::text[],
          ${rows.map(({ delayMs }) => delayMs)}::integer[]) given (id, status, code, reason, delay_ms)
        cross join lateral (
          select ctid, campaign_id, status, claimed_by, in_flight, accepted_at from deliveries
          where id = given.id limit 1) d
        left join lateral (
          select status from campaigns where d.status = 'unknown' and id = d.campaign_id limit 1 for key share) k on true
      where d.claimed_by = ${workerId} and d.in_flight and d.accepted_at is null
        and (d.status = 'sending' or d.status = 'unknown' and given.status <> 'unknown')
    )
    update deliveries d set status = result.status, code = result.code, reason = result.reason, detail = null,
      next_attempt_at = now() + result.delay_ms * interval '1 millisecond',
      claimed_by = case when result.status = 'pending' then null else d.claimed_by end,
      in_flight = result.status <> 'pending', updated_at = now()
    from result where d.ctid = result.ctid`
