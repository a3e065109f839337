import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'
import { lowestIdOf } from '../../platform/id-ranges.ts'
import { sql } from '../../platform/sql.ts'
import { overdueCount } from '../tasks/count-overdue.ts'
import { type DailyFilter, Dashboard, Day, Source, type SourceFilter } from './schema.ts'

const sumWhere = (condition: ReturnType<typeof sql>) => sql`coalesce(sum(n) filter (where ${condition}), 0)`

/**
 * One statement, so that all figures come from one snapshot; from counters, so that its cost does not grow with the
 * rows.
 */
export const readDashboard = (tx: TenantSql) =>
  tx.one(Dashboard)`
    select contacts, handling, tasks from
      (select
        json_build_object(
          'total', coalesce(sum(n), 0),
          'new', ${sumWhere(sql`stage = 'new'`)},
          'engaged', ${sumWhere(sql`stage = 'engaged'`)},
          'qualified', ${sumWhere(sql`stage = 'qualified'`)},
          'customers', ${sumWhere(sql`stage = 'customer'`)},
          'lost', ${sumWhere(sql`stage = 'lost'`)}) as contacts,
        json_build_object('ai', ${sumWhere(sql`ai_handling`)}, 'human', ${sumWhere(sql`not ai_handling`)}) as handling
        from contact_counts) counted,
      (select json_build_object(
        'pending', (select coalesce(sum(n), 0) from task_counts where status = 'pending'),
        'overdue', ${overdueCount}) as tasks) due`

const SourceRow = Type.Object({ ...Source.properties, total: Type.Integer() })

/** Contacts by the ad or post that they came from, counted from an index; headline and address are the latest ones. */
export const readSources = (tx: TenantSql, { days, time_zone }: SourceFilter) =>
  tx.all(SourceRow)`
    with counted as (
      select source_type, source_id, count(*)::integer as contacts from contacts
      where source_at >= (date_trunc('day', now() at time zone ${time_zone}) - (${days}::int - 1) * interval '1 day')
        at time zone ${time_zone}
      group by source_type, source_id
    ), top as (
      select *, (sum(contacts) over ())::integer as total from counted order by contacts desc, source_id limit 100
    )
    select top.source_type, top.source_id, newest.source_headline, newest.source_url, top.contacts, top.total
    from top left join lateral (
      select source_headline, source_url from contacts where source_id = top.source_id order by id desc limit 1) newest on true
    order by top.contacts desc, top.source_id`

/**
 * A day begins at midnight of its own zone, also on the two days of the year that have 23 or 25 hours. It is a range of
 * the primary key, and is counted from the index alone.
 */
export const readDays = (tx: TenantSql, { days, time_zone }: DailyFilter) =>
  tx.all(Day)`
    with day as (
      select day::date as date,
        ${lowestIdOf(sql`day at time zone ${time_zone}`)} as first,
        ${lowestIdOf(sql`(day + interval '1 day') at time zone ${time_zone}`)} as beyond
      from generate_series(
        date_trunc('day', now() at time zone ${time_zone}) - (${days}::int - 1) * interval '1 day',
        date_trunc('day', now() at time zone ${time_zone}),
        interval '1 day') as day)
    select to_char(date, 'YYYY-MM-DD') as date,
      (select count(*)::int from messages where id >= first and id < beyond) as messages,
      (select count(*)::int from calls where id >= first and id < beyond) as calls
    from day order by date`
