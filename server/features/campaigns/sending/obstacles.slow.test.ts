import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { campaigner, ledgerOf } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import { startTestSimulator } from '../../../testing/simulator.ts'
import type { Campaign } from '../schema.ts'

/** What stops a campaign: it is paused with a reason, and no delivery is lost. */

const platform = await startTestSimulator()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url } })
await app.listen()

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
const isStopped = (status: Campaign['status']) => (campaign: Campaign) =>
  campaign.status === status && campaign.sending_count === 0
const isCompleted = ({ status }: Campaign) => status === 'completed'

/** Makes the simulator report this event for the campaign's template, such as `pause` or `disable`. */
async function actOn(own: Awaited<ReturnType<typeof campaigner>>, event: string) {
  const { remote_template_id } = (await own.call('GET', `templates/${own.templateId}`)).body
  const answer = await app.control('POST', `templates/${remote_template_id}/events`, { event })
  assert.equal(answer.status, 200, answer.text)
}

test('an expired token pauses the channel’s campaigns; after a new token they can be resumed', async () => {
  const org = await app.organization({ mode: 'live' })
  const chat = {
    phone_number_id: platform.phoneNumberId,
    business_account_id: platform.account,
    access_token: platform.token,
    app_secret: 'app-secret',
    verify_token: 'verify',
  }
  const { body: channel, text } = await org.call('POST', 'channels', { phone_number: '+18005550199', chat })
  assert.ok(channel.id, text)
  await platform.template('live_news')
  await until(async () => {
    await org.call('POST', 'templates/sync', {})
    return (await org.call('GET', 'templates?status=APPROVED')).body.total === 1
  })
  const template = (await org.call('GET', 'templates')).body.items[0]
  const contact = await org.call('POST', 'contacts', { phone_number: '+14155550100', name: 'Ada' })
  assert.equal(contact.status, 201)
  const renewToken = (access_token: string) =>
    platform.control('PUT', `numbers/${platform.phoneNumberId}`, {
      business_account_id: platform.account,
      display_phone_number: '+1 800 555 0199',
      access_token,
      app_secret: platform.appSecret,
      callback_url: platform.listener.url,
    })
  assert.equal((await renewToken('token-after-expiry')).status, 200)
  const created = await org.call('POST', 'campaigns', {
    name: 'News',
    chat_phone_number_id: channel.id,
    message_template_id: template.id,
  })
  assert.equal(created.status, 201, created.text)
  const see = async () => (await org.call('GET', `campaigns/${created.body.id}`)).body as Campaign
  await until(async () => isStopped('paused')(await see()))
  const paused = await see()
  assert.deepEqual([paused.pause_reason, paused.pending_count], ['token_expired', 1])
  assert.match(paused.pause_detail as string, /\(190\)$/)
  const renewed = await org.call('PATCH', `channels/${channel.id}`, { chat: { access_token: 'token-after-expiry' } })
  assert.equal(renewed.status, 200, renewed.text)
  const resumed = await org.call('POST', `campaigns/${paused.id}/resume`)
  assert.equal(resumed.status, 200, resumed.text)
  await until(async () => isCompleted(await see()))
  assert.equal((await see()).sent_count, 1)
  // Without its chat connection the channel cannot send at all.
  const again = await org.call('POST', 'campaigns', {
    name: 'More',
    chat_phone_number_id: channel.id,
    message_template_id: template.id,
    scheduled_at: soon(3_600_000),
  })
  await org.call('PATCH', `channels/${channel.id}`, { chat: null })
  await app.database.forTenant({ organizationId: org.id, livemode: true }).run`
    update campaigns set scheduled_at = now() - interval '1 second' where id = ${again.body.id}`
  await until(async () => (await org.call('GET', `campaigns/${again.body.id}`)).body.status === 'paused')
  const lost = (await org.call('GET', `campaigns/${again.body.id}`)).body
  assert.equal(lost.pause_reason, 'channel_not_ready')
  assert.equal((await org.call('POST', `campaigns/${lost.id}/resume`)).status, 409)
})

test('a template that the platform pauses during sending pauses the campaign; once reinstated, it can be resumed', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(300, 'crowd')
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count > 0)
  await actOn(own, 'pause')
  const paused = await own.until(id, isStopped('paused'))
  assert.equal(paused.pause_reason, 'template_paused')
  assert.equal(paused.failed_count, 0)
  assert.equal(paused.sent_count + paused.pending_count, 300)
  await until(async () => (await own.call('GET', `templates/${own.templateId}`)).body.platform_status === 'PAUSED')
  const tooSoon = await own.call('POST', `campaigns/${id}/resume`)
  assert.equal(tooSoon.status, 409)
  assert.match(tooSoon.body.detail, /PAUSED/)
  await actOn(own, 'unpause')
  await until(async () => (await own.call('GET', `templates/${own.templateId}`)).body.platform_status === 'APPROVED')
  await own.call('PATCH', `channels/${own.channelId}`, { messages_per_second: 500 })
  await own.call('POST', `campaigns/${id}/resume`)
  const done = await own.until(id, isCompleted)
  assert.equal(done.sent_count, 300)
  assert.equal((await ledgerOf(app, own.channelId)).repeated, 0)
})

test('a template that the platform has disabled pauses the campaign without failing deliveries', async () => {
  const own = await campaigner(app)
  await own.contacts(3)
  await app.control('PATCH', 'knobs', { webhooks: false })
  await actOn(own, 'disable')
  const { id } = await own.send(null)
  const paused = await own.until(id, isStopped('paused'))
  await app.control('PATCH', 'knobs', { webhooks: true })
  assert.deepEqual([paused.pause_reason, paused.pending_count, paused.failed_count], ['template_unusable', 3, 0])
})

test('deleting a template pauses a sending campaign; a scheduled one fails when it is due', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(300, 'crowd')
  const { id } = await own.send(null)
  const later = await own.send(null, { scheduled_at: soon(3_600_000) })
  await own.until(id, ({ sent_count }) => sent_count > 0)
  const gone = await own.call('DELETE', `templates/${own.templateId}`)
  assert.equal(gone.status, 200, gone.text)
  await own.until(id, isStopped('paused'))
  // The platform may have refused a message before the deletion was processed here.
  const paused = await own.until(id, ({ pause_reason }) => pause_reason === 'template_deleted')
  assert.equal(paused.message_template_id, null)
  assert.equal(paused.failed_count, 0)
  for (const [verb, body] of [
    ['resume', undefined],
    ['retry', { scope: 'failed' }],
  ] as const)
    assert.equal((await own.call('POST', `campaigns/${id}/${verb}`, body)).status, 409)
  const moved = await own.call('PATCH', `campaigns/${later.id}`, { scheduled_at: soon(1_000) })
  assert.deepEqual([moved.status, moved.body.message_template_id], [200, null])
  const failed = await own.until(later.id, ({ status }) => status === 'failed')
  assert.deepEqual([failed.failure_reason, failed.message_template_id], ['no_template', null])
})

test('deleting a channel pauses its sending and scheduled campaigns', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(300, 'crowd')
  const { id } = await own.send(null)
  const later = await own.send(null, { scheduled_at: soon(3_600_000) })
  await own.until(id, ({ sent_count }) => sent_count > 0)
  assert.equal((await own.call('DELETE', `channels/${own.channelId}`)).status, 200)
  const paused = await own.until(id, isStopped('paused'))
  assert.equal(paused.pause_reason, 'channel_deleted')
  assert.equal(paused.sent_count + paused.pending_count, 300)
  await own.until(later.id, ({ status, pause_reason }) => status === 'paused' && pause_reason === 'channel_deleted')
  const answer = await own.call('POST', `campaigns/${id}/resume`)
  assert.equal(answer.status, 409)
  assert.match(answer.body.detail, /channel was deleted/)
  assert.equal((await own.call('POST', `campaigns/${id}/cancel`)).status, 200)
})

test('during maintenance of the platform the campaign waits, and no message is lost or sent twice', async () => {
  const own = await campaigner(app)
  await own.contacts(4)
  await app.control('PATCH', 'knobs', { error_rate: 1, error_code: 131057 })
  const { id } = await own.send(null)
  const waiting = await own.until(
    id,
    ({ waiting_until, pending_count }) => waiting_until !== null && pending_count === 4,
  )
  assert.equal(waiting.waiting_reason, 'Account in maintenance mode (131057)')
  assert.equal(waiting.status, 'sending')
  await app.control('PATCH', 'knobs', { error_rate: 0 })
  const done = await own.until(id, isCompleted)
  assert.equal(done.sent_count, 4)
  assert.equal((await ledgerOf(app, own.channelId)).repeated, 0)
})
