import pg, { type ClientConfig } from 'pg'
import { PgBoss, type QueueOptions, type SendOptions, type WipData } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import { faultIn } from './check-schema.ts'
import { serviceConnection } from './connection.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'
import type { Sql } from './sql.ts'

/** A job is a name, the shape of its payload and how it is retried; a feature's `jobs.ts` hands it to a verb. */
export interface JobKind<S extends TSchema = TSchema> {
  name: string
  payload: S
  queue: QueueOptions & { heartbeatSeconds?: number }
}

export interface JobContext {
  id: string
  /** Aborted when this node is asked to stop or has lost the job. */
  signal: AbortSignal
}

export interface JobHandler<S extends TSchema = TSchema> {
  kind: JobKind<S>
  /** How many at once on this node. */
  concurrency?: number
  /** And how many of them may be of one group: the rest is left for the others. */
  perGroup?: number
  /** Five cron fields: when to run without being asked. */
  schedule?: string
  handle(payload: Static<S>, context: JobContext): Promise<void>
}

export type EnqueueOptions = Pick<SendOptions, 'startAfter' | 'singletonKey' | 'priority' | 'group'>

/** A worker that was killed is noticed after this long without a heartbeat, and its job given to another. */
const heartbeatSeconds = 10

export function defineJob<S extends TSchema>(name: string, payload: S, queue: JobKind['queue'] = {}): JobKind<S> {
  return { name, payload, queue: { retryLimit: 5, retryDelay: 1, retryBackoff: true, heartbeatSeconds, ...queue } }
}

export function defineHandler<S extends TSchema>(handler: JobHandler<S>): JobHandler {
  return handler as unknown as JobHandler
}

export interface Jobs {
  /** Adds the job inside the caller's transaction: it exists if, and only if, the rows do. */
  enqueue<S extends TSchema>(sql: Sql, kind: JobKind<S>, payload: Static<S>, options?: EnqueueOptions): Promise<void>
  /** Starts working on jobs; until then this node only enqueues. */
  work(handlers: JobHandler[]): Promise<void>
  healthy(): Promise<boolean>
  close(): Promise<void>
}

const schema = 'pgboss'

/**
 * A notification announces new jobs, not those that were put off or whose retry has come. For these one question is asked for
 * all queues, where every worker of every queue would ask its own.
 */
const lookEveryMs = 1_000
const dueQueues = `
  select queue from unnest($1::text[]) queue where exists (
    select from ${schema}.job where name = queue and state < 'active' and not blocked and start_after <= now())`

const boss = (connection: ClientConfig, options: object) =>
  new PgBoss({
    ...(serviceConnection(connection) as object),
    schema,
    application_name: 'frontdesk jobs',
    max: 4,
    useListenNotify: true,
    ...options,
  })

/** Installs or upgrades the queue's schema and its queues, as the database's owner; runs under the migration lock. */
export async function migrateJobs(connection: ClientConfig, kinds: JobKind[]): Promise<void> {
  const installer = boss(connection, { migrate: true, supervise: false, schedule: false, useListenNotify: false })
  installer.on('error', () => {})
  await installer.start()
  for (const { name, queue } of kinds) {
    await installer.createQueue(name, { ...queue, notify: true })
    await installer.updateQueue(name, { ...queue, notify: true })
  }
  await installer.stop({ graceful: false })
  const client = new pg.Client(serviceConnection(connection))
  await client.connect()
  try {
    // A tenant may add jobs and learn their ids; it never reads anybody's.
    await client.query(`
      grant usage on schema ${schema} to frontdesk_tenant, frontdesk_system;
      grant insert on ${schema}.job, ${schema}.job_common to frontdesk_tenant;
      grant select (id, start_after) on ${schema}.job, ${schema}.job_common to frontdesk_tenant;
      grant select on ${schema}.queue to frontdesk_tenant;
      grant select, insert on all tables in schema ${schema} to frontdesk_system;
      grant execute on all functions in schema ${schema} to frontdesk_tenant, frontdesk_system`)
  } finally {
    await client.end()
  }
}

export async function startJobs(connection: ClientConfig, log: Log, role: { works: boolean }): Promise<Jobs> {
  const queue = boss(connection, {
    migrate: false,
    createSchema: false,
    supervise: role.works,
    schedule: role.works,
    useListenNotify: role.works,
    superviseIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60,
    monitorIntervalSeconds: 5,
  })
  queue.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  await queue.start()
  const stopping = new AbortController()
  let looking: Loop | undefined

  const wake = (isMeant: (worker: WipData) => boolean) => {
    for (const worker of queue.getWipData()) if (isMeant(worker)) queue.notifyWorker(worker.id)
  }

  return {
    async enqueue(sql, kind, payload, options = {}) {
      const db = { executeSql: (text: string, values: unknown[] = []) => sql.raw(text, values) }
      await queue.send(kind.name, payload as object, { ...options, db: db as never })
    },
    async work(handlers) {
      const workOn = async ({ kind, concurrency = 1, perGroup, schedule, handle }: JobHandler) => {
        await queue.work(
          kind.name,
          {
            localConcurrency: concurrency,
            ...(perGroup !== undefined && { localGroupConcurrency: perGroup }),
            batchSize: 1,
            pollingIntervalSeconds: 2,
            notifyPollingIntervalSeconds: 60,
          },
          async ([job]) => {
            if (!job) return
            if (faultIn(kind.payload, job.data)) throw new Error(`job ${kind.name} has a malformed payload`)
            try {
              await handle(job.data as never, { id: job.id, signal: AbortSignal.any([job.signal, stopping.signal]) })
            } catch (error) {
              if (stopping.signal.aborted) log.info({ job: kind.name, id: job.id }, 'a job was handed back')
              else log.error({ err: error, job: kind.name, id: job.id }, 'a job failed')
              throw error
            } finally {
              // Whoever has something to do looks for more when it is done: else a backlog is worked off at the pace of polling.
              wake(({ name, count }) => name === kind.name && count > 0)
            }
          },
        )
        if (schedule) await queue.schedule(kind.name, schedule, {})
      }
      await Promise.all(handlers.map(workOn))
      const names = handlers.map(({ kind }) => kind.name)
      const fault = 'it could not be asked which jobs are due'
      looking = startLoop(log, { fault, afterFailureMs: lookEveryMs }, async () => {
        const { rows } = await queue.getDb().executeSql(dueQueues, [names])
        const due = new Set(rows.map((row: { queue: string }) => row.queue))
        wake(({ name }) => due.has(name))
        return lookEveryMs
      })
    },
    healthy: () => queue.isInstalled().catch(() => false),
    async close() {
      // Handlers that heed the signal hand their job back; those that do not are retried after the heartbeat.
      stopping.abort(new Error('this node is stopping'))
      await looking?.close()
      await queue.stop({ graceful: true, timeout: 7_000 })
    },
  }
}
