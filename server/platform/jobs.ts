import { isDeepStrictEqual } from 'node:util'
import type { ClientConfig } from 'pg'
import { PgBoss, type QueueOptions, type SendOptions, systemClock, type WipData } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import { faultIn } from './check-schema.ts'
import { serviceClient, serviceConnection } from './connection.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'
import type { Metrics } from './metrics.ts'
import type { Sql } from './sql.ts'
import { currentTraceparent, type Tracer } from './tracing/trace.ts'

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

const schema = 'pgboss'

/**
 * A notification announces new jobs, but not delayed jobs or retries that become due. One query polls for these on
 * behalf of all queues, instead of one query per worker and queue.
 */
const lookEveryMs = 1_000
const dueQueues = `
  select queue from unnest($1::text[]) queue where exists (
    select from ${schema}.job where name = queue and state < 'active' and not blocked and start_after <= now())`

/** A connection that is silent for this long is dead, and is replaced. */
const queryTimeoutMs = 60_000

/**
 * Time that never goes back. The queue measures its pauses with it: on the machine's own clock, schedules would wait
 * longer after it was set back. The queue compares it with the database's clock, which decides what is due, at each
 * interval below: this one stands still while a virtual machine is suspended.
 */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

const boss = (connection: ClientConfig, options: object) =>
  new PgBoss({
    ...(serviceConnection(connection) as object),
    schema,
    clock: steadyClock,
    clockMonitorIntervalSeconds: 30,
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
  const existing = new Map((await installer.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, queue } of kinds) {
    const options = { ...queue, notify: true }
    const found = existing.get(name)
    if (!found) await installer.createQueue(name, options)
    else if (!isDeepStrictEqual({ ...found, ...options }, found)) await installer.updateQueue(name, options)
  }
  const insertion = await insertionOf(installer, (kinds[0] as JobKind).name)
  await installer.stop({ graceful: false })
  const client = serviceClient(connection, 'frontdesk migrate')
  await client.connect()
  try {
    // Finished jobs stay for a week. Operators look at the others, over all queues.
    await client.query(`
      create index if not exists job_unfinished on ${schema}.job (created_on) where state <= 'active' or state = 'failed';
      grant usage on schema ${schema} to frontdesk_system;
      grant select, insert on all tables in schema ${schema} to frontdesk_system;
      grant execute on all functions in schema ${schema} to frontdesk_system;
      revoke all on schema ${schema} from frontdesk_tenant;
      revoke all on all tables in schema ${schema} from frontdesk_tenant;
      revoke all on all functions in schema ${schema} from frontdesk_tenant;
      ${enqueueOwnJob(insertion)}`)
  } finally {
    await client.end()
  }
}

/** The trace of the caller travels beside the payload, so that the job continues it. */
function withTrace(payload: unknown): object {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? (payload as object) : { ...(payload as object), traceparent }
}

/** The statement with which pg-boss adds jobs: JSON as `$1`, and here the queue's name as `$2`. */
async function insertionOf(queue: PgBoss, name: string): Promise<string> {
  let statement = ''
  const executeSql = async (text: string) => {
    statement = text
    return { rows: [{ id: '' }] }
  }
  await queue.send(name, {}, { db: { executeSql } as never })
  return statement.replaceAll(`'${name}'`, '$2')
}

/**
 * A tenant has no privileges on the queue's tables. This function runs as their owner and adds one job whose payload
 * names the caller's own organization and mode. The queue, not the caller, decides how the job is retried and kept.
 */
const enqueueOwnJob = (insertion: string) => `
  create or replace function enqueue_own_job(text, text) returns setof uuid
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $function$
  declare
    job jsonb := $1::jsonb -> 0;
    payload jsonb := job -> 'data';
    own text := public.current_organization();
    -- Features write it either way; where a payload has both, both must be the caller's.
    named text[] := array_remove(array[payload ->> 'organization_id', payload ->> 'organizationId'], null);
  begin
    if own is null or named = '{}' or own <> any (named) or payload -> 'livemode' is distinct from to_jsonb(public.current_livemode())
      or left(job ->> 'groupId', length(own)) <> own
    then
      raise insufficient_privilege using message = 'a tenant may only add jobs of its own organization and mode';
    end if;
    $1 := jsonb_build_array(jsonb_build_object('data', payload, 'startAfter', job -> 'startAfter',
      'priority', least((job ->> 'priority')::integer, 0), 'singletonKey', job -> 'singletonKey', 'groupId', job -> 'groupId'));
    return query ${insertion};
  end $function$;
  revoke all on function enqueue_own_job(text, text) from public;
  grant execute on function enqueue_own_job(text, text) to frontdesk_tenant`

interface JobsOptions {
  log: Log
  metrics: Metrics
  tracer: Tracer
  /** Whether this node works on jobs; otherwise it only enqueues them. */
  works: boolean
}

export async function startJobs(connection: ClientConfig, { log, metrics, tracer, works }: JobsOptions): Promise<Jobs> {
  const queue = boss(connection, {
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
  let looking: Loop | undefined

  const wake = (isMeant: (worker: WipData) => boolean) => {
    for (const worker of queue.getWipData()) if (isMeant(worker)) queue.notifyWorker(worker.id)
  }

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
      const workOn = async ({ kind, concurrency = 1, perGroup, handle }: JobHandler) => {
        await queue.work(
          kind.name,
          {
            localConcurrency: concurrency,
            ...(perGroup !== undefined && { localGroupConcurrency: perGroup }),
            batchSize: 1,
            includeMetadata: true,
            pollingIntervalSeconds: 2,
            notifyPollingIntervalSeconds: 60,
          },
          async ([job]) => {
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
              if (stopping.signal.aborted)
                log.info({ job: kind.name, id: job.id }, 'jobs: returned to the queue at shutdown')
              else {
                metrics.countProcessed(kind.name, 'failed')
                log.error({ err: error, job: kind.name, id: job.id }, 'jobs: failed')
              }
              throw error
            } finally {
              // A worker that had a job fetches the next one immediately: otherwise a backlog would be processed at the
              // polling interval.
              wake(({ name, count }) => name === kind.name && count > 0)
            }
          },
        )
      }
      // Before the workers start: each of them fetches at once, and on a busy machine these statements would wait for a
      // connection until the start fails. One after the other for the same reason. After the first start nothing is
      // written.
      const known = new Map((await queue.getSchedules()).map(({ name, cron }) => [name, cron]))
      for (const { kind, schedule } of handlers)
        if (schedule && known.get(kind.name) !== schedule) await queue.schedule(kind.name, schedule, {})
      await Promise.all(handlers.map(workOn))
      const names = handlers.map(({ kind }) => kind.name)
      const fault = 'jobs: polling for due jobs failed'
      looking = startLoop(log, { fault, afterFailureMs: lookEveryMs }, async () => {
        const { rows } = await queue.getDb().executeSql(dueQueues, [names])
        const due = new Set(rows.map((row: { queue: string }) => row.queue))
        wake(({ name }) => due.has(name))
        return lookEveryMs
      })
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
    await looking?.close()
    const names = new Set(queue.getWipData().map(({ name }) => name))
    await Promise.all([...names].map((name) => queue.offWork(name, { wait: false })))
  }
}
