import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { bodyFrom } from '../call-service.ts'
import { startDatabaseProxy } from '../database-over-tcp.ts'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'
import { startWriters, storedNumbers } from '../writers.ts'

/**
 * PostgreSQL is lost while requests write and a campaign is sent; its streaming replica takes over at the same address,
 * as behind Patroni or a cloud provider's fail-over.
 */

const key = `svc_sk_test_${'f'.repeat(40)}`
const recipients = 1_500
const messagesPerSecond = 150

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
  const owner = new pg.Client(primary.url)
  await owner.connect()
  // The primary is about to be killed.
  owner.on('error', () => {})
  await until(async () => {
    const { rows } = await owner.query('select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === (isSynchronous ? 'sync' : 'async')
  })
  return { primary, replica, owner }
}

/** A campaign to many contacts, sending. */
async function startCampaign(url: string, owner: pg.Client) {
  const { data: channels } = await bodyFrom(url, key)('GET', 'channels')
  const channel_id = channels[0].id
  await bodyFrom(url, key)('PATCH', `channels/${channel_id}`, { messages_per_second: messagesPerSecond })
  const template = await bodyFrom(url, key)('POST', 'templates', {
    channel_id,
    name: 'news',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'We are open today.' }],
  })
  await until(async () => (await bodyFrom(url, key)('GET', `templates/${template.id}`)).status === 'APPROVED')
  const { rows } = await owner.query('select id from organizations')
  await owner.query(
    `insert into contacts (id, organization_id, livemode, phone_number, name, tags)
     select new_id(), $1, false, '+44' || (7000000 + n) || '2000', 'Person ' || n, array['crowd']
     from generate_series(1, $2::integer) n`,
    [rows[0].id, recipients],
  )
  const campaign = await bodyFrom(url, key)('POST', 'campaigns', {
    name: 'News',
    chat_phone_number_id: channel_id,
    message_template_id: template.id,
    audience_type: 'tags',
    audience_tags: ['crowd'],
  })
  const see = async () => await bodyFrom(url, key)('GET', `campaigns/${campaign.id}`)
  await until(async () => (await see()).sent_count > 100)
  return { channelId: channel_id as string, see }
}

async function failOver(t: TestContext, { isSynchronous }: { isSynchronous: boolean }) {
  const pair = await startPair(t, { isSynchronous })
  if (!pair) return t.skip('no PostgreSQL of the distribution is installed')
  const { primary, replica, owner } = pair
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
  const campaign = await startCampaign(url, owner)
  const writers = startWriters(url, key)
  await writers.more(200)
  primary.kill()
  replica.promote()
  proxy.lead(replica.port)
  await writers.more(200)
  await writers.stop()
  await until(async () => (await campaign.see()).status === 'completed')

  const stored = await storedNumbers(url, key)
  const lost = [...writers.acknowledged].filter((number) => !stored.has(number)).length
  const { body: ledger } = await simulator.control('GET', `ledger?phone_number_id=${campaign.channelId}&limit=100000`)
  const { sent_count, unknown_count } = await campaign.see()
  t.diagnostic(
    `${writers.acknowledged.size} writes acknowledged, ${lost} of them lost; no answer for ` +
      `${writers.longestGap().toFixed(1)} s; answers ${JSON.stringify(writers.answers)}; campaign: ${sent_count} sent, ` +
      `${unknown_count} unknown, ${ledger.repeated} repeated`,
  )
  return { lost, sent: sent_count + unknown_count, ledger }
}

test('a synchronous replica takes over: no acknowledged write is lost, no message is sent twice', async (t) => {
  const seen = await failOver(t, { isSynchronous: true })
  if (!seen) return
  assert.equal(seen.lost, 0)
  assert.equal(seen.ledger.repeated, 0)
  assert.equal(seen.sent, recipients)
})

test('an asynchronous replica takes over: what it had not received is lost, and the service goes on', async (t) => {
  const seen = await failOver(t, { isSynchronous: false })
  if (!seen) return
  assert.equal(seen.sent, recipients)
})
