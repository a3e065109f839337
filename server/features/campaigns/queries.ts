import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { idsBefore, rowsBeyond } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable } from '../../platform/schemas.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { Campaign, type CampaignFilter, type FailureReason, type PauseReason } from './schema.ts'

const columnsWith = (contactIds: Fragment): Fragment => sql`
  k.id, k.organization_id, k.name, k.status, k.channel_id as chat_phone_number_id,
  k.template_id as message_template_id, k.template_variables, k.audience_type, k.audience_tags,
  ${contactIds} as audience_contact_ids, k.scheduled_at, k.sending_times, counts.*, k.pause_reason, k.pause_detail, k.failure_reason,
  waiting.held_until as waiting_until, waiting.hold_reason as waiting_reason, k.started_at, k.frozen_at, k.completed_at,
  k.livemode, k.created_at, k.updated_at`

const everyId = sql`k.audience_contact_ids::text[]`
const fewIds = sql`case when cardinality(k.audience_contact_ids) <= 1000 then k.audience_contact_ids::text[] end`

/** Triggers keep the counters in the transaction of each change, so they always agree with the rows. */
export const countsOfCampaign = sql`
    select coalesce(sum(pending + sending + sent + delivered + read + failed + skipped + unknown), 0)::bigint
        as total_contacts_count,
      coalesce(sum(sent + delivered + read + failed_afterwards), 0)::bigint as sent_count,
      coalesce(sum(delivered + read), 0)::bigint as delivered_count, coalesce(sum(read), 0)::bigint as read_count,
      coalesce(sum(failed), 0)::bigint as failed_count, coalesce(sum(skipped), 0)::bigint as skipped_count,
      coalesce(sum(unknown), 0)::bigint as unknown_count, coalesce(sum(pending), 0)::bigint as pending_count,
      coalesce(sum(sending), 0)::bigint as sending_count, coalesce(sum(replied), 0)::bigint as replied_count
    from delivery_counts where campaign_id = k.id`

const facts = sql`cross join lateral (${countsOfCampaign}) counts
  left join sending_channels waiting on waiting.channel_id = k.channel_id and k.status = 'sending'
    and waiting.held_until > now()`

export const findCampaign = (tx: TenantSql, id: string) =>
  tx.maybe(
    Campaign,
  )`select ${columnsWith(everyId)} from campaigns k ${facts} where k.id = ${id} and k.deleted_at is null`

/** As in lists and events: without long lists of contact ids. */
export const findCampaigns = (tx: TenantSql, ids: string[]) =>
  tx.all(Campaign)`
    select ${columnsWith(fewIds)} from campaigns k ${facts} where k.id = any(${ids}::uuid[]) and k.deleted_at is null
    order by k.id`

/** A row of a page with the total; its columns are null when the page is empty. */
const CampaignRow = Type.Unsafe<Campaign & { total_count: number }>({})

/** A page and its total, newest first, in one statement; the total comes from counters. */
export function listCampaigns(tx: TenantSql, { status, search, limit, starting_after: cursor }: CampaignFilter) {
  const ofStatus = status === undefined ? sql`true` : sql`status = ${status}`
  const words = search?.trim().toLowerCase()
  const wanted = words ? sql`${ofStatus} and strpos(lower(name), ${words}) > 0` : ofStatus
  // An organization has hundreds of campaigns, not millions, so a search can count its matches.
  const total = words
    ? sql`select count(*) as total_count from campaigns where deleted_at is null and ${wanted}`
    : sql`select coalesce(sum(n), 0)::bigint as total_count from campaign_counts where ${wanted}`
  return tx.all(CampaignRow)`
    select page.*, total_count from
      (${total}) total
      left join lateral (
        select ${columnsWith(fewIds)} from campaigns k ${facts}
        where k.id in (
          select id from campaigns where deleted_at is null and ${wanted} and ${idsBefore(cursor)}
          order by id desc limit ${rowsBeyond(limit)})
      ) page on true
    order by page.id desc`
}

/** The columns that decide what may happen to a campaign, without its counts. */
export const CampaignState = Type.Object({
  ...Type.Pick(Campaign, [
    'id',
    'name',
    'status',
    'audience_type',
    'audience_tags',
    'audience_contact_ids',
    'template_variables',
    'scheduled_at',
    'sending_times',
    'started_at',
    'frozen_at',
    'pause_reason',
  ]).properties,
  channel_id: Id,
  template_id: Nullable(Id),
  template_name: Nullable(Type.String()),
  template_category: Nullable(Type.String()),
  template_components: Type.Unsafe<Record<string, unknown>[] | null>({}),
  frozen_through: Nullable(Id),
  is_due: Type.Boolean(),
})
export type CampaignState = Static<typeof CampaignState>

const stateColumns = sql`id, name, status, channel_id, template_id, template_variables, audience_type, audience_tags,
  audience_contact_ids::text[], scheduled_at, sending_times, started_at, frozen_at, frozen_through, pause_reason, template_name,
  template_category, template_components, coalesce(scheduled_at <= now(), true) as is_due`

export const lockCampaign = (tx: TenantTx, id: string) =>
  tx.maybe(CampaignState)`
    select ${stateColumns} from campaigns where id = ${id} and deleted_at is null for update`

/** Returns nothing if another transaction has locked the campaign. */
export const tryLockCampaign = (tx: TenantTx, id: string) =>
  tx.maybe(CampaignState)`
    select ${stateColumns} from campaigns where id = ${id} and deleted_at is null for update skip locked`

export interface CampaignRowInput {
  id: string
  name: string
  channelId: string
  templateId: string | null
  templateVariables: Record<string, string> | null
  audienceType: Campaign['audience_type']
  audienceTags: string[] | null
  audienceContactIds: string[] | null
  scheduledAt: string | null
  sendingTimes: Campaign['sending_times']
}

/** The database's clock decides whether the campaign is due. */
export const insertCampaign = (
  tx: TenantTx,
  row: CampaignRowInput,
  creator: { type: string; id: string | null },
): Promise<CampaignState> =>
  tx.one(CampaignState)`
    insert into campaigns (id, name, status, channel_id, template_id, template_variables, audience_type, audience_tags,
      audience_contact_ids, scheduled_at, sending_times, created_by_type, created_by_id)
    values (${row.id}, ${row.name}, case when ${row.scheduledAt}::timestamptz > now() then 'scheduled' else 'sending' end,
      ${row.channelId}, ${row.templateId}, ${row.templateVariables}, ${row.audienceType}, ${row.audienceTags}::text[],
      ${row.audienceContactIds}::uuid[], ${row.scheduledAt}, ${row.sendingTimes}, ${creator.type}, ${creator.id})
    returning ${stateColumns}`

export const updateScheduled = (tx: TenantTx, row: CampaignRowInput) =>
  tx.one(CampaignState)`
    update campaigns set name = ${row.name}, channel_id = ${row.channelId}, template_id = ${row.templateId},
      template_variables = ${row.templateVariables}, audience_type = ${row.audienceType},
      audience_tags = ${row.audienceTags}::text[], audience_contact_ids = ${row.audienceContactIds}::uuid[],
      scheduled_at = ${row.scheduledAt}, sending_times = ${row.sendingTimes}, updated_at = now()
    where id = ${row.id}
    returning ${stateColumns}`

interface TemplateFacts {
  /** Whether clicks on its links are to be read. */
  hasLinks: boolean
  name: string
  language: string
  category: string
  components: Record<string, unknown>[]
}

/** Copies the template: later changes to it do not affect this campaign. */
export const markStarted = (tx: TenantTx, id: string, template: TemplateFacts | null) =>
  tx.one(CampaignState)`
    update campaigns set status = 'sending', started_at = now(), updated_at = now(),
      template_name = ${template?.name ?? null}, template_language = ${template?.language ?? null},
      template_category = ${template?.category ?? null},
      template_components = ${template ? JSON.stringify(template.components) : null},
      link_clicks_due_at = case when ${template?.hasLinks ?? false} then now() + interval '5 minutes' end
    where id = ${id}
    returning ${stateColumns}`

export const saveFreezeCursor = (tx: TenantTx, id: string, contactId: string) =>
  tx.run`update campaigns set frozen_through = ${contactId} where id = ${id}`

export const markFrozen = (tx: TenantTx, id: string) =>
  tx.run`update campaigns set frozen_at = now(), frozen_through = null, updated_at = now() where id = ${id}`

const Changed = Type.Object({ id: Id })

/** Pauses those that are scheduled or sending. */
export const markPaused = (
  tx: TenantTx,
  ids: string[],
  { reason, detail }: { reason: PauseReason; detail: string | null },
) =>
  tx.all(Changed)`
    update campaigns set status = 'paused', pause_reason = ${reason}, pause_detail = ${detail}, updated_at = now()
    where id = any(${ids}::uuid[]) and status in ('scheduled', 'sending') and deleted_at is null
    returning id`

/** Returns to `sending`, or to `scheduled` if it has not started. The circuit breaker ignores failures from before. */
export const markResumed = (tx: TenantTx, id: string) =>
  tx.run`
    update campaigns set pause_reason = null, pause_detail = null, judged_since = now(), completed_at = null,
      status = case when started_at is null then 'scheduled' else 'sending' end, updated_at = now()
    where id = ${id}`

export const markCancelled = (tx: TenantTx, id: string) =>
  tx.run`
    update campaigns set status = 'cancelled', pause_reason = null, pause_detail = null, updated_at = now()
    where id = ${id}`

export const markFailed = (tx: TenantTx, id: string, reason: FailureReason) =>
  tx.run`update campaigns set status = 'failed', failure_reason = ${reason}, updated_at = now() where id = ${id}`

/** Stops the campaign and hides it. */
export const markDeleted = (tx: TenantTx, id: string) =>
  tx.run`
    update campaigns set status = case when status in ('scheduled', 'sending', 'paused') then 'cancelled' else status end,
      deleted_at = now()
    where id = ${id}`

const Completed = Type.Object({ completed_at: Instant })

/** Completes the campaign if nothing is left to send. The campaign must be locked. */
export const markCompleted = (tx: TenantTx, id: string) =>
  tx.maybe(Completed)`
    update campaigns set status = 'completed', completed_at = now(), pause_reason = null, pause_detail = null, updated_at = now(),
      link_clicks_due_at = case when link_clicks_at is null then link_clicks_due_at else now() + interval '5 minutes' end
    where id = ${id} and (status = 'sending' or status = 'paused' and pause_reason = 'failure_rate') and frozen_at is not null
      and not exists (select from deliveries d where d.campaign_id = ${id} and d.status = 'pending')
      and not exists (select from deliveries d where d.campaign_id = ${id} and d.status = 'sending')
    returning completed_at`

export const listOfChannel = (tx: TenantSql, channelId: string, statuses: Campaign['status'][]) =>
  tx.all(Changed)`
    select id from campaigns where channel_id = ${channelId} and status in ('scheduled', 'sending')
      and status = any(${statuses}::text[]) and deleted_at is null
    order by id`

export const listWithoutTemplate = (tx: TenantSql) =>
  tx.all(Changed)`
    select id from campaigns
    where status = 'sending' and template_id is null and template_name is not null and deleted_at is null order by id`

/**
 * Corrects the reason of campaigns that were paused because the platform no longer had the template, before its
 * deletion was known here.
 */
export const explainPauses = (tx: TenantTx, { reason, detail }: { reason: PauseReason; detail: string }) =>
  tx.all(Changed)`
    update campaigns set pause_reason = ${reason}, pause_detail = ${detail}, updated_at = now()
    where status = 'paused' and pause_reason = 'template_unusable' and template_id is null and template_name is not null
      and deleted_at is null
    returning id`

/** Makes the channel due: a worker claims from it at once, or when its hold ends. */
export const wakeChannel = (tx: TenantSql, channelId: string) =>
  tx.run`
    insert into sending_channels as s (channel_id, due_at) values (${channelId}, now())
    on conflict (organization_id, livemode, channel_id) do update set due_at = greatest(now(), s.held_until)`
