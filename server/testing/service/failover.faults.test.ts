import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { connectOwner } from '../connect-owner.ts'
import { startDatabaseProxy } from '../database-over-tcp.ts'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startLoad } from '../load.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'

/**
 * PostgreSQL is lost while requests write and a campaign is sent; its streaming replica takes over at the same address,
 * as behind Patroni or a cloud provider's fail-over.
 */

const key = `svc_sk_test_${'f'.repeat(40)}`
const recipients = 1_500

async function startPair(t: TestContext, { isSynchronous }: { isSynchronous: boolean }) {
  const primary = await startInstalledPostgres({
    max_connections: '200',
    ...(isSynchronous && { synchronous_standby_names: '*' }),
  })
  if (!primary) return undefined
  t.after(() => primary.stop())
  const replica = await startInstalledPostgres({ max_connections: '200' }, { replicaOf: primary })
  assert.ok(replica)
  t.after(() => replica.stop())
  const owner = await connectOwner({ connection: { connectionString: primary.url } })
  await until(async () => {
    const { rows } = await owner.query('select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === (isSynchronous ? 'sync' : 'async')
  })
  return { primary, replica }
}

async function failOver(t: TestContext, { isSynchronous }: { isSynchronous: boolean }) {
  const pair = await startPair(t, { isSynchronous })
  if (!pair) return t.skip('no PostgreSQL of the distribution is installed')
  const { primary, replica } = pair
  const proxy = await startDatabaseProxy(primary.port)
  const simulator = await startTestSimulator()
  const { url } = await startProcess(await temporaryFolder(), {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    SECRET_KEY: randomBytes(32).toString('base64'),
    SIMULATOR_URL: simulator.url,
    BOOTSTRAP_API_KEY: key,
    DEMO_DATA: 'false',
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'fatal',
  })
  const load = await startLoad({ url, key, databaseUrl: primary.url, simulator }, recipients)
  primary.kill()
  replica.promote()
  proxy.lead(replica.port)
  await load.writers.more(200)
  const seen = await load.finish()
  t.diagnostic(seen.summary)
  return seen
}

test('a synchronous replica takes over: no acknowledged write is lost, no message is sent twice', async (t) => {
  const seen = await failOver(t, { isSynchronous: true })
  if (!seen) return
  assert.equal(seen.lost, 0)
  assert.equal(seen.repeated, 0)
  assert.equal(seen.sent + seen.unknown, recipients)
})

test('an asynchronous replica takes over: what it had not received is lost, and the service goes on', async (t) => {
  const seen = await failOver(t, { isSynchronous: false })
  if (!seen) return
  assert.equal(seen.sent + seen.unknown, recipients)
})
