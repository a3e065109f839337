import type { Signals } from '../../platform/signals.ts'
import { retryEarlyUpdates } from './early-updates.ts'
import { type Processing, processHooks } from './process-hooks.ts'
import { incomingHooksChannel } from './store-hooks.ts'

const lookEveryMs = 1_000

export interface HookProcessing {
  close(): Promise<void>
}

/** Works on webhooks for as long as this node runs; others may do the same, each on others. */
export function startHookProcessing(processing: Processing, signals: Signals): HookProcessing {
  const { database, log } = processing
  let isClosing = false
  let wakeLooker = () => {}
  let wakeRetrier = () => {}
  const stopListening = signals.on(incomingHooksChannel, () => wakeLooker(), { atOnce: true })

  /** Runs the work again at once while there is some, else when woken or after a while. */
  async function loop(work: () => Promise<boolean>, wakeBy: (wake: () => void) => void): Promise<void> {
    while (!isClosing) {
      const woken = Promise.withResolvers<void>()
      wakeBy(woken.resolve)
      const hasMore = await work().catch((error) => {
        log.error({ err: error }, 'webhooks could not be processed and will be tried again')
        return false
      })
      if (hasMore || isClosing) continue
      const timer = setTimeout(woken.resolve, lookEveryMs)
      await woken.promise
      clearTimeout(timer)
    }
  }
  // One set at a time keeps the order in which webhooks came; a backlog is worked off by several, each of which holds a
  // connection of the system's pool: half of them stay for requests.
  const mostAtOnce = Math.max(1, Math.min(4, Math.floor(database.pools.system.options.max / 2)))
  const helpers = new Set<Promise<void>>()
  async function help(): Promise<void> {
    try {
      while (!isClosing && (await processHooks(processing)) === 'many');
    } catch (error) {
      log.error({ err: error }, 'webhooks could not be processed and will be tried again')
    }
  }
  async function processWaiting(): Promise<boolean> {
    const set = await processHooks(processing)
    while (set === 'many' && helpers.size < mostAtOnce - 1 && !isClosing) {
      const helper = help().finally(() => helpers.delete(helper))
      helpers.add(helper)
    }
    return set !== 'none'
  }

  const loops = [
    loop(processWaiting, (wake) => {
      wakeLooker = wake
    }),
    loop(
      async () => {
        await retryEarlyUpdates(processing)
        return false
      },
      (wake) => {
        wakeRetrier = wake
      },
    ),
  ]
  return {
    async close() {
      isClosing = true
      wakeLooker()
      wakeRetrier()
      await Promise.all([...loops, ...helpers])
      stopListening()
    },
  }
}
