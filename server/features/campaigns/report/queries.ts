import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { shownValuesSql } from '../../templates/content/hide-codes.ts'
import { countsOfCampaign } from '../queries.ts'
import { ExportedDelivery, ReportFacts } from './schema.ts'

/** Interval widths that are easy to read, in seconds: up to forty intervals cover the sending time. */
const steps = [1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400, 604_800, 2_592_000, 31_536_000, 315_360_000]
const mostStretches = 40
/** More than any template has, unless the platform reports other labels than the template's. */
const mostButtons = 20
/** A Monday, so that weeks begin where people expect it. */
const origin = '2001-01-01'

/**
 * Everything about a campaign in one statement, and so in one snapshot: the counts agree with the intervals and the
 * failures. Deliveries are counted by the second in one pass, then in intervals by the time zone's clock.
 */
export const findReportFacts = (tx: TenantSql, campaignId: string, timezone: string, mostFailures: number) =>
  tx.maybe(ReportFacts)`
    with by_second as materialized (
      select date_trunc('second', accepted_at) as at, min(accepted_at) as first, max(accepted_at) as last, count(*) as sent,
        count(*) filter (where status in ('delivered', 'read')) as delivered, count(*) filter (where status = 'read') as read
      from deliveries where campaign_id = ${campaignId} and accepted_at is not null group by 1
    )
    select now() as as_of, o.name as organization_name, k.id, k.name, k.status, k.livemode, k.audience_type, k.audience_tags,
      k.template_variables, k.scheduled_at, k.sending_times, k.started_at, k.completed_at, k.frozen_at, k.created_at, k.pause_reason,
      k.pause_detail, k.failure_reason, counts.*, (select count(distinct id) from unnest(k.audience_contact_ids) id) as chosen_contacts_count,
      channel.display_name as channel_name, channel.phone_number as channel_number,
      coalesce(k.template_name, t.name) as template_name, coalesce(k.template_language, t.language) as template_language,
      coalesce(k.template_category, t.category) as template_category,
      coalesce(k.template_components, t.components) as template_components, ${shownValuesSql(sql`k.template_category`, sql`example.variables`)} as example,
      span.first_sent_at, span.last_sent_at, step.seconds as step_seconds,
      coalesce(stretch.list, '[]') as stretches, coalesce(failure.list, '[]') as failures, coalesce(taps.list, '[]') as buttons,
      k.link_clicks, k.link_clicks_at, k.link_clicks_error
    from campaigns k
      join organizations o on o.id = k.organization_id
      join channels channel on channel.organization_id = k.organization_id and channel.livemode = k.livemode
        and channel.id = k.channel_id
      left join templates t on t.organization_id = k.organization_id and t.livemode = k.livemode and t.id = k.template_id
      cross join lateral (${countsOfCampaign}) counts
      cross join (select min(first) as first_sent_at, max(last) as last_sent_at from by_second) span
      left join lateral (
        select seconds from unnest(${steps}::integer[]) given (seconds)
        where seconds::bigint * ${mostStretches - 1} >= extract(epoch from span.last_sent_at - span.first_sent_at)
        order by seconds limit 1) step on true
      left join lateral (
        select json_agg(json_build_object('at', to_char(s.at, 'YYYY-MM-DD"T"HH24:MI:SS'), 'sent', sent,
          'delivered', delivered, 'read', read) order by s.at) as list
        from (
          select date_bin(make_interval(secs => step.seconds), at at time zone ${timezone}, ${origin}::timestamp) as at,
            sum(sent) as sent, sum(delivered) as delivered, sum(read) as read
          from by_second group by 1
        ) s) stretch on true
      left join lateral (
        select json_agg(f order by f.count desc, f.code) as list from (
          select status, coalesce(code, reason, 'unknown') as code, min(coalesce(detail, reason)) as words, count(*) as count
          from deliveries where campaign_id = k.id and status in ('failed', 'skipped', 'unknown')
          group by 1, 2 order by 4 desc, 2 limit ${mostFailures}
        ) f) failure on true
      left join lateral (
        select json_agg(t order by t.count desc, t.label) as list from (
          select label, count(*) as count from deliveries cross join unnest(tapped_buttons) label
          where campaign_id = k.id and tapped_buttons is not null group by 1 order by 2 desc, 1 limit ${mostButtons}
        ) t) taps on true
      left join lateral (
        select found.variables
        from unnest(array['read', 'delivered', 'sent', 'sending', 'pending']) with ordinality wanted (status, position)
          cross join lateral (
            select variables from deliveries where campaign_id = k.id and status = wanted.status
            order by id desc limit 1) found
        order by wanted.position limit 1) example on true
    where k.id = ${campaignId} and k.deleted_at is null`

const CampaignName = Type.Object({ name: Type.String() })

export const findCampaignName = (tx: TenantSql, campaignId: string) =>
  tx.maybe(CampaignName)`select name from campaigns where id = ${campaignId} and deleted_at is null`

/** From here on the cursor shows the deliveries of this snapshot, whatever changes meanwhile. */
export const openDeliveries = (tx: TenantTx, campaignId: string) =>
  tx.run`
    declare exported_deliveries no scroll cursor for
    select d.id, d.contact_id, (select name from contacts where contacts.id = d.contact_id) as contact_name, d.phone_number, d.whatsapp_user_id, d.status,
      d.accepted_at as sent_at, d.delivered_at, d.read_at, d.replied_at, coalesce(d.tapped_buttons, '{}') as tapped_buttons,
      d.time_zone, d.attempts, d.code, d.reason, d.detail, d.chat_message_id, d.updated_at
    from deliveries d where d.campaign_id = ${campaignId} order by d.id`

export const fetchDeliveries = (tx: TenantTx) => tx.all(ExportedDelivery)`fetch 500 from exported_deliveries`
