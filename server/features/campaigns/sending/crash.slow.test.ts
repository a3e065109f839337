import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../../../testing/app.ts'
import { campaigner, compareWithLedger, countsOf, receiptsAreIn } from '../../../testing/campaigns.ts'
import { databaseUrl, startProcess, temporaryFolder, until } from '../../../testing/process.ts'
import { startTestSimulator } from '../../../testing/simulator.ts'
import type { Campaign } from '../schema.ts'

/**
 * Workers are separate processes here and are killed while they send. Our deliveries must agree with the platform's
 * ledger.
 */

const simulator = await startTestSimulator()
const app = await startTestApp({ settings: { SIMULATOR_URL: simulator.url, ROLE: 'api' } })
await app.listen()
const folder = await temporaryFolder()

const startWorker = (env: Record<string, string> = {}) =>
  startProcess(folder, {
    ROLE: 'worker',
    DATABASE_URL: databaseUrl(app.connection),
    SECRET_KEY: app.settings.SECRET_KEY as string,
    SIMULATOR_URL: simulator.url,
    ...env,
  })

/** Shorter than in production, so that a lost worker is noticed quickly. Not for workers that have to survive a stall. */
const shortLease = { CAMPAIGN_LEASE_SECONDS: '3' }
let helper = await startWorker(shortLease)
after(() => helper.stop())

test('of a killed worker’s messages only those in flight become unknown', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(60, 'crowd')
  // The platform receives the requests, does nothing and does not answer.
  await simulator.control('POST', 'outage', { kind: 'timeout', on: 'messages', for_ms: 600_000 })
  const { id } = await own.send(null)
  const InFlight = Type.Object({ n: Type.Integer() })
  await until(async () => {
    const { n } = await app.database.forTenant(own.scope).one(InFlight)`
      select count(*)::integer as n from deliveries where campaign_id = ${id} and in_flight`
    return n >= 5
  })
  await helper.stop('SIGKILL')
  const { n: inFlight } = await app.database.forTenant(own.scope).one(InFlight)`
    select count(*)::integer as n from deliveries where campaign_id = ${id} and in_flight`
  await simulator.control('DELETE', 'knobs')
  helper = await startWorker()
  const done = await own.until(id, ({ status }) => status === 'completed')
  assert.equal(done.unknown_count + done.sent_count, 60)
  // The database may have committed a statement whose answer the worker did not live to see.
  assert.ok(done.unknown_count >= inFlight && done.sent_count > 0, JSON.stringify(countsOf(done)))
  const [unknown] = await own.deliveries(id, '&status=unknown')
  assert.equal(unknown?.code, 'worker_lost')
  await until(() => receiptsAreIn(app))
  await compareWithLedger(app, own, id)
})

test('a worker that receives SIGTERM drains its requests in flight and leaves no delivery unknown', async () => {
  const own = await campaigner(app, { messagesPerSecond: 50 })
  await own.crowd(150, 'crowd')
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count > 20)
  assert.equal(await helper.stop('SIGTERM'), 0)
  const left = await own.see(id)
  assert.deepEqual([left.sending_count, left.unknown_count], [0, 0])
  const next = await app.node({ ROLE: 'worker' })
  await own.until(id, ({ status }) => status === 'completed')
  await until(() => receiptsAreIn(app))
  await compareWithLedger(app, own, id)
  assert.equal((await own.see(id)).read_count, 150)
  await next.close()
})

test('a node whose clock is hours ahead sends nothing early', async () => {
  // Registers the template.
  const other = await app.node({ ROLE: 'worker' })
  const own = await campaigner(app)
  await own.contacts(1)
  await other.close()
  const ahead = encodeURIComponent(`
    const { now } = Date
    globalThis.Date = class extends Date {
      constructor(...given) { given.length > 0 ? super(...given) : super(now() + 7200000) }
      static now() { return now() + 7200000 }
    }`)
  helper = await startWorker({ ...shortLease, NODE_OPTIONS: `--import data:text/javascript,${ahead}` })
  const { id } = await own.send(null, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  // Long enough for the node to have polled: waits for several heartbeats of its lease.
  const Alive = Type.Object({ alive_until: Type.String() })
  const signsOfLife = new Set<string>()
  await until(async () => {
    const rows = await app.database
      .forSystem()
      .all(Alive)`select expires_at as alive_until from worker_leases where name = 'campaign sender'`
    for (const { alive_until } of rows) signsOfLife.add(alive_until)
    return signsOfLife.size >= 3
  })
  assert.equal((await own.see(id)).status, 'scheduled')
  const { status, text } = await own.call('PATCH', `campaigns/${id}`, {
    scheduled_at: new Date(Date.now() + 1_000).toISOString(),
  })
  assert.equal(status, 200, text)
  const done = await own.until(id, (campaign: Campaign) => campaign.status === 'completed')
  assert.ok((done.started_at as string) >= (done.scheduled_at as string))
})
