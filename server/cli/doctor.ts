import { mkdtemp, rmdir, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { isEmbedded, readSettings, type Settings, SettingsError } from '../config.ts'
import { restoreMarker } from '../platform/backup/table-catalog.ts'
import { serviceConnection } from '../platform/connection.ts'
import { encodingFault } from '../platform/database-encoding.ts'
import { embeddedPostgresMissing } from '../platform/embedded-postgres.ts'
import { isLoopback } from '../platform/loopback.ts'
import { makeFolder } from '../platform/make-folder.ts'
import { forbidTemporaryTables, pendingMigrations } from '../platform/migrate.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { excessOfLogin, hasTenantLogin, tenantLoginFault } from '../platform/tenant-login.ts'
import { describeVersion, recommendedVersion } from '../providers/chat/graph-api-versions.ts'
import { type OpenDatabase, openDatabase } from '../services/open-database.ts'
import { secretKey } from '../services/secret-key.ts'

/** `frontdesk doctor`: checks everything the service needs and prints how to fix each problem. */

type Finding = { ok: string } | { wrong: string; fix: string } | { note: string }

const minimumVersion = 150_000

export async function doctor(env: Record<string, string | undefined>, now = new Date()): Promise<boolean> {
  let healthy = true
  const say = (finding: Finding) => {
    if ('ok' in finding) console.log(`  ✓ ${finding.ok}`)
    else if ('note' in finding) console.log(`  · ${finding.note}`)
    else {
      healthy = false
      console.log(`  ✗ ${finding.wrong}\n      ${finding.fix}`)
    }
  }
  say({ ok: `Node ${process.versions.node}` })
  let settings: Settings
  try {
    settings = readSettings(env)
    say({ ok: 'Settings are valid' })
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    for (const problem of error.problems) say({ wrong: problem, fix: 'See docs/configuration.md for all settings' })
    return false
  }
  for (const finding of await examineMachine(settings)) say(finding)
  const unusable = await dataFolderFault(settings.DATA_DIR)
  say(unusable ?? (await roomIn(settings.DATA_DIR)))
  // The embedded database is stored there: without the folder it cannot be started.
  if (!unusable || !isEmbedded(settings)) for await (const finding of examineDatabase(settings, now)) say(finding)
  console.log(healthy ? '\nNo problems found.' : '\nProblems found. Fix the items marked ✗ and run this command again.')
  return healthy
}

async function examineMachine(settings: Settings): Promise<Finding[]> {
  const findings: Finding[] = []
  if (isEmbedded(settings)) {
    const missing = embeddedPostgresMissing()
    if (missing) findings.push({ wrong: 'The embedded PostgreSQL cannot run on this machine', fix: missing })
    else findings.push({ ok: 'The embedded PostgreSQL can run on this machine' })
  }
  if (settings.ROLE !== 'worker') findings.push(await port(settings))
  if (!isLoopback(settings.HOST) && !settings.PUBLIC_URL)
    findings.push({
      wrong: `HOST ${settings.HOST} is reachable from other machines, but PUBLIC_URL is not set`,
      fix: 'Set PUBLIC_URL to the address people use. Until then requests for any host name are accepted',
    })
  if (settings.PUBLIC_URL?.startsWith('http:') && !isLoopback(new URL(settings.PUBLIC_URL).hostname))
    findings.push({
      wrong: 'PUBLIC_URL is not https: API keys and passwords are sent unencrypted',
      fix: 'Put a TLS proxy in front of Frontdesk and set PUBLIC_URL to its https address',
    })
  return findings
}

async function dataFolderFault(folder: string): Promise<Finding | undefined> {
  try {
    await makeFolder(folder)
    const probe = await mkdtemp(join(folder, 'doctor-'))
    await rmdir(probe)
    return undefined
  } catch (error) {
    return {
      wrong: `DATA_DIR ${folder} cannot be used: ${(error as Error).message}`,
      fix: 'Set DATA_DIR to a folder that this user can create and write to',
    }
  }
}

async function roomIn(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const freeMiB = Math.floor((bavail * bsize) / 1024 ** 2)
  if (freeMiB < 1024)
    return {
      wrong: `Only ${freeMiB} MiB are free in DATA_DIR`,
      fix: 'Free up disk space: PostgreSQL stops when the disk is full',
    }
  return { ok: `DATA_DIR ${folder} is writable and has ${Math.floor(freeMiB / 1024)} GiB free` }
}

function port({ HOST, PORT }: Settings): Promise<Finding> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        resolve({ note: `Port ${PORT} on ${HOST} is in use. If that is not Frontdesk, set PORT to another number` })
      else
        resolve({
          wrong: `Cannot listen on ${HOST}:${PORT}: ${error.message}`,
          fix: 'Set HOST and PORT to an address of this machine',
        })
    })
    probe.listen(PORT, HOST, () => probe.close(() => resolve({ ok: `Port ${PORT} on ${HOST} is free` })))
  })
}

async function* examineDatabase(settings: Settings, now: Date): AsyncGenerator<Finding> {
  let opened: Awaited<ReturnType<typeof openDatabase>> | undefined
  const client = await (async () => {
    opened = await openDatabase(settings, () => {})
    const made = new pg.Client({ ...serviceConnection(opened.connection), connectionTimeoutMillis: 5_000 })
    await made.connect()
    return made
  })().catch((error: Error) => error)
  try {
    if (client instanceof Error) {
      yield {
        wrong: `Cannot connect to the database: ${client.message}`,
        fix: settings.DATABASE_URL
          ? 'Check the host, port, user, password and database in DATABASE_URL, and that PostgreSQL allows connections from this machine'
          : `See ${settings.DATA_DIR}/postgres.log, or set DATABASE_URL to your own PostgreSQL`,
      }
      return
    }
    yield* examineServer(client, settings, { now, opened: opened as OpenDatabase })
    await client.end()
  } finally {
    await opened?.close()
  }
}

/** Whether injected SQL on a request's connection could gain more privileges than a tenant's. */
async function* examineTenantLogin(owner: pg.Client, opened: OpenDatabase): AsyncGenerator<Finding> {
  const { connection, tenantConnection, replicaConnection } = opened
  const { rows } = await owner.query(
    `select has_database_privilege('public', current_database(), 'temporary') as temporary, pg_get_userbyid(datdba) as owner
     from pg_database where datname = current_database()`,
  )
  if (rows[0].temporary)
    yield {
      wrong:
        'Every role can create temporary tables in this database, which can shadow the real tables in later requests',
      fix: `Run as ${rows[0].owner}: ${forbidTemporaryTables(pg.escapeIdentifier(owner.database as string))}`,
    }
  if (!hasTenantLogin(connection, tenantConnection)) {
    yield {
      note: 'TENANT_DATABASE_URL is not set: requests connect as the owner, whose privileges injected SQL could gain (docs/guides/running-it.md)',
    }
    return
  }
  const fault = await tenantLoginFault(owner, tenantConnection)
  if (fault) yield { wrong: fault, fix: 'See docs/guides/running-it.md for how to set up a role for requests' }
  else yield { ok: 'Requests connect as a role that can only become frontdesk_tenant' }
  const excess = replicaConnection && (await excessOfLogin(owner, replicaConnection, 'REPLICA_DATABASE_URL'))
  if (excess) yield { wrong: excess, fix: 'Use the user and password of TENANT_DATABASE_URL there' }
}

async function* examineServer(
  client: pg.Client,
  settings: Settings,
  { now, opened }: { now: Date; opened: OpenDatabase },
): AsyncGenerator<Finding> {
  const ask = async (text: string) => (await client.query(text)).rows[0]
  const { version, number } = await ask(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  if (number < minimumVersion)
    yield { wrong: `PostgreSQL ${version} is not supported`, fix: 'Upgrade to PostgreSQL 15 or newer' }
  else yield { ok: `Connected to PostgreSQL ${version}` }
  const encoding = await encodingFault(client)
  if (encoding) yield encoding

  const { skew } = await ask(`select extract(epoch from clock_timestamp())::float8 * 1000 as skew`)
  const seconds = Math.abs(Date.now() - skew) / 1000
  if (seconds > 5)
    yield {
      wrong: `The clocks of this machine and the database differ by ${seconds.toFixed(0)} seconds`,
      fix: 'Synchronize both clocks with NTP',
    }

  const { rows: lacking } = await client.query(`
    select name from unnest(array['pg_trgm', 'btree_gin']) name where not exists (select from pg_available_extensions a where a.name = name.name)`)
  for (const { name } of lacking)
    yield {
      wrong: `The PostgreSQL extension ${name} is not installed`,
      fix: 'Install the contrib package (Debian: postgresql-contrib)',
    }

  const { is_unfinished } = await ask(`select to_regclass('${restoreMarker}') is not null as is_unfinished`)
  if (is_unfinished) {
    yield {
      wrong: 'A restore into this database has not ended',
      fix: 'If it failed, drop the database (embedded: remove DATA_DIR/postgres) and restore again',
    }
    return
  }

  const migrations = await pendingMigrations((text) => client.query(text)).catch(() => undefined)
  if (migrations === undefined) {
    const { may } = await ask(
      `select rolsuper or rolcreaterole or (select count(*) = 3 from pg_roles where rolname in ('frontdesk_tenant', 'frontdesk_limited', 'frontdesk_system')) as may from pg_roles where rolname = current_user`,
    )
    if (may) yield { note: 'The database is empty. The first start will migrate it' }
    else
      yield {
        wrong: 'The database is empty and its user cannot create roles',
        fix: 'Run as a superuser: alter role <user> createrole; (or create frontdesk_tenant, frontdesk_limited and frontdesk_system and grant them to the user)',
      }
    return
  }
  if (migrations > 0)
    yield {
      wrong: `${migrations} pending migrations`,
      fix: 'Run: npx frontdesk migrate (or start Frontdesk, which applies them too)',
    }
  else yield { ok: 'The database is up to date' }

  const { unguarded } = await ask(`
    select count(*)::int as unguarded from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and not (c.relrowsecurity and c.relforcerowsecurity)`)
  const { bypass } = await ask(
    `select coalesce(bool_or(rolsuper or rolbypassrls), true) as bypass from pg_roles where rolname = 'frontdesk_tenant'`,
  )
  if (unguarded > 0 || bypass)
    yield {
      wrong: 'Row-level security is not enforced on every table',
      fix: 'The tables or the role frontdesk_tenant were changed by hand: compare them with server/migrations',
    }
  else yield { ok: 'Row-level security is enforced' }
  if (migrations === 0) yield* examineTenantLogin(client, opened)

  const { failed } = await ask(`select count(*)::int as failed from kept_hooks where outcome = 'failed'`)
  if (failed > 0)
    yield {
      wrong: `${failed} webhooks from WhatsApp could not be processed`,
      fix: 'See the table kept_hooks for their errors. Once the cause is fixed, insert them into incoming_hooks again',
    }

  if (migrations === 0) yield* examineChatApi(client, settings, now)

  const { rows: sealed } = await client
    .query('set role frontdesk_system; select id, sealed_private_jwk from signing_keys limit 1')
    .then((results) => (results as unknown as pg.QueryResult[])[1] as pg.QueryResult)
  if (sealed[0]) {
    try {
      const box = createSecretBox(secretKey(settings), { previousKey: settings.SECRET_KEY_PREVIOUS })
      const isPrevious = box.reseal(sealed[0].sealed_private_jwk, `signing key ${sealed[0].id}`) !== undefined
      if (isPrevious)
        yield { note: 'Stored secrets are encrypted with SECRET_KEY_PREVIOUS. Run: npx frontdesk secrets rotate' }
      else yield { ok: 'SECRET_KEY decrypts the stored secrets' }
    } catch {
      yield {
        wrong: 'SECRET_KEY does not match the stored secrets',
        fix: 'Restore the previous SECRET_KEY. Without it, channel credentials and signing keys cannot be decrypted',
      }
    }
  }
}

/** The version of WhatsApp's API: a problem only if live channels use a version that is about to end. */
async function* examineChatApi(client: pg.Client, settings: Settings, now: Date): AsyncGenerator<Finding> {
  const asked = settings.GRAPH_API_VERSION
  const { rows } = await client
    .query(`set role frontdesk_system;
      select (select value from installation where name = 'chat api version') as stored,
        exists (select from channels where livemode and deleted_at is null and chat is not null) as is_used;
      reset role`)
    .then((results) => (results as unknown as pg.QueryResult[])[1] as pg.QueryResult)
  const { stored, is_used } = rows[0]
  const { served, ends_on, warning } = describeVersion(asked, stored?.asked === asked ? stored.served : null, now)
  const summary = `Graph API version: ${asked} requested, ${served ?? 'none yet'} served, end of life ${ends_on ?? 'unknown'}`
  if (!warning) yield { ok: summary }
  else if (is_used) yield { wrong: `${summary}. ${warning}`, fix: `Set GRAPH_API_VERSION=${recommendedVersion}` }
  else yield { note: `${summary}. ${warning} (No live channel uses it.)` }
}
