import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { forgetRemovedFiles, type RemovedFile, takeRemovedFiles } from './queries.ts'

const batchSize = 200
const atOnce = 8

/**
 * Deletes the files whose rows are gone. The record is removed only after its file: after a crash in between the
 * deletion is repeated.
 */
export async function sweepFiles(database: Database, files: FileStore, log: Log, signal: AbortSignal): Promise<void> {
  let removed: RemovedFile[]
  do {
    const taken = await takeRemovedFiles(database.forSystem(), batchSize)
    const done = await removeAll(files, taken, signal)
    removed = done.removed
    if (removed.length > 0) await forgetRemovedFiles(database.forSystem(), removed)
    if (done.errors.length > 0)
      log.warn({ failed: done.errors.length, err: done.errors[0] }, 'files: deletion failed, trying again')
    // A store that deletes nothing is left alone until its files are due again.
  } while (removed.length > 0 && !signal.aborted)
}

async function removeAll(files: FileStore, taken: RemovedFile[], signal: AbortSignal) {
  const removed: RemovedFile[] = []
  const errors: unknown[] = []
  const waiting = [...taken]
  const work = async () => {
    for (let file = waiting.pop(); file && !signal.aborted; file = waiting.pop()) {
      try {
        await files.remove(file.key)
        removed.push(file)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { removed, errors }
}
