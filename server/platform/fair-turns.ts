import { systemClock } from './dispatch/clock.ts'

/** One holder's right to run something, from `take` to `release`. */
interface Turn {
  readonly holder: string
  readonly since: number
}

interface Waiter {
  begin(turn: Turn): void
  cancelTimeout(): void
}

interface FairTurns {
  /** Resolves when it is this holder's turn; rejects after the timeout. */
  take(holder: string): Promise<Turn>
  release(turn: Turn): void
  /** How many wait. */
  readonly waiting: number
}

interface TurnLimits {
  /** Turns of all holders at once. */
  max: number
  /** Turns of one holder that is not alone, those that last longer than `longMs` not counted. */
  perHolder?: number | undefined
  /** How long a holder waits for its turn. */
  timeoutMs: number
}

/** A share of the turns is never smaller, however many holders there are, and one share is always left to others. */
const leastShare = 1 / 4
/** Work that holds a turn may need another one, such as an export that records itself. */
const leastTurns = 2
/** For how long a holder that came counts as active; it counts for up to twice as long. */
const activeMs = 1_000
/**
 * A longer turn does not count in `perHolder`: it waits for a lock or a client, is part of the work that wants the next
 * turn, or has had its time.
 */
const longMs = 1_000
/** How often turns that have become long are noticed, while holders wait. */
const lookEveryMs = 100

/**
 * At most `max` turns at once. A holder that is alone may have three quarters of them, so that the next one finds a free
 * turn. As soon as others are active, each may have its share, so that one with slow statements neither fills the pool nor
 * the CPU of the server. A free turn goes to the holder with the fewest, and among equals to the one that has waited
 * longest: a holder with a thousand requests delays another by one turn, not by a thousand.
 */
export function createFairTurns({ max, perHolder = max, timeoutMs }: TurnLimits, clock = systemClock): FairTurns {
  const taken = new Map<string, Set<Turn>>()
  const queues = new Map<string, Waiter[]>()
  const atLeast = (turns: number) => Math.max(leastTurns, Math.ceil(turns))
  const mostAlone = atLeast(max * (1 - leastShare))
  let free = max
  let waiting = 0
  let active = new Set<string>()
  let formerlyActive = new Set<string>()
  let since = clock.now()
  let cancelLook: (() => void) | undefined

  function forgetInactive(now: number): void {
    const elapsed = now - since
    if (elapsed > activeMs) {
      formerlyActive = elapsed > 2 * activeMs ? new Set() : active
      active = new Set()
      since = now
    }
  }

  function hasShareLeft(holder: string, now: number): boolean {
    const turns = taken.get(holder)
    if (!turns) return true
    // With itself, even if it has only been waiting for a while.
    const holders = 1 + Math.max(countOthers(active, holder), countOthers(formerlyActive, holder))
    if (holders === 1) return turns.size < mostAlone
    if (turns.size >= atLeast(max * Math.max(leastShare, 1 / holders))) return false
    let counted = 0
    for (const turn of turns) if (now - turn.since < longMs) counted++
    return counted < perHolder
  }

  function begin(holder: string, now: number): Turn {
    const turn = { holder, since: now }
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

  function nextHolder(now: number): string | undefined {
    let next: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const holder of queues.keys()) {
      const turns = taken.get(holder)?.size ?? 0
      if (turns >= fewest || !hasShareLeft(holder, now)) continue
      next = holder
      fewest = turns
    }
    return next
  }

  /** Gives out what is free: more than one turn, if shares have grown. */
  function giveOut(): void {
    const now = clock.now()
    forgetInactive(now)
    while (free > 0) {
      const next = nextHolder(now)
      if (next === undefined) break
      const [waiter] = queues.get(next) as [Waiter]
      leave(next, waiter)
      waiter.begin(begin(next, now))
    }
    cancelLook?.()
    cancelLook = waiting > 0 ? clock.after(lookEveryMs, giveOut) : undefined
  }

  return {
    take(holder) {
      const now = clock.now()
      forgetInactive(now)
      active.add(holder)
      if (free > 0 && hasShareLeft(holder, now)) return Promise.resolve(begin(holder, now))
      const { promise, resolve, reject } = Promise.withResolvers<Turn>()
      const waiter: Waiter = {
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
      const turns = taken.get(turn.holder)
      turns?.delete(turn)
      if (turns?.size === 0) taken.delete(turn.holder)
      free++
      giveOut()
    },
    get waiting() {
      return waiting
    },
  }
}

const countOthers = (holders: Set<string>, one: string) => holders.size - (holders.has(one) ? 1 : 0)
