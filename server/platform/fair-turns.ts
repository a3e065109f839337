interface Waiter {
  begin(): void
  timer: NodeJS.Timeout
}

interface FairTurns {
  /** Resolves when it is this holder's turn; rejects after the timeout. */
  take(holder: string): Promise<void>
  release(holder: string): void
  /** How many wait. */
  readonly waiting: number
}

/** A holder's share is never smaller, however many others there are. */
const leastShare = 1 / 4
/** Work that holds a turn may need another one, such as an export that records itself. */
const leastTurns = 2
/** For how long a holder that came counts as active; it counts for up to twice as long. */
const activeMs = 1_000

/**
 * At most `max` turns at once. A holder that is alone may have them all. As soon as others are active, each may have its
 * share, so that one with slow statements neither fills the pool nor the CPU of the server. A free turn goes to the holder
 * with the fewest, and among equals to the one that has waited longest: a holder with a thousand requests delays another
 * by one turn, not by a thousand.
 */
export function createFairTurns(max: number, timeoutMs: number): FairTurns {
  const taken = new Map<string, number>()
  const queues = new Map<string, Waiter[]>()
  let free = max
  let waiting = 0
  let active = new Set<string>()
  let formerlyActive = 0
  let since = performance.now()

  function forgetInactive(): void {
    const elapsed = performance.now() - since
    if (elapsed > activeMs) {
      formerlyActive = elapsed > 2 * activeMs ? 0 : active.size
      active = new Set()
      since += elapsed
    }
  }

  function hasShareLeft(holder: string): boolean {
    const share = Math.max(leastShare, 1 / Math.max(active.size, formerlyActive, 1))
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

  return {
    take(holder) {
      forgetInactive()
      active.add(holder)
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
    release(holder) {
      free++
      const left = (taken.get(holder) ?? 1) - 1
      if (left > 0) taken.set(holder, left)
      else taken.delete(holder)
      forgetInactive()
      // More than one, if the others have become inactive and the shares have grown.
      for (let next = nextHolder(); next !== undefined && free > 0; next = nextHolder()) {
        const [waiter] = queues.get(next) as [Waiter]
        leave(next, waiter)
        begin(next)
        waiter.begin()
      }
    },
    get waiting() {
      return waiting
    },
  }
}
