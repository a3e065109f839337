import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import type { TemplateVariables } from './schema.ts'

/** In the order in which they replace each other, as for messages: what was delivered did not fail after all. */
export const statusOrder = ['sent', 'failed', 'delivered', 'read'] as const
export type StatusWord = (typeof statusOrder)[number]

/** Contacts come first, as everybody locks them: of deliveries that the platform was not known to have accepted. */
export const lockRecipients = (tx: TenantTx, deliveryIds: string[]) =>
  tx.run`
    select id from contacts where id in (
      select contact_id from deliveries where id = any(${deliveryIds}::uuid[]) and accepted_at is null)
    order by id for no key update`

export interface DeliveryMove {
  deliveryId: string
  chatMessageId: string
  /** For the contact's timeline, should this be the first word of the platform. */
  messageId: string
  status: StatusWord
  /** When the platform says that it happened; now unless said. */
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
 * Brings deliveries forward, never back, and says of which this is the first that the platform was known to have accepted.
 * An attempt that failed before somebody had the delivery tried again has nothing to say any more.
 */
export const moveForward = (tx: TenantTx, moves: DeliveryMove[]) =>
  tx.all(Moved)`
    with given as (
      select * from unnest(${moves.map(({ deliveryId }) => deliveryId)}::uuid[],
        ${moves.map(({ chatMessageId }) => chatMessageId)}::text[], ${moves.map(({ messageId }) => messageId)}::uuid[],
        ${moves.map(({ status }) => status)}::text[],
        ${moves.map(({ status }) => statusOrder.indexOf(status) + 1)}::integer[],
        ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ error }) => error?.code ?? null)}::text[],
        ${moves.map(({ error }) => error?.message ?? null)}::text[])
        given (id, chat_message_id, message_id, status, rank, at, code, reason)
    ), before as (
      select d.id, d.accepted_at is null as is_first,
        case when d.accepted_at is null then 0
          else coalesce(array_position(${statusOrder as unknown as string[]}::text[], d.status), 0) end as rank
      from deliveries d
      where d.id = any(${moves.map(({ deliveryId }) => deliveryId)}::uuid[])
      order by d.id for no key update
    )
    update deliveries set
      status = given.status, code = given.code, reason = given.reason, detail = null, next_attempt_at = null,
      accepted_at = coalesce(accepted_at, now()),
      chat_message_id = coalesce(deliveries.chat_message_id, given.chat_message_id),
      message_id = case when before.is_first and contact_id is not null then given.message_id else deliveries.message_id end,
      delivered_at = case when given.status in ('delivered', 'read') then coalesce(delivered_at, given.at, now())
        else delivered_at end,
      read_at = case when given.status = 'read' then coalesce(read_at, given.at, now()) else read_at end,
      updated_at = now()
    from given join before on before.id = given.id
    where deliveries.id = given.id and deliveries.status <> 'skipped' and given.rank > before.rank
      and not (given.chat_message_id = any(coalesce(former_message_ids, '{}')))
    returning deliveries.id, campaign_id, contact_id, deliveries.chat_message_id, deliveries.message_id, variables,
      deliveries.status, before.is_first`

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
export type SendingCampaign = Static<typeof SendingCampaign>

/** What messages of these campaigns say and by whom. */
export const findSendingCampaigns = (tx: TenantSql, ids: string[]) =>
  tx.all(SendingCampaign)`
    select id, channel_id, status, template_name, template_language, template_components, created_by_type, created_by_id
    from campaigns where id = any(${ids}::uuid[])`

export interface StatusToMatch {
  channelId: string
  chatMessageId: string
  callbackId: string | null
}

const Matched = Type.Object({ place: Type.Integer(), id: Id })

/**
 * The delivery of each status that has one: by its own id, which came back with the status, else by the message that was
 * made of it.
 */
export const matchDeliveries = (tx: TenantSql, rows: StatusToMatch[]) =>
  tx.all(Matched)`
    select given.place, found.id from unnest(${rows.map(({ channelId }) => channelId)}::uuid[],
        ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ callbackId }) => callbackId)}::uuid[])
        with ordinality given (channel_id, chat_message_id, callback_id, place)
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

const Outcomes = Type.Object({ id: Id, recent_outcomes: Type.String() })

/** The record of campaigns that are sending, where there is anything to remember. */
export const lockOutcomes = (tx: TenantTx, ids: string[], unwell: string[]) =>
  tx.all(Outcomes)`
    select id, recent_outcomes from campaigns
    where id = any(${ids}::uuid[]) and status = 'sending' and (recent_outcomes <> '' or id = any(${unwell}::uuid[]))
    order by id for no key update`

export const saveOutcomes = (tx: TenantTx, rows: { id: string; outcomes: string }[]) =>
  tx.run`
    update campaigns set recent_outcomes = row.outcomes
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ outcomes }) => outcomes)}::text[]) row (id, outcomes)
    where campaigns.id = row.id`

export interface SettledRow {
  id: string
  status: 'pending' | 'failed' | 'unknown'
  code: string
  reason: string
  delayMs: number | null
}

const Settled = Type.Object({ id: Id })

/**
 * What became of deliveries that this worker had handed over and that the platform was not heard to accept. One that was
 * given up for unknown meanwhile, because the worker was thought dead, is put right.
 */
export const settleClaimed = (tx: TenantTx, rows: SettledRow[], workerId: string) =>
  tx.all(Settled)`
    update deliveries set status = row.status, code = row.code, reason = row.reason, detail = null,
      next_attempt_at = now() + row.delay_ms * interval '1 millisecond',
      claimed_by = case when row.status = 'pending' then null else claimed_by end,
      handed_over = row.status <> 'pending', updated_at = now()
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ code }) => code)}::text[], ${rows.map(({ reason }) => reason)}::text[],
      ${rows.map(({ delayMs }) => delayMs)}::integer[]) row (id, status, code, reason, delay_ms)
    where deliveries.id = row.id and claimed_by = ${workerId} and handed_over and accepted_at is null
      and (deliveries.status = 'sending' or deliveries.status = 'unknown' and row.status <> 'unknown')
    returning deliveries.id`
