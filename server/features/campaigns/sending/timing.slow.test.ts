import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner, countsOf } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import { startTestSimulator } from '../../../testing/simulator.ts'
import type { Campaign } from '../schema.ts'

/**
 * When messages are sent: at the scheduled time, at the channel's rate, by several workers, with a fair share for each
 * organization.
 */

const simulator = await startTestSimulator()
const app = await startTestApp({ settings: { SIMULATOR_URL: simulator.url } })
await app.listen()

const isCompleted = ({ status }: Campaign) => status === 'completed'
const Instants = Type.Object({ now: Type.String() })
/** The database's clock, which decides. */
const databaseTime = async () => new Date((await app.database.forSystem().one(Instants)`select now() as now`).now)

interface Entry {
  callback_data: string
  accepted: number
  first_at: number
}
async function acceptedBy({ channelId }: Campaigner): Promise<Entry[]> {
  const { body } = await simulator.control('GET', `ledger?phone_number_id=${channelId}&limit=100000`)
  const entries = body.entries as Entry[]
  for (const { accepted } of entries) assert.equal(accepted, 1)
  return entries.toSorted((a, b) => a.first_at - b.first_at)
}

test('a scheduled campaign starts at its time and not before', async () => {
  const own = await campaigner(app)
  await own.contacts(2)
  const at = new Date((await databaseTime()).getTime() + 1_500)
  const { id } = await own.send(null, { scheduled_at: at.toISOString() })
  const done = await own.until(id, isCompleted)
  assert.equal(done.scheduled_at, at.toISOString())
  assert.ok((done.started_at as string) >= at.toISOString())
  for (const { first_at } of await acceptedBy(own)) assert.ok(first_at >= at.getTime())
})

test('an audience too large for the request is frozen in the background', async () => {
  const own = await campaigner(app, { messagesPerSecond: 1 })
  await own.crowd(10_000, 'crowd')
  const most = await own.send(null)
  assert.equal(most.total_contacts_count, 10_000)
  assert.notEqual(most.frozen_at, null)
  await own.call('POST', `campaigns/${most.id}/cancel`)
  await own.crowd(50, 'crowd')
  const campaign = await own.send(null)
  assert.deepEqual([campaign.status, campaign.frozen_at], ['sending', null])
  const frozen = await own.until(campaign.id, ({ frozen_at }) => frozen_at !== null)
  assert.equal(frozen.total_contacts_count, 10_050)
  await own.call('POST', `campaigns/${campaign.id}/cancel`)
  const page = await own.call('GET', `campaigns/${campaign.id}/deliveries?status=pending&limit=1`)
  assert.ok(page.body.total_count > 10_000, page.text)
})

test('a channel keeps its rate with any number of workers', async () => {
  const second = await app.node({ ROLE: 'worker' })
  const rate = 40
  const own = await campaigner(app, { messagesPerSecond: rate })
  await own.crowd(rate * 4, 'crowd')
  const { id } = await own.send(null)
  const { started_at } = await own.until(id, isCompleted)
  const times = (await acceptedBy(own)).map(({ first_at }) => first_at)
  assert.equal(times.length, rate * 4)
  // Requests that were delayed on the way may arrive together, but never more than one second's messages above the
  // rate.
  for (const [i, from] of times.entries()) {
    const within = times.slice(i).filter((at) => at < from + 1_000).length
    assert.ok(within <= rate * 2, `${within} messages within a second`)
  }
  const seconds = ((times.at(-1) as number) - Date.parse(started_at as string)) / 1000
  assert.ok(seconds >= (times.length - 1) / rate / 1.02, `${times.length} messages in ${seconds} s`)
  await second.close()
})

test('several workers share a campaign, and no message is sent twice', async () => {
  const nodes = [await app.node({ ROLE: 'worker' }), await app.node({ ROLE: 'worker' })]
  // One claim takes one second of messages, so this campaign needs eight claims.
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(160, 'crowd')
  // Receipts would keep the same workers busy.
  await simulator.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { webhooks: false })
  const { id } = await own.send(null)
  const { sent_count, unknown_count } = await own.until(id, isCompleted)
  // On a very busy machine an answer may arrive after its timeout.
  assert.equal(sent_count + unknown_count, 160)
  assert.ok((await acceptedBy(own)).length >= sent_count)
  const Workers = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forTenant(own.scope).one(Workers)`
    select count(distinct claimed_by)::integer as n from deliveries where campaign_id = ${id}`
  assert.ok(n > 1, 'only one worker was ever at it')
  for (const node of nodes) await node.close()
})

test('ten messages of one organization do not wait behind thousands of another', async () => {
  const [large, small] = [await campaigner(app, { messagesPerSecond: 500 }), await campaigner(app)]
  await large.crowd(10_000, 'crowd')
  await small.contacts(10)
  const long = await large.send(null)
  const before = await large.until(long.id, ({ sent_count }) => sent_count > 0)
  const short = await small.send(null)
  await small.until(short.id, isCompleted)
  const meanwhile = await large.see(long.id)
  // Messages that the worker had claimed before may go first, and others are sent at the same time as the ten.
  assert.ok(meanwhile.sent_count - before.sent_count < 3_000, JSON.stringify(countsOf(meanwhile)))

  // Nor do those of another campaign on the same channel.
  const alsoShort = await large.send(await large.contacts(10))
  await large.until(alsoShort.id, isCompleted)
  assert.ok((await large.see(long.id)).pending_count > 0)
  await large.call('POST', `campaigns/${long.id}/cancel`)
})

test('a schedule survives the process that accepted it', async () => {
  const own = await campaigner(app)
  await own.contacts(1)
  const { id } = await own.send(null, { scheduled_at: new Date(Date.now() + 2_000).toISOString() })
  await app.close()
  const next = await app.node()
  await next.listen()
  const see = async () => (await next.as(own.key)('GET', `campaigns/${id}`)).body as Campaign
  await until(async () => isCompleted(await see()))
  assert.equal((await see()).sent_count, 1)
})
