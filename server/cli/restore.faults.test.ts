import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { callTo } from '../testing/call-service.ts'
import { connectOwner } from '../testing/connect-owner.ts'
import { readContents, readSchema } from '../testing/database-contents.ts'
import { startInstalledPostgres } from '../testing/installed-postgres.ts'
import { dataFolder, runCommand, startProcess, temporaryFolder, until } from '../testing/process.ts'
import { openStream } from '../testing/streams.ts'
import { formOf } from '../testing/uploads.ts'
import { type Received, receiver } from '../testing/webhook-receivers.ts'

const key = `svc_sk_test_${'b'.repeat(40)}`
const secretKey = 'the secret key of the installation that is backed up'
const env = { SECRET_KEY: secretKey, BOOTSTRAP_API_KEY: key, OUTBOUND_ALLOW: '127.0.0.1' }
const folder = await temporaryFolder()
const passphraseFile = join(folder, 'passphrase')
await writeFile(passphraseFile, 'correct horse battery staple\n')

async function onDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const client = new pg.Client(server.connection)
    await client.connect()
    return await work(client).finally(() => client.end())
  } finally {
    await server.close()
  }
}

/** Settings of a deployment that name the database in use, in a file. `--into` names another one. */
const inUse = { DATABASE_URL_FILE: join(await temporaryFolder(), 'database_url') }
await writeFile(inUse.DATABASE_URL_FILE, 'postgres://frontdesk@127.0.0.1:9/frontdesk\n')
const restore = (file: string, into: string, ...options: string[]) =>
  runCommand(['restore', file, '--into', into, ...options], { ...env, ...inUse })

/** Contacts whose events reach the webhook or the stream are told apart by this number. */
let contacts = 0
async function addContacts(call: ReturnType<typeof callTo>, count: number): Promise<string[]> {
  const names: string[] = []
  for (let n = 0; n < count; n++) {
    names.push(`Contact ${100 + ++contacts}`)
    const { status } = await call('POST', 'contacts', {
      phone_number: `+1415555${String(3000 + contacts)}`,
      name: names.at(-1),
    })
    assert.equal(status, 201)
  }
  return names
}
const createdIn = (received: Received[]) => received.map(({ event }) => event.data.object.name).sort()

/** The installation that most tests back up. Its transaction ids are far ahead of those of a new database. */
const source = await dataFolder()
const endpoint = await receiver()
const once = [{ phone_number: '+14155552000', name: 'Once' }, { 'idempotency-key': 'once' }] as const
const undelivered: string[] = []
let lastSeen = ''
/** Taken while the service runs, through standard output. */
const piped = join(folder, 'piped.tar.zst')
{
  const running = await startProcess(source, env)
  const call = callTo(running.url, key)
  assert.equal((await call('POST', 'contacts', ...once)).status, 201)
  const hook = await call('POST', 'webhooks', { url: endpoint.url, events: ['contact.created'] })
  assert.equal(hook.status, 201)
  const form = await formOf({ file: 'Opening hours: nine to five.', fileName: 'hours.txt', fileType: 'text/plain' })
  const uploaded = await call('POST', 'knowledge-base/upload', form.body, form.headers)
  assert.ok(uploaded.status < 300, JSON.stringify(uploaded))
  await until(async () => (await call('GET', `knowledge-base/${uploaded.body.id}`)).body.status === 'ready')
  const stream = await openStream(`${running.url}/api/v1/stream`, { authorization: `Bearer ${key}` })
  await addContacts(call, 5)
  await until(async () => createdIn(endpoint.received).length === 5)
  await until(async () => stream.events.filter(({ data }) => data.type === 'contact.created').length >= 5)
  lastSeen = stream.events.at(-1)?.id as string
  assert.equal(await running.stop(), 0)

  await onDatabase(source, (client) =>
    client.query('do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$'),
  )
  // Without a worker, nothing reads these events before the backup.
  const api = await startProcess(source, { ...env, ROLE: 'api' })
  undelivered.push(...(await addContacts(callTo(api.url, key), 5)))
  const program = join(import.meta.dirname, '../bin/frontdesk.js')
  const online = spawnSync('sh', ['-c', '"$0" "$1" backup --to - > "$2"', process.execPath, program, piped], {
    env: { PATH: process.env.PATH, ...env, DATA_DIR: source },
    encoding: 'utf8',
  })
  assert.equal(online.status, 0, online.stderr)
  assert.equal(await api.stop(), 0)
}
const file = join(folder, 'backup.tar.zst')
const target = await temporaryFolder()

test('every row, file, index, policy and privilege is the same after a restore', async () => {
  const made = await runCommand(['backup', '--to', file], { ...env, DATA_DIR: source })
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stderr, /Backed up [\d,]+ rows and 3 files to /)
  assert.deepEqual((await readdir(folder)).sort(), ['backup.tar.zst', 'passphrase', 'piped.tar.zst'])
  const again = await runCommand(['backup', '--to', file], { ...env, DATA_DIR: source })
  assert.deepEqual([again.code, /already exists/.test(again.stderr)], [1, true], again.stderr)

  const restored = await restore(file, target)
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, /Restored the backup of .*: [\d,]+ rows, 3 files\./)
  const before = await onDatabase(source, async (client) => [await readContents(client), await readSchema(client)])
  const after = await onDatabase(target, async (client) => [await readContents(client), await readSchema(client)])
  assert.deepEqual(after, before)
  const { rows } = await onDatabase(target, (client) => client.query('select event_transaction_offset()::int as n'))
  assert.ok(rows[0].n > 10_000, 'the source was ahead, so that the next test tries something')
  const filesIn = (dataDir: string) => readdir(join(dataDir, 'files/kept'), { recursive: true })
  assert.deepEqual(await filesIn(target), await filesIn(source))
})

test('after a restore webhooks and streams go on: no event is lost or repeated', async () => {
  endpoint.received.length = 0
  const running = await startProcess(target, env)
  const call = callTo(running.url, key)
  await until(async () => createdIn(endpoint.received).length >= undelivered.length)
  const resumed = await openStream(`${running.url}/api/v1/stream`, {
    authorization: `Bearer ${key}`,
    'last-event-id': lastSeen,
  })
  const late = await receiver()
  assert.equal((await call('POST', 'webhooks', { url: late.url, events: ['contact.created'] })).status, 201)
  const added = await addContacts(call, 5)
  await until(async () => createdIn(endpoint.received).length >= undelivered.length + added.length)
  await until(async () => createdIn(late.received).length >= added.length)
  await until(async () => resumed.events.some(({ data }) => data.data.object.name === added.at(-1)))

  assert.deepEqual(createdIn(endpoint.received), [...undelivered, ...added].sort())
  assert.deepEqual(createdIn(late.received), added, 'a new webhook gets new events only')
  assert.deepEqual(
    resumed.events.filter(({ data }) => data.type === 'contact.created').map(({ data }) => data.data.object.name),
    [...undelivered, ...added],
    'in order',
  )
  const { status, headers } = await call('POST', 'contacts', ...once)
  assert.deepEqual([status, headers.get('idempotent-replayed')], [201, 'true'])
  const listed = await call('GET', 'contacts?limit=1')
  const { rows } = await onDatabase(target, (client) => client.query('select count(*)::int as n from contacts'))
  assert.equal(listed.body.total_count, rows[0].n, 'no contact was counted twice')
  assert.equal(await running.stop(), 0)
})

test('an encrypted backup opens with its passphrase only, and brings SECRET_KEY if it was asked to', async () => {
  const sealed = join(folder, 'sealed.backup')
  const asked = ['backup', '--to', sealed, '--with-secret-key']
  const refused = await runCommand(asked, { ...env, DATA_DIR: source })
  assert.match(refused.stderr, /--with-secret-key requires --passphrase-file/)
  const made = await runCommand([...asked, '--passphrase-file', passphraseFile], { ...env, DATA_DIR: source })
  assert.equal(made.code, 0, made.stderr)
  assert.ok(!(await readFile(sealed)).includes(secretKey))

  const target = await temporaryFolder()
  const wrong = join(folder, 'wrong')
  await writeFile(wrong, 'another\n')
  const fails = async (words: RegExp, ...args: string[]) => {
    const { code, stderr } = await runCommand(['restore', sealed, '--into', target, ...args], {})
    assert.deepEqual([code, stderr.match(words) !== null], [1, true], stderr)
    assert.deepEqual(await readdir(target), [], 'nothing is created')
  }
  await fails(/is encrypted: give its passphrase/)
  await fails(/the passphrase is wrong/, '--passphrase-file', wrong)
  const restored = await runCommand(['restore', sealed, '--into', target, '--passphrase-file', passphraseFile], {})
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal((await readFile(join(target, 'secret.key'), 'utf8')).trim(), secretKey)
})

test('nothing is restored from a damaged file or with another key', async () => {
  const bytes = await readFile(file)
  const damaged = join(folder, 'damaged')
  const target = await temporaryFolder()
  const fails = async (words: RegExp, given = damaged, overrides: Record<string, string> = {}) => {
    const { code, stderr } = await runCommand(['restore', given, '--into', target], { ...env, ...overrides })
    assert.deepEqual([code, stderr.match(words) !== null], [1, true], stderr)
    assert.deepEqual(await readdir(target), [], 'nothing is created')
  }
  await writeFile(damaged, bytes.subarray(0, bytes.length - 100))
  await fails(/the backup is damaged/)
  const middle = Buffer.from(bytes)
  middle[Math.floor(bytes.length / 2)] = (middle[Math.floor(bytes.length / 2)] as number) ^ 1
  await writeFile(damaged, middle)
  await fails(/the backup is damaged/)
  await writeFile(damaged, 'Dear diary')
  await fails(/is not a backup of Frontdesk/)
  await fails(/cannot be read/, join(folder, 'missing'))
  await fails(/the key differs/, file, { SECRET_KEY: 'another secret key that opens nothing of it' })
  await fails(/does not hold the key of its secrets/, file, { SECRET_KEY: '' })

  const usage = await runCommand(['restore'], env)
  assert.deepEqual([usage.code, /restore needs the file/.test(usage.stderr)], [2, true])
})

test('a restore that fails leaves a database that does not start', async () => {
  const target = await temporaryFolder()
  // A stored file cannot be written there, which is found after the rows have been copied.
  await writeFile(join(target, 'files'), 'in the way')
  const failed = await restore(piped, target)
  assert.deepEqual([failed.code, /ENOTDIR/.test(failed.stderr)], [1, true], failed.stderr)
  const start = await runCommand(['start'], { ...env, DATA_DIR: target, PORT: '0' })
  assert.deepEqual(
    [start.code, /restore into the database .* has not ended/.test(start.stderr)],
    [1, true],
    start.stderr,
  )
  const doctor = await runCommand(['doctor'], { ...env, DATA_DIR: target, PORT: '0' })
  assert.match(doctor.stdout, /✗ A restore into this database has not ended/)
})

const installed = await startInstalledPostgres()
if (installed) after(() => installed.stop())

test('a backup of the embedded database restores into your own PostgreSQL, whose owner is no superuser', async (t) => {
  if (!installed) return t.skip('no PostgreSQL is installed in /usr/lib/postgresql')
  const superuser = await connectOwner({ connection: { connectionString: installed.url } })
  await superuser.query(`create role frontdesk login createrole password 'x'`)
  await superuser.query('create database frontdesk owner frontdesk')
  const url = new URL(installed.url)
  url.username = 'frontdesk'
  url.pathname = '/frontdesk'
  const tenant = new URL(url)
  tenant.username = 'frontdesk_tenant_login'
  tenant.password = 'y'
  const own = { ...env, DATA_DIR: await temporaryFolder(), DATABASE_URL: url.href, TENANT_DATABASE_URL: tenant.href }
  const { DATABASE_URL, ...besides } = own
  // The tenant's login is that of the database in use, too.
  const TENANT_DATABASE_URL = 'postgres://frontdesk_tenant_login:y@127.0.0.1:9/frontdesk'
  const present = { ...besides, ...inUse, TENANT_DATABASE_URL }
  const restored = await runCommand(['restore', file, '--into', DATABASE_URL], present)
  assert.equal(restored.code, 0, restored.stderr)
  const doctor = await runCommand(['doctor'], { ...own, PORT: '0' })
  assert.match(doctor.stdout, /✓ Row-level security is enforced/)
  assert.match(doctor.stdout, /✓ Requests connect as a role that can only become frontdesk_tenant/)
  assert.match(doctor.stdout, /✓ SECRET_KEY decrypts the stored secrets/)
  const before = await onDatabase(source, readContents)
  const client = new pg.Client(url.href)
  await client.connect()
  assert.deepEqual(await readContents(client).finally(() => client.end()), before)
})
