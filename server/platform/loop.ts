import type { Log } from './log.ts'

/** Something that is done again and again. */
export interface Loop {
  /** Look at once. */
  wake(): void
  /** Ends after what it is doing now. */
  close(): Promise<void>
}

export interface LoopOptions {
  /** What the log says when the work failed. */
  fault: string
  /** How long until it is tried again then. */
  afterFailureMs: number
}

/**
 * Does the work, then waits for as long as it answered, or until it is woken. A failure is logged and the work done again
 * a little later.
 */
export function startLoop(log: Log, { fault, afterFailureMs }: LoopOptions, work: () => Promise<number>): Loop {
  let isClosing = false
  let wake = () => {}
  const run = async () => {
    while (!isClosing) {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      const restMs = await work().catch((error) => {
        log.error({ err: error }, fault)
        return afterFailureMs
      })
      if (restMs <= 0 || isClosing) continue
      const timer = setTimeout(woken.resolve, restMs)
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
