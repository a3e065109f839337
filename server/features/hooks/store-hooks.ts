import type { Database } from '../../platform/database.ts'
import type { Signals } from '../../platform/signals.ts'
import { insertHooks } from './queries.ts'
import type { IncomingHook } from './schema.ts'

/** Sent when there is something to process. */
export const incomingHooksChannel = 'incoming-hooks'

/** Webhooks per statement: beyond that a commit does not get cheaper for each. */
const mostAtOnce = 500
const mostBytesAtOnce = 8 * 1024 * 1024

export interface HookStore {
  /** Resolves when the webhook is on disk: from then on it will be processed, whatever happens. */
  store(hook: IncomingHook): Promise<void>
}

interface Waiting {
  hook: IncomingHook
  resolve(): void
  reject(error: unknown): void
}

/**
 * The commit takes most of the time, and a hundred webhooks take hardly longer than one: those that arrive while one
 * commits are written together by the next statement.
 */
export function createHookStore(database: Database, signals: Signals): HookStore {
  let waiting: Waiting[] = []
  let isWriting = false

  async function write(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = nextBatch(waiting)
      waiting = waiting.slice(batch.length)
      try {
        await insertHooks(
          database.forSystem(),
          batch.map(({ hook }) => hook),
        )
        for (const { resolve } of batch) resolve()
        signals.send(incomingHooksChannel)
      } catch (error) {
        // Nothing was stored: the platform gets an error and posts it again.
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return {
    store: (hook) =>
      new Promise((resolve, reject) => {
        waiting.push({ hook, resolve, reject })
        if (!isWriting) void write()
      }),
  }
}

function nextBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  let n = 0
  while (n < waiting.length && n < mostAtOnce && (n === 0 || bytes < mostBytesAtOnce))
    bytes += waiting[n++]?.hook.body.length ?? 0
  return waiting.slice(0, n)
}
