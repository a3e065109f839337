interface Waiter {
  begin(): void
  timer: NodeJS.Timeout
}

interface FairTurns {
  /** Resolves when it is this holder's turn; rejects after the timeout. */
  take(holder: string): Promise<void>
  /** Ends a turn that took this long. */
  release(holder: string, tookMs: number): void
  /** How many wait. */
  readonly waiting: number
}

/** A holder's share is never smaller, however many others there are. */
const leastShare = 1 / 5
/** Work that holds a turn may need another one, such as an export that records itself. */
const leastTurns = 2
/**
 * A turn of a busy holder counts against its share for this many times as long again after it ended. Short statements
 * of others wait for the CPU of a database server that is never idle; measured by bench/fairness.ts.
 */
const restFactor = 4
const longestRestMs = 1_000
/** A holder that had turns for longer than this, in the last one to two seconds, is busy. */
const busyMs = 200
/** For how long a holder that came counts as active; it counts for up to twice as long. */
const activeMs = 1_000

/**
 * At most `max` turns at once. A holder that is alone may have them all. As soon as others are active, each may have its
 * share, and a busy one pauses after its turns, so that one with slow statements neither fills the pool nor the CPU of the
 * server. A free turn goes to the holder with the fewest, and among equals to the one that has waited longest: a holder
 * with a thousand requests delays another by one turn, not by a thousand.
 */
export function createFairTurns(max: number, timeoutMs: number): FairTurns {
  const taken = new Map<string, number>()
  const queues = new Map<string, Waiter[]>()
  let free = max
  let waiting = 0
  /** For how many milliseconds each active holder has had turns, in this period and in the one before. */
  let active = new Map<string, number>()
  let formerlyActive = new Map<string, number>()
  let since = performance.now()

  function forgetInactive(): void {
    const elapsed = performance.now() - since
    if (elapsed > activeMs) {
      formerlyActive = elapsed > 2 * activeMs ? new Map() : active
      active = new Map()
      since += elapsed
    }
  }

  const isShared = () => Math.max(active.size, formerlyActive.size) > 1

  function hasShareLeft(holder: string): boolean {
    const share = Math.max(leastShare, 1 / Math.max(active.size, formerlyActive.size, 1))
    return (taken.get(holder) ?? 0) < Math.max(leastTurns, Math.ceil(max * share))
  }

  function begin(holder: string): void {
    free--
    taken.set(holder, (taken.get(holder) ?? 0) + 1)
  }

  function leave(holder: string, waiter: Waiter): void {
    const queue = queues.get(holder) ?? []
    queue.splice(queue.indexOf(waiter), 1)
    waiting--
    // Back to the end of the line of holders.
    queues.delete(holder)
    if (queue.length > 0) queues.set(holder, queue)
    clearTimeout(waiter.timer)
  }

  function nextHolder(): string | undefined {
    let next: string | undefined
    for (const holder of queues.keys())
      if (hasShareLeft(holder) && (next === undefined || (taken.get(holder) ?? 0) < (taken.get(next) ?? 0)))
        next = holder
    return next
  }

  function endTurn(holder: string): void {
    const left = (taken.get(holder) ?? 1) - 1
    if (left > 0) taken.set(holder, left)
    else taken.delete(holder)
    beginNext()
  }

  function beginNext(): void {
    forgetInactive()
    // More than one, if the others have become inactive and the shares have grown.
    for (let next = nextHolder(); next !== undefined && free > 0; next = nextHolder()) {
      const [waiter] = queues.get(next) as [Waiter]
      leave(next, waiter)
      begin(next)
      waiter.begin()
    }
  }

  return {
    take(holder) {
      forgetInactive()
      if (!active.has(holder)) active.set(holder, 0)
      if (free > 0 && hasShareLeft(holder)) {
        begin(holder)
        return Promise.resolve()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiter: Waiter = {
        begin: resolve,
        timer: setTimeout(() => {
          leave(holder, waiter)
          reject(new Error('timeout exceeded when trying to connect'))
        }, timeoutMs),
      }
      waiting++
      const queue = queues.get(holder)
      if (queue) queue.push(waiter)
      else queues.set(holder, [waiter])
      return promise
    },
    release(holder, tookMs) {
      free++
      const usedNowMs = (active.get(holder) ?? 0) + tookMs
      active.set(holder, usedNowMs)
      const usedMs = usedNowMs + (formerlyActive.get(holder) ?? 0)
      if (isShared() && usedMs > busyMs) setTimeout(endTurn, Math.min(tookMs * restFactor, longestRestMs), holder)
      else endTurn(holder)
      beginNext()
    },
    get waiting() {
      return waiting
    },
  }
}
