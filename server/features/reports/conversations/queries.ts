import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestIdOf } from '../../../platform/id-ranges.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { boundsOf, intervalOf, intervalsOf, type Period } from '../period.ts'
import { ConversationReport, type ConversationReportFilter, periodMembers } from '../schema.ts'

const mostGroups = 100
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

/** The median and the 90th percentile. */
const percentiles = (seconds: Fragment, condition: Fragment): Fragment => sql`percentile_cont(array[0.5, 0.9]::float8[])
  within group (order by ${seconds}) filter (where ${condition})`
// PostgreSQL computes equal aggregates once, so both cost one sort.
const median = (...of: Parameters<typeof percentiles>) => sql`round((${percentiles(...of)})[1])::integer`
const p90 = (...of: Parameters<typeof percentiles>) => sql`round((${percentiles(...of)})[2])::integer`

/** Figures of picked conversations. The conditions say what happened in the period in question. */
const figures = (started: Fragment, ended: Fragment, rated: Fragment): Fragment => sql`
  count(*) filter (where ${started}) as opened,
  count(*) filter (where ${started} and is_reopened) as reopened,
  count(*) filter (where ${ended}) as closed,
  ${median(sql`reply_seconds`, started)} as first_reply_median_seconds,
  ${p90(sql`reply_seconds`, started)} as first_reply_p90_seconds,
  ${median(sql`member_reply_seconds`, started)} as member_reply_median_seconds,
  ${median(sql`resolution_seconds`, ended)} as resolution_median_seconds,
  ${p90(sql`resolution_seconds`, ended)} as resolution_p90_seconds,
  count(*) filter (where ${ended} and agent_replies > 0) as answered_by_ai,
  count(*) filter (where ${ended} and agent_replies > 0 and member_replies = 0 and not is_handed_off) as contained,
  count(*) filter (where ${ended} and is_handed_off) as handed_off,
  count(*) filter (where ${rated} and rating = 'good') as rated_good,
  count(*) filter (where ${rated} and rating = 'okay') as rated_okay,
  count(*) filter (where ${rated} and rating = 'bad') as rated_bad`

const started = sql`has_started`
const ended = sql`has_ended`
const rated = sql`has_rated`

const groupBy = (key: Fragment, name: Fragment, from: Fragment = sql`picked`): Fragment => sql`
  select coalesce(json_agg(g), '[]') from (
    select g.id, ${name} as name, opened, reopened, closed, first_reply_median_seconds,
      first_reply_p90_seconds, member_reply_median_seconds, resolution_median_seconds, resolution_p90_seconds,
      answered_by_ai, contained, handed_off, rated_good, rated_okay, rated_bad from (
      select ${key} as id, ${figures(started, ended, rated)} from ${from} where has_started or has_ended or has_rated
      group by 1 order by 2 desc, 4 desc, 1 limit ${mostGroups}) g) g`

const Facts = Type.Omit(ConversationReport, Object.keys(periodMembers) as (keyof typeof periodMembers)[])

/**
 * The whole report in one statement, and so in one snapshot: the groups add up to the totals. It reads the
 * conversations that started, ended or were rated in the two periods, each once.
 */
export function readConversations(tx: TenantSql, period: Period, filter: ConversationReportFilter) {
  const wanted = matches(filter)
  const { previous, first, beyond } = boundsOf(period)
  // Messages are counted by channel alone.
  const { member_id, team_id, tag, ticket_tag } = filter
  const hasMessages = [member_id, team_id, tag, ticket_tag].every((each) => each === undefined)
  const ofChannel = filter.channel_id === undefined ? sql`true` : sql`channel_id = ${filter.channel_id}`
  const isFiltered = !hasMessages || filter.channel_id !== undefined
  const messages = (condition: Fragment) =>
    hasMessages ? sql`(select coalesce(sum(n), 0)::bigint from counted where ${condition})` : sql`null::bigint`
  const received = sql`sender = 'contact'`
  const sent = sql`sender <> 'contact'`
  return tx.one(Facts)`
    with picked as materialized (
      select c.channel_id, ${member} as member_id, c.team_id, c.contact_id, c.ticket_tags, c.is_reopened,
        c.agent_replies, c.member_replies, c.is_handed_off, c.started_at, c.ended_at, c.rating,
        c.started_at >= ${first} and c.started_at < ${beyond} as has_started,
        coalesce(c.ended_at >= ${first} and c.ended_at < ${beyond}, false) as has_ended,
        c.started_at >= ${previous} and c.started_at < ${first} as had_started,
        coalesce(c.ended_at >= ${previous} and c.ended_at < ${first}, false) as had_ended,
        coalesce(c.rated_at >= ${first} and c.rated_at < ${beyond}, false) as has_rated,
        coalesce(c.rated_at >= ${previous} and c.rated_at < ${first}, false) as had_rated,
        -- Not extract(), which computes numerics.
        date_part('epoch', c.first_reply_at - c.first_inbound_at) as reply_seconds,
        date_part('epoch', c.first_member_reply_at - c.first_inbound_at) as member_reply_seconds,
        date_part('epoch', c.ended_at - c.started_at) as resolution_seconds
      from reported_conversations c
      where (c.started_at >= ${previous} and c.started_at < ${beyond} or c.ended_at >= ${previous} and c.ended_at < ${beyond}
          or c.rated_at >= ${previous} and c.rated_at < ${beyond})
        and ${wanted}
    ),
    -- Open when the period began. Most conversations ended before, and are not looked at.
    open_before as materialized (
      select (select count(*) from reported_conversations c
          where c.ended_at is null and c.started_at < ${first} and ${wanted})
        + (select count(*) from reported_conversations c
          where c.ended_at >= ${first} and c.started_at < ${first} and ${wanted}) as n
    ),
    counted as materialized (
      select ${intervalOf(sql`quarter`, period)} as date, quarter >= ${first} as is_current, sender, sum(n) as n
      from reported_messages where quarter >= ${previous} and quarter < ${beyond} and ${ofChannel} group by 1, 2, 3
    )
    select
      (select json_build_object('backlog', open_before.n + f.opened - f.closed, 'messages_received', ${messages(sql`is_current and ${received}`)},
        'messages_sent', ${messages(sql`is_current and ${sent}`)})::jsonb
        || to_jsonb(f) from open_before, (select ${figures(started, ended, rated)} from picked) f) as totals,
      (select json_build_object('backlog', open_before.n, 'messages_received', ${messages(sql`not is_current and ${received}`)},
        'messages_sent', ${messages(sql`not is_current and ${sent}`)})::jsonb
        || to_jsonb(f) from open_before,
        (select ${figures(sql`had_started`, sql`had_ended`, sql`had_rated`)} from picked) f) as previous,
      (select json_agg(s order by s.date) from (
        select to_char(d.date, 'YYYY-MM-DD') as date, coalesce(s.opened, 0) as opened, coalesce(e.closed, 0) as closed,
          open_before.n + sum(coalesce(s.opened, 0) - coalesce(e.closed, 0)) over (order by d.date) as backlog,
          s.first_reply_median_seconds, e.resolution_median_seconds,
          ${messages(sql`is_current and ${received} and counted.date = d.date`)} as messages_received,
          ${messages(sql`is_current and ${sent} and counted.date = d.date`)} as messages_sent
        from (${intervalsOf(period)}) d
          cross join open_before
          left join (
            select ${intervalOf(sql`started_at`, period)} as date, count(*) as opened,
              ${median(sql`reply_seconds`, sql`true`)} as first_reply_median_seconds
            from picked where has_started group by 1) s on s.date = d.date
          left join (
            select ${intervalOf(sql`ended_at`, period)} as date, count(*) as closed,
              ${median(sql`resolution_seconds`, sql`true`)} as resolution_median_seconds
            from picked where has_ended group by 1) e on e.date = d.date) s) as series,
      (${groupBy(sql`channel_id`, sql`coalesce((select coalesce(nullif(display_name, ''), phone_number) from channels where channels.id = g.id), 'No channel')`)}) as by_channel,
      (${groupBy(
        sql`member_id`,
        sql`coalesce((select coalesce(nullif(name, ''), email) from users where users.id = g.id),
          case when g.id is null then 'No member' else 'Former member' end)`,
      )}) as by_member,
      (${groupBy(
        sql`team_id`,
        sql`coalesce((select name from teams where teams.id = g.id),
          case when g.id is null then 'No team' else 'Deleted team' end)`,
      )}) as by_team,
      (${groupBy(
        sql`tag`,
        sql`coalesce(g.id, 'No tag')`,
        sql`(select c.*, tag from picked c left join lateral unnest(c.ticket_tags) tag on true) tagged`,
      )}) as by_ticket_tag,
      (${groupBy(
        sql`tag`,
        sql`coalesce(g.id, 'No tag')`,
        // Lateral, and only for the period: the planner would read all contacts.
        sql`(select c.*, tag from picked c
          left join lateral (select unnest(tags) as tag from contacts k where k.id = c.contact_id offset 0) k on true
          where has_started or has_ended or has_rated) tagged`,
      )}) as by_tag,
      (select coalesce(json_agg(r), '[]') from (
        select nullif(trim(a.payload ->> 'reason'), '') as reason, count(*) as count from activities a
        where a.type = 'handoff_to_human' and a.id >= ${lowestIdOf(first)} and a.id < ${lowestIdOf(beyond)}
          and ${isFiltered ? sql`a.contact_id in (select contact_id from picked)` : sql`true`}
        group by 1 order by 2 desc, 1 limit ${mostReasons}) r) as handoff_reasons`
}
