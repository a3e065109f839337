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

type Enqueue = <S extends TSchema>(
  sql: Sql,
  kind: JobKind<S>,
  payload: Static<S>,
  options?: EnqueueOptions,
) => Promise<void>

export interface Jobs {
  /** Adds the job inside the caller's transaction: it exists if, and only if, the rows do. */
  enqueue: Enqueue
  /** The same under the tenant's role, which may only add jobs of its own organization and mode, and only in this way. */
  enqueueAsTenant: Enqueue
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
  const insertion = await insertionOf(installer, (kinds[0] as JobKind).name)
  await installer.stop({ graceful: false })
  const client = new pg.Client(serviceConnection(connection))
  await client.connect()
  try {
    await client.query(`
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
 * A tenant has no right to the queue's tables. This function, which runs as their owner, adds one job whose payload names the
 * caller's own organization and mode; how a job is retried, kept and by whom it is worked on stays with its queue.
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
    async enqueueAsTenant(sql, kind, payload, options = {}) {
      // pg-boss shapes the job; its statement is the body of the function.
      const executeSql = (_: string, [job]: unknown[] = []) =>
        sql.raw('select enqueue_own_job($1, $2) as id', [job, kind.name])
      await queue.send(kind.name, payload as object, { ...options, db: { executeSql } as never })
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
