import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type pg from 'pg'
import Type from 'typebox'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { startChatPlatform } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { messagesTo, payloadOf, post, processed, textFrom } from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'
import { enqueueVerification } from '../job-kinds.ts'
import { releaseNumber } from './release-number.ts'

/** A live number belongs to one organization, which must prove to the platform that it may use the number. */

const appSecret = 'the-secret-of-the-whole-installation'
const platform = await startChatPlatform()
const settings = {
  GRAPH_API_BASE_URL: platform.url,
  CHAT_APP_SECRET: appSecret,
  CHAT_VERIFY_TOKEN: 'verify',
  PUBLIC_URL: 'https://localhost',
}
const app = await startTestApp({ settings })
const installation = { hook: '/hooks/chat', appSecret }
const live = () => app.organization({ mode: 'live' })
/** The same service with an unreachable platform. */
const cutOff = await app.node({ GRAPH_API_BASE_URL: 'http://127.0.0.1:9', ROLE: 'api' })
const owner = await connectOwner(app)

let numbers = 0
const freshNumber = () => `PN${++numbers}`
let phones = 0
const channelWith = (phone_number_id: string, more: object = {}) => ({
  phone_number: `+1415557${String(1000 + ++phones)}`,
  chat: { phone_number_id, business_account_id: 'WABA1', access_token: platform.token, ...more },
})
const connect = (org: Pick<TestOrganization, 'call'>, phoneNumberId: string, more: object = {}) =>
  org.call('POST', 'channels', channelWith(phoneNumberId, more))
/** Through the node without a platform. The channel stays pending until the test hurries: five seconds may be too short. */
const throughCutOff =
  (org: TestOrganization): TestOrganization['call'] =>
  async (...request) => {
    const answer = await cutOff.as(org.key)(...request)
    await owner.query(
      `update pgboss.job set start_after = now() + interval '1 hour' where name = 'channels.verify' and start_after > now()`,
    )
    return answer
  }
const connectCutOff = (org: TestOrganization, phoneNumberId: string, more: object = {}) =>
  connect({ call: throughCutOff(org) }, phoneNumberId, more)

let customers = 0
/** Posts a signed message for the number and returns the organizations that received it. */
async function landsIn(phoneNumberId: string, ...organizations: TestOrganization[]): Promise<string[]> {
  const from = `1555013${1000 + ++customers}`
  const to = { phoneNumberId, businessAccountId: 'WABA1' }
  assert.equal((await post(app, installation, payloadOf(messagesTo(to, [textFrom(from, 'hello')])))).status, 200)
  await processed(app)
  const found: string[] = []
  for (const { id, call } of organizations)
    if ((await call('GET', `contacts?search=${from}`)).body.total_count === 1) found.push(id)
  return found
}

const Series = Type.Object({ verification_id: Type.String() })
/** Runs the next attempt of the background verification now instead of in a few seconds. */
async function hurry(org: TestOrganization, channelId: string): Promise<void> {
  const scope = { organizationId: org.id, livemode: true }
  await app.database.inTenant(scope, async (tx) => {
    const { verification_id: verificationId } = await tx.one(Series)`
      select verification_id from channels where id = ${channelId}`
    await enqueueVerification(tx, { channelId, verificationId, attempt: 1 }, 0)
  })
}
const see = async (org: TestOrganization, id: string) => (await org.call('GET', `channels/${id}`)).body
const sees = (org: TestOrganization, id: string, status: string) =>
  until(async () => (await see(org, id)).status === status)

test('the health is read when a number is connected, gets another token or is confirmed later', async () => {
  const org = await live()
  const shows = (id: string, quality_rating: string) =>
    until(async () => (await see(org, id)).health?.quality_rating === quality_rating)
  platform.numbers.health = { quality_rating: 'GREEN', health_status: { can_send_message: 'BLOCKED' } }
  const { body } = await connect(org, freshNumber())
  await shows(body.id, 'GREEN')
  // Fields that the platform does not show stay unknown.
  const { messaging_status, number_status, account_review_status } = (await see(org, body.id)).health
  assert.deepEqual([messaging_status, number_status, account_review_status], ['BLOCKED', null, null])
  platform.numbers.health = { quality_rating: 'YELLOW' }
  const other = channelWith(freshNumber())
  assert.equal((await org.call('PATCH', `channels/${body.id}`, { chat: other.chat })).status, 200)
  await shows(body.id, 'YELLOW')
  platform.numbers.health = { quality_rating: 'RED' }
  const pending = await connectCutOff(org, freshNumber())
  assert.equal(pending.body.status, 'pending_verification')
  await hurry(org, pending.body.id)
  await shows(pending.body.id, 'RED')
  delete platform.numbers.health
})

test('an invented token cannot take over the number of another organization', async () => {
  const [victim, thief] = [await live(), await live()]
  const number = freshNumber()
  const first = ok(await connect(victim, number), 201)
  assert.deepEqual([first.status, first.status_reason], ['active', null])
  const claim = await connect(thief, number, { access_token: 'invented' })
  assert.equal(claim.status, 409, claim.text)
  for (const secret of [victim.id, first.id]) assert.ok(!claim.text.includes(secret))
  assert.deepEqual(Object.keys(claim.body), ['detail'])
  // The number stays with the first organization, also while its channel is deleted and created again.
  await victim.call('DELETE', `channels/${first.id}`)
  assert.equal((await connect(thief, number)).status, 409)
  assert.deepEqual(await landsIn(number, victim, thief), [])
  ok(await connect(victim, number), 201)
  assert.deepEqual(await landsIn(number, victim, thief), [victim.id])
  assert.equal((await thief.call('GET', 'channels')).body.total_count, 0)
})

test('a token that the platform refuses is 502 with the platform’s message, and nothing is stored', async () => {
  const org = await live()
  const number = freshNumber()
  const refused = await connect(org, number, { access_token: 'invented' })
  assert.equal(refused.status, 502, refused.text)
  assert.deepEqual(refused.body.upstream, { code: 190, message: 'Invalid OAuth access token' })
  assert.equal((await org.call('GET', 'channels')).body.total_count, 0)
  assert.equal((await connect(await live(), number)).status, 201)
})

test('a number of another business account is refused', async () => {
  const number = freshNumber()
  platform.numbers.accounts.set(number, 'WABA2')
  const refused = await connect(await live(), number)
  assert.equal(refused.status, 422, refused.text)
  assert.deepEqual(refused.body.detail[0].loc, ['body', 'chat', 'business_account_id'])
})

test('while the platform is unreachable the channel is pending and receives nothing, and a retry activates it', async () => {
  const org = await live()
  const number = freshNumber()
  const { status, body, text } = await connectCutOff(org, number)
  assert.equal(status, 201, text)
  assert.equal(body.status, 'pending_verification')
  assert.ok(body.status_reason.length > 0)
  assert.deepEqual(await landsIn(number, org), [])
  await hurry(org, body.id)
  await sees(org, body.id, 'active')
  assert.equal((await see(org, body.id)).status_reason, null)
  assert.deepEqual(await landsIn(number, org), [org.id])
  const { data } = (await org.call('GET', 'events?type=channel.updated')).body
  assert.deepEqual([data[0].data.object.status, data[0].data.previous.status], ['active', 'pending_verification'])
})

test('a pending channel with its own app receives nothing either', async () => {
  const org = await live()
  const number = freshNumber()
  const own = { app_secret: 'own-app-secret', verify_token: 'own word' }
  const { body } = await connectCutOff(org, number, own)
  const hook = { hook: body.chat.hook_url.replace('https://localhost', ''), appSecret: own.app_secret }
  const say = async (from: string) => {
    const to = { phoneNumberId: number, businessAccountId: 'WABA1' }
    assert.equal((await post(app, hook, payloadOf(messagesTo(to, [textFrom(from, 'hello')])))).status, 200)
    await processed(app)
    return (await org.call('GET', `contacts?search=${from}`)).body.total_count
  }
  assert.equal(await say('15550139001'), 0)
  await hurry(org, body.id)
  await sees(org, body.id, 'active')
  assert.equal(await say('15550139002'), 1)
})

test('a retry that is refused records the reason and frees the number, and new credentials are checked at once', async () => {
  const [org, other] = [await live(), await live()]
  const number = freshNumber()
  const { body } = await connectCutOff(org, number, { access_token: 'invented' })
  // Neither claim is proven: the second has to wait for the first.
  assert.equal((await connectCutOff(other, number)).status, 409)
  await hurry(org, body.id)
  await sees(org, body.id, 'verification_failed')
  assert.match((await see(org, body.id)).status_reason, /Invalid OAuth access token/)
  const template = await org.call('POST', 'templates', {
    channel_id: body.id,
    name: 'pickup_ready',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your parcel is here.' }],
  })
  assert.equal(template.status, 409, template.text)
  const fixed = await org.call('PATCH', `channels/${body.id}`, { chat: { access_token: platform.token } })
  assert.deepEqual([fixed.status, fixed.body.status], [200, 'active'])
  assert.deepEqual(await landsIn(number, org), [org.id])
})

test('a proven claim beats an unproven one, whose channel then fails', async () => {
  const [squatter, owner] = [await live(), await live()]
  const number = freshNumber()
  const pending = (await connectCutOff(squatter, number)).body
  assert.equal((await connect(owner, number)).body.status, 'active')
  await hurry(squatter, pending.id)
  await sees(squatter, pending.id, 'verification_failed')
  assert.match((await see(squatter, pending.id)).status_reason, /in use elsewhere/)
  assert.deepEqual(await landsIn(number, squatter, owner), [owner.id])
})

test('of two organizations that connect a number concurrently, one gets it', async () => {
  const number = freshNumber()
  const organizations = await Promise.all(Array.from({ length: 6 }, live))
  const answers = await Promise.all(organizations.map((org) => connect(org, number)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
  const [winner] = organizations.filter((_, i) => answers[i]?.status === 201)
  assert.deepEqual(await landsIn(number, ...organizations), [winner?.id])
})

test('a changed number is checked like a new one, and the former one stays reserved', async () => {
  const [org, other] = [await live(), await live()]
  const [one, two, taken] = [freshNumber(), freshNumber(), freshNumber()]
  await connect(other, taken)
  const { id } = (await connect(org, one)).body
  const patch = (chat: object, through = org.call) => through('PATCH', `channels/${id}`, { chat })
  const stolen = await patch({ phone_number_id: taken })
  assert.equal(stolen.status, 409, stolen.text)
  assert.ok(!stolen.text.includes(other.id))
  assert.equal((await patch({ access_token: 'invented' })).status, 502)
  assert.deepEqual(await landsIn(one, org), [org.id])
  assert.equal((await patch({ phone_number_id: two })).body.status, 'active')
  assert.deepEqual(await landsIn(two, org), [org.id])
  assert.deepEqual(await landsIn(one, org), [])
  assert.equal((await connect(other, one)).status, 409)
  // While the platform is unreachable, a new token takes effect at once, a new number is pending.
  const cut = throughCutOff(org)
  assert.equal((await patch({ access_token: 'renewed' }, cut)).body.status, 'active')
  assert.deepEqual(await landsIn(two, org), [org.id])
  const back = await patch({ phone_number_id: one, access_token: platform.token }, cut)
  assert.equal(back.body.status, 'pending_verification', back.text)
  assert.deepEqual(await landsIn(one, org), [])
  await hurry(org, id)
  await sees(org, id, 'active')
  assert.deepEqual(await landsIn(one, org), [org.id])
})

test('a verification result for credentials that were replaced in the meantime is dropped', async () => {
  const org = await live()
  const { body } = await connectCutOff(org, freshNumber())
  const scope = { organizationId: org.id, livemode: true }
  const { verification_id: outdated } = await app.database.forTenant(scope).one(Series)`
    select verification_id from channels where id = ${body.id}`
  const moved = await throughCutOff(org)('PATCH', `channels/${body.id}`, { chat: { phone_number_id: freshNumber() } })
  assert.equal(moved.body.status, 'pending_verification')
  await app.database.inTenant(scope, (tx) =>
    enqueueVerification(tx, { channelId: body.id, verificationId: outdated, attempt: 1 }, 0),
  )
  await hurry(org, body.id)
  await sees(org, body.id, 'active')
  assert.equal((await see(org, body.id)).chat.phone_number_id, moved.body.chat.phone_number_id)
})

test('a reservation ends after 30 days, or when the operator releases it', async () => {
  const [org, other] = [await live(), await live()]
  const [released, expired] = [freshNumber(), freshNumber()]
  const channels = [await connect(org, released), await connect(org, expired)]
  const release = (number: string) => app.database.inSystem((tx) => releaseNumber(tx, number))
  await assert.rejects(release(released), /is in use by the channel .*: delete that channel first/)
  for (const { body } of channels) await org.call('DELETE', `channels/${body.id}`)
  assert.equal((await connect(other, released)).status, 409)
  await release(released)
  await assert.rejects(release(released), /any may connect it/)
  assert.equal((await connect(other, released)).status, 201)
  assert.equal((await connect(other, expired)).status, 409)
  const owner = await connectOwner(app)
  const letPass = (days: number) =>
    owner.query(
      `set role frontdesk_system; update chat_number_claims set reserved_until = reserved_until - interval '${days} days' where phone_number_id = '${expired}'`,
    )
  await letPass(29)
  assert.equal((await connect(other, expired)).status, 409)
  await letPass(1)
  assert.equal((await connect(other, expired)).status, 201)
})

test('test mode checks nothing, and two organizations may use the same id', async () => {
  const number = freshNumber()
  const [one, two] = [await app.organization(), await app.organization()]
  for (const org of [one, two]) {
    const { status, body } = await connect(org, number, { access_token: 'invented' })
    assert.deepEqual([status, body.status], [201, 'active'])
  }
})

test('the migration gives a shared number to the channel that received last, or else claimed it first', async () => {
  const old = await startTestApp({ settings })
  const [first, second, silent] = await Promise.all(Array.from({ length: 3 }, () => old.organization({ mode: 'live' })))
  const owner = await connectOwner(old)
  await owner.query(`
    drop function claim_chat_number, release_chat_number, is_chat_number_taken;
    drop table chat_number_claims;
    alter table channels drop column status, drop column status_reason, drop column verification_id;
    set role frontdesk_system`)
  let place = 0
  const add = async (org: TestOrganization | undefined, number: string, lastInboundAt: string | null) => {
    const id = `00000000-0000-7000-8000-00000000000${++place}`
    await owner.query(
      `insert into channels (organization_id, livemode, id, phone_number, chat, chat_claimed_at)
       values ($1, true, $2, $5, jsonb_build_object('phone_number_id', $3::text), now() + $4 * interval '1 minute')`,
      [org?.id, id, number, place, id],
    )
    if (!lastInboundAt) return id
    await owner.query(`insert into contacts (organization_id, livemode, id, phone_number) values ($1, true, $2, $3)`, [
      org?.id,
      id,
      `+1415558000${place}`,
    ])
    await owner.query(
      `insert into chat_windows (organization_id, livemode, contact_id, channel_id, last_inbound_at) values ($1, true, $2, $2, $3)`,
      [org?.id, id, lastInboundAt],
    )
    return id
  }
  const loses = [await add(first, 'X', '2026-01-01'), await add(silent, 'X', null)]
  const keeps = [await add(second, 'X', '2026-02-01'), await add(first, 'Y', null)]
  loses.push(await add(second, 'Y', null))
  await owner.query('reset role')
  await owner.query(await readFile(new URL('../../../migrations/0029_chat_number_claims.sql', import.meta.url), 'utf8'))
  const { rows } = await owner
    .query(`
    set role frontdesk_system; select id, status from channels where livemode order by id`)
    .then((results) => (results as unknown as pg.QueryResult[])[1] as pg.QueryResult)
  const having = (status: string) => rows.filter((row) => row.status === status).map(({ id }) => id)
  assert.deepEqual(having('active'), keeps.sort())
  assert.deepEqual(having('verification_failed'), loses.sort())
})
