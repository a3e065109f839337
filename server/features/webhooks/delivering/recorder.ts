import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database.ts'
import type { EventKind } from '../../../platform/events.ts'
import type { Log } from '../../../platform/log.ts'
import { lookUpOnly } from '../../../platform/look-up-only.ts'
import { disableWebhook } from '../disable-webhook.ts'
import type { Lane } from './lanes.ts'
import { type Health, type Result, recordHealth, recordResults } from './queries.ts'

const most = 1_000
const afterFailureMs = 500
/** A result waits this long for others: a set costs little more than one of them. */
const gatherMs = 15

export interface Done {
  lane: Lane
  result: Result
  /** Set where the endpoint begins to fail or works again. */
  health?: Health
  disable: 'gone' | 'failing' | null
}

export interface Recorder {
  add(done: Done): void
  /** Until all that was added is written down. */
  settled(): Promise<void>
}

/** Writes results down in sets: as many as came within a moment, or while the set before was written. */
export function createRecorder(
  { database, log, eventKinds }: { database: Database; log: Log; eventKinds: EventKind[] },
  onRecorded: (done: Done[]) => void,
): Recorder {
  let waiting: Done[] = []
  let writing: Promise<void> | undefined

  async function write(set: Done[]): Promise<void> {
    const results = set.map(({ result }) => result)
    await database.inSystem((tx) => Promise.all([lookUpOnly(tx), recordResults(tx, results)]))
    const healths = new Map<string, Health>()
    for (const { health } of set) if (health) healths.set(health.webhookId, health)
    if (healths.size > 0) await recordHealth(database.forSystem(), [...healths.values()])
    const disabled = new Set<string>()
    for (const { lane, disable } of set) {
      if (!disable || disabled.has(lane.webhookId)) continue
      disabled.add(lane.webhookId)
      await database.inTenant(lane, (tx) => disableWebhook(tx, lane.webhookId, disable, eventKinds))
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const set = waiting.slice(0, most)
      try {
        await write(set)
      } catch (error) {
        log.error({ err: error }, 'results of webhooks could not be written down and will be tried again')
        await sleep(afterFailureMs)
        continue
      }
      waiting = waiting.slice(set.length)
      onRecorded(set)
    }
    writing = undefined
  }

  return {
    add(done) {
      waiting.push(done)
      writing ??= sleep(gatherMs).then(work)
    },
    settled: async () => writing,
  }
}
