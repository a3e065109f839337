import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Campaign } from '../features/campaigns/schema.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { startTestApp } from '../testing/app.ts'
import { bodyFrom, callTo } from '../testing/call-service.ts'
import { campaigner } from '../testing/campaigns.ts'
import { connectOwner } from '../testing/connect-owner.ts'
import { startInstalledPostgres } from '../testing/installed-postgres.ts'
import { databaseUrl, dataFolder, runCommand, startProcess, temporaryFolder, until } from '../testing/process.ts'
import { receiver } from '../testing/webhook-receivers.ts'

const recipients = 5_000
const rounds = 3
/** The campaign takes longer than all backups, which take seconds each. */
const perSecond = { during: 50, after: 1_000 }

/** Each counter table, and the rows that it counts. */
const counters: [string, string][] = [
  ['event_counts', 'events'],
  ['contact_counts', 'contacts'],
  ['contact_tag_counts', 'contact_tags'],
  ['ticket_counts', 'tickets'],
  ['campaign_counts', 'campaigns'],
  ['webhook_delivery_counts', 'webhook_deliveries'],
]

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
await app.listen()

test('a backup taken under load holds every row that was committed before it, and its counts agree', async () => {
  const acme = await campaigner(app, { messagesPerSecond: perSecond.during })
  await acme.crowd(recipients, 'crowd')
  const { id } = await acme.send(null, { audience_type: 'tags', audience_tags: ['crowd'] })
  const acknowledged = new Set<string>()
  let isLoaded = true
  after(() => {
    isLoaded = false
  })
  let n = 0
  const write = async () => {
    while (isLoaded) {
      const phone_number = `+1415${5_550_000 + ++n}`
      const answer = await acme.call('POST', 'contacts', { phone_number })
      assert.equal(answer.status, 201, answer.text)
      acknowledged.add(answer.body.id)
      const inbound = await acme.call('POST', 'simulator/messages', { from: phone_number, text: `Hello ${n}` })
      assert.ok(inbound.status < 300, inbound.text)
    }
  }
  const writers = Promise.all([write(), write()])
  const folder = await temporaryFolder()
  const url = databaseUrl(app.connection)
  const env = { SECRET_KEY: app.settings.SECRET_KEY as string, DATA_DIR: folder }
  const backups: { file: string; committed: string[] }[] = []
  for (let round = 0; round < rounds; round++) {
    await acme.until(id, (campaign) => campaign.sent_count > round * perSecond.during)
    const file = join(folder, `${round}.tar.zst`)
    const committed = [...acknowledged]
    const made = await runCommand(['backup', '--to', file], { ...env, DATABASE_URL: url })
    assert.equal(made.code, 0, made.stderr)
    backups.push({ file, committed })
  }
  isLoaded = false
  await writers
  const hasten = { messages_per_second: perSecond.after }
  await acme.call('PATCH', `channels/${acme.channelId}`, hasten)
  await acme.until(id, ({ status }) => status === 'completed')

  for (const { file, committed } of backups) {
    const target = await temporaryFolder()
    const restored = await runCommand(['restore', file, '--into', target], env)
    assert.equal(restored.code, 0, restored.stderr)
    const server = await startEmbeddedPostgres({ dataDir: target, log: () => {} })
    const client = new pg.Client(server.connection)
    await client.connect()
    try {
      const { rows } = await client.query('select id from contacts')
      const found = new Set(rows.map((row) => row.id))
      assert.deepEqual(
        committed.filter((contact) => !found.has(contact)),
        [],
        'acknowledged before the backup, and not in it',
      )
      for (const [counts, counted] of counters) {
        const { rows: sums } = await client.query(
          `select (select coalesce(sum(n), 0) from ${counts})::int as counted, (select count(*) from ${counted})::int as rows`,
        )
        assert.equal(sums[0].counted, sums[0].rows, counted)
      }
      const { rows: deliveries } = await client.query(`
        select (select sum(pending) from delivery_counts)::int as pending,
          (select count(*) from deliveries where status = 'pending')::int as really_pending,
          (select count(*) from deliveries)::int as total`)
      const { pending, really_pending, total } = deliveries[0]
      assert.deepEqual([pending, total], [really_pending, recipients])
      assert.ok(pending > 0, 'the backup was taken while the campaign was sending')
    } finally {
      await client.end()
      await server.close()
    }
  }

  // The copy goes on where the last backup was taken: what was in flight is unknown or settled by its receipt.
  const last = await temporaryFolder()
  const restored = await runCommand(['restore', backups.at(-1)?.file as string, '--into', last], env)
  assert.match(restored.stderr, /1 campaign will continue when a worker starts/)
  const running = await startProcess(last, { ...env, DATA_DIR: last, SIMULATOR_SPEED: '0' })
  const call = bodyFrom(running.url, acme.key)
  await call('PATCH', `channels/${acme.channelId}`, hasten)
  const see = async (): Promise<Campaign> => call('GET', `campaigns/${id}`)
  await until(async () => (await see()).status === 'completed')
  const { total_contacts_count, pending_count, sending_count } = await see()
  assert.deepEqual([total_contacts_count, pending_count, sending_count], [recipients, 0, 0])
  assert.equal(await running.stop(), 0)
})

test('a database that pg_dump and pg_restore moved to another server loses and repeats no event', async (t) => {
  const [source, target] = [await startInstalledPostgres(), await startInstalledPostgres()]
  if (!source || !target) return t.skip('no PostgreSQL is installed in /usr/lib/postgresql')
  t.after(() => Promise.all([source.stop(), target.stop()]))
  const asSuperuser = async (url: string, ...statements: string[]) => {
    const client = new pg.Client(url)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const urlOf = (server: { url: string }, user: string) => {
    const url = new URL(server.url)
    url.username = user
    url.pathname = '/frontdesk'
    return url.href
  }
  const key = `svc_sk_test_${'d'.repeat(40)}`
  const settingsFor = async (server: { url: string }) => ({
    DATA_DIR: await temporaryFolder(),
    DATABASE_URL: urlOf(server, 'frontdesk'),
    SECRET_KEY: 'a secret key that only tests would use',
    BOOTSTRAP_API_KEY: key,
    OUTBOUND_ALLOW: '127.0.0.1',
  })
  const call = async (url: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 201, await answer.text())
  }
  const addContact = (url: string, name: string) =>
    call(url, 'contacts', { name, phone_number: `+1415555${1000 + Number(name)}` })
  const endpoint = await receiver()
  const names = () => endpoint.received.map(({ event }) => event.data.object.name).sort()

  const owner = [`create role frontdesk login createrole`, 'create database frontdesk owner frontdesk']
  await asSuperuser(source.url, ...owner)
  const env = await settingsFor(source)
  const created = await runCommand(['org', 'create', '--name', 'Acme', '--owner', 'ada@example.com'], env)
  assert.equal(created.code, 0, created.stderr)
  const first = await startProcess(env.DATA_DIR, env)
  await call(first.url, 'webhooks', { url: endpoint.url, events: ['contact.created'] })
  await addContact(first.url, '1')
  await until(async () => endpoint.received.length === 1)
  await first.stop()
  const burn = 'do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$'
  await asSuperuser(source.url, burn)
  const api = await startProcess(env.DATA_DIR, { ...env, ROLE: 'api' })
  await addContact(api.url, '2')
  await api.stop()

  const run = (program: string, ...args: string[]) => execFileSync(join(source.bin, program), args, { stdio: 'pipe' })
  const [roles, dump] = ['roles', 'dump'].map((name) => join(env.DATA_DIR, name)) as [string, string]
  run('pg_dumpall', '--roles-only', '-d', source.url, '-f', roles)
  run('psql', '-q', '-d', target.url, '-f', roles)
  await asSuperuser(target.url, 'create database frontdesk owner frontdesk')
  run('pg_dump', '-Fc', '-f', dump, urlOf(source, 'postgres'))
  run('pg_restore', '-d', urlOf(target, 'postgres'), dump)
  const moved = await settingsFor(target)
  const second = await startProcess(moved.DATA_DIR, moved)
  await addContact(second.url, '3')
  await until(async () => endpoint.received.length >= 3)
  assert.deepEqual(names(), ['1', '2', '3'])
  assert.equal(await second.stop(), 0)
})

test('an embedded database that moves to your own PostgreSQL and back loses and repeats no event', async (t) => {
  const installed = await startInstalledPostgres()
  if (!installed) return t.skip('no PostgreSQL is installed in /usr/lib/postgresql')
  t.after(() => installed.stop())
  const superuser = await connectOwner({ connection: { connectionString: installed.url } })
  await superuser.query(`create role frontdesk login createrole password 'x'`)
  await superuser.query('create database frontdesk owner frontdesk')
  const url = new URL(installed.url)
  url.username = 'frontdesk'
  url.pathname = '/frontdesk'

  const key = `svc_sk_test_${'m'.repeat(40)}`
  const SECRET_KEY = 'a secret key that only tests would use'
  const env = { SECRET_KEY, BOOTSTRAP_API_KEY: key, OUTBOUND_ALLOW: '127.0.0.1', DEMO_DATA: 'false' }
  const endpoint = await receiver()
  const folder = await temporaryFolder()
  const places = [
    { DATA_DIR: await dataFolder() },
    { DATA_DIR: await temporaryFolder(), DATABASE_URL: url.href },
    { DATA_DIR: await temporaryFolder() },
  ]
  for (const [n, place] of places.entries()) {
    const file = join(folder, `${n}.tar.zst`)
    if (n > 0) {
      const restored = await runCommand(['restore', join(folder, `${n - 1}.tar.zst`)], { ...env, ...place })
      assert.equal(restored.code, 0, restored.stderr)
    }
    const add = async (call: ReturnType<typeof callTo>, contact: number) => {
      const made = await call('POST', 'contacts', { name: String(contact), phone_number: `+1415555${1000 + contact}` })
      assert.equal(made.status, 201)
    }
    const running = await startProcess(place.DATA_DIR, { ...env, ...place })
    const call = callTo(running.url, key)
    if (n === 0) await call('POST', 'webhooks', { url: endpoint.url, events: ['contact.created'] })
    await add(call, 2 * n)
    await until(async () => endpoint.received.length >= 2 * n + 1)
    assert.equal(await running.stop(), 0)
    // Without a worker, the event waits for the next place.
    const api = await startProcess(place.DATA_DIR, { ...env, ...place, ROLE: 'api' })
    await add(callTo(api.url, key), 2 * n + 1)
    assert.equal(await api.stop(), 0)
    const made = await runCommand(['backup', '--to', file], { ...env, ...place })
    assert.equal(made.code, 0, made.stderr)
  }
  const names = endpoint.received.map(({ event }) => event.data.object.name)
  assert.deepEqual(names.sort(), ['0', '1', '2', '3', '4'])
})
