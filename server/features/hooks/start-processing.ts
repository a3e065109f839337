import { startLoop } from '../../platform/loop.ts'
import type { Signals } from '../../platform/signals.ts'
import { retryEarlyUpdates } from './early-updates.ts'
import { type Processing, processHooks } from './process-hooks.ts'
import { incomingHooksChannel } from './store-hooks.ts'

const lookEveryMs = 1_000
const onFault = { fault: 'inbound webhook: processing failed, will be retried', afterFailureMs: lookEveryMs }

interface HookProcessing {
  close(): Promise<void>
}

/** Processes webhooks for as long as this node runs; several nodes share the work. */
export function startHookProcessing(processing: Processing, signals: Signals): HookProcessing {
  const { database, log } = processing
  let isClosing = false
  // One batch at a time keeps the order of arrival; a backlog is processed by several, each of which holds a connection
  // of the system pool: half of the pool stays free for requests.
  const mostAtOnce = Math.max(1, Math.min(4, Math.floor(database.pools.system.options.max / 2)))
  const helpers = new Set<Promise<void>>()
  async function help(): Promise<void> {
    try {
      while (!isClosing && (await processHooks(processing)) === 'many');
    } catch (error) {
      log.error({ err: error }, onFault.fault)
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

  const looking = startLoop(log, onFault, async () => ((await processWaiting()) ? 0 : lookEveryMs))
  const retrying = startLoop(log, onFault, async () => {
    await retryEarlyUpdates(processing)
    return lookEveryMs
  })
  const stopListening = signals.on(incomingHooksChannel, looking.wake, { atOnce: true })
  return {
    async close() {
      isClosing = true
      await Promise.all([looking.close(), retrying.close()])
      await Promise.all(helpers)
      stopListening()
    },
  }
}
