import { frameMs } from '../../../providers/speech/contract.ts'

/**
 * Beats once for every frame of a call, by absolute time: the n-th beat belongs to the n-th 20 ms since the start,
 * however late the ones before came. After a stall the beats that nobody can use any more are passed over (`missed`),
 * so that a call never lags behind the clock for good.
 */
export interface Pacer {
  /** Milliseconds of the call's own time since it began. */
  now(): number
  stop(): void
}

/** `now` is the call's own time. */
type Beat = (missed: boolean, now: number) => void

interface Beating {
  began: number
  speed: number
  next: number
  interval: number
  beat: Beat
}

/** Late beats up to this much are made up for at once; a far end's buffer has played everything else by then. */
const madeUpMs = 3 * frameMs
/** One timer for all calls; each call's own beats lie wherever the call happened to begin. */
const granularityMs = 3

const beating = new Set<Beating>()
let timer: NodeJS.Timeout | undefined

export function startPacer(beat: Beat, { speed = 1 }: { speed?: number } = {}): Pacer {
  const began = performance.now()
  const interval = frameMs / speed
  const one: Beating = { began, speed, next: began + interval, interval, beat }
  beating.add(one)
  timer ??= setInterval(beatAll, granularityMs)
  return {
    now: () => (performance.now() - began) * speed,
    stop() {
      beating.delete(one)
      if (beating.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

function beatAll(): void {
  const now = performance.now()
  for (const one of beating) {
    while (one.next <= now) {
      const missed = now - one.next > Math.max(madeUpMs, 3 * one.interval)
      one.next += one.interval
      try {
        one.beat(missed, (now - one.began) * one.speed)
      } catch {
        // A call looks after its own faults; the others must hear nothing of them.
      }
      if (!beating.has(one)) break
    }
  }
}
