import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestIdOf } from '../../../platform/id-ranges.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import { boundsOf, intervalOf, intervalsOf, type Period } from '../period.ts'
import { CallReport, periodMembers } from '../schema.ts'

const figures = sql`
  count(*) as calls,
  count(*) filter (where direction = 'inbound') as inbound,
  count(*) filter (where direction = 'outbound') as outbound,
  count(*) filter (where status = 'completed') as completed,
  count(*) filter (where status in ('busy', 'no-answer')) as not_reached,
  count(*) filter (where status = 'failed') as failed,
  count(*) filter (where ended_reason in ('handed_off', 'transferred')) as handed_off,
  coalesce(sum(duration_seconds), 0)::bigint as talk_seconds`

const groupBy = (key: Fragment, name: Fragment): Fragment => sql`
  select coalesce(json_agg(g order by g.calls desc, g.name), '[]') from (
    select g.*, ${name} as name from (
      select ${key} as id, ${figures} from picked where is_current group by 1 order by 2 desc limit 100) g) g`

const Facts = Type.Omit(CallReport, Object.keys(periodMembers) as (keyof typeof periodMembers)[])

/** Calls are their own facts: a period is a range of their ids. */
export function readCalls(tx: TenantSql, period: Period) {
  const { previous, first, beyond } = boundsOf(period)
  return tx.one(Facts)`
    with picked as materialized (
      select ${intervalOf(sql`id_time(id)`, period)} as date, id >= ${lowestIdOf(first)} as is_current, direction, status,
        ended_reason, duration_seconds, channel_id, agent_id
      from calls where id >= ${lowestIdOf(previous)} and id < ${lowestIdOf(beyond)}
    )
    select
      (select to_json(f) from (select ${figures} from picked where is_current) f) as totals,
      (select to_json(f) from (select ${figures} from picked where not is_current) f) as previous,
      (select json_agg(s order by s.date) from (
        select to_char(d.date, 'YYYY-MM-DD') as date, f.* from (${intervalsOf(period)}) d
          cross join lateral (select ${figures} from picked where is_current and picked.date = d.date) f) s) as series,
      (${groupBy(
        sql`channel_id`,
        sql`coalesce((select coalesce(nullif(display_name, ''), phone_number) from channels where channels.id = g.id), 'No channel')`,
      )}) as by_channel,
      (${groupBy(
        sql`agent_id`,
        sql`coalesce((select name from agents where agents.id = g.id), case when g.id is null then 'No agent' else 'Deleted agent' end)`,
      )}) as by_agent,
      (select coalesce(json_agg(r), '[]') from (
        select ended_reason as reason, count(*) as count from picked where is_current and ended_reason is not null
        group by 1 order by 2 desc, 1) r) as ended_reasons`
}
