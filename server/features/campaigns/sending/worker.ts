import type { Database } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { startLoop } from '../../../platform/loop.ts'
import { onFault } from './on-fault.ts'
import { enterWorker, leaveWorker, stayAlive } from './queries.ts'

/** How often a worker says that it is there, in the time after which it is given up for dead. */
const timesToSay = 5

export interface Worker {
  /** Its name in the books; another one after it was given up for dead by mistake. */
  readonly id: string
  close(): Promise<void>
}

/** After `aliveSeconds` of silence what this worker had is given to others. */
export async function enterBooks(database: Database, log: Log, aliveSeconds: number): Promise<Worker> {
  const system = database.forSystem()
  let id = newId()
  await enterWorker(system, id, aliveSeconds)
  const loop = startLoop(log, onFault, async () => {
    if (!(await stayAlive(system, id, aliveSeconds))) {
      log.warn({ worker: id }, 'this worker was given up for dead, and starts anew')
      const fresh = newId()
      await enterWorker(system, fresh, aliveSeconds)
      id = fresh
    }
    return (aliveSeconds * 1000) / timesToSay
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
