import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { idsBefore, rowsBeyond } from '../../../platform/http/pagination.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import { shownValuesSql } from '../../templates/content/hide-codes.ts'
import { adviceOn } from '../report/failure-advice.ts'
import { type Delivery, type DeliveryFilter, type DeliveryStatus, deliveryStatuses } from './schema.ts'

/** Select these from `deliveries d` and its `campaign`. */
const deliveryColumns = sql`d.id, d.organization_id, d.campaign_id, d.contact_id, (select name from contacts where contacts.id = d.contact_id) as contact_name, d.phone_number, d.whatsapp_user_id,
  ${shownValuesSql(sql`campaign.template_category`, sql`d.variables`)} as variables, d.status, d.code, d.reason, d.detail, d.attempts,
  greatest(d.next_attempt_at, case when d.status = 'pending' then d.due_at end) as next_attempt_at, d.time_zone, d.chat_message_id, d.message_id,
  d.duplicate_of, d.accepted_at as sent_at, d.delivered_at, d.read_at, d.replied_at,
  coalesce(d.tapped_buttons, '{}') as tapped_buttons, d.livemode, d.created_at, d.updated_at`

/** A row of a page with the total; its columns are null when the page is empty. */
const DeliveryRow = Type.Unsafe<Omit<Delivery, 'explanation' | 'what_to_do'> & { total_count: number }>({})

type DeliveryReason = Pick<Delivery, 'status' | 'code' | 'reason'>

/** A pending delivery has the code of its last attempt, and needs no action yet. */
const isOver = ({ status }: DeliveryReason) => status === 'failed' || status === 'skipped' || status === 'unknown'

/** Why a delivery did not arrive, for people who do not know the platform's codes. */
export function explainDelivery(delivery: DeliveryReason): Pick<Delivery, 'explanation' | 'what_to_do'> {
  const why = delivery.code ?? delivery.reason
  if (why === null) return { explanation: null, what_to_do: null }
  const { meaning, advice } = adviceOn(why)
  return { explanation: meaning, what_to_do: isOver(delivery) ? advice : null }
}

/** Column names cannot be parameters of a statement. */
const countOf: Record<DeliveryStatus, Fragment> = {
  pending: sql`pending`,
  sending: sql`sending`,
  sent: sql`sent`,
  delivered: sql`delivered`,
  read: sql`read`,
  failed: sql`failed`,
  skipped: sql`skipped`,
  unknown: sql`unknown`,
}

/**
 * Returns no row if the campaign does not exist. Each status is read from its own range of the index, and rows are
 * looked up one by one: a cached plan does not know the limit, and a plain join read all 100,000 deliveries (420 ms
 * instead of 5 ms).
 */
export async function listDeliveries(tx: TenantSql, campaignId: string, filter: DeliveryFilter) {
  const { status, limit, starting_after: cursor } = filter
  const wanted = status === undefined ? [...deliveryStatuses] : [status]
  const total = status ? countOf[status] : sql`pending + sending + sent + delivered + read + failed + skipped + unknown`
  const newest = sql`order by id desc limit ${rowsBeyond(limit)}`
  const rows = await tx.all(DeliveryRow)`
    select page.*, total_count from
      (select k.id, k.template_category, (select coalesce(sum(${total}), 0)::bigint from delivery_counts where campaign_id = k.id) as total_count
        from campaigns k where k.id = ${campaignId} and k.deleted_at is null) campaign
      left join lateral (
        select ${deliveryColumns}
        from (
          select of_status.id from unnest(${wanted}::text[]) wanted (status) cross join lateral (
            select id from deliveries
            where campaign_id = ${campaignId} and status = wanted.status and ${idsBefore(cursor)} ${newest}
          ) of_status ${newest}
        ) chosen
          cross join lateral (select * from deliveries where id = chosen.id limit 1) d
      ) page on true
    order by page.id desc`
  return rows.map((row) => ({ ...row, ...explainDelivery(row) }))
}

const Retried = Type.Object({ n: Type.Integer() })

/** Returns a batch of deliveries to `pending`. Former message ids are kept, so that their late receipts are ignored. */
export const retryDeliveries = (tx: TenantTx, campaignId: string, scope: 'failed' | 'unknown', most: number) =>
  tx.one(Retried)`
    with chosen as materialized (
      select id from deliveries
      where campaign_id = ${campaignId} and status = ${scope} and code is distinct from 'missing_variable'
        and contact_id is not null
      order by id limit ${most} for update
    ), ranked as materialized (
      select id, row_number() over (order by id) as n from chosen
    ), numbered as (
      update campaigns set send_numbers = send_numbers + (select count(*) from chosen) where id = ${campaignId}
    ), retried as (
      update deliveries d set status = 'pending', code = null, reason = null, detail = null, attempts = 0,
        next_attempt_at = null, claimed_by = null, in_flight = false, accepted_at = null, message_id = null,
        former_message_ids = case when chat_message_id is null then former_message_ids
          else array_append(former_message_ids, chat_message_id) end,
        chat_message_id = null, send_no = (select send_numbers from campaigns where id = ${campaignId}) + ranked.n,
        updated_at = now()
      from ranked where d.id = ranked.id
      returning 1
    )
    select count(*)::integer as n from retried`
