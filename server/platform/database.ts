import { AsyncLocalStorage } from 'node:async_hooks'
import pg, { type PoolConfig } from 'pg'
import type { Static, TSchema } from 'typebox'
import { asOptions, network, serviceConnection, serviceSettings } from './connection.ts'
import { notFound } from './errors.ts'
import { createFairTurns } from './fair-turns.ts'
import { isUuid } from './ids.ts'
import type { EnqueueOptions, JobKind, Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { originSetting } from './origin.ts'
import { isStale, runPipeline, type Statement, type StatementResult } from './pipeline.ts'
import './postgres-types.ts'
import { watchReplica } from './replica.ts'
import { type Sql, sqlOver } from './sql.ts'
import { currentTraceparent, inSpan } from './tracing/trace.ts'

declare const tenant: unique symbol
declare const system: unique symbol
declare const transaction: unique symbol

/** Sees the rows of one organization in one mode. Each statement runs on its own: for reading. */
export interface TenantSql extends Sql {
  readonly [tenant]: true
  /** The organization and the mode, without `limitedTo`: jobs and events concern the whole organization. */
  readonly scope: TenantScope
  /** Whether it sees only the conversations of a member with limited access. Counters have those of all. */
  readonly isLimited: boolean
}

interface Transaction {
  readonly [transaction]: true
  /** Adds a job that exists if, and only if, this transaction commits. */
  enqueue<S extends TSchema>(kind: JobKind<S>, payload: Static<S>, options?: EnqueueOptions): Promise<void>
  /** Notifies the other nodes after the commit. The notification may be lost, so nothing may depend on it. */
  signal(channel: string, payload?: string): void
}

type OpenTransaction = Sql & Omit<Transaction, typeof transaction> & { last: Sql }

/** The same in one transaction: for writing. Its jobs and events commit with its rows. */
export interface TenantTx extends TenantSql, Transaction {
  /**
   * For the last statement of the work: it commits in its own round trip. If the verb continues because the statement
   * found nothing to do, it continues in a new transaction.
   */
  readonly last: TenantSql
  /**
   * From here on the transaction sees all rows of the organization. For verbs that have found the ticket, and so checked
   * the access, of a member with limited access, who may pass the ticket out of sight.
   */
  liftLimit(): Promise<void>
}

/** Sees every organization: for signing in, migrations, operators and worker leases. */
export interface SystemSql extends Sql {
  readonly [system]: true
}
export interface SystemTx extends SystemSql, Transaction {}

export interface TenantScope {
  organizationId: string
  livemode: boolean
  /** A member with limited access: row-level security shows only the conversations that the member may see. */
  limitedTo?: string
}

/** The same without the limits of a member. */
export const wholeOrganization = ({ organizationId, livemode }: TenantScope): TenantScope => ({
  organizationId,
  livemode,
})

export interface Database {
  /** One transaction for one organization and mode. */
  inTenant<T>(scope: TenantScope, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Reads for one organization and mode; each statement takes one round trip. */
  forTenant(scope: TenantScope): TenantSql
  /**
   * The same for reports and exports, which may be seconds old: from the replica if there is one that is up to date, else
   * from the primary.
   */
  forReports(scope: TenantScope): TenantSql
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  forSystem(): SystemSql
  /**
   * The same for what every request reads before its handler, its credential and its rate limit: on connections of their
   * own, so that these short statements do not wait for the batches of workers.
   */
  forAccess(): SystemSql
  readonly pools: { tenant: pg.Pool; system: pg.Pool; access: pg.Pool; replica?: pg.Pool }
  /** Requests and work of organizations that wait for a connection. */
  readonly waitingTenants: number
  close(): Promise<void>
}

type Connect = () => Promise<pg.PoolClient>

interface DatabaseOptions {
  /** As the owner, who can become `frontdesk_system`. */
  connection: PoolConfig
  /** As a login role that can become `frontdesk_tenant` and nothing else: see tenant-login.ts. */
  tenantConnection: PoolConfig
  /**
   * Both connections lead to a pooler in transaction mode. It refuses startup options, so every transaction sets the
   * role and the other settings itself, and statements are unnamed.
   */
  isPooled?: boolean
  /** A read replica, with the user of `tenantConnection`. */
  replica?: { connection: PoolConfig; log: Log } | undefined
  poolSize: number
  /** Connections as the system; as many as for tenants by default. */
  systemPoolSize?: number
  /** Validates every row against its schema. For tests; too slow for production. */
  checkRows?: boolean
  signal?: (channel: string, payload?: string) => void
  jobs?: Pick<Jobs, 'enqueue' | 'enqueueAsTenant'>
  statementTimeoutMs?: number
  onError?: (error: Error) => void
}

/**
 * Thrown by a verb that lost a race: its transaction is rolled back and run again, and then sees what the winner wrote.
 */
export class TryAgain extends Error {
  constructor(cause: unknown) {
    super('the transaction lost a race', { cause })
  }
}

/**
 * For reports. The planner expects nearly as many groups as rows and would sort all rows to find a few dozen groups,
 * which takes twice as long as hashing. Parallel workers would take the other cores from calls.
 */
const planForReports: Statement = {
  text: `select set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`,
  values: [],
}

/** Says whose rows a transaction sees and, if it runs for a request, for whom it writes. */
function enterScope({ organizationId, livemode, limitedTo }: TenantScope): Statement {
  // With an empty or mistyped organization, row-level security would return no rows; throwing here says why.
  if (!isUuid(organizationId)) throw new Error('a tenant scope needs an organization id')
  let text = `select set_config('frontdesk.organization', $1, true), set_config('frontdesk.livemode', $2, true)`
  const values = [organizationId, livemode ? 'on' : 'off']
  // The policies of this role, besides those of the tenant's, which it inherits. See ADR 62.
  if (limitedTo !== undefined)
    text += `, set_config('frontdesk.limited_member', $${values.push(limitedTo)}, true), set_config('role', 'frontdesk_limited', true)`
  const origin = originSetting()
  if (origin !== undefined) text += `, set_config('frontdesk.origin', $${values.push(origin)}, true)`
  // Events and calls keep it in a column, so that deliveries and conversations continue the trace.
  const traceparent = currentTraceparent()
  if (traceparent !== undefined) text += `, set_config('frontdesk.traceparent', $${values.push(traceparent)}, true)`
  return { text, values }
}

function enterSystem(): Statement[] {
  const origin = originSetting()
  return origin === undefined ? [] : [{ text: `select set_config('frontdesk.origin', $1, true)`, values: [origin] }]
}

const spanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

const begin: Statement = { text: 'begin', values: [] }
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

/**
 * For the workers, whose statements process batches: PostgreSQL plans each one for the tables as they are, instead of
 * keeping a plan from when they were small. An index lookup costs what it costs in memory or on an SSD, as on the
 * embedded server; with the default of 4 and without statistics, a lookup of 1,000 rows among 100,000 scans the table.
 * See ADR 31.
 */
const batchSettings = { plan_cache_mode: 'force_custom_plan', random_page_cost: '1.1' }

/** Its statements take a fraction of a millisecond. */
const accessPoolSize = 2

// A person's next request comes after a pause. On a new connection, which has no plans yet, it would take five times as
// long. Workers keep the pool's default of ten seconds.
const idleTimeoutMillis = 5 * 60_000

const setInTransaction = (settings: Record<string, string>): Statement => {
  const entries = Object.entries(settings)
  const parts = entries.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  return { text: `select ${parts.join(', ')}`, values: entries.flat() }
}

/**
 * Two nested transactions of one request on a small pool can deadlock while waiting for a connection: refuse nesting in
 * tests.
 */
const openTransaction = new AsyncLocalStorage<true>()

export function createDatabase(options: DatabaseOptions): Database {
  const { checkRows = false, statementTimeoutMs = 30_000, isPooled = false } = options
  const settingsOf = (role: string) => ({
    role,
    timezone: 'UTC',
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: '60000',
  })
  const settings = {
    frontdesk_tenant: settingsOf('frontdesk_tenant'),
    frontdesk_system: { ...batchSettings, ...settingsOf('frontdesk_system') },
    // It writes rate limits only: if PostgreSQL crashes, those of its last second may be lost.
    frontdesk_access: { ...settingsOf('frontdesk_system'), synchronous_commit: 'off' },
  }
  /** What every transaction of this role begins with. */
  const enterRole = (role: keyof typeof settings): Statement[] =>
    isPooled ? [setInTransaction({ ...serviceSettings, ...settings[role] })] : []
  const pool = (connection: PoolConfig, role: keyof typeof settings, max: number, isDirect = !isPooled) => {
    const made = new pg.Pool({
      ...(isDirect ? serviceConnection(connection, asOptions(settings[role])) : { ...network, ...connection }),
      max,
      ...(role !== 'frontdesk_system' && { idleTimeoutMillis }),
      application_name: `frontdesk ${role}`,
    })
    // The pool replaces an idle connection that breaks; without a listener the error would end the process.
    made.on('error', (error) => options.onError?.(error))
    // The same for a connection that breaks in the middle of a transaction: the transaction gets the error from its
    // next statement.
    made.on('connect', (client) => client.on('error', () => {}))
    return made
  }
  const tenantPool = pool(options.tenantConnection, 'frontdesk_tenant', options.poolSize)
  const systemPoolSize = options.systemPoolSize ?? options.poolSize
  const systemPool = pool(options.connection, 'frontdesk_system', systemPoolSize)
  const accessPool = pool(options.connection, 'frontdesk_access', accessPoolSize)

  // A request that finds no connection in time is served by the primary.
  const toReplica = { ...options.replica?.connection, connectionTimeoutMillis: 2_000 }
  const replicaPool = () => pool(toReplica, 'frontdesk_tenant', options.poolSize, true)
  const replica = options.replica && watchReplica(systemPool, replicaPool(), options.replica.log)

  const [asTenant, asSystem] = [enterRole('frontdesk_tenant'), enterRole('frontdesk_system')]
  const asAccess = enterRole('frontdesk_access')

  // The server enforces the statement timeout; a connection that is silent for twice as long is dead.
  const run = (client: pg.PoolClient, statements: readonly Statement[]) =>
    runPipeline(client as never, statements, { timeoutMs: statementTimeoutMs * 2, isNamed: !isPooled })

  const turns = createFairTurns(options.poolSize, network.connectionTimeoutMillis)
  /** Organizations share the pool fairly: one with many requests does not fill it. */
  const asOrganization =
    ({ organizationId }: TenantScope): Connect =>
    async () => {
      await turns.take(organizationId)
      try {
        const client = await tenantPool.connect()
        const { release } = client
        client.release = (broken) => {
          release(broken)
          turns.release(organizationId)
        }
        return client
      } catch (error) {
        turns.release(organizationId)
        throw error
      }
    }
  const connectSystem: Connect = () => systemPool.connect()
  const connectAccess: Connect = () => accessPool.connect()

  const alone = (connect: Connect, statements: Statement[]): Promise<StatementResult> =>
    inSpan('statement', spanOptions, () => runAlone(connect, statements))

  async function runAlone(connect: Connect, statements: Statement[]): Promise<StatementResult> {
    for (let attempt = 1; ; attempt++) {
      const client = await connect()
      try {
        const results = await run(client, statements)
        giveBack(client)
        return results.at(-1) as StatementResult
      } catch (error) {
        giveBack(client, isBroken(error))
        if (attempt === 3 || !mayTryAgain(error)) throw error
      }
    }
  }

  async function transact<T>(
    connect: Connect,
    enter: Statement[],
    work: (sql: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    if (checkRows && openTransaction.getStore()) throw new Error('a transaction was opened inside another')
    for (let attempt = 1; ; attempt++) {
      try {
        return await transactOnce(connect, enter, work)
      } catch (error) {
        if (attempt === 3 || !mayTryAgain(error)) throw error
      }
    }
  }

  async function transactOnce<T>(
    connect: Connect,
    enter: Statement[],
    work: (sql: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    const client = await connect()
    const signals: [string, string | undefined][] = []
    // Statements issued in the same tick are sent as one pipeline; the opening statements go with the first one.
    let waiting: { statement: Statement; resolve(result: StatementResult): void; reject(error: unknown): void }[] = []
    let opened = false
    let broken = false
    // Branches of the work may outlive it; by then the connection belongs to another transaction.
    let ended = false
    const submit = async (statements: Statement[]) => {
      try {
        return await run(client, statements)
      } catch (error) {
        broken ||= isBroken(error)
        throw error
      }
    }
    let sending: Promise<void> | undefined
    const flush = () => {
      // A connection carries one pipeline at a time: statements issued while one is in flight go with the next.
      if (waiting.length === 0 || sending) return
      const batch = waiting
      waiting = []
      if (ended) {
        for (const { reject } of batch) reject(hasEnded())
        return
      }
      const lead = opened ? [] : [begin, ...enter]
      opened = true
      sending = submit([...lead, ...batch.map(({ statement }) => statement)])
        .then(
          (results) => {
            for (const [i, { resolve }] of batch.entries()) resolve(results[lead.length + i] as StatementResult)
          },
          (error) => {
            for (const { reject } of batch) reject(error)
          },
        )
        .finally(() => {
          sending = undefined
          flush()
        })
    }
    /** Waits until everything issued so far is answered. */
    const settled = async () => {
      for (flush(); sending; ) await sending
    }
    const send = (statement: Statement) =>
      new Promise<StatementResult>((resolve, reject) => {
        if (waiting.push({ statement, resolve, reject }) === 1) queueMicrotask(flush)
      })
    const sendLast = async (statement: Statement) => {
      await settled()
      if (ended) throw hasEnded()
      const wasOpened = opened
      opened = false
      try {
        // A single statement between two Syncs is a transaction of its own and needs neither begin nor commit.
        const results = await submit(wasOpened ? [statement, commit] : [...enter, statement])
        return results[wasOpened ? 0 : enter.length] as StatementResult
      } catch (error) {
        // The server skipped the commit that followed the failed statement.
        opened ||= wasOpened
        throw error
      }
    }
    try {
      const signal = (channel: string, payload?: string) => void signals.push([channel, payload])
      const tx = sqlOver(send, checkRows)
      const enqueue: Transaction['enqueue'] = async (kind, payload, enqueueOptions) => {
        if (!options.jobs) throw new Error('this process has no job queue')
        const add = connect === connectSystem ? options.jobs.enqueue : options.jobs.enqueueAsTenant
        await add(tx, kind, payload, enqueueOptions)
      }
      const begun = () => work({ ...tx, signal, enqueue, last: sqlOver(sendLast, checkRows) })
      const result = await (checkRows ? openTransaction.run(true, begun) : begun())
      await settled()
      ended = true
      if (opened) {
        const [committed] = await submit([commit])
        // PostgreSQL answers a commit after a failed statement with ROLLBACK, and reports it as success.
        if (committed?.tag !== 'COMMIT') throw new Error('the transaction was rolled back: its work ignored a failure')
      }
      giveBack(client)
      for (const [channel, payload] of signals) options.signal?.(channel, payload)
      return result
    } catch (error) {
      ended = true
      await settled()
      if (opened && !broken) await submit([rollback]).catch(() => {})
      giveBack(client, broken)
      throw error
    }
  }

  const forTenant = (scope: TenantScope, send: (statements: Statement[]) => Promise<StatementResult>) => {
    const enter = [...asTenant, enterScope(scope)]
    const own = sqlOver((statement) => send([...enter, statement]), checkRows)
    return { ...own, scope: wholeOrganization(scope), isLimited: scope.limitedTo !== undefined } as TenantSql
  }

  /** A statement that fails on the replica, also because replay had to cancel it, is repeated on the primary. */
  async function forReport(scope: TenantScope, statements: Statement[]): Promise<StatementResult> {
    const planned = [planForReports, ...statements]
    const onPrimary = () => alone(asOrganization(scope), planned)
    if (!replica?.isFresh) return onPrimary()
    return alone(() => replica.pool.connect(), planned).catch(onPrimary)
  }

  return {
    forTenant: (scope) => forTenant(scope, (statements) => alone(asOrganization(scope), statements)),
    forReports: (scope) => forTenant(scope, (statements) => forReport(scope, statements)),
    inTenant: (scope, work) =>
      inSpan('transaction', spanOptions, () =>
        transact(asOrganization(scope), [...asTenant, enterScope(scope)], (sql) => {
          const seen = { scope: wholeOrganization(scope), isLimited: scope.limitedTo !== undefined }
          const liftLimit = async () => {
            if (seen.isLimited) await sql.run`select set_config('role', 'frontdesk_tenant', true)`
          }
          return work({ ...sql, ...seen, last: { ...sql.last, ...seen }, liftLimit } as unknown as TenantTx)
        }),
      ).catch((error) => {
        throw scope.limitedTo !== undefined && isRefusedByPolicy(error) ? notFound('Conversation') : error
      }),
    forSystem: () => sqlOver((statement) => alone(connectSystem, [...asSystem, statement]), checkRows) as SystemSql,
    forAccess: () => sqlOver((statement) => alone(connectAccess, [...asAccess, statement]), checkRows) as SystemSql,
    inSystem: (work) =>
      inSpan('transaction', spanOptions, () =>
        transact(connectSystem, [...asSystem, ...enterSystem()], (sql) => work(sql as unknown as SystemTx)),
      ),
    pools: { tenant: tenantPool, system: systemPool, access: accessPool, ...(replica && { replica: replica.pool }) },
    get waitingTenants() {
      return turns.waiting
    },
    close: async () => {
      await replica?.close()
      await Promise.all([tenantPool.end(), systemPool.end(), accessPool.end()])
    },
  }
}

const hasEnded = () => new Error('the transaction has ended')

/** Returns the connection to the pool, unless it is broken or, unexpectedly, still in a transaction. */
function giveBack(client: pg.PoolClient, broken = false): void {
  client.release(broken || client.getTransactionStatus() !== 'I')
}

/** An error reported by the server leaves the connection usable; any other error (a dead socket) does not. */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** A row that the member could not see afterwards, such as a call on a channel that is not theirs. */
const isRefusedByPolicy = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '42501' && error.message.includes('row-level security')

/** Deadlocks and serialization failures: PostgreSQL rolled the transaction back and expects the client to retry. */
function mayTryAgain(error: unknown): boolean {
  if (error instanceof TryAgain || isStale(error)) return true
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}
