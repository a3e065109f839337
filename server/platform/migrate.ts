import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type ClientConfig } from 'pg'
import { backupLock, restoreMarker } from './backup/table-catalog.ts'
import { serviceClient } from './connection.ts'
import { encodingFault } from './database-encoding.ts'
import { alignEventPositions } from './event-positions.ts'
import { excessOfLogin, hasTenantLogin, prepareTenantLogin, tenantLoginFault } from './tenant-login.ts'

const migrationsDir = join(import.meta.dirname, '../migrations')

/** An arbitrary number; every node must use the same lock. */
const migrationLock = 7_236_114_021

/** Roles belong to the whole cluster: another database, or another node at this moment, may have created them. */
export const makeRoles = `
do $$
declare
  name text;
begin
  foreach name in array array['frontdesk_tenant', 'frontdesk_limited', 'frontdesk_system'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, name, 'member') or not (select rolsuper from pg_roles where rolname = current_user)
    then
      begin
        execute format('grant %I to %I', name, current_user);
      exception when insufficient_privilege then
        if not pg_has_role(current_user, name, 'member') then raise; end if;
      end;
    end if;
  end loop;
  -- It may do what a tenant may, and has further policies.
  if not pg_has_role('frontdesk_limited', 'frontdesk_tenant', 'member') then
    grant frontdesk_tenant to frontdesk_limited;
  end if;
end $$`

/**
 * Temporary tables come first in the search path: one that injected SQL leaves on a connection would shadow the real
 * table for the next tenant. Copies and dumps of a database do not include its own privileges, so every migration
 * revokes them again.
 */
export const forbidTemporaryTables = (database: string) => `revoke temporary on database ${database} from public`

/** Begins a migration that commits by itself. It must be a single statement, and safe to run again after a failure. */
const inBatches = '-- In batches: '

/**
 * Begins a migration of `create index concurrently` statements, which do not block writers and cannot run in a
 * transaction. An interrupted build leaves an invalid index, which the next attempt drops and builds again.
 */
const concurrently = '-- Concurrently: '
const concurrentBuild = /create (?:unique )?index concurrently (\w+) [^;]+/g

const lockPollMs = 100

export interface Migration {
  number: number
  name: string
  text: string
}

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(migrationsDir)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      text: await readFile(join(migrationsDir, file), 'utf8'),
    })),
  )
}

/**
 * Brings the database up to date, as its owner. Safe when many nodes start at once: the first takes the lock, the
 * others wait and then find nothing to do. `afterwards` runs under the same lock (the queue has its own schema).
 */
export async function migrate(
  connection: ClientConfig,
  options: {
    log?: (message: string) => void
    /**
     * How requests connect: the role is created if it is missing, and refused if it could become more than a tenant.
     */
    tenantConnection?: ClientConfig
    /** How requests connect to a replica: refused likewise, if requests have a role of their own. */
    replicaConnection?: ClientConfig | undefined
    /** Gets the number of applied migrations. */
    afterwards?: (applied: number) => Promise<void>
    /** For a restore: the migrations that the backup was made with, and no others. */
    restoring?: Migration[]
  } = {},
): Promise<number> {
  const client = serviceClient(connection, 'frontdesk migrate')
  await client.connect()
  try {
    const encoding = await encodingFault(client)
    if (encoding) throw new Error(`${encoding.wrong}. ${encoding.fix}`)
    await waitForLock(client, migrationLock)
    await refuseUnfinishedRestore(client, options.restoring !== undefined)
    await client.query(makeRoles)
    await client.query(forbidTemporaryTables(pg.escapeIdentifier(client.database as string))).catch((error) => {
      // This user does not own the database: `doctor` says what its owner has to do.
      if (error.code !== '42501') throw error
    })
    const { tenantConnection, replicaConnection } = options
    if (tenantConnection && hasTenantLogin(connection, tenantConnection)) {
      await prepareTenantLogin(client, tenantConnection)
      const fault =
        (await tenantLoginFault(client, tenantConnection)) ??
        (replicaConnection && (await excessOfLogin(client, replicaConnection, 'REPLICA_DATABASE_URL')))
      if (fault) throw new Error(fault)
    }
    await client.query(`create table if not exists migrations (
      number integer primary key, name text not null, applied_at timestamptz not null default now())`)
    const known = options.restoring ?? (await readMigrations())
    const pending = await findPending(client, known)
    if (pending.length > 0)
      await waitForLock(client, backupLock, () =>
        options.log?.('database: waiting for a backup to end before the migrations'),
      )
    if (pending.length === known.length) {
      options.log?.('database: creating the tables')
      for (const group of groupForEmpty(pending)) await apply(client, group)
    } else {
      for (const migration of pending) {
        await apply(client, [migration])
        options.log?.(`database: applied migration ${String(migration.number).padStart(4, '0')} ${migration.name}`)
      }
    }
    await client.query('grant select on migrations to frontdesk_system')
    await options.afterwards?.(pending.length)
    if (!options.restoring) await alignEventPositions(client)
    return pending.length
  } finally {
    // Ends the session, and with it the lock.
    await client.end()
  }
}

/**
 * No request writes to an empty database: indexes need not be built concurrently, and all migrations between two that commit
 * by themselves are one transaction, which the disk has to confirm once.
 */
function groupForEmpty(pending: Migration[]): Migration[][] {
  const groups: Migration[][] = [[]]
  for (const migration of pending) {
    if (migration.text.startsWith(inBatches)) groups.push([migration], [])
    else groups.at(-1)?.push({ ...migration, text: buildInTransaction(migration.text) })
  }
  return groups.filter((group) => group.length > 0)
}

const buildInTransaction = (text: string): string =>
  text.startsWith(concurrently) ? text.replace(concurrently, '-- ').replaceAll(' index concurrently ', ' index ') : text

/** Applies migrations in one transaction, unless it is a single one that cannot run in a transaction. */
async function apply(client: pg.Client, group: Migration[]) {
  const isTransaction = !group.some(({ text }) => text.startsWith(inBatches) || text.startsWith(concurrently))
  if (isTransaction) await client.query('begin')
  for (const { number, name, text } of group) {
    try {
      if (text.startsWith(concurrently)) await buildIndexes(client, text)
      else await client.query(text)
      await client.query('insert into migrations (number, name) values ($1, $2)', [number, name])
    } catch (error) {
      // Fails too if the connection is lost: the first error says why.
      await client.query('rollback').catch(() => {})
      throw new Error(`Migration ${number} ${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
  await client.query('commit')
}

/**
 * Polls instead of blocking in the server: a blocked statement holds a snapshot, and a concurrent index build waits for
 * every older snapshot.
 */
async function waitForLock(client: pg.Client, lock: number, onWait?: () => void): Promise<void> {
  for (let look = 0; ; look++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lock])
    if (rows[0].taken) return
    if (look === 0) onWait?.()
    await sleep(lockPollMs)
  }
}

async function refuseUnfinishedRestore(client: pg.Client, isRestoring: boolean): Promise<void> {
  const { rows } = await client.query('select to_regclass($1) is not null as is_unfinished', [restoreMarker])
  if (rows[0].is_unfinished && !isRestoring)
    throw new Error(
      `A restore into the database "${client.database}" has not ended. If it failed, drop the database (embedded: remove DATA_DIR/postgres) and restore again`,
    )
}

/** The migrations that the database lacks. Throws if a newer version has migrated it. */
export async function findPending(client: pg.Client, known: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ number: number; name: string }>('select number, name from migrations')
  const newest = Math.max(0, ...known.map(({ number }) => number))
  for (const { number, name } of rows) {
    if (number > newest)
      throw new Error(
        `The database has migration ${number} (${name}), which this version does not know: start a newer version`,
      )
  }
  const applied = new Set(rows.map(({ number }) => number))
  return known.filter(({ number }) => !applied.has(number))
}

/** Builds each index that is missing or invalid. */
async function buildIndexes(client: pg.Client, text: string): Promise<void> {
  for (const [statement, name] of text.matchAll(concurrentBuild)) {
    const { rows } = await client.query(
      'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    )
    if (rows[0]?.is_valid) continue
    if (rows[0]) await client.query(`drop index concurrently ${name}`)
    await client.query(statement)
  }
}

/** For `/readyz` and `doctor`: how many migrations the database lacks. */
export async function pendingMigrations(query: (text: string) => Promise<{ rows: unknown[] }>): Promise<number> {
  const known = await readMigrations()
  const { rows } = await query('select number from migrations')
  const applied = new Set((rows as { number: number }[]).map(({ number }) => number))
  return known.filter(({ number }) => !applied.has(number)).length
}
