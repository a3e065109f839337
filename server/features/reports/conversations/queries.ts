import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestIdOf } from '../../../platform/id-ranges.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { boundsOf, daysOf, intervalsOf, type Period, startOf } from '../period.ts'
import { ConversationReport, type ConversationReportFilter } from '../schema.ts'

/** Whom a conversation counts for: the assignee, else the member who replied first. */
const member = sql`coalesce(c.assignee_id, c.replier_id)`

/** Conditions on the labels of conversations. */
const matches = ({ channel_id, member_id, team_id, tag, ticket_tag }: ConversationReportFilter): Fragment =>
  joinSql(
    [
      ...(channel_id === undefined ? [] : [sql`channel_id = ${channel_id}`]),
      ...(member_id === undefined ? [] : [sql`member_id = ${member_id}`]),
      ...(team_id === undefined ? [] : [sql`team_id = ${team_id}`]),
      ...(ticket_tag === undefined ? [] : [sql`${ticket_tag} = any(ticket_tags)`]),
      ...(tag === undefined ? [] : [sql`${tag} = any(tags)`]),
    ],
    ' and ',
    sql`true`,
  )

const labels = {
  channel_id: Nullable(Id),
  member_id: Nullable(Id),
  team_id: Nullable(Id),
  ticket_tags: Type.Array(Type.String()),
  /** Of the contact; null where the contact was deleted. */
  tags: Nullable(Type.Array(Type.String())),
}
const Labels = Type.Object(labels)
/** What conversations are grouped by. */
export type Labels = Static<typeof Labels>

const Names = Type.Record(Type.String(), Type.String())

const Facts = Type.Object({
  /** Beginnings of the period before and of the period, and the end of the period, in Unix seconds. */
  previous_start: Type.Number(),
  start: Type.Number(),
  beyond: Type.Number(),
  /** Oldest first; each begins at `start`, in Unix seconds. */
  intervals: Type.Array(Type.Object({ date: Type.String(), start: Type.Number() })),
  /** `n` conversations that have these in common. */
  slices: Type.Array(Type.Object({ ...labels, n: Type.Integer() })),
  /**
   * The conversations of each slice, packed as `packedRow` says. In base64: hexadecimal takes five times as long to
   * read.
   */
  rows: Type.String(),
  ratings: Type.Array(Type.Object({ ...labels, rating: Type.String(), is_current: Type.Boolean(), n: Type.Integer() })),
  /** Conversations that were open when the period began. */
  open_before: Type.Array(Type.Object({ ...labels, n: Type.Integer() })),
  /** Null where the filter does not apply to messages. */
  messages: Nullable(
    Type.Array(
      Type.Object({ date: Type.String(), is_current: Type.Boolean(), is_received: Type.Boolean(), n: Type.Integer() }),
    ),
  ),
  channels: Names,
  members: Names,
  teams: Names,
  handoff_count: Type.Integer(),
  handoff_reasons: ConversationReport.properties.handoff_reasons,
})
export type Facts = Static<typeof Facts>

/** Five times in microseconds since 2000, as big-endian integers of 64 bits, and the flags in 16 bits. */
export const packedRow = {
  bytes: 5 * 8 + 2,
  start: 0,
  end: 8,
  firstInbound: 16,
  firstReply: 24,
  firstMemberReply: 32,
  flags: 40,
} as const
export const flags = { reopened: 1, agentReplied: 2, memberReplied: 4, handedOff: 8 } as const

/** The day of UTC that a time lies in, and its first moment. */
export const utcDay = (at: Fragment): Fragment => sql`(${at} at time zone 'UTC')::date`
export const startOfUtcDay = (day: Fragment): Fragment => sql`((${day})::timestamp at time zone 'UTC')`

/** A missing time is infinity. */
const time = (value: Fragment): Fragment => sql`timestamptz_send(coalesce(${value}, 'infinity'))`

export const packed = sql`${time(sql`c.started_at`)} || ${time(sql`c.ended_at`)} || ${time(sql`c.first_inbound_at`)}
  || ${time(sql`c.first_reply_at`)} || ${time(sql`c.first_member_reply_at`)}
  || int2send((c.is_reopened::integer * ${flags.reopened} + (c.agent_replies > 0)::integer * ${flags.agentReplied}
    + (c.member_replies > 0)::integer * ${flags.memberReplied} + c.is_handed_off::integer * ${flags.handedOff})::smallint)`

export const labelsOf = sql`c.channel_id, ${member} as member_id, c.team_id, c.ticket_tags, k.tags`

/**
 * From this length on, most contacts are needed, and reading all of them is faster than looking up each. The planner
 * does not know how many are needed.
 */
const longPeriodDays = 100
const withTags = (picked: Fragment, readsAll: boolean): Fragment =>
  readsAll
    ? sql`${picked} c left join contacts k on k.id = c.contact_id`
    : sql`${picked} c left join lateral (select tags from contacts where contacts.id = c.contact_id offset 0) k on true`

const namesIn = (from: Fragment, name: Fragment): Fragment =>
  sql`(select coalesce(json_object_agg(named.id, ${name}), '{}') from ${from} named)`

/**
 * What a report is computed from, in one statement, and so in one snapshot: the groups add up to the totals. Closed
 * conversations come packed by the day of their end; those of days that are not packed, or changed since, are read one
 * by one, as are open ones. Some lie outside of both periods. See ADRs 87 and 95.
 */
export function readFacts(
  tx: TenantSql,
  period: Period,
  { mostReasons, ...filter }: ConversationReportFilter & { mostReasons: number },
): Promise<Facts> {
  const wanted = matches(filter)
  const { previous, first, beyond } = boundsOf(period)
  // Messages are counted by channel alone.
  const { member_id, team_id, tag, ticket_tag } = filter
  const hasMessages = [member_id, team_id, tag, ticket_tag].every((each) => each === undefined)
  const ofChannel = filter.channel_id === undefined ? sql`true` : sql`channel_id = ${filter.channel_id}`
  const isFiltered = !hasMessages || filter.channel_id !== undefined
  const isWithin = (column: Fragment) => sql`${column} >= ${previous} and ${column} < ${beyond}`
  const readsAll = tx.isLimited && daysOf(period) > longPeriodDays
  const labelled = (picked: Fragment, more: Fragment) => sql`(select ${labelsOf}, c.contact_id, ${more}
    from ${withTags(picked, readsAll)}) l`
  const isWanted = isFiltered ? sql`where ${wanted}` : sql``
  return tx.one(Facts)`
    with days as materialized (
      select day::date from generate_series(${utcDay(previous)}, ${utcDay(beyond)}, '1 day') day
    ), stale as materialized (
      select day from stale_report_days where day is not null
      union
      select ${utcDay(sql`c.ended_at`)} from stale_report_days s join reported_conversations c on c.contact_id = s.contact_id
      where s.contact_id is not null and c.ended_at is not null
    ), packed as materialized (
      select d.day from days d where d.day not in (select day from stale)
        and exists (select from reported_days r where r.day = d.day)
    ), slices as materialized (
      select channel_id, member_id, team_id, ticket_tags, tags, sum(n)::integer as n, string_agg(rows, '') as rows
      from (
        select channel_id, member_id, team_id, ticket_tags, tags, n, rows
        from packed join lateral (select * from reported_days r where r.day = packed.day offset 0) r on true
        union all
        select channel_id, member_id, team_id, ticket_tags, tags, 1, packed from ${labelled(
          sql`(
            select c.* from days d join lateral (select * from reported_conversations c
              where c.ended_at >= ${startOfUtcDay(sql`d.day`)} and c.ended_at < ${startOfUtcDay(sql`d.day + 1`)} offset 0) c on true
            where d.day not in (select day from packed)
            union all
            select * from reported_conversations c
            where c.ended_at >= ${startOfUtcDay(sql`${utcDay(beyond)} + 1`)} and ${isWithin(sql`c.started_at`)}
            union all
            select * from reported_conversations c where c.ended_at is null and ${isWithin(sql`c.started_at`)})`,
          sql`${packed} as packed`,
        )}
      ) s ${isWanted} group by 1, 2, 3, 4, 5
    ), ratings as materialized (
      select channel_id, member_id, team_id, ticket_tags, tags, rating, is_current, count(*) as n
      from ${labelled(
        sql`(select * from reported_conversations c where ${isWithin(sql`c.rated_at`)})`,
        sql`c.rating, c.rated_at >= ${first} as is_current`,
      )} ${isWanted} group by 1, 2, 3, 4, 5, 6, 7
    ), open as materialized (
      -- Most conversations ended before the period began, and are not read.
      select channel_id, member_id, team_id, ticket_tags, tags, count(*) as n
      from ${labelled(
        sql`(
          select * from reported_conversations c where c.ended_at is null and c.started_at < ${first}
          union all
          select * from reported_conversations c where c.ended_at >= ${first} and c.started_at < ${first})`,
        sql`1 as one`,
      )} ${isWanted} group by 1, 2, 3, 4, 5
    ), handoffs as materialized (
      select nullif(trim(a.payload ->> 'reason'), '') as reason, count(*) as count from activities a
      where a.type = 'handoff_to_human' and a.id >= ${lowestIdOf(first)} and a.id < ${lowestIdOf(beyond)}
        and ${
          isFiltered
            ? sql`exists (select from ${labelled(
                sql`(select * from reported_conversations c where c.contact_id = a.contact_id
                  and c.started_at <= a.created_at and (c.ended_at is null or c.ended_at >= a.created_at))`,
                sql`1 as one`,
              )} ${isWanted})`
            : sql`true`
        }
      group by 1
    ), numbered as (
      select *, row_number() over () as place from slices
    ), intervals as materialized (
      select date, ${startOf(sql`date`, period)} as start from (${intervalsOf(period)}) d
    )
    select extract(epoch from ${previous})::float8 as previous_start, extract(epoch from ${first})::float8 as start,
      extract(epoch from ${beyond})::float8 as beyond,
      (select json_agg(json_build_object('date', date, 'start', extract(epoch from start)) order by date)
        from intervals) as intervals,
      (select coalesce(json_agg(json_build_object('channel_id', channel_id, 'member_id', member_id, 'team_id', team_id,
          'ticket_tags', ticket_tags, 'tags', tags, 'n', n) order by place), '[]') from numbered) as slices,
      (select coalesce(encode(string_agg(rows, '' order by place), 'base64'), '') from numbered) as rows,
      (select coalesce(json_agg(ratings), '[]') from ratings) as ratings,
      (select coalesce(json_agg(open), '[]') from open) as open_before,
      ${
        hasMessages
          ? sql`(select coalesce(json_agg(m), '[]') from (
              select span.date, span.is_current, m.is_received, m.n
              from (
                select date, true as is_current, greatest(start, ${first}) as start,
                  coalesce(lead(start) over (order by date), ${beyond}) as beyond from intervals
                union all select ${period.from}::date, false, ${previous}, ${first}) span
              -- A range of the index for each: with more, all rows are read and the policies checked row by row.
              join lateral (select sender = 'contact' as is_received, sum(n) as n from reported_messages
                where quarter >= span.start and quarter < span.beyond and ${ofChannel} group by 1) m on true) m)`
          : sql`null::json`
      } as messages,
      ${namesIn(sql`channels`, sql`coalesce(nullif(display_name, ''), phone_number)`)} as channels,
      ${namesIn(
        sql`(select id, coalesce(nullif(name, ''), email) as name from users
          where id in (select member_id from slices union select member_id from ratings union select member_id from open))`,
        sql`name`,
      )} as members,
      ${namesIn(sql`teams`, sql`name`)} as teams,
      (select coalesce(sum(count), 0)::bigint from handoffs) as handoff_count,
      (select coalesce(json_agg(r), '[]') from (
        select reason, count from handoffs order by count desc, reason limit ${mostReasons}) r) as handoff_reasons`
}
