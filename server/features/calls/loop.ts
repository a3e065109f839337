import type { Log } from '../../platform/log.ts'

/** Something that is done again and again. */
export interface Loop {
  /** Look at once. */
  wake(): void
  /** Ends after what it is doing now. */
  close(): Promise<void>
}

const afterFailureMs = 1_000

/** Does the work, then waits for as long as it answered, or until it is woken. A failure is logged and tried again. */
export function startLoop(log: Log, what: string, work: () => Promise<number>): Loop {
  let isClosing = false
  let wake = () => {}
  const run = async () => {
    while (!isClosing) {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      const restMs = await work().catch((error) => {
        log.error({ err: error }, `${what} met a fault and goes on`)
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
