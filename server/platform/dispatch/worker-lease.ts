import type { Database, SystemSql } from '../database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'

/** A lease survives four lost heartbeats. */
const heartbeatsPerLease = 5

export interface WorkerLease {
  /** Changes when the lease expired and a new one was taken. */
  readonly id: string
  /**
   * Whether the lease is certainly valid. Counts from when the last answered heartbeat was sent, so it errs on the safe
   * side.
   */
  isHeld(): boolean
  /** Releases the lease: other workers take over immediately instead of when it expires. */
  close(): Promise<void>
}

/** Takes a lease and renews it. A worker that could not renew in time gets a new id: its old claims stay void. */
export async function takeWorkerLease(
  { database, log }: { database: Database; log: Log },
  { name, seconds, onExpired }: { name: string; seconds: number; onExpired?: () => void },
): Promise<WorkerLease> {
  const system = database.forSystem()
  let heldUntil = 0
  async function take(): Promise<string> {
    const askedAt = performance.now()
    const taken = newId()
    await deleteDeadLeases(system)
    await insertLease(system, { id: taken, name, seconds })
    heldUntil = askedAt + seconds * 1000
    return taken
  }
  let id = await take()
  const heartbeats = startLoop(log, { fault: `${name}: heartbeat failed`, afterFailureMs: 500 }, async () => {
    const askedAt = performance.now()
    if (await renewLease(system, id, seconds)) heldUntil = askedAt + seconds * 1000
    else {
      log.warn({ workerId: id }, `${name}: lease expired, restarting with a new worker id`)
      onExpired?.()
      id = await take()
    }
    return (seconds * 1000) / heartbeatsPerLease
  })
  return {
    get id() {
      return id
    },
    isHeld: () => performance.now() < heldUntil,
    async close() {
      await heartbeats.close()
      await deleteLease(system, id)
    },
  }
}

const insertLease = (system: SystemSql, { id, name, seconds }: { id: string; name: string; seconds: number }) =>
  system.run`
    insert into worker_leases (id, name, expires_at) values (${id}, ${name}, now() + ${seconds} * interval '1 second')`

/** 0 when the lease has expired: other workers may have taken its claims. */
const renewLease = (system: SystemSql, id: string, seconds: number) =>
  system.run`
    update worker_leases set expires_at = now() + ${seconds} * interval '1 second'
    where id = ${id} and expires_at > now()`

const deleteLease = (system: SystemSql, id: string) => system.run`delete from worker_leases where id = ${id}`

/** An expired lease is never renewed. It is kept for a day, because it says when its worker was last alive. */
const deleteDeadLeases = (system: SystemSql) =>
  system.run`delete from worker_leases where expires_at < now() - interval '1 day'`
