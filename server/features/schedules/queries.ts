import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/sql.ts'
import { type NewSchedule, Schedule, type ScheduleFilter, ScheduleState } from './schema.ts'

const columns = sql`id, organization_id, name, time_zone, weekly_hours, holidays, created_at, updated_at`

export const listSchedules = (tx: TenantSql, filter: ScheduleFilter) =>
  readCursorPage<Schedule>(tx, { columns, from: sql`schedules` }, filter)

export const findScheduleRow = (tx: TenantSql, id: string) =>
  tx.maybe(Schedule)`select ${columns} from schedules where id = ${id}`

export const lockSchedule = (tx: TenantTx, id: string) =>
  tx.maybe(Schedule)`select ${columns} from schedules where id = ${id} for no key update`

const Known = Type.Object({ is_known: Type.Boolean() })

/** Node and the database have their own lists of time zones. */
export const isKnownZone = (tx: TenantSql, zone: string) =>
  tx.one(Known)`select known_time_zone(${zone}) is not null as is_known`

export const insertSchedule = (tx: TenantTx, { name, time_zone, weekly_hours, holidays }: NewSchedule) =>
  tx.one(Schedule)`
    insert into schedules (id, name, time_zone, weekly_hours, holidays)
    values (${newId()}, ${name}, ${time_zone}, ${weekly_hours}, ${JSON.stringify(holidays)}::jsonb)
    returning ${columns}`

export const updateScheduleRow = (tx: TenantTx, id: string, { name, time_zone, weekly_hours, holidays }: NewSchedule) =>
  tx.one(Schedule)`
    update schedules set name = ${name}, time_zone = ${time_zone}, weekly_hours = ${weekly_hours},
      holidays = ${JSON.stringify(holidays)}::jsonb, updated_at = now()
    where id = ${id}
    returning ${columns}`

export const removeSchedule = (tx: TenantTx, id: string) =>
  tx.maybe(Schedule)`delete from schedules where id = ${id} returning ${columns}`

export const findState = (tx: TenantSql, id: string, at: string | null, minutes: number) =>
  tx.maybe(ScheduleState)`
    select at, is_open(schedules, at) as is_open,
      case when not is_open(schedules, at) then next_open(schedules, at) end as opens_at,
      open_until(schedules, at) as closes_at, add_open_minutes(schedules, at, ${minutes}) as due_at
    from schedules, (select coalesce(${at}::timestamptz, now())) asked (at)
    where id = ${id}`

const OpenSpan = Type.Object({ opens_at: Type.String(), closes_at: Type.String() })

/** The spans of the next days, in order. */
export const listOpenSpans = (tx: TenantSql, id: string, { from, days }: { from: string; days: number }) =>
  tx.all(OpenSpan)`
    select span.opens_at, span.closes_at
    from schedules cross join generate_series(-1, ${days}::integer) n
      cross join lateral spans_of_day(schedules, (${from}::timestamptz at time zone schedules.time_zone)::date + n) span
    where id = ${id} and span.closes_at > greatest(span.opens_at, ${from}::timestamptz)
    order by span.opens_at`
