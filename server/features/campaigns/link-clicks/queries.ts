import Type, { type Static } from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id, Instant } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'

/** The platform counts clicks for seven days after a message was sent. */
const counted = sql`interval '8 days'`

/** Often at first, then after a quarter of the time since the start: about 25 requests for a campaign in all. */
const nextTime = sql`case when greatest(started_at, completed_at) > now() - ${counted}
  then now() + least(interval '6 hours', greatest(interval '5 minutes', (now() - started_at) / 4)) end`

const Due = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })

/**
 * Campaigns whose clicks are to be read, the longest waiting first. Each gets its next due time now, so a failed read
 * is repeated then.
 */
export const takeDueCampaigns = (tx: SystemTx, most: number) =>
  tx.all(Due)`
    update campaigns set link_clicks_due_at = ${nextTime}
    where (organization_id, livemode, id) in (
      select organization_id, livemode, id from campaigns where link_clicks_due_at <= now()
      order by link_clicks_due_at limit ${most} for update skip locked)
    returning organization_id, livemode, id`

const Sent = Type.Object({
  channel_id: Id,
  remote_template_id: Type.String(),
  is_marketing: Type.Boolean(),
  /** Whether the channel has switched to another API since the campaign started. */
  has_switched: Type.Boolean(),
  /** No further back than the platform looks. */
  since: Instant,
})
export type SentTemplate = Static<typeof Sent>

/** Returns nothing if the campaign or its template was deleted. */
export const findSentTemplate = (tx: TenantSql, campaignId: string) =>
  tx.maybe(Sent)`
    select k.channel_id, t.remote_template_id, coalesce(k.template_category, t.category) = 'MARKETING' as is_marketing,
      coalesce(channel.marketing_messages_changed_at >= k.started_at, false) as has_switched,
      greatest(k.started_at, now() - interval '89 days') as since
    from campaigns k
      join templates t on t.organization_id = k.organization_id and t.livemode = k.livemode and t.id = k.template_id
      join channels channel on channel.organization_id = k.organization_id and channel.livemode = k.livemode
        and channel.id = k.channel_id
    where k.id = ${campaignId} and k.deleted_at is null and t.remote_template_id is not null`

/** Clicks by day and label. */
export type LinkClicks = Record<string, Record<string, { clicks: number; people: number }>>

const Known = Type.Object({ link_clicks: Type.Unsafe<LinkClicks>({ type: 'object' }) })

export const lockClicks = (tx: TenantTx, campaignId: string) =>
  tx.maybe(Known)`select link_clicks from campaigns where id = ${campaignId} and deleted_at is null for update`

/** `error` is why a part of the counts could not be read. */
export const saveClicks = (tx: TenantTx, campaignId: string, clicks: LinkClicks, error: string | null) =>
  tx.run`
    update campaigns set link_clicks = ${clicks}, link_clicks_at = now(), link_clicks_error = ${error}
    where id = ${campaignId}`
