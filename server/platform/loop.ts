import type { Log } from './log.ts'

/** Work that is repeated until it is closed. */
export interface Loop {
  /** Runs the work immediately. */
  wake(): void
  /** Ends after the current run. */
  close(): Promise<void>
}

export interface LoopOptions {
  /** The log message of a failed run. */
  fault: string
  /** Fields of that message. */
  fields?: object
  /** Delay before the next run after a failure. */
  afterFailureMs: number
}

/** For work that has no reason to run again by itself. */
export const untilWoken = Number.POSITIVE_INFINITY

/**
 * Runs the work, then waits for as many milliseconds as it returned, or until it is woken. A failure is logged and the
 * work is retried.
 */
export function startLoop(log: Log, { fault, fields, afterFailureMs }: LoopOptions, work: () => Promise<number>): Loop {
  let isClosing = false
  let wake = () => {}
  const run = async () => {
    while (!isClosing) {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      const restMs = await work().catch((error) => {
        log.error({ ...fields, err: error }, fault)
        return afterFailureMs
      })
      if (restMs <= 0 || isClosing) continue
      const timer = restMs === untilWoken ? undefined : setTimeout(woken.resolve, restMs)
      await woken.promise
      clearTimeout(timer)
    }
  }
  const running = run()
  return {
    wake: () => wake(),
    async close() {
      isClosing = true
      wake()
      await running
    },
  }
}
