import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import { boundsOf, type Period } from '../period.ts'
import { CampaignsReport, periodMembers } from '../schema.ts'

const mostCampaigns = 200

/** Four decimals: a hundredth of a percent. */
const replyRate = (replied: Fragment, sent: Fragment) => sql`round(${replied} / nullif(${sent}, 0)::numeric, 4)`

const sums = sql`count(*) as campaigns, coalesce(sum(recipients), 0)::bigint as recipients, coalesce(sum(sent), 0)::bigint as sent,
  coalesce(sum(delivered), 0)::bigint as delivered, coalesce(sum(read), 0)::bigint as read,
  coalesce(sum(replied), 0)::bigint as replied, coalesce(sum(failed), 0)::bigint as failed,
  ${replyRate(sql`sum(replied)`, sql`sum(sent)`)} as reply_rate`

const Facts = Type.Omit(CampaignsReport, Object.keys(periodMembers) as (keyof typeof periodMembers)[])

/** Campaigns that started in the period, with what became of their messages up to now. */
export function readCampaigns(tx: TenantSql, period: Period) {
  const { previous, first, beyond } = boundsOf(period)
  return tx.one(Facts)`
    with picked as materialized (
      select k.id, k.name, k.started_at, k.started_at >= ${first} as is_current, counts.* from campaigns k
        cross join lateral (
          select coalesce(sum(pending + sending + sent + delivered + read + failed + skipped + unknown), 0)::bigint as recipients,
            coalesce(sum(sent + delivered + read + failed_afterwards), 0)::bigint as sent,
            coalesce(sum(delivered + read), 0)::bigint as delivered, coalesce(sum(read), 0)::bigint as read,
            coalesce(sum(replied), 0)::bigint as replied, coalesce(sum(failed), 0)::bigint as failed
          from delivery_counts where campaign_id = k.id) counts
      where k.deleted_at is null and k.started_at >= ${previous} and k.started_at < ${beyond}
    )
    select
      (select to_json(f) from (select ${sums} from picked where is_current) f) as totals,
      (select to_json(f) from (select ${sums} from picked where not is_current) f) as previous,
      (select coalesce(json_agg(c), '[]') from (
        select id, name, iso(started_at) as started_at, recipients, sent, delivered, read, replied, failed,
          ${replyRate(sql`replied`, sql`sent`)} as reply_rate
        from picked where is_current order by picked.started_at desc, id limit ${mostCampaigns}) c) as campaigns`
}
