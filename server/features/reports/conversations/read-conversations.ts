import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TenantSql } from '../../../platform/database.ts'
import type { Period } from '../period.ts'
import type { ConversationReport, ConversationReportFilter, periodMembers } from '../schema.ts'
import { backlogOf, figuresOf, known, type Part, splitByPeriod } from './conversation-figures.ts'
import { percentilesOf } from './percentiles.ts'
import { type Facts, type Labels, readFacts } from './queries.ts'

const mostGroups = 100
const mostReasons = 20

type Report = Omit<ConversationReport, keyof typeof periodMembers>

/** Other requests are answered between the groupings: each takes milliseconds for a hundred thousand conversations. */
export async function readConversations(
  sql: TenantSql,
  period: Period,
  filter: ConversationReportFilter,
  most = mostReasons,
): Promise<Report> {
  const facts = await readFacts(sql, period, { ...filter, mostReasons: most })
  const parts = splitByPeriod(facts)
  const { channels, members, teams } = facts
  const openBefore = facts.open_before.reduce((sum, { n }) => sum + n, 0)
  const group = async (
    keysOf: (labels: Labels) => readonly (string | null)[],
    nameOf: (key: string | null) => string,
  ) => {
    await nextTurn()
    return groupBy(parts.current, keysOf, nameOf)
  }
  const tagName = (tag: string | null) => tag ?? 'No tag'
  await nextTurn()
  const totals = figuresOf(parts.current)
  return {
    totals: { ...totals, backlog: backlogOf(parts.current), ...messagesOf(facts, true) },
    previous: { ...figuresOf(parts.previous), backlog: openBefore, ...messagesOf(facts, false) },
    series: seriesOf(facts, parts.current, openBefore),
    by_channel: await group(
      ({ channel_id }) => [channel_id],
      (id) => channels[id ?? ''] ?? 'No channel',
    ),
    by_member: await group(
      ({ member_id }) => [member_id],
      (id) => (id === null ? 'No member' : (members[id] ?? 'Former member')),
    ),
    by_team: await group(
      ({ team_id }) => [team_id],
      (id) => (id === null ? 'No team' : (teams[id] ?? 'Deleted team')),
    ),
    by_ticket_tag: await group(({ ticket_tags }) => keysOfTags(ticket_tags), tagName),
    by_tag: await group(({ tags }) => keysOfTags(tags ?? []), tagName),
    handoff_count: facts.handoff_count,
    handoff_reasons: facts.handoff_reasons,
  }
}

const keysOfTags = (tags: string[]) => (tags.length > 0 ? tags : [null])

function groupBy(
  parts: Part[],
  keysOf: (labels: Labels) => readonly (string | null)[],
  nameOf: (key: string | null) => string,
): Report['by_channel'] {
  const groups = new Map<string | null, Part[]>()
  for (const part of parts)
    for (const key of keysOf(part.labels)) {
      const group = groups.get(key)
      if (group) group.push(part)
      else groups.set(key, [part])
    }
  const count = (of: Part[], which: 'started' | 'ended') => of.reduce((sum, part) => sum + part[which].n, 0)
  return [...groups]
    .map(([id, group]) => {
      return { id, group, opened: count(group, 'started'), closed: count(group, 'ended'), backlog: backlogOf(group) }
    })
    .sort((a, b) => b.opened - a.opened || b.closed - a.closed || b.backlog - a.backlog || byKey(a.id, b.id))
    .slice(0, mostGroups)
    .map(({ id, group, backlog }) => ({ id, name: nameOf(id), ...figuresOf(group), backlog }))
}

/** Null last. */
const byKey = (a: string | null, b: string | null): number =>
  a === null ? 1 : b === null ? -1 : a < b ? -1 : a > b ? 1 : 0

function messagesOf({ messages }: Facts, isCurrent: boolean, date?: string) {
  const of = messages?.filter((each) => each.is_current === isCurrent && (date === undefined || each.date === date))
  const count = (isReceived: boolean) =>
    of?.reduce((sum, { is_received, n }) => sum + (is_received === isReceived ? n : 0), 0) ?? null
  return { messages_received: count(true), messages_sent: count(false) }
}

function seriesOf(facts: Facts, parts: Part[], openBefore: number): Report['series'] {
  const starts = facts.intervals.map(({ start }) => start)
  const started = byInterval(
    starts,
    parts.map((part) => part.started),
  )
  const ended = byInterval(
    starts,
    parts.map((part) => part.ended),
  )
  let backlog = openBefore
  return facts.intervals.map(({ date }, i) => {
    const [opened, closed] = [started[i] as Float64Array, ended[i] as Float64Array]
    backlog += opened.length - closed.length
    return {
      date,
      opened: opened.length,
      closed: closed.length,
      backlog,
      first_reply_median_seconds: percentilesOf(known(opened)).median,
      resolution_median_seconds: percentilesOf(closed).median,
      ...messagesOf(facts, true, date),
    }
  })
}

/** The seconds of each interval. Loops over places: iterators of so many values keep the garbage collector busy. */
function byInterval(starts: number[], parts: Part['started'][]): Float64Array[] {
  const counts = new Uint32Array(starts.length)
  const places = parts.map(({ n, at }) => {
    const of = new Uint16Array(n)
    for (let i = 0; i < n; i++) {
      const place = intervalAt(starts, at[i] as number)
      of[i] = place
      counts[place] = (counts[place] as number) + 1
    }
    return of
  })
  const values = Array.from(counts, (count) => new Float64Array(count))
  const filled = new Uint32Array(starts.length)
  parts.forEach(({ n, seconds }, part) => {
    const of = places[part] as Uint16Array
    for (let i = 0; i < n; i++) {
      const place = of[i] as number
      const at = filled[place] as number
      ;(values[place] as Float64Array)[at] = seconds[i] as number
      filled[place] = at + 1
    }
  })
  return values
}

/** The last interval that starts at this time or before it. */
function intervalAt(starts: number[], time: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= time) low = middle
    else high = middle - 1
  }
  return low
}
