import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { hiddenCode } from '../../templates/content/hide-codes.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

/** From lowest to highest rank, as for messages: a later `delivered` overrides `failed`. */
export const statusOrder = ['sent', 'failed', 'delivered', 'read'] as const
type StatusWord = (typeof statusOrder)[number]

/** A delivery that is linked to another one has the contact of that one. */
export const recipientId = sql`coalesce(d.contact_id, (select k.contact_id from deliveries k where k.id = d.duplicate_of))`

/**
 * Locks the contacts of deliveries that are not known to be accepted yet. Every transaction locks contacts before
 * deliveries, which prevents deadlocks.
 */
export const lockRecipients = (tx: TenantTx, deliveryIds: string[]) =>
  tx.run`
    select id from contacts where id = any(array(
      select ${recipientId} from deliveries d where d.id = any(${deliveryIds}::uuid[]) and d.accepted_at is null))
    order by id for no key update`

const Recipient = Type.Object({ id: Id, contact_id: Nullable(Id) })

/** The contacts of these deliveries as they are now: a contact may have been merged since it was claimed. */
export const findRecipients = async (tx: TenantSql, deliveryIds: string[]) =>
  deliveryIds.length === 0
    ? []
    : tx.all(Recipient)`
        select d.id, ${recipientId} as contact_id from deliveries d where d.id = any(${deliveryIds}::uuid[])`

/** Locks in ascending order of ids, so that two transactions with the same deliveries cannot deadlock. */
export const lockDeliveries = (tx: TenantTx, deliveryIds: string[]) =>
  tx.run`
    select id from deliveries where id = any(${deliveryIds}::uuid[]) order by id for no key update`

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
 * have accepted the delivery before and that its contact still exists, so the message is to be created. Receipts of an
 * earlier attempt, before a retry, are ignored. A delivery whose recipient was erased learns no id of the platform,
 * which contains the number.
 *
 * `id = any(…)` bounds what is read. With the join alone and without statistics, moving 500 of 300,000 deliveries read
 * all of them and took 1,140 ms instead of 100 ms.
 */
export const moveForward = (tx: TenantTx, moves: DeliveryMove[]) =>
  tx.all(Moved)`
    update deliveries d set
      status = move.status, code = move.code, reason = move.reason, detail = null, next_attempt_at = null,
      accepted_at = coalesce(d.accepted_at, least(move.at, now())),
      chat_message_id = case when d.phone_number <> '' or d.whatsapp_user_id is not null
        then coalesce(d.chat_message_id, move.chat_message_id) end,
      message_id = case when d.accepted_at is null and coalesce(d.contact_id, d.duplicate_of) is not null then move.message_id else d.message_id end,
      delivered_at = case when move.status in ('delivered', 'read')
        then coalesce(d.delivered_at, greatest(d.accepted_at, move.at), now()) else d.delivered_at end,
      read_at = case when move.status = 'read'
        then coalesce(d.read_at, greatest(d.accepted_at, move.at), now()) else d.read_at end,
      updated_at = now()
    from unnest(${moves.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${moves.map(({ chatMessageId }) => chatMessageId)}::text[], ${moves.map(({ messageId }) => messageId)}::uuid[],
      ${moves.map(({ status }) => status)}::text[],
      ${moves.map(({ status }) => statusOrder.indexOf(status) + 1)}::integer[],
      ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ error }) => error?.code ?? null)}::text[],
      ${moves.map(({ error }) => error?.message ?? null)}::text[])
      move (id, chat_message_id, message_id, status, rank, at, code, reason)
    where d.id = any(${moves.map(({ deliveryId }) => deliveryId)}::uuid[]) and d.id = move.id
      and not (move.chat_message_id = any(coalesce(d.former_message_ids, '{}')))
      and move.rank > case when d.accepted_at is null then 0
        else coalesce(array_position(${statusOrder as unknown as string[]}::text[], d.status), 0) end
    returning d.id, d.campaign_id, ${recipientId} as contact_id,
      coalesce(d.chat_message_id, '') as chat_message_id, d.message_id, d.variables, d.status,
      d.message_id is not distinct from move.message_id as is_first`

/** The platform has the codes of these deliveries: they are kept nowhere else. */
export const hideCodes = (tx: TenantTx, deliveryIds: string[]) =>
  tx.run`
    update deliveries set variables = (select jsonb_object_agg(key, ${hiddenCode}::text) from jsonb_each(variables))
    where id = any(${deliveryIds}::uuid[]) and variables <> '{}'`

const SendingCampaign = Type.Object({
  id: Id,
  channel_id: Id,
  status: Type.String(),
  template_name: Nullable(Type.String()),
  template_language: Nullable(Type.String()),
  template_category: Nullable(Type.String()),
  template_components: Type.Unsafe<Record<string, unknown>[] | null>({}),
  created_by_type: Type.Unsafe<'user' | 'ai' | 'system'>({ type: 'string' }),
  created_by_id: Nullable(Id),
  started_at: Instant,
})

/** Template, channel, creator and start of these campaigns. */
export const findSendingCampaigns = (tx: TenantSql, ids: string[]) =>
  tx.all(SendingCampaign)`
    select id, channel_id, status, template_name, template_language, template_category, template_components,
      created_by_type, created_by_id, coalesce(started_at, created_at) as started_at
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
        -- Not a join: the policies allow an index on the delivery's id only for a value that is already computed.
        select d.id from deliveries d where given.callback_id is null and d.id = (
          select case when m.payload ->> 'delivery_id' ~ '^[0-9a-f-]{36}$' then (m.payload ->> 'delivery_id')::uuid end
          from messages m where m.channel_id = given.channel_id and m.chat_message_id = given.chat_message_id
            and m.chat_message_id <> '' and m.direction = 'outbound')
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
      select given.id, given.code, given.reason, given.delay_ms,
        case when d.status = 'unknown' and given.status = 'pending' and coalesce((
            select k.status from campaigns k where k.id = d.campaign_id for key share), '') not in ('sending', 'paused')
          then 'failed' else given.status end as status
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ status }) => status)}::text[],
          ${rows.map(({ code }) => code)}::text[], ${rows.map(({ reason }) => reason)}::text[],
          ${rows.map(({ delayMs }) => delayMs)}::integer[]) given (id, status, code, reason, delay_ms)
        join deliveries d using (id)
      where d.id = any(${rows.map(({ id }) => id)}::uuid[]) and d.claimed_by = ${workerId} and d.in_flight
        and d.accepted_at is null
        and (d.status = 'sending' or d.status = 'unknown' and given.status <> 'unknown')
    )
    update deliveries d set status = result.status, code = result.code, reason = result.reason, detail = null,
      next_attempt_at = now() + result.delay_ms * interval '1 millisecond',
      claimed_by = case when result.status = 'pending' then null else d.claimed_by end,
      in_flight = result.status <> 'pending', updated_at = now()
    from result where d.id = result.id`
