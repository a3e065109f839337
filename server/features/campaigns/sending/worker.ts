import type { Database } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop } from './loops.ts'
import { enterWorker, leaveWorker, stayAlive } from './queries.ts'

/** A worker that says nothing for so long is given up for dead, and what it had is given to others. */
const aliveSeconds = 15
const sayEveryMs = 3_000

export interface Worker {
  /** Its name in the books; another one after it was given up for dead by mistake. */
  readonly id: string
  close(): Promise<void>
}

export async function enterBooks(database: Database, log: Log): Promise<Worker> {
  const system = database.forSystem()
  let id = newId()
  await enterWorker(system, id, aliveSeconds)
  const loop = startLoop(log, async () => {
    if (!(await stayAlive(system, id, aliveSeconds))) {
      log.warn({ worker: id }, 'this worker was given up for dead, and starts anew')
      const fresh = newId()
      await enterWorker(system, fresh, aliveSeconds)
      id = fresh
    }
    return sayEveryMs
  })
  return {
    get id() {
      return id
    },
    async close() {
      await loop.close()
      await leaveWorker(system, id)
    },
  }
}
