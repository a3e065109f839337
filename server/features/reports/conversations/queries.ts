import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestIdOf } from '../../../platform/id-ranges.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { boundsOf, daysOf, intervalOf, intervalsOf, type Period, startOf } from '../period.ts'
import { ConversationReport, type ConversationReportFilter } from '../schema.ts'

const mostReasons = 20

/** Whom a conversation counts for: the assignee, else the member who replied first. */
const member = sql`coalesce(c.assignee_id, c.replier_id)`

const matches = ({ channel_id, member_id, team_id, tag, ticket_tag }: ConversationReportFilter): Fragment =>
  joinSql(
    [
      ...(channel_id === undefined ? [] : [sql`c.channel_id = ${channel_id}`]),
      ...(member_id === undefined ? [] : [sql`${member} = ${member_id}`]),
      ...(team_id === undefined ? [] : [sql`c.team_id = ${team_id}`]),
      ...(ticket_tag === undefined ? [] : [sql`${ticket_tag} = any(c.ticket_tags)`]),
      ...(tag === undefined
        ? []
        : [sql`exists (select from contacts k where k.id = c.contact_id and ${tag} = any(k.tags))`]),
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
  /** The conversations of each slice, packed as `packedRow` says. */
  rows: Type.Unsafe<Buffer>({}),
  ratings: Type.Array(Type.Object({ ...labels, rating: Type.String(), is_current: Type.Boolean(), n: Type.Integer() })),
  open_before: Type.Integer(),
  /** Null where the filter does not apply to messages. */
  messages: Nullable(
    Type.Array(
      Type.Object({ date: Type.String(), is_current: Type.Boolean(), is_received: Type.Boolean(), n: Type.Integer() }),
    ),
  ),
  channels: Names,
  members: Names,
  teams: Names,
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

/** A missing time is infinity. */
const time = (value: Fragment): Fragment => sql`timestamptz_send(coalesce(${value}, 'infinity'))`

const packed = sql`${time(sql`c.started_at`)} || ${time(sql`c.ended_at`)} || ${time(sql`c.first_inbound_at`)}
  || ${time(sql`c.first_reply_at`)} || ${time(sql`c.first_member_reply_at`)}
  || int2send((c.is_reopened::integer * ${flags.reopened} + (c.agent_replies > 0)::integer * ${flags.agentReplied}
    + (c.member_replies > 0)::integer * ${flags.memberReplied} + c.is_handed_off::integer * ${flags.handedOff})::smallint)`

/** Looking up each contact takes longer than reading all of them once most of them are needed. The planner cannot tell. */
const longPeriodDays = 100
const tagsOf = (period: Period): Fragment =>
  daysOf(period) > longPeriodDays
    ? sql`left join contacts k on k.id = c.contact_id`
    : sql`left join lateral (select tags from contacts where contacts.id = c.contact_id offset 0) k on true`

const labelsOf = sql`c.channel_id, ${member} as member_id, c.team_id, c.ticket_tags, k.tags`

const namesIn = (from: Fragment, name: Fragment): Fragment =>
  sql`(select coalesce(json_object_agg(named.id, ${name}), '{}') from ${from} named)`

/**
 * What a report is computed from, in one statement, and so in one snapshot: the groups add up to the totals. It reads
 * the conversations that started, ended or were rated in the two periods. Their times are packed: sorting them in SQL
 * for each group and each figure took five times as long. See ADR 87.
 */
export function readFacts(tx: TenantSql, period: Period, filter: ConversationReportFilter): Promise<Facts> {
  const wanted = matches(filter)
  const { previous, first, beyond } = boundsOf(period)
  // Messages are counted by channel alone.
  const { member_id, team_id, tag, ticket_tag } = filter
  const hasMessages = [member_id, team_id, tag, ticket_tag].every((each) => each === undefined)
  const ofChannel = filter.channel_id === undefined ? sql`true` : sql`channel_id = ${filter.channel_id}`
  const isFiltered = !hasMessages || filter.channel_id !== undefined
  const isWithin = (column: Fragment) => sql`${column} >= ${previous} and ${column} < ${beyond}`
  // Two conditions that are ranges of an index each. For one with `or` the policies of the tenant are checked row by row.
  const picked = sql`(
    select * from reported_conversations c where ${isWithin(sql`c.started_at`)} and ${wanted}
    union all
    select * from reported_conversations c
    where ${isWithin(sql`c.ended_at`)} and not (${isWithin(sql`c.started_at`)}) and ${wanted}) c`
  return tx.one(Facts)`
    with slices as materialized (
      select ${labelsOf}, count(*) as n, string_agg(${packed}, '') as rows
      from ${picked} ${tagsOf(period)} group by 1, 2, 3, 4, 5
    ), ratings as materialized (
      select ${labelsOf}, c.rating, c.rated_at >= ${first} as is_current, count(*) as n
      from reported_conversations c ${tagsOf(period)}
      where ${isWithin(sql`c.rated_at`)} and ${wanted} group by 1, 2, 3, 4, 5, 6, 7
    ), numbered as (
      select *, row_number() over () as place from slices
    )
    select extract(epoch from ${previous})::float8 as previous_start, extract(epoch from ${first})::float8 as start,
      extract(epoch from ${beyond})::float8 as beyond,
      (select json_agg(json_build_object('date', date, 'start', extract(epoch from ${startOf(sql`date`, period)})) order by date)
        from (${intervalsOf(period)}) d) as intervals,
      (select coalesce(json_agg(json_build_object('channel_id', channel_id, 'member_id', member_id, 'team_id', team_id,
          'ticket_tags', ticket_tags, 'tags', tags, 'n', n) order by place), '[]') from numbered) as slices,
      (select coalesce(string_agg(rows, '' order by place), '') from numbered) as rows,
      (select coalesce(json_agg(ratings), '[]') from ratings) as ratings,
      -- Open when the period began. Most conversations ended before, and are not looked at.
      (select count(*) from reported_conversations c
        where c.ended_at is null and c.started_at < ${first} and ${wanted})
      + (select count(*) from reported_conversations c
        where c.ended_at >= ${first} and c.started_at < ${first} and ${wanted}) as open_before,
      ${
        hasMessages
          ? sql`(select coalesce(json_agg(m), '[]') from (
              select ${intervalOf(sql`quarter`, period)} as date, quarter >= ${first} as is_current,
                sender = 'contact' as is_received, sum(n) as n
              from reported_messages where quarter >= ${previous} and quarter < ${beyond} and ${ofChannel}
              group by 1, 2, 3) m)`
          : sql`null::json`
      } as messages,
      ${namesIn(sql`channels`, sql`coalesce(nullif(display_name, ''), phone_number)`)} as channels,
      ${namesIn(
        sql`(select id, coalesce(nullif(name, ''), email) as name from users
          where id in (select member_id from slices union select member_id from ratings))`,
        sql`name`,
      )} as members,
      ${namesIn(sql`teams`, sql`name`)} as teams,
      (select coalesce(json_agg(r), '[]') from (
        select nullif(trim(a.payload ->> 'reason'), '') as reason, count(*) as count from activities a
        where a.type = 'handoff_to_human' and a.id >= ${lowestIdOf(first)} and a.id < ${lowestIdOf(beyond)}
          and ${
            isFiltered
              ? sql`a.contact_id in (select contact_id from ${picked}
            union all select contact_id from reported_conversations c where ${isWithin(sql`c.rated_at`)} and ${wanted})`
              : sql`true`
          }
        group by 1 order by 2 desc, 1 limit ${mostReasons}) r) as handoff_reasons`
}
