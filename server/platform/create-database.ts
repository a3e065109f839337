import pg, { type PoolConfig } from 'pg'
import { asOptions, network, serviceConnection, serviceSettings } from './connection.ts'
import {
  type Database,
  type SystemSql,
  type SystemTx,
  type TenantScope,
  type TenantSql,
  type TenantTx,
  wholeOrganization,
} from './database.ts'
import { notFound } from './errors.ts'
import { createFairTurns } from './fair-turns.ts'
import type { Jobs } from './jobs.ts'
import { isLiveWork } from './live-work.ts'
import type { Log } from './log.ts'
import { runPipeline, type Statement, type StatementResult } from './pipeline.ts'
import './postgres-types.ts'
import { watchReplica } from './replica.ts'
import { batchSettings, enterScope, enterSystem, planForReports, setInTransaction } from './session-settings.ts'
import { sqlOver } from './sql.ts'
import { inSpan } from './tracing/trace.ts'
import { type Connect, runAlone, transact } from './transaction.ts'

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
  /** How many of them a busy organization uses at once, live calls apart, while others are active; its share by default. */
  connectionsPerBusyOrganization?: number | undefined
  /** Connections as the system; as many as for tenants by default. */
  systemPoolSize?: number
  /** Validates every row against its schema. For tests; too slow for production. */
  checkRows?: boolean
  signal?: (channel: string, payload?: string) => void
  jobs?: Pick<Jobs, 'enqueue' | 'enqueueAsTenant'>
  statementTimeoutMs?: number
  onError?: (error: Error) => void
}

const spanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

/** Its statements take a fraction of a millisecond. */
const accessPoolSize = 2

// A person's next request comes after a pause. On a new connection, which has no plans yet, it would take five times as
// long. Workers keep the pool's default of ten seconds.
const idleTimeoutMillis = 5 * 60_000

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
  const connections = { run, checkRows, signal: options.signal ?? (() => {}) }

  const turns = createFairTurns({
    max: options.poolSize,
    perBusyHolder: options.connectionsPerBusyOrganization,
    timeoutMs: network.connectionTimeoutMillis,
  })
  /** Organizations share the pool fairly: one with many requests does not fill it. */
  const asOrganization =
    ({ organizationId }: TenantScope): Connect =>
    async () => {
      const turn = await turns.take(organizationId, isLiveWork() ? 'live' : 'other')
      try {
        const client = await tenantPool.connect()
        const { release } = client
        client.release = (broken) => {
          release(broken)
          turns.release(turn)
        }
        return client
      } catch (error) {
        turns.release(turn)
        throw error
      }
    }
  const connectSystem: Connect = () => systemPool.connect()
  const connectAccess: Connect = () => accessPool.connect()

  const alone = (connect: Connect, statements: Statement[]): Promise<StatementResult> =>
    inSpan('statement', spanOptions, () => runAlone(connections, connect, statements))

  const enterTenant = (scope: TenantScope) => [...asTenant, enterScope(scope)]
  const forTenant = (scope: TenantScope, send: (statements: Statement[]) => Promise<StatementResult>) => {
    const enter = enterTenant(scope)
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
        transact(
          connections,
          { connect: asOrganization(scope), enter: enterTenant(scope), addJob: options.jobs?.enqueueAsTenant },
          (sql) => {
            const seen = { scope: wholeOrganization(scope), isLimited: scope.limitedTo !== undefined }
            const liftLimit = async () => {
              if (seen.isLimited) await sql.run`select set_config('role', 'frontdesk_tenant', true)`
            }
            return work({ ...sql, ...seen, last: { ...sql.last, ...seen }, liftLimit } as unknown as TenantTx)
          },
        ),
      ).catch((error) => {
        throw scope.limitedTo !== undefined && isRefusedByPolicy(error) ? notFound('Conversation') : error
      }),
    forSystem: () => sqlOver((statement) => alone(connectSystem, [...asSystem, statement]), checkRows) as SystemSql,
    forAccess: () => sqlOver((statement) => alone(connectAccess, [...asAccess, statement]), checkRows) as SystemSql,
    inSystem: (work) =>
      inSpan('transaction', spanOptions, () =>
        transact(
          connections,
          { connect: connectSystem, enter: [...asSystem, ...enterSystem()], addJob: options.jobs?.enqueue },
          (sql) => work(sql as unknown as SystemTx),
        ),
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

/** A row that the member could not see afterwards, such as a call on a channel that is not theirs. */
const isRefusedByPolicy = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '42501' && error.message.includes('row-level security')
