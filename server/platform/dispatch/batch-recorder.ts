import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { createSemaphore } from '../semaphore.ts'
import type { RecordLimits } from './contract.ts'

const longestBackoffMs = 5_000

interface BatchRecorder<R> {
  /** Queues the result, writes it in a batch of its group, and retries until the write succeeds. */
  add(result: R): void
  /** Resolves when every added result is written or dropped. */
  settled(): Promise<void>
  /** From now on a batch that cannot be written is dropped instead of retried. */
  giveUp(): void
}

interface BatchRecorderOptions<R> {
  /** Prefix of every log line. */
  name: string
  log: Log
  /** Results of the same group are written together. */
  groupOf(result: R): string
  /** Writes results of one group. */
  write(results: R[]): Promise<void>
  /** Called after each successful write. A failure is logged and not retried. */
  onWritten(results: R[]): Promise<void>
}

interface Group<R> {
  results: R[]
  writers: number
}

/** Writes results in batches, several groups at once. */
export function createBatchRecorder<R>(
  { name, log, groupOf, write, onWritten }: BatchRecorderOptions<R>,
  { gatherMs, maxBatch, maxWriters, maxWritersOfGroup }: RecordLimits,
): BatchRecorder<R> {
  const groups = new Map<string, Group<R>>()
  const waitingForIdle: (() => void)[] = []
  const withWriter = createSemaphore(maxWriters)
  let hasGivenUp = false

  /** Writes the group's results, a batch at a time, until none is left. */
  async function writeGroup(key: string, group: Group<R>): Promise<void> {
    group.writers++
    for (let failures = 0; group.results.length > 0 && !hasGivenUp; ) {
      await sleep(failures === 0 ? gatherMs : Math.min(longestBackoffMs, 100 * 2 ** failures))
      await withWriter(async () => {
        // A batch is taken only when a writer is free, so that a busy database gets larger batches. After a failure
        // batches shrink, so that one result that cannot be written does not hold up the others.
        const batch = group.results.splice(0, Math.max(1, Math.floor(maxBatch / 10 ** failures)))
        if (batch.length === 0) return
        try {
          await write(batch)
          failures = 0
        } catch (error) {
          failures++
          group.results.push(...batch)
          log.error({ err: error, results: batch.length }, `${name}: recording failed, trying again`)
          return
        }
        await onWritten(batch).catch((error) =>
          log.error({ err: error }, `${name}: follow-up of a recorded batch failed`),
        )
      })
    }
    // There is no await since the last check of `results`: a result added from here on finds no writer running and
    // starts one.
    group.writers--
    if (group.writers > 0 || (group.results.length > 0 && !hasGivenUp)) return
    groups.delete(key)
    if (groups.size === 0) for (const resolve of waitingForIdle.splice(0)) resolve()
  }

  return {
    add(result) {
      const key = groupOf(result)
      const group = groups.get(key) ?? { results: [], writers: 0 }
      groups.set(key, group)
      group.results.push(result)
      const needsWriter = group.writers === 0 || (group.writers < maxWritersOfGroup && group.results.length >= maxBatch)
      if (needsWriter) void writeGroup(key, group)
    },
    async settled() {
      if (groups.size > 0) await new Promise<void>((resolve) => waitingForIdle.push(resolve))
    },
    giveUp() {
      hasGivenUp = true
    },
  }
}
