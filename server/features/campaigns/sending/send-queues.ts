import type { TenantScope } from '../../../platform/database.ts'
import type { ChatLine } from '../../channels/chat-lines.ts'
import type { TemplateVariables } from '../../templates/schema.ts'
import type { Outcome } from '../judge-failure.ts'
import type { Clock } from './clock.ts'
import { createPacedQueue, type PacedQueue } from './paced-queue.ts'

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery {
  id: string
  workerId: string
  campaignId: string
  contactId: string
  phone_number: string
  whatsapp_user_id: string | null
  variables: TemplateVariables
  attempts: number
  /** When its turn comes at the channel's rate, by the clock of this process. */
  dueAt: number
}

/** What this worker has to send on one channel. */
export interface SendQueue {
  key: string
  scope: TenantScope
  channelId: string
  line: ChatLine
  /** Claimed, in the order of their turns. */
  waiting: ClaimedDelivery[]
  /** Marked as in flight in the database, and about to be sent one by one. */
  leaving: PacedQueue<ClaimedDelivery>
  /** Marked as in flight and not recorded yet, those about to be sent included. */
  inFlight: number
  /** Whether other workers may send on this channel too: turns that were missed belong to them now. */
  isShared: boolean
  /** Whether new turns are being asked for, in place of those that were missed. */
  isRebooking: boolean
  /** Refusals in a row that concerned the whole channel, as far as this worker knows. */
  refusals: number
  /** Sends in a row after which it is unknown whether the platform took the message. */
  unclear: number
}

/** Requests in flight: few at first, one more with every quick answer, fewer when answers take long. */
const firstInFlight = 64
const leastInFlight = 16
const quickMs = 1_000
const slowMs = 3_000
const fewerEveryMs = 1_000

/** Fewer than the HTTP client has connections: a request that waits for one there would go out later, in a bunch with others. */
const mostOnWire = 240
/** Marked in the database so long before its turn, so that it goes out on time. */
const aheadMs = 100
const lateAfterMs = 500
/** Turns that were missed by more than this are booked anew where workers share a channel: a twentieth of a second's worth. */
const missedAfterMs = 50
/** After so many unclear sends in a row the platform is taken to be out of order. */
const outageAfter = 5
/** Sends in flight at once while it is not certain that the platform takes messages again. */
const mostProbes = 2
/** The pace looks back one second: a queue is kept for longer than that. */
const keepForMs = 2_000

/** Whether the last sends say that the platform is out of order. After a refusal one unclear send is enough. */
export const suggestsOutage = ({ unclear, refusals }: SendQueue) => unclear >= (refusals > 0 ? 1 : outageAfter)

export interface SendQueues {
  readonly waiting: number
  readonly inFlight: number
  all(): SendQueue[]
  /** The queue of this channel; made when there is none. */
  open(key: string, scope: TenantScope, line: ChatLine): SendQueue
  /** Forgets queues on which nothing is left to do. */
  sweep(): void
  /** Those whose turn is about to come and for whom there is room, each queue in its turn; they are in flight from now on. */
  takeReady(now: number, most: number): { queue: SendQueue; row: ClaimedDelivery }[]
  /** The platform answered, or did not in time. */
  answered(queue: SendQueue, kind: Outcome['kind'], tookMs: number): void
  /** What became of one is recorded, or it was not sent after all. */
  isBack(queue: SendQueue): void
  /** When the next one's turn comes. */
  nextDueAt(): number
  /** Channels on which this worker is late: other workers may claim what comes next. */
  late(now: number): string[]
}

export interface SendQueueActions {
  /** Begins one request. `answered` has to be called when it has ended. */
  send(queue: SendQueue, row: ClaimedDelivery): void
  /** The queue has missed its turns: nothing is sent until it was given others and run again. */
  rebook(queue: SendQueue): void
}

/**
 * Queues share at most `mostInFlight` requests. A queue may have as many as are free besides: one whose platform does not answer
 * takes half of all, the next one half of what is left, so that a new one always finds some.
 */
export function createSendQueues(clock: Clock, mostInFlight: number, { send, rebook }: SendQueueActions): SendQueues {
  const queues = new Map<string, SendQueue>()
  let inFlight = 0
  let onWire = 0
  let turn = 0
  let wireTurn = 0
  let places = Math.min(firstInFlight, mostInFlight)
  let fewerSince = 0

  const count = (of: (queue: SendQueue) => number) => {
    let sum = 0
    for (const queue of queues.values()) sum += of(queue)
    return sum
  }
  const hasRoom = (queue: SendQueue) =>
    queue.inFlight < places - inFlight && (queue.inFlight < mostProbes || !isProbing(queue))
  const isProbing = (queue: SendQueue) => queue.refusals > 0 || suggestsOutage(queue)
  const turnOf = (queue: SendQueue, row: ClaimedDelivery, now: number) =>
    Math.max(row.dueAt, queue.leaving.earliest(now))
  const isIdle = ({ waiting, inFlight, leaving }: SendQueue) =>
    waiting.length + inFlight === 0 && leaving.lastSentAt < clock.now() - keepForMs

  function maySend(queue: SendQueue): boolean {
    if (onWire >= mostOnWire || queue.isRebooking) return false
    const missed =
      queue.isShared && (queue.leaving.firstDueAt ?? Number.POSITIVE_INFINITY) < clock.now() - missedAfterMs
    if (missed) rebook(queue)
    return !missed
  }

  /** A place on the wire is free again: another queue is the first to use it each time. */
  function runInTurn() {
    const all = [...queues.values()]
    wireTurn++
    for (const i of all.keys()) all[(wireTurn + i) % all.length]?.leaving.run()
  }

  return {
    get waiting() {
      return count((queue) => queue.waiting.length)
    },
    get inFlight() {
      return inFlight
    },
    all: () => [...queues.values()],
    open(key, scope, line) {
      const known = queues.get(key)
      if (known) {
        known.line = line
        return known
      }
      const queue: SendQueue = {
        key,
        scope,
        channelId: line.channelId,
        line,
        waiting: [],
        leaving: createPacedQueue<ClaimedDelivery>(clock, {
          send(row) {
            onWire++
            send(queue, row)
          },
          maySend: () => maySend(queue),
        }),
        inFlight: 0,
        isShared: false,
        isRebooking: false,
        refusals: 0,
        unclear: 0,
      }
      queues.set(key, queue)
      return queue
    },
    sweep() {
      for (const queue of queues.values()) if (isIdle(queue)) queues.delete(queue.key)
    },
    takeReady(now, most) {
      const ready: { queue: SendQueue; row: ClaimedDelivery }[] = []
      const all = [...queues.values()]
      const taken = new Map<SendQueue, number>()
      for (let idle = 0; idle < all.length && ready.length < most; ) {
        const queue = all[turn++ % all.length] as SendQueue
        const row = queue.waiting[0]
        const before = taken.get(queue) ?? 0
        const at = row ? turnOf(queue, row, now) + before * queue.leaving.stepMs : 0
        if (!row || at > now + aheadMs || !hasRoom(queue)) {
          idle++
          continue
        }
        idle = 0
        queue.waiting.shift()
        taken.set(queue, before + 1)
        queue.inFlight++
        inFlight++
        ready.push({ queue, row })
      }
      return ready
    },
    answered(queue, kind, tookMs) {
      onWire--
      queue.unclear = kind === 'unknown' ? queue.unclear + 1 : 0
      const now = clock.now()
      if (tookMs < quickMs) places = Math.min(mostInFlight, places + 1)
      else if (tookMs > slowMs && now - fewerSince > fewerEveryMs) {
        places = Math.max(leastInFlight, Math.floor(places * 0.7))
        fewerSince = now
      }
      if (onWire === mostOnWire - 1) runInTurn()
    },
    isBack(queue) {
      queue.inFlight--
      inFlight--
    },
    nextDueAt() {
      let next = Number.POSITIVE_INFINITY
      const now = clock.now()
      for (const queue of queues.values()) {
        const [first] = queue.waiting
        if (first && hasRoom(queue)) next = Math.min(next, turnOf(queue, first, now) - aheadMs)
      }
      return next
    },
    late: (now) =>
      [...queues.values()]
        .filter(({ waiting }) => waiting[0] !== undefined && waiting[0].dueAt < now - lateAfterMs)
        .map(({ channelId }) => channelId),
  }
}
