import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner, countsOf, ledgerOf } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import type { Campaign } from '../schema.ts'

/**
 * What trips the circuit breaker: a failure counts at the position of its own message, and an outage of the platform
 * does not count.
 */

const app = await startTestApp()
await app.listen()

const isCompleted = ({ status }: Campaign) => status === 'completed'
const knobs = (members: object, { channelId }: { channelId?: string } = {}) =>
  app.control('PATCH', channelId ? `knobs?phone_number_id=${channelId}` : 'knobs', members)

/** One contact in every `oneIn` has a number with this ending; messages to the others are delivered. */
async function mixedCrowd(own: Campaigner, { total, oneIn, ending }: { total: number; oneIn: number; ending: string }) {
  await own.crowd(total, 'crowd')
  await app.database.inTenant(
    own.scope,
    (tx) => tx.run`
      update contacts set phone_number = left(phone_number, -4) || ${ending}::text
      where id in (select id from (select id, row_number() over (order by id) as n from contacts) each
        where n % ${oneIn}::integer = 0)`,
  )
}

const neverPaused = (condition: (campaign: Campaign) => boolean) => (campaign: Campaign) => {
  assert.notEqual(campaign.status, 'paused', campaign.pause_detail ?? '')
  return condition(campaign)
}

test('a late receipt counts at the position of its own message, and a healthy campaign is not paused', async () => {
  const own = await campaigner(app, { messagesPerSecond: 400 })
  await mixedCrowd(own, { total: 2_500, oneIn: 25, ending: '0103' })
  await knobs({ webhooks: false }, own)
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count >= 1_600)
  // More than fifty failures become known while fewer than a hundred messages are sent.
  await own.call('PATCH', `channels/${own.channelId}`, { messages_per_second: 10 })
  await knobs({ webhooks: true }, own)
  await own.until(
    id,
    neverPaused(({ failed_count }) => failed_count >= 60),
  )
  await own.call('POST', `campaigns/${id}/cancel`)
})

test('a campaign with 10 % of its messages withheld by the platform is not paused', async () => {
  const own = await campaigner(app, { messagesPerSecond: 400 })
  await mixedCrowd(own, { total: 800, oneIn: 10, ending: '0103' })
  await knobs({ order: 'shuffled', delay_ms: 500 }, own)
  const { id } = await own.send(null)
  const done = await own.until(
    id,
    neverPaused(({ status, failed_count }) => status === 'completed' && failed_count === 80),
  )
  assert.equal(done.sent_count, 800)
})

test('a campaign whose messages all fail is paused, also when its receipts are late', async () => {
  const own = await campaigner(app, { messagesPerSecond: 300 })
  await own.crowd(3_000, 'crowd', '0102')
  await knobs({ webhooks: false }, own)
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count >= 600)
  await knobs({ webhooks: true }, own)
  const paused = await own.until(id, ({ status, sending_count }) => status === 'paused' && sending_count === 0)
  assert.equal(paused.pause_reason, 'failure_rate')
  assert.ok(paused.pending_count > 0, JSON.stringify(countsOf(paused)))

  // After a resume only messages sent from then on are judged: late receipts of earlier failures do not pause it again.
  await until(async () => {
    const { sent_count, failed_count } = await own.see(id)
    return sent_count === failed_count
  })
  await app.database.forTenant(own.scope).run`
    update deliveries set phone_number = replace(phone_number, '0102', '2000') where status = 'pending'`
  await own.call('POST', `campaigns/${id}/resume`)
  await own.until(
    id,
    neverPaused(({ delivered_count }) => delivered_count > 200),
  )
  await own.call('POST', `campaigns/${id}/cancel`)
})

test('during an outage of the platform the campaign waits and shows why; it is not paused, and no message is sent twice', async () => {
  const own = await campaigner(app, { messagesPerSecond: 40 })
  await own.crowd(200, 'crowd')
  await knobs({ error_rate: 1, error_code: 131016 })
  const { id } = await own.send(null)
  const waiting = await own.until(
    id,
    neverPaused(({ waiting_until }) => waiting_until !== null),
  )
  assert.equal(waiting.waiting_reason, 'Service unavailable (131016)')
  // The second hold is longer than the first: until then only probes were sent.
  await own.until(
    id,
    neverPaused(({ waiting_until }) => waiting_until !== null && waiting_until > (waiting.waiting_until as string)),
  )
  const during = await own.see(id)
  assert.ok(during.unknown_count < 50 && during.sent_count === 0, JSON.stringify(countsOf(during)))
  assert.ok(during.unknown_count >= 5, JSON.stringify(countsOf(during)))
  await knobs({ error_rate: 0 })
  const done = await own.until(id, neverPaused(isCompleted))
  assert.equal(done.waiting_until, null)
  assert.equal(done.sent_count + done.unknown_count, 200)
  assert.deepEqual((await ledgerOf(app, own.channelId)).repeated, 0)
})

test('a message that the platform accepted and answered with an error is sent once, and its receipt settles it', async () => {
  const own = await campaigner(app)
  await own.contacts(4)
  await knobs({ webhooks: false }, own)
  await app.control('POST', 'outage', { kind: 'false_error', on: 'messages', requests: 4 })
  const { id } = await own.send(null)
  const unsure = await own.until(id, isCompleted)
  assert.deepEqual([unsure.sent_count, unsure.unknown_count, unsure.failed_count], [0, 4, 0])
  assert.deepEqual(new Set((await own.deliveries(id)).map(({ code }) => code)), new Set(['131000']))
  await knobs({ webhooks: true }, own)
  const settled = await own.until(id, ({ read_count }) => read_count === 4)
  assert.deepEqual([settled.sent_count, settled.unknown_count], [4, 0])
  const ledger = await ledgerOf(app, own.channelId)
  assert.deepEqual([ledger.accepted, ledger.repeated], [4, 0])
})

test('a campaign that the circuit breaker pauses with its last messages is completed, because nothing is left to resume', async () => {
  const own = await campaigner(app, { messagesPerSecond: 500 })
  // As many as trip it: with more, some might not have been sent by then.
  await own.crowd(50, 'crowd')
  await knobs({ error_rate: 1, error_code: 131026 })
  const { id } = await own.send(null)
  const done = await own.until(id, isCompleted)
  await knobs({ error_rate: 0 })
  assert.deepEqual([done.failed_count, done.pending_count, done.pause_reason], [50, 0, null])
  assert.notEqual(done.completed_at, null)
})
