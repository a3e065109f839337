import type { Clock } from '../platform/dispatch/clock.ts'

interface Timer {
  at: number
  run: () => void
}

/** A clock that the test moves. After a stall every timer that became due fires at once, as on a blocked event loop. */
export function fakeClock() {
  let now = 0
  let timers: Timer[] = []
  const clock: Clock = {
    now: () => now,
    after(ms, run) {
      // Like Node's timers: whole milliseconds, at least one.
      const timer = { at: now + Math.max(1, Math.ceil(ms)), run }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
  }
  const fireDue = () => {
    const due = timers.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
    timers = timers.filter((each) => !due.includes(each))
    for (const { run } of due) run()
  }
  return {
    clock,
    /** The loop runs every millisecond. */
    pass(ms: number) {
      for (const end = now + ms; now < end; ) {
        now++
        fireDue()
      }
    },
    /** Nothing runs for this long; then every timer that became due fires. */
    stall(ms: number) {
      now += ms
      fireDue()
    },
  }
}
