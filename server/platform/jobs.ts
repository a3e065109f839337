import type { ClientConfig } from 'pg'
import { PgBoss, type QueueOptions, type SendOptions, systemClock, type WipData } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import { faultIn } from './check-schema.ts'
import { serviceConnection } from './connection.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'
import type { Metrics } from './metrics.ts'
import type { Sql } from './sql.ts'
import { currentTraceparent, type Tracer } from './tracing/trace.ts'

/**
 * Jobs: work that follows a change and may take a while, fail and be retried. A verb enqueues it in its transaction; a
 * worker calls the handler of its kind. The queue is pg-boss, in a schema of its own (`migrate-jobs.ts`).
 */

/** A job kind: a name, the shape of its payload and its retry policy. A feature's `jobs.ts` maps it to a verb. */
export interface JobKind<S extends TSchema = TSchema> {
  name: string
  payload: S
  queue: QueueOptions & { heartbeatSeconds?: number }
}

interface JobContext {
  id: string
  /** When it was enqueued, by the database's clock. */
  createdAt: Date
  /** No retry follows if this attempt fails. */
  isLastAttempt: boolean
  /** Aborted when this node is shutting down or has lost the job. */
  signal: AbortSignal
}

export interface JobHandler<S extends TSchema = TSchema> {
  kind: JobKind<S>
  /** Concurrency on this node. */
  concurrency?: number
  /** Maximum concurrency of one group; the rest is left for other groups. */
  perGroup?: number
  /** Five cron fields, for jobs that run on a schedule. */
  schedule?: string
  handle(payload: Static<S>, context: JobContext): Promise<void>
}

export type EnqueueOptions = Pick<SendOptions, 'startAfter' | 'singletonKey' | 'priority' | 'group'>

/** A job whose worker sends no heartbeat for this long is given to another worker. */
const heartbeatSeconds = 10

export function defineJob<S extends TSchema>(name: string, payload: S, queue: JobKind['queue'] = {}): JobKind<S> {
  return { name, payload, queue: { retryLimit: 5, retryDelay: 1, retryBackoff: true, heartbeatSeconds, ...queue } }
}

/** Forgets the type of the payload, so that handlers of different kinds fit into one list. */
export function defineHandler<S extends TSchema>(handler: JobHandler<S>): JobHandler {
  return handler as unknown as JobHandler
}

type Enqueue = <S extends TSchema>(
  sql: Sql,
  kind: JobKind<S>,
  payload: Static<S>,
  options?: EnqueueOptions,
) => Promise<void>

export interface Jobs {
  /** Adds the job inside the caller's transaction: it exists if, and only if, the transaction commits. */
  enqueue: Enqueue
  /**
   * The same under the tenant's role, which may only add jobs of its own organization and mode, and only in this way.
   */
  enqueueAsTenant: Enqueue
  /** Starts working on jobs; until then this node only enqueues. */
  work(handlers: JobHandler[]): Promise<void>
  /** Gives a failed job another attempt. */
  retry(name: string, id: string): Promise<void>
  /** Takes no more jobs. Handlers that observe their signal return their job to the queue. Enqueuing still works. */
  stopWorking(): Promise<void>
  healthy(): Promise<boolean>
  close(): Promise<void>
}

export const jobSchema = 'pgboss'

/**
 * A notification announces new jobs, but not delayed jobs or retries that become due. One query polls for these on
 * behalf of all queues, instead of one query per worker and queue.
 */
const pollEveryMs = 1_000
const dueQueues = `
  select queue from unnest($1::text[]) queue where exists (
    select from ${jobSchema}.job where name = queue and state < 'active' and not blocked and start_after <= now())`

/** A connection that is silent for this long is dead, and is replaced. */
const queryTimeoutMs = 60_000

/**
 * Time that never goes back. The queue measures its pauses with it: on the machine's own clock, schedules would wait
 * longer after it was set back. It stands still while a virtual machine is suspended, so every
 * `clockMonitorIntervalSeconds` the queue compares it with the database's clock, which decides what is due.
 */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

/** A client of the queue, with what every process has in common. */
export const createBoss = (connection: ClientConfig, options: object) =>
  new PgBoss({
    ...(serviceConnection(connection) as object),
    schema: jobSchema,
    clock: steadyClock,
    clockMonitorIntervalSeconds: 30,
    application_name: 'frontdesk jobs',
    max: 4,
    useListenNotify: true,
    ...options,
  })

interface JobsOptions {
  log: Log
  metrics: Metrics
  tracer: Tracer
  /** Whether this node works on jobs; otherwise it only enqueues them. */
  works: boolean
}

export async function startJobs(connection: ClientConfig, { log, metrics, tracer, works }: JobsOptions): Promise<Jobs> {
  const queue = createBoss(connection, {
    migrate: false,
    createSchema: false,
    supervise: works,
    schedule: works,
    useListenNotify: works,
    query_timeout: queryTimeoutMs,
    superviseIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60,
    monitorIntervalSeconds: 5,
    // Its warnings about vacuum are not logged here: operators watch the database with their own monitoring.
    monitorVacuum: false,
  })
  queue.on('error', (error) => log.warn({ err: error }, 'jobs: queue error'))
  await queue.start()
  const stopping = new AbortController()
  let polling: Loop | undefined

  const wakeWorkers = (isMeant: (worker: WipData) => boolean) => {
    for (const worker of queue.getWipData()) if (isMeant(worker)) queue.notifyWorker(worker.id)
  }

  const workOn = ({ kind, concurrency = 1, perGroup, handle }: JobHandler) => {
    const options = {
      localConcurrency: concurrency,
      ...(perGroup !== undefined && { localGroupConcurrency: perGroup }),
      batchSize: 1,
      includeMetadata: true,
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 60,
    } as const
    return queue.work(kind.name, options, async ([job]) => {
      if (!job) return
      const { traceparent, ...payload } = job.data as { traceparent?: string }
      if (faultIn(kind.payload, payload)) throw new Error(`job ${kind.name} has a malformed payload`)
      const context = {
        id: job.id,
        // The parsers of this service return timestamps as text.
        createdAt: new Date(job.createdOn),
        isLastAttempt: job.retryCount >= job.retryLimit,
        signal: AbortSignal.any([job.signal, stopping.signal]),
      }
      const span = { kind: 'consumer', parent: traceparent, attributes: { 'frontdesk.job_id': job.id } } as const
      try {
        await tracer.run(`job ${kind.name}`, span, () => handle(payload as never, context))
        metrics.countProcessed(kind.name, 'succeeded')
      } catch (error) {
        if (stopping.signal.aborted) log.info({ job: kind.name, id: job.id }, 'jobs: returned to the queue at shutdown')
        else {
          metrics.countProcessed(kind.name, 'failed')
          log.error({ err: error, job: kind.name, id: job.id }, 'jobs: failed')
        }
        throw error
      } finally {
        // A worker that had a job fetches the next one immediately: otherwise a backlog would be processed at the
        // polling interval.
        wakeWorkers(({ name, count }) => name === kind.name && count > 0)
      }
    })
  }

  /** Wakes the workers of queues with a delayed job or a retry that has become due. */
  const startPolling = (names: string[]) =>
    startLoop(log, { fault: 'jobs: polling for due jobs failed', afterFailureMs: pollEveryMs }, async () => {
      const { rows } = await queue.getDb().executeSql(dueQueues, [names])
      const due = new Set(rows.map((row: { queue: string }) => row.queue))
      wakeWorkers(({ name }) => due.has(name))
      return pollEveryMs
    })

  return {
    async enqueue(sql, kind, payload, options = {}) {
      const db = { executeSql: (text: string, values: unknown[] = []) => sql.raw(text, values) }
      await queue.send(kind.name, withTrace(payload), { ...options, db: db as never })
    },
    async enqueueAsTenant(sql, kind, payload, options = {}) {
      // pg-boss generates the insert statement; it becomes the body of the function.
      const executeSql = (_: string, [job]: unknown[] = []) =>
        sql.raw('select enqueue_own_job($1, $2) as id', [job, kind.name])
      await queue.send(kind.name, withTrace(payload), { ...options, db: { executeSql } as never })
    },
    async work(handlers) {
      // Before the workers start: each of them fetches at once, and on a busy machine these statements would wait for a
      // connection until the start fails. One after the other for the same reason. After the first start nothing is
      // written.
      const known = new Map((await queue.getSchedules()).map(({ name, cron }) => [name, cron]))
      for (const { kind, schedule } of handlers)
        if (schedule && known.get(kind.name) !== schedule) await queue.schedule(kind.name, schedule, {})
      await Promise.all(handlers.map(workOn))
      polling = startPolling(handlers.map(({ kind }) => kind.name))
    },
    async retry(name, id) {
      await queue.retry(name, id)
    },
    stopWorking,
    healthy: () => queue.isInstalled().catch(() => false),
    async close() {
      await stopWorking()
      // Jobs that take longer are retried after their heartbeat expires.
      await queue.stop({ graceful: true, timeout: 7_000 })
    },
  }

  async function stopWorking(): Promise<void> {
    stopping.abort(new Error('this node is stopping'))
    await polling?.close()
    const names = new Set(queue.getWipData().map(({ name }) => name))
    await Promise.all([...names].map((name) => queue.offWork(name, { wait: false })))
  }
}

/** The trace of the caller travels beside the payload, so that the job continues it. */
function withTrace(payload: unknown): object {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? (payload as object) : { ...(payload as object), traceparent }
}
