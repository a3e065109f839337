import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { atPooler } from '../../platform/connection.ts'
import { startTestApp } from '../app.ts'
import { databaseOverTcp } from '../database-over-tcp.ts'
import { importFile } from '../imports.ts'
import { databaseUrl, freePort, runCommand, startProcess, temporaryFolder, until } from '../process.ts'

/** The service behind PgBouncer in transaction mode, with fewer connections to PostgreSQL than requests at once. */

const poolSize = 2
const isInstalled = await promisify(execFile)('pgbouncer', ['--version']).then(
  () => true,
  () => false,
)

/** Returns the port that PgBouncer listens on. */
async function startPgBouncer(port: number, users: string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-pgbouncer-'))
  const listenPort = await freePort()
  await writeFile(join(folder, 'users'), users.map((user) => `"${user}" ""\n`).join(''))
  await writeFile(
    join(folder, 'ini'),
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = ${poolSize}
`,
  )
  await chmod(folder, 0o755)
  // PgBouncer refuses to run as root.
  const asOrdinaryUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn('pgbouncer', [join(folder, 'ini')], { stdio: 'ignore', ...asOrdinaryUser })
  after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true })
  })
  return listenPort
}

test('the service works through PgBouncer in transaction mode', {
  skip: !isInstalled && 'pgbouncer is not installed',
}, async (t) => {
  const direct = await startTestApp({ settings: { ROLE: 'api' } })
  if (direct.connection.connectionString) return t.skip('the roles of TEST_DATABASE_URL have passwords')
  const { user, database } = direct.connection as { user: string; database: string }
  const port = await startPgBouncer(await databaseOverTcp(direct.connection), [
    user,
    direct.tenantConnection.user as string,
  ])
  const pooler = `postgres://127.0.0.1:${port}/${database}`
  const client = () => new pg.Client(atPooler(direct.connection, pooler))
  await until(async () => {
    const probe = client()
    return probe
      .connect()
      .then(() => probe.end())
      .then(
        () => true,
        () => false,
      )
  })

  const app = await direct.node({ DATABASE_POOLER_URL: pooler, ROLE: 'all', DATABASE_POOL_SIZE: 12 })
  // Another process names its statements differently: one that ran under a name of the other would be the wrong one.
  const other = await startProcess(await temporaryFolder(), {
    DATABASE_URL: databaseUrl(direct.connection),
    TENANT_DATABASE_URL: databaseUrl(direct.tenantConnection),
    DATABASE_POOLER_URL: pooler,
    SECRET_KEY: direct.settings.SECRET_KEY as string,
    ROLE: 'api',
  })
  const contacts = `${other.url}/api/v1/contacts`
  const organizations = await Promise.all([app.organization(), app.organization(), app.organization()])
  await Promise.all(
    organizations.map(async ({ call, key }, n) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const numbersOf = (body: { data: { phone_number: string }[] }) =>
        body.data.map((each) => each.phone_number).sort()
      const phones = Array.from({ length: 100 }, (_, i) => `+1415${5_550_000 + 3 * i + n}`)
      const create = (phone_number: string, i: number): Promise<{ status: number }> =>
        i % 2 === 0
          ? call('POST', 'contacts', { phone_number })
          : fetch(contacts, { method: 'POST', headers, body: JSON.stringify({ phone_number }) })
      const created = await Promise.all(phones.map(create))
      assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]))
      await Promise.all(
        phones.slice(0, 20).map(async () => {
          assert.deepEqual(numbersOf((await call('GET', 'contacts?limit=100')).body), phones)
          const answer = await fetch(`${contacts}?limit=100`, { headers })
          assert.deepEqual(numbersOf((await answer.json()) as never), phones)
        }),
      )
    }),
  )
  // A job of a worker, in transactions of its own.
  const [acme] = organizations
  const report = await importFile(acme.call, 'phone\n+14155559999\n')
  assert.equal(report.state, 'completed')

  const outside = client()
  await outside.connect()
  const { rows } = await outside.query(
    `select current_user::text as role, coalesce(current_setting('frontdesk.organization', true), '') as organization`,
  )
  await outside.end()
  assert.equal(await other.stop(), 0)
  assert.deepEqual(
    rows,
    [{ role: user, organization: '' }],
    'transactions leave nothing on the connections of the pooler',
  )
})

test('a DATABASE_URL that leads to a pooler is refused with an explanation', {
  skip: !isInstalled && 'pgbouncer is not installed',
}, async (t) => {
  const direct = await startTestApp({ settings: { ROLE: 'api' } })
  if (direct.connection.connectionString) return t.skip('the roles of TEST_DATABASE_URL have passwords')
  const { user, database } = direct.connection as { user: string; database: string }
  const port = await startPgBouncer(await databaseOverTcp(direct.connection), [user])
  const env = {
    DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}`,
    SECRET_KEY: 'x'.repeat(32),
    PORT: '0',
  }
  const { code, stderr } = await runCommand(['start'], env)
  assert.equal(code, 1)
  assert.match(stderr, /DATABASE_URL leads to a pooler.*DATABASE_POOLER_URL/)
})
