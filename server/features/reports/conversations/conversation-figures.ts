import type { ConversationReport } from '../schema.ts'
import { percentilesOf } from './percentiles.ts'
import { type Facts, flags, type Labels, packedRow } from './queries.ts'

type Figures = Omit<ConversationReport['by_channel'][number], 'id' | 'name' | 'backlog'>

/** What happened in one of the two periods to conversations that have the labels in common. */
export interface Part {
  labels: Labels
  started: Happened
  ended: Happened
  ratings: { rating: string; n: number }[]
  /** The number that were open when the period began. */
  openBefore: number
}

/** Conversations that started, or that ended. */
interface Happened {
  n: number
  /** Unix seconds. */
  at: Float64Array
  /** From the first message to the first reply, or from start to end; NaN for none. An entry for each of `at`. */
  seconds: Float64Array
  /** From the first message to the first reply by a member, where there is one. */
  memberSeconds: Float64Array
  memberReplies: number
  /** The number of conversations with each combination of flags. */
  byFlags: Uint32Array
}

const secondsTo2000 = 946_684_800
const infinityWord = 0x7fffffff
const allFlags = Object.values(flags).reduce((all, flag) => all | flag, 0)

/** In Unix seconds; NaN for none. Two words: reading big integers takes ten times as long. */
function readTime(view: DataView, at: number): number {
  const high = view.getInt32(at)
  return high === infinityWord ? Number.NaN : (high * 2 ** 32 + view.getUint32(at + 4)) / 1e6 + secondsTo2000
}

/** Stored times have milliseconds; the difference of binary numbers has more digits. */
const inMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Splits each slice into its conversations of the period and of the one before. */
export function splitByPeriod(facts: Facts): { current: Part[]; previous: Part[] } {
  const { slices, ratings, open_before, previous_start, start, beyond } = facts
  const rows = Buffer.from(facts.rows, 'base64')
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength)
  const parts = (isCurrent: boolean): Part[] => {
    const [from, to] = isCurrent ? [start, beyond] : [previous_start, start]
    let first = 0
    const happened = slices.map(({ n, ...labels }): Part => {
      const part = { labels, ...readSlice(view, { first, n, from, to }), ratings: [], openBefore: 0 }
      first += n
      return part
    })
    const rated = ratings.filter(({ is_current }) => is_current === isCurrent)
    return [
      ...happened.filter(({ started, ended }) => started.n > 0 || ended.n > 0),
      ...rated.map(({ rating, is_current, n, ...labels }): Part => {
        return { labels, started: none, ended: none, ratings: [{ rating, n }], openBefore: 0 }
      }),
      ...(isCurrent ? open_before : []).map(({ n, ...labels }): Part => {
        return { labels, started: none, ended: none, ratings: [], openBefore: n }
      }),
    ]
  }
  return { current: parts(true), previous: parts(false) }
}

function readSlice(
  view: DataView,
  { first, n, from, to }: { first: number; n: number; from: number; to: number },
): Pick<Part, 'started' | 'ended'> {
  let [starts, ends] = [0, 0]
  for (let i = first; i < first + n; i++) {
    const start = readTime(view, i * packedRow.bytes + packedRow.start)
    const end = readTime(view, i * packedRow.bytes + packedRow.end)
    if (start >= from && start < to) starts++
    if (end >= from && end < to) ends++
  }
  const [started, ended] = [starts > 0 ? collector(starts) : none, ends > 0 ? collector(ends) : none]
  for (let i = first; i < first + n; i++) {
    const row = i * packedRow.bytes
    const start = readTime(view, row + packedRow.start)
    const end = readTime(view, row + packedRow.end)
    const flags = view.getUint8(row + packedRow.flags + 1)
    if (start >= from && start < to) {
      const inbound = readTime(view, row + packedRow.firstInbound)
      add(started, start, inMilliseconds(readTime(view, row + packedRow.firstReply) - inbound), flags)
      const memberReply = readTime(view, row + packedRow.firstMemberReply)
      if (!Number.isNaN(memberReply))
        started.memberSeconds[started.memberReplies++] = inMilliseconds(memberReply - inbound)
    }
    if (end >= from && end < to) add(ended, end, inMilliseconds(end - start), flags)
  }
  return { started, ended }
}

const collector = (most: number): Happened => ({
  n: 0,
  at: new Float64Array(most),
  seconds: new Float64Array(most),
  memberSeconds: new Float64Array(most),
  memberReplies: 0,
  byFlags: new Uint32Array(allFlags + 1),
})

/** Nothing is added to it. */
const none = collector(0)

function add(to: Happened, at: number, seconds: number, flags: number): void {
  to.at[to.n] = at
  to.seconds[to.n++] = seconds
  to.byFlags[flags] = (to.byFlags[flags] as number) + 1
}

function joined(parts: Float64Array[]): Float64Array {
  const values = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    values.set(part, at)
    at += part.length
  }
  return values
}

/** The values that are known. */
export function known(values: Float64Array): Float64Array {
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!Number.isNaN(value)) values[count++] = value
  }
  return values.subarray(0, count)
}

/** Conversations that have the wanted flag, and none of the others. */
function countFlags(all: Happened[], wanted: number, unwanted = 0): number {
  let count = 0
  for (const { byFlags } of all)
    for (const [own, n] of byFlags.entries()) if ((own & wanted) === wanted && !(own & unwanted)) count += n
  return count
}

const anyFlags = 0

/** How many conversations are open at the end of the period. Each of them was open before it or started in it. */
export const backlogOf = (parts: Part[]): number =>
  parts.reduce((sum, { openBefore, started, ended }) => sum + openBefore + started.n - ended.n, 0)

export function figuresOf(parts: Part[]): Figures {
  const started = parts.map((part) => part.started)
  const ended = parts.map((part) => part.ended)
  const reply = percentilesOf(known(joined(started.map(({ n, seconds }) => seconds.subarray(0, n)))))
  const memberReply = percentilesOf(
    joined(started.map(({ memberReplies, memberSeconds }) => memberSeconds.subarray(0, memberReplies))),
  )
  const resolution = percentilesOf(joined(ended.map(({ n, seconds }) => seconds.subarray(0, n))))
  const rated = (wanted: string) =>
    parts.flatMap(({ ratings }) => ratings).reduce((sum, { rating, n }) => sum + (rating === wanted ? n : 0), 0)
  return {
    opened: countFlags(started, anyFlags),
    reopened: countFlags(started, flags.reopened),
    closed: countFlags(ended, anyFlags),
    first_reply_median_seconds: reply.median,
    first_reply_p90_seconds: reply.p90,
    member_reply_median_seconds: memberReply.median,
    resolution_median_seconds: resolution.median,
    resolution_p90_seconds: resolution.p90,
    answered_by_ai: countFlags(ended, flags.agentReplied),
    contained: countFlags(ended, flags.agentReplied, flags.memberReplied | flags.handedOff),
    handed_off: countFlags(ended, flags.handedOff),
    rated_good: rated('good'),
    rated_okay: rated('okay'),
    rated_bad: rated('bad'),
  }
}
