import { frameMs } from '../../../providers/speech/contract.ts'

/**
 * Ticks once per 20 ms frame of a call, on absolute time: tick n is due n × 20 ms after the start, so delays do not add
 * up. After a stall, ticks that are too late to play audio are reported as `missed`, and the call catches up with the
 * clock.
 */
interface CallClock {
  /** Milliseconds since the start, on the call's clock. */
  now(): number
  stop(): void
}

/** `now` is in milliseconds on the call's clock. */
type Tick = (missed: boolean, now: number) => void

interface TickingCall {
  startedAt: number
  speed: number
  next: number
  interval: number
  tick: Tick
}

/** A tick that is late by up to three frames still sends its frame; the far end's buffer covers that much. */
const catchUpMs = 3 * frameMs
/** All calls share one timer. It is finer than a frame because calls start at arbitrary times. */
const granularityMs = 3

const tickingCalls = new Set<TickingCall>()
let timer: NodeJS.Timeout | undefined

export function startCallClock(tick: Tick, { speed = 1 }: { speed?: number } = {}): CallClock {
  const startedAt = performance.now()
  const interval = frameMs / speed
  const call: TickingCall = { startedAt, speed, next: startedAt + interval, interval, tick }
  tickingCalls.add(call)
  timer ??= setInterval(tickAll, granularityMs)
  return {
    now: () => (performance.now() - startedAt) * speed,
    stop() {
      tickingCalls.delete(call)
      if (tickingCalls.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

function tickAll(): void {
  const now = performance.now()
  for (const call of tickingCalls) {
    while (call.next <= now) {
      const missed = now - call.next > Math.max(catchUpMs, 3 * call.interval)
      call.next += call.interval
      try {
        call.tick(missed, (now - call.startedAt) * call.speed)
      } catch {
        // An error in one call must not stop the ticks of the others.
      }
      if (!tickingCalls.has(call)) break
    }
  }
}
