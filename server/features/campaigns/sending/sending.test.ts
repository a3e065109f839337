import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner, countRows, countsOf, ledgerOf } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import { recordResults } from '../deliveries/record-results.ts'
import type { Campaign } from '../schema.ts'

const app = await startTestApp()
await app.listen()
let org: Campaigner

before(async () => {
  org = await campaigner(app)
})

const isDone = ({ status, pending_count, sending_count }: Campaign) =>
  status !== 'sending' && pending_count + sending_count === 0
const allRead = (campaign: Campaign) =>
  campaign.status === 'completed' && campaign.read_count === campaign.total_contacts_count

const EventType = Type.Object({ type: Type.String() })

async function eventTypes({ scope }: Campaigner, id: string): Promise<string[]> {
  const events = await app.database.forTenant(scope).all(EventType)`
    select type from events where data -> 'object' ->> 'id' = ${id} order by id`
  return events.map(({ type }) => type)
}

test('each recipient gets one message with an activity, and receipts change the counts', async () => {
  const contacts = await org.contacts(5)
  const { id } = await org.send(contacts)
  const done = await org.until(id, allRead)
  assert.deepEqual(countsOf(done), {
    total_contacts_count: 5,
    sent_count: 5,
    delivered_count: 5,
    read_count: 5,
    failed_count: 0,
    skipped_count: 0,
    unknown_count: 0,
    pending_count: 0,
    sending_count: 0,
  })
  assert.ok(done.completed_at)
  const deliveries = await org.deliveries(id)
  const { entries } = await ledgerOf(app, org.channelId)
  for (const delivery of deliveries) {
    const [entry] = entries.filter(({ callback_data }) => callback_data === delivery.id)
    assert.equal(entry?.accepted, 1)
    assert.equal(`+${entry?.to}`, delivery.phone_number)
    assert.deepEqual(entry?.ids, [delivery.chat_message_id])
    assert.ok((delivery.sent_at as string) <= (delivery.delivered_at as string))
    assert.ok((delivery.delivered_at as string) <= (delivery.read_at as string))
  }
  const { activities } = (await org.call('GET', `contacts/${contacts[0]}/activities?type=message_outbound`)).body
  const own = deliveries.find(({ contact_id }) => contact_id === contacts[0])
  assert.equal(activities.length, 1)
  assert.equal(activities[0].actor_type, 'user')
  assert.deepEqual(activities[0].payload, {
    message_id: own?.message_id,
    preview: `Hello ${own?.variables[1]}, we are open today.`,
    campaign_id: id,
  })
  assert.deepEqual(await eventTypes(org, id), ['campaign.started', 'campaign.completed'])
  assert.deepEqual(await eventTypes(org, own?.message_id as string), [
    'message.sent',
    'message.delivered',
    'message.read',
  ])
})

test('a campaign message joins the contact’s open ticket and opens no new one', async () => {
  const [talking, silent] = (await org.contacts(2)) as [string, string]
  const ticket = (await org.call('POST', 'inbox/tickets', { contact_id: talking })).body
  const { id } = await org.send([talking, silent])
  await org.until(id, allRead)
  const { messages, total } = (await org.call('GET', `inbox/messages/${ticket.id}`)).body
  assert.equal(total, 1)
  assert.equal(messages[0].status, 'read')
  assert.match(messages[0].body, /^Hello Person \d+, we are open today\.$/)
  assert.equal(messages[0].payload.campaign_id, id)
  const tickets = (await org.call('GET', `inbox/tickets?contact_id=${silent}`)).body
  assert.equal(tickets.total, 0)
  const { rows } = await app.database
    .forTenant(org.scope)
    .raw(`select data -> 'object' as sent from events where type = 'message.sent' and data -> 'object' ->> 'id' = $1`, [
      messages[0].id,
    ])
  const later = { status: 'read', updated_at: messages[0].updated_at }
  assert.deepEqual(
    rows.map(({ sent }) => ({ ...(sent as object), ...later })),
    [messages[0]],
  )
})

test('variables are filled from the campaign’s values; a delivery with a missing variable fails', async () => {
  const template = await org.template({
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'News for {{1}}' },
      { type: 'BODY', text: 'Hello {{1}}, your parcel {{2}} waits for you at our counter until Friday.' },
      { type: 'FOOTER', text: 'Northside Parcels' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Show code', url: 'https://parcels.example.test/c/{{1}}' }] },
    ],
  })
  const [full] = await org.contacts(1, { name: 'Ada\n Lovelace', custom_fields: { parcel: 12, town: 'Paris' } })
  const [lacking] = await org.contacts(1, { name: 'Bob', custom_fields: { parcel: '  ' } })
  const { id } = await org.send([full as string, lacking as string], {
    message_template_id: template,
    template_variables: {
      1: '{{contact.name}}',
      2: 'PX-{{contact.custom_fields.parcel}} ({{contact.phone_number}})',
      'header.1': 'all of {{contact.custom_fields.town}}',
      'button.0.1': 'PX{{contact.custom_fields.parcel}}',
    },
  })
  const done = await org.until(id, ({ status, read_count }) => status === 'completed' && read_count === 1)
  assert.equal(done.failed_count, 1)
  const deliveries = await org.deliveries(id)
  const sent = deliveries.find(({ contact_id }) => contact_id === full)
  assert.deepEqual(sent?.variables, {
    1: 'Ada Lovelace',
    2: `PX-12 (${sent?.phone_number})`,
    'header.1': 'all of Paris',
    'button.0.1': 'PX12',
  })
  const failed = deliveries.find(({ contact_id }) => contact_id === lacking)
  assert.equal(failed?.status, 'failed')
  assert.equal(failed?.reason, 'missing_variable')
  assert.equal(failed?.detail, 'No value for header.1, 2, button.0.1')
  assert.equal(failed?.attempts, 0)
  const { data } = (await app.control('GET', 'transcript')).body
  const sentToFailed = data.filter(({ to }: { to: string }) => `+${to}` === failed?.phone_number)
  assert.deepEqual(sentToFailed, [])
  const { activities } = (await org.call('GET', `contacts/${full}/activities?type=message_outbound`)).body
  assert.match(activities[0].payload.preview, /^News for all of Paris Hello Ada Lovelace, your parcel PX-12 .*…$/)

  // Once the contact has the field, a retry fills the variable.
  await org.call('PATCH', `contacts/${lacking}`, { custom_fields: { parcel: 'Z', town: 'Rome' } })
  const retried = await org.call('POST', `campaigns/${id}/retry`, { scope: 'failed' })
  assert.equal(retried.body.retried_count, 1, retried.text)
  assert.equal(retried.body.status, 'sending')
  const again = await org.until(id, allRead)
  assert.equal(again.failed_count, 0)
  assert.deepEqual(await eventTypes(org, id), [
    'campaign.started',
    'campaign.completed',
    'campaign.resumed',
    'campaign.completed',
  ])
})

test('a value of invisible characters counts as missing', async () => {
  const unseen = ['\u200b', '\u00a0\u3000', '\u2060\u200d', '\ufeff', '\u3164', '\u2800', '\u200f\u202e']
  const contacts: string[] = []
  for (const town of [...unseen, '\u200fתל אביב', '❤️'])
    contacts.push(...(await org.contacts(1, { custom_fields: { town } })))
  const template_variables = { 1: '{{contact.custom_fields.town}}' }
  const { id } = await org.send(contacts, { template_variables })
  const done = await org.until(id, ({ status, read_count }) => status === 'completed' && read_count === 2)
  assert.equal(done.failed_count, unseen.length)
  for (const { code, attempts } of await org.deliveries(id, '&status=failed'))
    assert.deepEqual([code, attempts], ['missing_variable', 0])
  const read = await org.deliveries(id, '&status=read')
  assert.deepEqual(read.map(({ variables }) => variables[1]).sort(), ['\u200fתל אביב', '❤️'])
  for (const value of [...unseen, '{{contact.name|\u200b}}']) {
    const refused = await org.call('POST', 'campaigns/preflight', {
      name: 'News',
      chat_phone_number_id: org.channelId,
      template_variables: { 1: value },
    })
    assert.equal(refused.status, 422, refused.text)
  }
})

test('templates without variables and with named variables are sent', async () => {
  const [ada] = await org.contacts(1, { custom_fields: { first_name: 'Ada' } })
  const plain = await org.template({ components: [{ type: 'BODY', text: 'We are open today.' }] })
  const named = await org.template({
    components: [{ type: 'BODY', text: 'Hello {{first_name}}, we are open today.' }],
    parameter_format: 'NAMED',
  })
  for (const message_template_id of [plain, named]) {
    const { id } = await org.send([ada as string], { message_template_id })
    const done = await org.until(id, isDone)
    assert.equal(done.sent_count, 1, JSON.stringify(await org.deliveries(id)))
  }
})

test('marketing skips contacts that have opted out; other categories do not', async () => {
  const [early, stays] = (await org.contacts(2)) as [string, string]
  await org.call('PATCH', `contacts/${early}`, { opted_out: true })
  const { id } = await org.send([early, stays])
  const done = await org.until(id, isDone)
  assert.equal(done.skipped_count, 1)

  const utility = await org.template({ category: 'UTILITY' })
  const useful = await org.send([early], { message_template_id: utility })
  assert.equal((await org.until(useful.id, isDone)).sent_count, 1)
})

test('a contact that opts out or is deleted between freezing and sending is skipped', async () => {
  const own = await campaigner(app)
  const [stops, leaves, stays] = (await own.contacts(3)) as [string, string, string]
  // The platform refuses everything for a while, so that recipients are frozen and no message is sent.
  await app.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { throughput: 0 })
  const { id } = await own.send([stops, leaves, stays])
  await own.until(id, ({ waiting_until }) => waiting_until !== null)
  await own.call('POST', `campaigns/${id}/pause`)
  await own.call('PATCH', `contacts/${stops}`, { opted_out: true })
  await own.call('DELETE', `contacts/${leaves}`)
  await app.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { throughput: null })
  await own.call('POST', `campaigns/${id}/resume`)
  const done = await own.until(id, isDone)
  assert.deepEqual([done.sent_count, done.skipped_count], [1, 2])
  const reasons = (await own.deliveries(id, '&status=skipped')).map(({ reason, detail }) => [reason, detail])
  assert.deepEqual(reasons.toSorted(), [
    ['no_address', 'The contact was deleted'],
    ['opted_out', null],
  ])
})

test('a contact without a number is reached by its chat account; one with neither is skipped', async () => {
  const own = await campaigner(app)
  const userId = 'US.13491208655302741918'
  await app.database.inTenant(
    own.scope,
    (tx) => tx.run`
      insert into contacts (id, name, whatsapp_user_id) values (${newId()}, 'Account', ${userId}), (${newId()}, 'Nobody', null)`,
  )
  const { id } = await own.send(null)
  const done = await own.until(id, isDone)
  assert.deepEqual([done.sent_count, done.skipped_count], [1, 1])
  const [skipped] = await own.deliveries(id, '&status=skipped')
  assert.equal(skipped?.reason, 'no_address')
  assert.equal((await ledgerOf(app, own.channelId)).entries[0]?.to, userId)
})

test('a message that fails after it was accepted counts as sent and as failed, with its reason; a stop opts the contact out', async () => {
  const own = await campaigner(app)
  const [unreachable, stopped] = (await own.contacts(['0102', '0104'])) as [string, string]
  const { id } = await own.send([unreachable, stopped])
  const done = await own.until(id, ({ status, failed_count }) => status === 'completed' && failed_count === 2)
  assert.deepEqual([done.sent_count, done.delivered_count], [2, 0])
  const failed = await own.deliveries(id, '&status=failed')
  assert.deepEqual(failed.map(({ code }) => code).toSorted(), ['131026', '131050'])
  assert.ok(failed.every(({ reason }) => reason))
  await until(async () => (await own.call('GET', `contacts/${stopped}`)).body.opted_out_at !== null)

  // A retry sends another message; receipts of the first one are ignored.
  const before = await own.deliveries(id)
  const { body } = await own.call('POST', `campaigns/${id}/retry`, { scope: 'failed' })
  assert.equal(body.retried_count, 2)
  assert.equal(body.sent_count, 0)
  const again = await own.until(
    id,
    ({ status, failed_count, skipped_count }) => status === 'completed' && failed_count === 1 && skipped_count === 1,
  )
  assert.equal(again.sent_count, 1)
  const retried = (await own.deliveries(id)).find(({ contact_id }) => contact_id === unreachable)
  const first = before.find(({ contact_id }) => contact_id === unreachable)
  assert.notEqual(retried?.chat_message_id, first?.chat_message_id)
  assert.notEqual(retried?.message_id, first?.message_id)
})

test('a message that the platform refuses fails with its code and does not count as sent', async () => {
  const own = await campaigner(app)
  await app.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { sync_failures: true })
  const [, , stopped] = await own.contacts(['0100', '0102', '0104'])
  const { id } = await own.send(null)
  const done = await own.until(id, isDone)
  assert.deepEqual([done.sent_count, done.failed_count], [1, 2])
  const failed = await own.deliveries(id, '&status=failed')
  assert.deepEqual(failed.map(({ code, message_id }) => [code, message_id]).toSorted(), [
    ['131026', null],
    ['131050', null],
  ])
  assert.notEqual((await own.call('GET', `contacts/${stopped}`)).body.opted_out_at, null)
})

test('a channel that exceeds the platform’s rate is slowed down, and each message arrives once', async () => {
  const own = await campaigner(app)
  await own.contacts(['0105', '0100', '0105', '0100'])
  const { id } = await own.send(null)
  const waiting = await own.until(id, ({ waiting_until }) => waiting_until !== null)
  assert.match(waiting.waiting_reason as string, /too many messages.*130429/)
  const done = await own.until(id, allRead)
  assert.equal(done.waiting_until, null)
  const ledger = await ledgerOf(app, own.channelId)
  assert.deepEqual([ledger.accepted, ledger.repeated], [4, 0])
  const attempts = (await own.deliveries(id)).map(({ attempts }) => attempts)
  assert.equal(Math.max(...attempts), 3)
})

test('too many messages to one recipient delay that recipient only', async () => {
  const own = await campaigner(app)
  const [contact] = (await own.contacts(1)) as [string]
  await app.control('PATCH', 'knobs', { error_rate: 1, error_code: 131056 })
  const { id } = await own.send([contact])
  await own.until(id, ({ pending_count }) => pending_count === 1)
  await until(async () => (await own.deliveries(id))[0]?.code === '131056')
  const [waiting] = await own.deliveries(id)
  assert.ok(waiting?.next_attempt_at)
  assert.equal((await own.see(id)).waiting_until, null)
  await app.control('PATCH', 'knobs', { error_rate: 0 })
  // The others are not delayed.
  const others = await own.send(await own.contacts(2))
  await own.until(others.id, allRead)
  const done = await own.until(id, allRead)
  assert.equal(done.failed_count, 0)
  assert.equal((await own.deliveries(id))[0]?.code, null)
})

test('a lost answer leaves the delivery unknown until a status settles it; no message is sent twice', async () => {
  const own = await campaigner(app)
  await own.contacts(6)
  await app.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { webhooks: false })
  await app.control('POST', 'outage', { kind: 'lost_answer', on: 'messages', requests: 6 })
  const { id } = await own.send(null)
  const unsure = await own.until(id, isDone)
  assert.equal(unsure.status, 'completed')
  assert.deepEqual([unsure.sent_count, unsure.unknown_count], [0, 6])
  const [unknown] = await own.deliveries(id)
  assert.equal(unknown?.code, 'no_answer')
  await app.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { webhooks: true })
  const settled = await own.until(id, allRead)
  assert.deepEqual([settled.sent_count, settled.unknown_count], [6, 0])
  const ledger = await ledgerOf(app, own.channelId)
  assert.deepEqual([ledger.accepted, ledger.distinct, ledger.repeated], [6, 6, 0])
  const messages = await Promise.all(
    (await own.deliveries(id)).map(async ({ contact_id }) => {
      const answer = await own.call('GET', `contacts/${contact_id}/activities?type=message_outbound`)
      return answer.body.total
    }),
  )
  assert.deepEqual(messages, [1, 1, 1, 1, 1, 1])
})

test('an unknown delivery is sent again only by a retry request', async () => {
  const own = await campaigner(app)
  await own.contacts(3)
  await app.control('POST', 'outage', { kind: 'error', on: 'messages', requests: 3 })
  const { id } = await own.send(null)
  const unsure = await own.until(id, isDone)
  assert.deepEqual([unsure.status, unsure.unknown_count], ['completed', 3])
  assert.equal((await ledgerOf(app, own.channelId)).accepted, 0)
  const { body } = await own.call('POST', `campaigns/${id}/retry`, { scope: 'unknown' })
  assert.deepEqual([body.retried_count, body.status, body.completed_at], [3, 'sending', null])
  await own.until(id, allRead)
  assert.deepEqual((await ledgerOf(app, own.channelId)).accepted, 3)
})

test('a paused campaign sends nothing; resumed, it continues where it stopped', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(200, 'crowd')
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count > 0)
  const answer = await own.call('POST', `campaigns/${id}/pause`)
  assert.equal(answer.body.status, 'paused')
  const still = await own.until(id, ({ sending_count }) => sending_count === 0)
  assert.ok(still.pending_count > 0)
  const { accepted } = await ledgerOf(app, own.channelId)
  assert.equal(still.sent_count, accepted)
  // Another campaign on the same channel is sent meanwhile, so the paused one would have been sent too.
  const other = await own.send(await own.contacts(2))
  await own.until(other.id, allRead)
  assert.equal((await ledgerOf(app, own.channelId)).accepted, accepted + 2)
  await own.call('PATCH', `channels/${own.channelId}`, { messages_per_second: 500 })
  await own.call('POST', `campaigns/${id}/resume`)
  const done = await own.until(id, allRead)
  assert.equal(done.sent_count, 200)
  assert.equal((await ledgerOf(app, own.channelId)).repeated, 0)
  assert.deepEqual(await eventTypes(own, id), [
    'campaign.started',
    'campaign.paused',
    'campaign.resumed',
    'campaign.completed',
  ])
})

test('a cancelled campaign stops for good; deliveries that were not sent stay pending', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(200, 'crowd')
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count > 0)
  await own.call('POST', `campaigns/${id}/cancel`)
  const stopped = await own.until(id, ({ sending_count }) => sending_count === 0)
  assert.equal(stopped.status, 'cancelled')
  const other = await own.send(await own.contacts(2))
  await own.until(other.id, allRead)
  const after = await own.see(id)
  assert.equal(after.sent_count + after.pending_count, 200)
  assert.equal((await ledgerOf(app, own.channelId)).accepted, after.sent_count + 2)
})

test('a campaign that is deleted while it is sending stops and is then removed', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(200, 'crowd')
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count > 0)
  assert.equal((await own.call('DELETE', `campaigns/${id}`)).status, 200)
  assert.equal((await own.call('GET', `campaigns/${id}/deliveries`)).status, 404)
  const Left = Type.Object({ n: Type.Integer() })
  await until(async () => {
    const { n } = await app.database.forTenant(own.scope).one(Left)`
      select ((select count(*) from campaigns where id = ${id}) + (select count(*) from deliveries where campaign_id = ${id})
        + (select count(*) from delivery_counts where campaign_id = ${id}))::integer as n`
    return n === 0
  })
  const { accepted } = await ledgerOf(app, own.channelId)
  assert.ok(accepted < 200)
  // Each message that was sent is recorded for its contact.
  const Told = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forTenant(own.scope).one(Told)`select count(*)::integer as n from messages`
  assert.equal(n, accepted)
})

test('a campaign without a template is created, and fails when it is due', async () => {
  const contacts = await org.contacts(2)
  const campaign = await org.send(contacts, { message_template_id: undefined })
  assert.deepEqual([campaign.status, campaign.total_contacts_count], ['sending', 2])
  const failed = await org.until(campaign.id, ({ status }) => status === 'failed')
  assert.equal(failed.failure_reason, 'no_template')
  assert.deepEqual(await eventTypes(org, campaign.id), ['campaign.started', 'campaign.failed'])
  for (const verb of ['pause', 'resume', 'cancel'])
    assert.equal((await org.call('POST', `campaigns/${campaign.id}/${verb}`)).status, 409)
})

test('50 failures among the last 100 messages pause a campaign', async () => {
  const own = await campaigner(app, { messagesPerSecond: 40 })
  await app.control('PATCH', 'knobs', { error_rate: 1, error_code: 131026 })
  await own.crowd(160, 'crowd')
  const { id } = await own.send(null)
  const paused = await own.until(id, ({ status, sending_count }) => status === 'paused' && sending_count === 0)
  assert.equal(paused.pause_reason, 'failure_rate')
  assert.ok(paused.failed_count >= 50 && paused.pending_count > 0, JSON.stringify(countsOf(paused)))
  await app.control('PATCH', 'knobs', { error_rate: 0 })
  await own.call('POST', `campaigns/${id}/resume`)
  const done = await own.until(id, ({ status }) => status === 'completed')
  assert.equal(done.sent_count + done.failed_count, 160)
})

test('failures reported by receipts trip the circuit breaker too', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(400, 'crowd', '0102')
  const { id } = await own.send(null)
  const paused = await own.until(id, ({ status, sending_count }) => status === 'paused' && sending_count === 0)
  assert.equal(paused.pause_reason, 'failure_rate')
  assert.ok(paused.pending_count > 0)
})

test('delivered messages do not hide that most others fail afterwards', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  for (let i = 0; i < 50; i++) {
    await own.crowd(2, 'crowd')
    await own.crowd(6, 'crowd', '0102')
  }
  const { id } = await own.send(null)
  const paused = await own.until(id, ({ status, sending_count }) => status === 'paused' && sending_count === 0)
  assert.equal(paused.pause_reason, 'failure_rate')
  assert.ok(paused.read_count > 0 && paused.pending_count > 0, JSON.stringify(countsOf(paused)))
})

test('a live worker whose lease expires continues under a new id, and no message is lost, doubled or stuck', async () => {
  const own = await campaigner(app, { messagesPerSecond: 40 })
  await own.crowd(100, 'crowd')
  const { id } = await own.send(null)
  for (const sent of [10, 40]) {
    await own.until(id, ({ sent_count }) => sent_count > sent)
    await app.database.forSystem().run`delete from worker_leases`
  }
  const done = await own.until(id, allRead)
  assert.equal(done.sent_count, 100)
  assert.equal((await ledgerOf(app, own.channelId)).repeated, 0)
})

test('a channel without a due time is made due again', async () => {
  const own = await campaigner(app, { messagesPerSecond: 20 })
  await own.crowd(30, 'crowd')
  const { id } = await own.send(null)
  await own.until(id, ({ sent_count }) => sent_count > 0)
  await app.database.forTenant(own.scope).run`update sending_channels set due_at = null`
  const done = await own.until(id, allRead)
  assert.equal(done.sent_count, 30)
})

test('an outcome recorded after the campaign is over returns no delivery to pending', async () => {
  const own = await campaigner(app)
  const [contactId] = (await own.contacts(1)) as [string]
  await app.control('POST', 'outage', { kind: 'error', on: 'messages', requests: 1 })
  const { id: campaignId } = await own.send(null)
  await own.until(campaignId, ({ status, unknown_count }) => status === 'completed' && unknown_count === 1)
  const Claim = Type.Object({ id: Type.String(), claimed_by: Type.String() })
  const claim = await app.database.forTenant(own.scope).one(Claim)`select id, claimed_by from deliveries`
  const outcome = { kind: 'again' as const, delayMs: 60_000, code: '131000', reason: 'Something went wrong' }
  const result = { deliveryId: claim.id, campaignId, contactId, channelId: own.channelId, outcome }
  await app.database.inTenant(own.scope, (tx) => recordResults(tx, [result], claim.claimed_by))
  const { status, failed_count, pending_count } = await own.see(campaignId)
  assert.deepEqual([status, failed_count, pending_count], ['completed', 1, 0])
  assert.equal((await own.deliveries(campaignId))[0]?.code, '131000')
  await own.call('POST', `campaigns/${campaignId}/retry`, { scope: 'failed' })
  await own.until(campaignId, allRead)
})

test('an outcome recorded late returns the delivery to pending while the campaign is not over', async () => {
  const own = await campaigner(app)
  const [first] = (await own.contacts(1)) as [string]
  await app.control('POST', 'outage', { kind: 'error', on: 'messages', requests: 1 })
  const { id: campaignId } = await own.send(null)
  await own.until(campaignId, ({ status, unknown_count }) => status === 'completed' && unknown_count === 1)
  const Claim = Type.Object({ id: Type.String(), claimed_by: Type.String() })
  const claim = await app.database.forTenant(own.scope).one(Claim)`select id, claimed_by from deliveries`
  const outcome = { kind: 'again' as const, delayMs: 0, code: '131000', reason: 'Something went wrong' }
  const result = { deliveryId: claim.id, campaignId, contactId: first, channelId: own.channelId, outcome }
  // In one transaction: a paused campaign of which nothing is left is completed.
  await app.database.inTenant(own.scope, async (tx) => {
    await tx.run`update campaigns set status = 'paused', completed_at = null`
    await recordResults(tx, [result], claim.claimed_by)
  })
  const { pending_count, unknown_count } = await own.see(campaignId)
  assert.deepEqual([pending_count, unknown_count], [1, 0])
  await own.call('POST', `campaigns/${campaignId}/resume`)
  await own.until(campaignId, allRead)
})

test('the counts agree with the rows at every moment', async () => {
  const own = await campaigner(app)
  await own.crowd(300, 'crowd')
  await own.contacts(['0102', '0103', '0105', '0101'])
  await app.control('PATCH', `knobs?phone_number_id=${own.channelId}`, { order: 'shuffled', duplicates: 1 })
  const { id } = await own.send(null)
  const Agreement = Type.Object({ counted: Type.String(), there: Type.String(), moved: Type.Integer() })
  await until(async () => {
    // One statement reads one snapshot.
    const { counted, there, moved } = await app.database.forTenant(own.scope).one(Agreement)`
      select (select concat_ws(' ', sum(pending), sum(sending), sum(sent), sum(delivered), sum(read), sum(failed),
          sum(failed_afterwards), sum(skipped), sum(unknown)) from delivery_counts where campaign_id = ${id}) as counted,
        (select concat_ws(' ', count(*) filter (where status = 'pending'), count(*) filter (where status = 'sending'),
          count(*) filter (where status = 'sent'), count(*) filter (where status = 'delivered'),
          count(*) filter (where status = 'read'), count(*) filter (where status = 'failed'),
          count(*) filter (where status = 'failed' and accepted_at is not null),
          count(*) filter (where status = 'skipped'), count(*) filter (where status = 'unknown'))
          from deliveries where campaign_id = ${id}) as there,
        (select count(*)::integer from deliveries where campaign_id = ${id} and status in ('read', 'failed')) as moved`
    assert.equal(counted, there)
    return moved === 303
  })
  const done = await own.until(id, ({ status }) => status === 'completed')
  assert.deepEqual(countsOf(done), await countRows(app, own.scope, id))
  assert.equal((await ledgerOf(app, own.channelId)).repeated, 0)
})
