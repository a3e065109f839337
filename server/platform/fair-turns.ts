import { type Clock, systemClock } from './dispatch/clock.ts'

/** One holder's right to run something, from `take` to `release`. */
interface Turn {
  readonly holder: string
  readonly since: number
  readonly kind: Kind
}

/** `live` is what a caller waits for: few at a time, and not limited for a busy holder. */
type Kind = 'live' | 'other'

interface Waiter extends Pick<Turn, 'kind'> {
  begin(turn: Turn): void
  cancelTimeout(): void
}

interface FairTurns {
  /** Resolves when it is this holder's turn; rejects after the timeout. */
  take(holder: string, kind?: Kind): Promise<Turn>
  release(turn: Turn): void
  /** How many wait. */
  readonly waiting: number
}

interface TurnLimits {
  /** Turns of all holders at once. */
  max: number
  /** Turns of a busy holder at once while others are active, live ones apart. */
  perBusyHolder?: number | undefined
  /** How long a holder waits for its turn. */
  timeoutMs: number
}

/** A share of the turns is never smaller, however many holders there are, and one share is always left to others. */
const leastShare = 1 / 4
/** Work that holds a turn may need another one, such as an export that records itself. */
const leastTurns = 2
/** For how long a holder that came counts as active; it counts for up to twice as long. */
const activeMs = 1_000
/** A holder is busy if its turns took longer than this while it was active, which is one to two seconds. */
const busyMs = 200
/**
 * A turn that lasts longer does not count in `perBusyHolder`: it waits for a lock or a client, is part of the work that
 * wants the next turn, or has had its time.
 */
const longMs = 1_000
/** How often turns that have become long are noticed, while holders wait. */
const lookEveryMs = 100

/**
 * At most `max` turns at once. A holder that is alone may have three quarters of them, so that the next one finds a free
 * turn. As soon as others are active, each may have its share, and a busy one has few turns at once, so that its slow
 * statements neither fill the pool nor the CPU of the server. A free turn goes to the holder with the fewest, and among
 * equals to the one that has waited longest: a holder with a thousand requests delays another by one turn, not by a
 * thousand.
 */
export function createFairTurns(
  { max, perBusyHolder = max, timeoutMs }: TurnLimits,
  clock: Clock = systemClock,
): FairTurns {
  const taken = new Map<string, Set<Turn>>()
  const queues = new Map<string, Waiter[]>()
  const atLeast = (turns: number) => Math.max(leastTurns, Math.ceil(turns))
  const mostAlone = atLeast(max * (1 - leastShare))
  let free = max
  let waiting = 0
  /** How long the turns took that each active holder gave back, in this period and in the one before. */
  let active = new Map<string, number>()
  let formerlyActive = new Map<string, number>()
  let since = clock.now()
  let cancelLook: (() => void) | undefined

  function forgetInactive(now: number): void {
    const elapsed = now - since
    if (elapsed <= activeMs) return
    formerlyActive = elapsed > 2 * activeMs ? new Map() : active
    active = new Map()
    since = now
  }

  function mayBegin(holder: string, kind: Kind, now: number): boolean {
    const turns = taken.get(holder)
    if (!turns) return true
    // With itself, even if it has only been waiting for a while.
    const holders = 1 + Math.max(countOthers(active, holder), countOthers(formerlyActive, holder))
    if (holders === 1) return turns.size < mostAlone
    if (turns.size >= atLeast(max * Math.max(leastShare, 1 / holders))) return false
    if (kind === 'live') return true
    let usedMs = (active.get(holder) ?? 0) + (formerlyActive.get(holder) ?? 0)
    let counted = 0
    for (const turn of turns) {
      const tookMs = now - turn.since
      usedMs += tookMs
      if (turn.kind === 'other' && tookMs < longMs) counted++
    }
    return usedMs < busyMs || counted < perBusyHolder
  }

  function begin(holder: string, kind: Kind, now: number): Turn {
    const turn = { holder, since: now, kind }
    const turns = taken.get(holder)
    if (turns) turns.add(turn)
    else taken.set(holder, new Set([turn]))
    free--
    return turn
  }

  function leave(holder: string, waiter: Waiter): void {
    const queue = queues.get(holder) ?? []
    queue.splice(queue.indexOf(waiter), 1)
    waiting--
    // Back to the end of the line of holders.
    queues.delete(holder)
    if (queue.length > 0) queues.set(holder, queue)
    waiter.cancelTimeout()
  }

  function findNext(now: number): { holder: string; waiter: Waiter } | undefined {
    let next: { holder: string; waiter: Waiter } | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const [holder, queue] of queues) {
      const turns = taken.get(holder)?.size ?? 0
      if (turns >= fewest) continue
      const first = (kind: Kind) => (mayBegin(holder, kind, now) ? queue.find((each) => each.kind === kind) : undefined)
      const waiter = first('live') ?? first('other')
      if (!waiter) continue
      next = { holder, waiter }
      fewest = turns
    }
    return next
  }

  /** Gives out what is free: more than one turn, if shares have grown. */
  function giveOut(): void {
    const now = clock.now()
    forgetInactive(now)
    while (free > 0) {
      const next = findNext(now)
      if (!next) break
      const { holder, waiter } = next
      leave(holder, waiter)
      waiter.begin(begin(holder, waiter.kind, now))
    }
    cancelLook?.()
    cancelLook = waiting > 0 ? clock.after(lookEveryMs, giveOut) : undefined
  }

  return {
    take(holder, kind = 'other') {
      const now = clock.now()
      forgetInactive(now)
      if (!active.has(holder)) active.set(holder, 0)
      if (free > 0 && mayBegin(holder, kind, now)) return Promise.resolve(begin(holder, kind, now))
      const { promise, resolve, reject } = Promise.withResolvers<Turn>()
      const waiter: Waiter = {
        kind,
        begin: resolve,
        cancelTimeout: clock.after(timeoutMs, () => {
          leave(holder, waiter)
          reject(new Error('timeout exceeded when trying to connect'))
        }),
      }
      waiting++
      const queue = queues.get(holder)
      if (queue) queue.push(waiter)
      else queues.set(holder, [waiter])
      cancelLook ??= clock.after(lookEveryMs, giveOut)
      return promise
    },
    release(turn) {
      const { holder } = turn
      const turns = taken.get(holder)
      turns?.delete(turn)
      if (turns?.size === 0) taken.delete(holder)
      free++
      const now = clock.now()
      forgetInactive(now)
      active.set(holder, (active.get(holder) ?? 0) + now - turn.since)
      giveOut()
    },
    get waiting() {
      return waiting
    },
  }
}

const countOthers = (holders: Map<string, number>, one: string) => holders.size - (holders.has(one) ? 1 : 0)
