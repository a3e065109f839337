import { mkdtemp, rmdir, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { isEmbedded, isLoopback, readSettings, type Settings, SettingsError, secretKey } from '../config.ts'
import { embeddedPostgresMissing } from '../platform/embedded-postgres.ts'
import { makeFolder } from '../platform/make-folder.ts'
import { forbidTemporaryTables, pendingMigrations } from '../platform/migrate.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { hasTenantLogin, tenantLoginFault } from '../platform/tenant-login.ts'
import { describeVersion, recommendedVersion } from '../providers/chat/graph-api-versions.ts'
import { type OpenDatabase, openDatabase } from '../services/open-database.ts'

/** `frontdesk doctor`: looks at everything the service needs, and says in plain words what is wrong and how to mend it. */

type Finding = { ok: string } | { wrong: string; mend: string } | { note: string }

const minimumVersion = 150_000

export async function doctor(env: Record<string, string | undefined>, now = new Date()): Promise<boolean> {
  let healthy = true
  const say = (finding: Finding) => {
    if ('ok' in finding) console.log(`  ✓ ${finding.ok}`)
    else if ('note' in finding) console.log(`  · ${finding.note}`)
    else {
      healthy = false
      console.log(`  ✗ ${finding.wrong}\n      ${finding.mend}`)
    }
  }
  say({ ok: `Node ${process.versions.node}` })
  let settings: Settings
  try {
    settings = readSettings(env)
    say({ ok: 'The settings make sense' })
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    for (const problem of error.problems) say({ wrong: problem, mend: 'docs/configuration.md lists every setting' })
    return false
  }
  for (const finding of await examineMachine(settings)) say(finding)
  const unusable = await dataFolderFault(settings.DATA_DIR)
  say(unusable ?? (await roomIn(settings.DATA_DIR)))
  // The embedded database lives in there: without the folder there is nothing to start.
  if (!unusable || !isEmbedded(settings)) for await (const finding of examineDatabase(settings, now)) say(finding)
  console.log(healthy ? '\nEverything is in order.' : '\nSomething needs your attention: see ✗ above.')
  return healthy
}

async function examineMachine(settings: Settings): Promise<Finding[]> {
  const findings: Finding[] = []
  if (isEmbedded(settings)) {
    const missing = embeddedPostgresMissing()
    if (missing) findings.push({ wrong: 'The embedded PostgreSQL cannot run here', mend: missing })
    else findings.push({ ok: 'The embedded PostgreSQL can run here' })
  }
  if (settings.ROLE !== 'worker') findings.push(await port(settings))
  if (!isLoopback(settings.HOST) && !settings.PUBLIC_URL)
    findings.push({
      wrong: `HOST ${settings.HOST} is reachable from other machines, but PUBLIC_URL is not set`,
      mend: 'Set PUBLIC_URL to the address people use: until then requests under any host name are answered',
    })
  if (settings.PUBLIC_URL?.startsWith('http:') && !isLoopback(new URL(settings.PUBLIC_URL).hostname))
    findings.push({
      wrong: 'PUBLIC_URL is not https: keys and passwords would travel in the clear',
      mend: 'Put a proxy with a certificate in front and set PUBLIC_URL to its https address',
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
      mend: 'Set DATA_DIR to a folder that this user may create and write to',
    }
  }
}

async function roomIn(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const freeMiB = Math.floor((bavail * bsize) / 1024 ** 2)
  if (freeMiB < 1024)
    return { wrong: `Only ${freeMiB} MiB are free where DATA_DIR is`, mend: 'Make room: a full disk stops PostgreSQL' }
  return { ok: `DATA_DIR ${folder} can be written and has ${Math.floor(freeMiB / 1024)} GiB free` }
}

function port({ HOST, PORT }: Settings): Promise<Finding> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        resolve({ note: `Port ${PORT} of ${HOST} is in use (fine if that is Frontdesk; else set PORT)` })
      else
        resolve({
          wrong: `Cannot listen on ${HOST}:${PORT}: ${error.message}`,
          mend: 'Set HOST and PORT to an address of this machine',
        })
    })
    probe.listen(PORT, HOST, () => probe.close(() => resolve({ ok: `Port ${PORT} of ${HOST} is free` })))
  })
}

async function* examineDatabase(settings: Settings, now: Date): AsyncGenerator<Finding> {
  let opened: Awaited<ReturnType<typeof openDatabase>> | undefined
  const client = await (async () => {
    opened = await openDatabase(settings, () => {})
    const made = new pg.Client({ ...opened.connection, connectionTimeoutMillis: 5_000 })
    await made.connect()
    return made
  })().catch((error: Error) => error)
  try {
    if (client instanceof Error) {
      yield {
        wrong: `The database cannot be reached: ${client.message}`,
        mend: settings.DATABASE_URL
          ? 'Check host, port, user, password and database of DATABASE_URL, and that PostgreSQL lets this machine in'
          : `Look into ${settings.DATA_DIR}/postgres.log, or set DATABASE_URL to a PostgreSQL of your own`,
      }
      return
    }
    yield* examineServer(client, settings, { now, opened: opened as OpenDatabase })
    await client.end()
  } finally {
    await opened?.close()
  }
}

/** Whether injected SQL on a request's connection could take more rights than a tenant's. */
async function* examineTenantLogin(owner: pg.Client, opened: OpenDatabase): AsyncGenerator<Finding> {
  const { connection, tenantConnection } = opened
  const { rows } = await owner.query(
    `select has_database_privilege('public', current_database(), 'temporary') as temporary, pg_get_userbyid(datdba) as owner
     from pg_database where datname = current_database()`,
  )
  if (rows[0].temporary)
    yield {
      wrong: 'Every role may make temporary tables in this database, which can hide the real ones from later requests',
      mend: `As ${rows[0].owner}: ${forbidTemporaryTables(pg.escapeIdentifier(owner.database as string))}`,
    }
  if (!hasTenantLogin(connection, tenantConnection)) {
    yield {
      note: 'TENANT_DATABASE_URL is not set: requests connect as the owner, whose rights injected SQL could take (docs/guides/running-it.md)',
    }
    return
  }
  const fault = await tenantLoginFault(owner, tenantConnection)
  if (fault) yield { wrong: fault, mend: 'docs/guides/running-it.md tells how requests get a role of their own' }
  else yield { ok: 'Requests connect as a role that can become no other' }
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
    yield { wrong: `PostgreSQL ${version} is too old`, mend: 'Frontdesk needs PostgreSQL 15 or newer' }
  else yield { ok: `PostgreSQL ${version} answers` }

  const { skew } = await ask(`select extract(epoch from clock_timestamp())::float8 * 1000 as skew`)
  const seconds = Math.abs(Date.now() - skew) / 1000
  if (seconds > 5)
    yield {
      wrong: `This machine's clock and the database's differ by ${seconds.toFixed(0)} seconds`,
      mend: 'Run a time service (NTP) on both',
    }

  const { rows: lacking } = await client.query(`
    select name from unnest(array['pg_trgm', 'btree_gin']) name where not exists (select from pg_available_extensions a where a.name = name.name)`)
  for (const { name } of lacking)
    yield {
      wrong: `PostgreSQL lacks the extension ${name}`,
      mend: 'Install its contrib package (Debian: postgresql-contrib)',
    }

  const migrations = await pendingMigrations((text) => client.query(text)).catch(() => undefined)
  if (migrations === undefined) {
    const { may } = await ask(
      `select rolsuper or rolcreaterole or (select count(*) = 2 from pg_roles where rolname in ('frontdesk_tenant', 'frontdesk_system')) as may from pg_roles where rolname = current_user`,
    )
    if (may) yield { note: 'The database is empty: the first start will migrate it' }
    else
      yield {
        wrong: 'The database is empty and its user may not create roles',
        mend: 'As a superuser: alter role <user> createrole; (or create frontdesk_tenant and frontdesk_system and grant them to the user)',
      }
    return
  }
  if (migrations > 0)
    yield { wrong: `${migrations} migrations are missing`, mend: 'Run: npx frontdesk migrate (a start does it too)' }
  else yield { ok: 'The database is migrated' }

  const { unguarded } = await ask(`
    select count(*)::int as unguarded from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not (c.relrowsecurity and c.relforcerowsecurity)`)
  const { bypass } = await ask(
    `select coalesce(bool_or(rolsuper or rolbypassrls), true) as bypass from pg_roles where rolname = 'frontdesk_tenant'`,
  )
  if (unguarded > 0 || bypass)
    yield {
      wrong: 'Row-level security is not in force everywhere',
      mend: 'Somebody changed the tables or the role frontdesk_tenant: compare them with server/migrations',
    }
  else yield { ok: 'Row-level security is in force' }
  if (migrations === 0) yield* examineTenantLogin(client, opened)

  const { failed } = await ask(`select count(*)::int as failed from kept_hooks where outcome = 'failed'`)
  if (failed > 0)
    yield {
      wrong: `${failed} webhooks of the chat platform could not be applied`,
      mend: 'The table kept_hooks holds them with their errors; insert them into incoming_hooks again once the cause is gone',
    }

  if (migrations === 0) yield* examineChatApi(client, settings, now)

  const { rows: sealed } = await client
    .query('set role frontdesk_system; select id, sealed_private_jwk from signing_keys limit 1')
    .then((results) => (results as unknown as pg.QueryResult[])[1] as pg.QueryResult)
  if (sealed[0]) {
    try {
      const box = createSecretBox(secretKey(settings), { previousKey: settings.SECRET_KEY_PREVIOUS })
      const isPrevious = box.reseal(sealed[0].sealed_private_jwk, `signing key ${sealed[0].id}`) !== undefined
      if (isPrevious) yield { note: 'Stored secrets are sealed with SECRET_KEY_PREVIOUS: run frontdesk secrets rotate' }
      else yield { ok: 'SECRET_KEY opens the stored secrets' }
    } catch {
      yield {
        wrong: 'SECRET_KEY is not the one that the stored secrets were sealed with',
        mend: 'Put the former SECRET_KEY back: without it, channels and sign-in tokens cannot be read',
      }
    }
  }
}

/** Which version of WhatsApp's API is used: wrong only where live channels depend on one that ends. */
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
  const said = `Graph API version: ${asked} asked for, ${served ?? 'none yet'} served, ends on ${ends_on ?? 'no known date'}`
  if (!warning) yield { ok: said }
  else if (is_used) yield { wrong: `${said}. ${warning}`, mend: `Set GRAPH_API_VERSION=${recommendedVersion}` }
  else yield { note: `${said}. ${warning} (No live channel uses it yet.)` }
}
