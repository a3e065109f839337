import type { TenantScope } from '../../../platform/database.ts'
import type { ChatLine } from '../../channels/chat-lines.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

/** A delivery that this worker has claimed. */
export interface InHand {
  id: string
  workerId: string
  campaignId: string
  contactId: string
  phone_number: string
  whatsapp_user_id: string | null
  variables: TemplateVariables
  attempts: number
  /** `performance.now()` at which its turn comes, at the channel's pace. */
  dueAt: number
}

/** What this worker has to do on one channel. */
export interface Lane {
  key: string
  scope: TenantScope
  channelId: string
  line: ChatLine
  /** In the order of their turns. */
  waiting: InHand[]
  /** Milliseconds between two messages. */
  intervalMs: number
  /** When the next one's turn comes at the earliest: whoever is late does not catch up at once. */
  nextAt: number
  /** When the last one went out, or is to go. */
  lastAt: number
  /** How many were handed over and are not recorded yet. */
  out: number
  /** Refusals in a row that concerned the whole channel, as far as this worker knows. */
  refusals: number
}

/** Places for what is handed over: few at first, one more with every quick answer, fewer when answers take long. */
const firstPlaces = 64
const leastPlaces = 16
const quickMs = 1_000
const slowMs = 3_000
const fewerEveryMs = 1_000

/** Lost time is made good slowly: by the fiftieth part of the channel's rate. */
const catchUp = 0.98
/** Handed over so long before its turn, so that it goes out on time and not in a bunch with others. */
const aheadMs = 100
const lateAfterMs = 500

export interface Lanes {
  readonly waiting: number
  readonly out: number
  all(): Lane[]
  get(key: string): Lane | undefined
  add(lane: Lane): void
  /** Forgets lanes on which nothing is left to do. */
  sweep(): void
  /** Those whose turn is about to come and for whom there is room, each lane in its turn; they are out from now on. */
  takeReady(now: number, most: number): { lane: Lane; row: InHand }[]
  /** When this one goes out: a step behind the one before, however long the books took. */
  goesAt(lane: Lane, row: InHand, now: number): number
  /** An answer took so long. Where the platform, the network or this process is slow, waiting for more at once helps nobody. */
  heard(tookMs: number, now: number): void
  /** What became of one is recorded, or it was not handed over after all. */
  isBack(lane: Lane): void
  /** When the next one's turn comes. */
  nextDueAt(): number
  /** Channels on which this worker is late: others may take what comes next. */
  late(now: number): string[]
}

/**
 * What is handed over shares at most `mostOut` places. A lane may have as many as are free besides: one that hears nothing from its
 * platform takes half of all, the next one half of what is left, and whoever comes new always finds some.
 */
export function createLanes(mostOut: number): Lanes {
  const lanes = new Map<string, Lane>()
  let out = 0
  let turn = 0
  let places = Math.min(firstPlaces, mostOut)
  let fewerSince = 0

  const count = (of: (lane: Lane) => number) => {
    let sum = 0
    for (const lane of lanes.values()) sum += of(lane)
    return sum
  }
  const hasRoom = (lane: Lane) => lane.out < places - out
  const turnOf = (lane: Lane, row: InHand) => Math.max(row.dueAt, lane.nextAt)

  return {
    get waiting() {
      return count((lane) => lane.waiting.length)
    },
    get out() {
      return out
    },
    all: () => [...lanes.values()],
    get: (key) => lanes.get(key),
    add: (lane) => void lanes.set(lane.key, lane),
    sweep() {
      for (const lane of lanes.values()) if (lane.waiting.length + lane.out === 0) lanes.delete(lane.key)
    },
    takeReady(now, most) {
      const ready: { lane: Lane; row: InHand }[] = []
      const all = [...lanes.values()]
      for (let idle = 0; idle < all.length && ready.length < most; ) {
        const lane = all[turn++ % all.length] as Lane
        const row = lane.waiting[0]
        if (!row || turnOf(lane, row) > now + aheadMs || !hasRoom(lane)) {
          idle++
          continue
        }
        idle = 0
        lane.waiting.shift()
        lane.nextAt = Math.max(turnOf(lane, row), now) + lane.intervalMs * catchUp
        lane.out++
        out++
        ready.push({ lane, row })
      }
      return ready
    },
    goesAt(lane, row, now) {
      lane.lastAt = Math.max(now, row.dueAt, lane.lastAt + lane.intervalMs * catchUp)
      return lane.lastAt
    },
    heard(tookMs, now) {
      if (tookMs < quickMs) places = Math.min(mostOut, places + 1)
      else if (tookMs > slowMs && now - fewerSince > fewerEveryMs) {
        places = Math.max(leastPlaces, Math.floor(places * 0.7))
        fewerSince = now
      }
    },
    isBack(lane) {
      lane.out--
      out--
    },
    nextDueAt() {
      let next = Number.POSITIVE_INFINITY
      for (const lane of lanes.values()) {
        const [first] = lane.waiting
        if (first && hasRoom(lane)) next = Math.min(next, turnOf(lane, first) - aheadMs)
      }
      return next
    },
    late: (now) =>
      [...lanes.values()]
        .filter(({ waiting }) => waiting[0] !== undefined && waiting[0].dueAt < now - lateAfterMs)
        .map(({ channelId }) => channelId),
  }
}
