import type { TenantScope } from '../../../platform/database.ts'

/** A delivery that this worker has in hand. */
export interface InHand {
  id: string
  type: string
  attempts: number
  step: number
  /** Null when its event is not kept any more. */
  body: string | null
}

/** What this worker has to do for one endpoint. */
export interface Lane extends TenantScope {
  webhookId: string
  url: string
  sign(id: string, at: Date, body: string): string
  /** Read in one statement with `url`: a new address never gets types that its webhook may not receive. */
  mayReceive(type: string): boolean
  failingSince: number | null
  /** In the order of their time; with those that are out and those that are not written down yet, all of `inHand`. */
  waiting: InHand[]
  inHand: Set<string>
  out: number
  /** How many may be out at once: an endpoint that fails gets fewer, one that answers gets more. */
  limit: number
  failuresInARow: number
  /** Up to where it was read; undefined before the first time. */
  after: { at: string; id: string } | undefined
  mayHaveMore: boolean
  /** Nothing further is sent: it is to be let go of when all that is out is back. */
  isStopped: boolean
  /** It belongs to somebody else by now. */
  isLost: boolean
  pausedUntil: number | null
}

export const mostPerLane = 32
const firstLimit = 8

export const newLane = (
  given: Pick<Lane, 'organizationId' | 'livemode' | 'webhookId' | 'url' | 'sign' | 'mayReceive' | 'failingSince'>,
): Lane => ({
  ...given,
  waiting: [],
  inHand: new Set(),
  out: 0,
  // Whoever failed the last time is asked carefully.
  limit: given.failingSince === null ? firstLimit : 1,
  failuresInARow: 0,
  after: undefined,
  mayHaveMore: true,
  isStopped: false,
  isLost: false,
  pausedUntil: null,
})

export const isIdle = (lane: Lane): boolean => lane.inHand.size === 0

/** Nobody asks an endpoint that is down over and over, nor holds its lane all the time. */
const enoughFailures = 8
const restAfterFailuresMs = 5_000

/** How long the whole endpoint is to be left alone: because it asked for that, or has failed enough for now. */
export const restOf = ({ failuresInARow }: Lane, askedMs: number | null): number | null =>
  failuresInARow >= enoughFailures ? Math.max(restAfterFailuresMs, askedMs ?? 0) : askedMs

/** Sends nothing further; what waits is left to whoever comes next. */
export function stop(lane: Lane): void {
  lane.isStopped = true
  for (const { id } of lane.waiting) lane.inHand.delete(id)
  lane.waiting = []
}

export interface Turns {
  readonly out: number
  /** It has something to send, perhaps. */
  enqueue(lane: Lane): void
  /** The next that may go, which is out from now on. */
  take(): { lane: Lane; item: InHand } | undefined
  /** It is back. */
  isBack(lane: Lane, wasFine: boolean): void
}

/**
 * Requests share `mostOut` places, each lane in its turn. A lane may have as many out as there are places free besides: one
 * that hears nothing takes its share, the next one of what is left, and whoever comes new always finds a place.
 */
export function createTurns(mostOut: number): Turns {
  const queue = new Set<Lane>()
  const blocked = new Set<Lane>()
  let out = 0
  const hasRoom = (lane: Lane) => lane.out < lane.limit && lane.out < mostOut - out

  return {
    get out() {
      return out
    },
    enqueue: (lane) => void queue.add(lane),
    take() {
      for (const lane of queue) {
        queue.delete(lane)
        if (lane.waiting.length === 0) continue
        if (!hasRoom(lane)) {
          // Its own limit is seen to when one of its own is back.
          if (lane.out < lane.limit) blocked.add(lane)
          continue
        }
        const item = lane.waiting.shift() as InHand
        lane.out++
        out++
        if (lane.waiting.length > 0) queue.add(lane)
        return { lane, item }
      }
      return undefined
    },
    isBack(lane, wasFine) {
      lane.out--
      out--
      lane.limit = wasFine ? Math.min(mostPerLane, lane.limit + 1) : Math.max(1, lane.limit >> 1)
      lane.failuresInARow = wasFine ? 0 : lane.failuresInARow + 1
      queue.add(lane)
      let free = mostOut - out
      for (const other of blocked) {
        if (free-- <= 0) break
        blocked.delete(other)
        queue.add(other)
      }
    },
  }
}
