import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ok, startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner, receiptsAreIn } from '../../../testing/campaigns.ts'
import { startChatApp } from '../../../testing/conversations.ts'
import { connectChannel, deliver, secondsAgo } from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'
import type { Channel } from '../schema.ts'

const app = await startTestApp()
await app.listen()
let org: Campaigner

before(async () => {
  org = await campaigner(app)
})

const see = async (): Promise<Channel> => (await org.call('GET', `channels/${org.channelId}`)).body
const check = async () => {
  const answer = ok(await org.call('POST', `channels/${org.channelId}/health`))
  return answer as Channel
}
/** The platform's own change; resolves once the service has applied its webhooks. */
async function change(members: object): Promise<void> {
  const { status, text } = await app.control('POST', 'health', { phone_number_id: org.channelId, ...members })
  assert.equal(status, 200, text)
  await until(() => receiptsAreIn(app))
}
async function webhook(field: string, value: object): Promise<void> {
  const { status, text } = await app.control('POST', 'webhooks', { phone_number_id: org.channelId, field, value })
  assert.equal(status, 200, text)
  await until(() => receiptsAreIn(app))
}
const events = async () =>
  (await org.call('GET', 'events?type=channel.health_changed&limit=100')).body.data as { data: { object: Channel } }[]
const draft = (contacts: string[], members: object = {}) => ({
  name: 'News',
  chat_phone_number_id: org.channelId,
  message_template_id: org.templateId,
  audience_type: 'manual',
  audience_contact_ids: contacts,
  ...members,
})
const preflight = (contacts: string[], members: object = {}) =>
  org.call('POST', 'campaigns/preflight', draft(contacts, members))

test('a check reads the number, and only changes make an event', async () => {
  assert.equal((await see()).health, null)
  const { health } = await check()
  assert.deepEqual(
    { ...health, checked_at: null },
    {
      quality_rating: 'GREEN',
      messaging_limit_tier: 'TIER_UNLIMITED',
      messaging_limit: null,
      throughput_level: 'STANDARD',
      name_status: 'APPROVED',
      number_status: 'CONNECTED',
      messaging_status: 'AVAILABLE',
      messaging_problems: [],
      account_review_status: 'APPROVED',
      account_violation: null,
      account_status: 'active',
      restrictions: [],
      checked_at: null,
    },
  )
  assert.ok(health?.checked_at)
  assert.equal((await events()).length, 1)
  await check()
  assert.equal((await events()).length, 1)
  assert.deepEqual((await see()).health?.quality_rating, 'GREEN')
})

test('webhooks change the health, once, in any order', async () => {
  const count = (await events()).length
  await change({ messaging_limit: 'TIER_2K' })
  assert.deepEqual(
    [(await see()).health?.messaging_limit_tier, (await see()).health?.messaging_limit],
    ['TIER_2K', 2000],
  )
  await webhook('business_capability_update', { max_daily_conversations_per_business: 2000 })
  assert.equal((await events()).length, count + 1)
  // The webhook about the number says nothing of its quality, so the number is read again.
  await change({ quality_rating: 'YELLOW', throughput: 'HIGH' })
  await until(async () => (await see()).health?.quality_rating === 'YELLOW')
  assert.equal((await see()).health?.throughput_level, 'HIGH')
  await webhook('business_capability_update', { max_daily_conversations_per_business: -1 })
  assert.deepEqual(
    [(await see()).health?.messaging_limit_tier, (await see()).health?.messaging_limit],
    ['TIER_UNLIMITED', null],
  )
  // The same member is documented as a tier too.
  await webhook('business_capability_update', { max_daily_conversations_per_business: 'TIER_10K' })
  assert.equal((await see()).health?.messaging_limit, 10_000)
  await webhook('business_capability_update', { max_daily_conversations_per_business: 'TIER_UNLIMITED' })
  assert.equal((await see()).health?.messaging_limit, null)
  await webhook('account_update', { event: 'PARTNER_ADDED' })
  for (const value of ['many', '', false, []])
    await webhook('business_capability_update', { max_daily_conversations_per_business: value })
  assert.equal((await see()).health?.messaging_limit_tier, 'TIER_UNLIMITED')
})

test('an older webhook that arrives later, a replay and another account change nothing', async () => {
  const other = await app.organization()
  const channel = await connectChannel(other)
  const twin = await connectChannel(other, {
    business_account_id: channel.businessAccountId,
    app_secret: channel.appSecret,
    verify_token: channel.verifyToken,
  })
  const stranger = await connectChannel(other)
  const tell = (secondsBefore: number, limit: number) =>
    deliver(app, channel, {
      id: channel.businessAccountId,
      time: Number(secondsAgo(secondsBefore)),
      changes: [{ field: 'business_capability_update', value: { max_daily_conversations_per_business: limit } }],
    })
  const limits = async () =>
    Promise.all(
      [channel, twin, stranger].map(
        async ({ id }) => (await other.call('GET', `channels/${id}`)).body.health?.messaging_limit,
      ),
    )
  await tell(60, 10_000)
  assert.deepEqual(await limits(), [10_000, 10_000, undefined])
  await tell(120, 250)
  await tell(60, 10_000)
  assert.deepEqual(await limits(), [10_000, 10_000, undefined])
  const { data } = (await other.call('GET', 'events?type=channel.health_changed')).body
  assert.equal(data.length, 2)
  await tell(30, 2000)
  assert.deepEqual(await limits(), [2000, 2000, undefined])
})

test('a preview warns if the audience exceeds what is left of the day', async () => {
  const contacts = await org.contacts(3)
  assert.equal((await preflight(contacts)).body.daily_limit, null)
  await change({ messaging_limit: 'TIER_50' })
  const before = (await preflight(contacts)).body
  assert.deepEqual(before.daily_limit, { limit: 50, used: 0, remaining: 50 })
  assert.deepEqual(before.warnings, [])
  // Forty-eight contacts got a template today.
  await org.crowd(48, 'today')
  await app.database.inTenant(
    org.scope,
    (tx) => tx.run`
      insert into messages (id, contact_id, channel_id, direction, message_type, status, payload, actor_type, accepted_at)
      select new_id(), id, ${org.channelId}, 'outbound', 'text', 'sent', '{"template": {"name": "news"}}', 'user', now()
      from contacts where tags @> array['today']`,
  )
  const after = (await preflight(contacts)).body
  assert.deepEqual(after.daily_limit, { limit: 50, used: 48, remaining: 2 })
  assert.match(after.warnings[0], /write to 50 people .* written to 48\. 1 of 3 messages may be refused/)
  await change({ quality_rating: 'RED' })
  await until(async () => (await see()).health?.quality_rating === 'RED')
  assert.match((await preflight(contacts)).body.warnings[1], /quality is low/)
})

test('a tier that changes while a campaign sends does not disturb it', async () => {
  const { id } = await org.send(await org.contacts(20))
  await change({ messaging_limit: 'TIER_250' })
  await change({ messaging_limit: 'TIER_UNLIMITED' })
  const done = await org.until(id, ({ status }) => status === 'completed')
  assert.deepEqual([done.sent_count, done.failed_count], [20, 0])
})

test('a restricted or disabled account refuses campaigns, until the restriction ends', async () => {
  const contacts = await org.contacts(1)
  const expiration = Math.floor(Date.now() / 1000) + 3600
  await change({ restrictions: [{ restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration }] })
  assert.equal((await preflight(contacts)).status, 200)
  await change({ restrictions: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration }] })
  const endsAt = new Date(expiration * 1000).toISOString()
  const restrictions = [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: endsAt }]
  assert.deepEqual((await see()).health?.restrictions, restrictions)
  // The platform was seen to send seconds as a number; other servers may send digits.
  const restriction_info = [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: String(expiration) }]
  await webhook('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info })
  assert.deepEqual((await see()).health?.restrictions, restrictions)
  for (const path of ['campaigns/preflight', 'campaigns']) {
    const refused = await org.call('POST', path, draft(contacts))
    assert.equal(refused.status, 409, refused.text)
    assert.match(refused.body.detail, /start conversations until/)
  }
  ok(await preflight(contacts, { scheduled_at: new Date((expiration + 60) * 1000).toISOString() }))
  await change({ ban_state: 'DISABLE' })
  assert.equal((await see()).health?.account_status, 'disabled')
  assert.match((await preflight(contacts)).body.detail, /disabled/)
  await change({ ban_state: 'REINSTATE' })
  const { health } = await see()
  assert.deepEqual([health?.account_status, health?.restrictions], ['active', []])
  await until(async () => (await see()).health?.messaging_status === 'AVAILABLE')
  assert.equal((await preflight(contacts)).status, 200)
})

test('a check reads whether the account can send, its review and the status of the number', async () => {
  const contacts = await org.contacts(1)
  const problem = 'There is an error with the payment method.'
  await change({ messaging_problem: problem })
  const { health } = await check()
  assert.deepEqual([health?.messaging_status, health?.messaging_problems], ['BLOCKED', [problem]])
  const refused = await preflight(contacts)
  assert.deepEqual([refused.status, refused.body.detail.endsWith(`send messages: ${problem}`)], [409, true])
  const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString()
  const later = ok(await preflight(contacts, { scheduled_at: tomorrow }))
  assert.match(later.warnings.join(), /send messages: .* payment method/)
  await change({ messaging_problem: '', review_status: 'REJECTED' })
  await check()
  assert.match((await preflight(contacts)).body.detail, /rejected the business account/)
  await change({ review_status: 'APPROVED' })
  await until(async () => (await preflight(contacts)).status === 200)
  await change({ restrictions: [{ restriction_type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING' }] })
  await until(async () => (await see()).health?.messaging_status === 'LIMITED')
  assert.match((await preflight(contacts)).body.warnings.join(), /account is restricted/)
  await change({ ban_state: 'DISABLE' })
  await until(async () => (await see()).health?.number_status === 'BANNED')
  await change({ ban_state: 'REINSTATE' })
  await until(async () => (await see()).health?.messaging_status === 'AVAILABLE')
})

test('a violation is shown and changes nothing else, and a warning keeps restrictions', async () => {
  const expiration = Math.floor(Date.now() / 1000) + 3600
  await change({ restrictions: [{ restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration }] })
  const count = (await events()).length
  await change({ violation_type: 'SPAM' })
  const { health } = await see()
  assert.deepEqual([health?.account_violation?.type, health?.account_status], ['SPAM', 'active'])
  assert.ok((await events()).length > count)
  const warning = { violation_type: 'DIRECT_SEND_UTILITY_CATEGORY_ABUSE_WARN' }
  await webhook('account_update', { event: 'ACCOUNT_RESTRICTION', violation_info: warning })
  const after = (await see()).health
  assert.deepEqual([after?.account_violation?.type, after?.restrictions.length], [warning.violation_type, 1])
  const lifted = { violation_type: 'DIRECT_SEND_UTILITY_CATEGORY_ABUSE_UNBAN' }
  await webhook('account_update', { event: 'ACCOUNT_RESTRICTION', violation_info: lifted })
  assert.equal((await see()).health?.account_violation, null)
  await webhook('account_update', { event: 'ACCOUNT_VIOLATION' })
  await webhook('account_review_update', { decision: 5 })
  assert.deepEqual((await see()).health?.account_review_status, 'APPROVED')
  await change({ ban_state: 'REINSTATE' })
})

test('a check ends a ban, and a restriction without an end, whose own end was never reported', async () => {
  const other = await app.organization()
  const channel = await connectChannel(other)
  const tell = (secondsBefore: number, value: object) =>
    deliver(app, channel, {
      id: channel.businessAccountId,
      time: Number(secondsAgo(secondsBefore)),
      changes: [{ field: 'account_update', value }],
    })
  const states = async () => {
    const { body } = await other.call('POST', `channels/${channel.id}/health`)
    return [body.health.account_status, body.health.restrictions.length]
  }
  const restriction_info = [
    { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' },
    { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: Number(secondsAgo(-3600)) },
  ]
  // The API may lag behind a webhook.
  await tell(60, { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } })
  await tell(60, { event: 'ACCOUNT_RESTRICTION', restriction_info })
  assert.deepEqual(await states(), ['disabled', 2])
  const stranger = await connectChannel(other)
  Object.assign(channel, stranger)
  await tell(7200, { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } })
  await tell(7200, { event: 'ACCOUNT_RESTRICTION', restriction_info })
  assert.deepEqual(await states(), ['active', 1])
})

test('test mode shows a change of the health', async () => {
  const path = `simulator/channels/${org.channelId}/health`
  const endsAt = new Date(Math.floor(Date.now() / 1000 + 7200) * 1000).toISOString()
  const restrictions = [{ type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', until: endsAt }]
  ok(await org.call('POST', path, { messaging_limit: 'TIER_10K', restrictions }), 202)
  await until(async () => (await see()).health?.messaging_limit === 10_000)
  await until(async () => (await see()).health?.restrictions.length === 1)
  assert.deepEqual((await see()).health?.restrictions, restrictions)
  assert.equal((await org.call('POST', path, { messaging_limit: 'TIER_9' })).status, 422)
  const nowhere = 'simulator/channels/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d/health'
  assert.equal((await org.call('POST', nowhere, { ban_state: 'REINSTATE' })).status, 404)
  const live = await app.organization({ mode: 'live' })
  assert.equal((await live.call('POST', nowhere, { ban_state: 'REINSTATE' })).status, 409)
  assert.equal((await org.call('POST', path, { ban_state: 'REINSTATE' })).status, 202)
})

test('a check answers 404, 409 and 502', async () => {
  const nowhere = await org.call('POST', 'channels/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d/health')
  assert.equal(nowhere.status, 404)
  const live = await startChatApp()
  const chat = await live.newOrganization()
  const bare = (await chat.call('POST', 'channels', { phone_number: '+14155550199' })).body.id
  assert.equal((await chat.call('POST', `channels/${bare}/health`)).status, 409)
  await app.control('POST', 'outage', { kind: 'error' })
  const broken = await org.call('POST', `channels/${org.channelId}/health`)
  await app.control('DELETE', 'knobs')
  assert.equal(broken.status, 502, broken.text)
})
