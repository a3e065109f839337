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
type Tick = (missed: boolean, now: number) => void

interface PacedCall {
  startedAt: number
  speed: number
  next: number
  interval: number
  tick: Tick
}

/** Late beats up to this much are made up for at once; a far end's buffer has played everything else by then. */
const catchUpMs = 3 * frameMs
/** One timer for all calls; each call's own beats lie wherever the call happened to begin. */
const granularityMs = 3

const pacedCalls = new Set<PacedCall>()
let timer: NodeJS.Timeout | undefined

export function startPacer(tick: Tick, { speed = 1 }: { speed?: number } = {}): Pacer {
  const startedAt = performance.now()
  const interval = frameMs / speed
  const call: PacedCall = { startedAt, speed, next: startedAt + interval, interval, tick }
  pacedCalls.add(call)
  timer ??= setInterval(tickAll, granularityMs)
  return {
    now: () => (performance.now() - startedAt) * speed,
    stop() {
      pacedCalls.delete(call)
      if (pacedCalls.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

function tickAll(): void {
  const now = performance.now()
  for (const call of pacedCalls) {
    while (call.next <= now) {
      const missed = now - call.next > Math.max(catchUpMs, 3 * call.interval)
      call.next += call.interval
      try {
        call.tick(missed, (now - call.startedAt) * call.speed)
      } catch {
        // A call looks after its own faults; the others must hear nothing of them.
      }
      if (!pacedCalls.has(call)) break
    }
  }
}
