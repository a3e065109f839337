import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { mock, test } from 'node:test'
import Type from 'typebox'
import { retention } from '../../../app.ts'
import { newId, timeOfId } from '../../../platform/ids.ts'
import { fileKey } from '../../../providers/files/contract.ts'
import { createDiskFiles } from '../../../providers/files/disk.ts'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { campaigner, countsOf } from '../../../testing/campaigns.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { png } from '../../../testing/sample-files.ts'
import { upload } from '../../../testing/uploads.ts'
import { makeWebhook, receiver, seeDeliveries } from '../../../testing/webhook-receivers.ts'
import { sweepFilesJob } from '../../files/jobs.ts'
import { expireRecordsJob } from '../job-kinds.ts'
import { retentionKinds } from '../schema.ts'

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
await app.listen()
const files = createDiskFiles(join(app.settings.DATA_DIR, 'files'))
const from = '+12025550142'
const day = 24 * 3600 * 1000
const masking = { card_numbers: false, patterns: [] }
const nothing = { messages: null, media: null, transcripts: null, recordings: null, call_logs: null, events: null }

/** The time of new ids, which never goes back: after a run in the future it stays there. */
const idTime = () => timeOfId(newId())

/** Runs the job this many days later. */
async function expire(days: number, since: number): Promise<void> {
  const Done = Type.Object({ n: Type.Integer() })
  const done = async () =>
    (
      await app.database.forSystem().one(Done)`
        select count(*) as n from pgboss.job where name = ${expireRecordsJob.name} and state = 'completed'`
    ).n
  const before = await done()
  mock.timers.enable({ apis: ['Date'], now: since + days * day })
  try {
    await app.database.inSystem((tx) => tx.enqueue(expireRecordsJob, {}))
    await until(async () => (await done()) > before)
  } finally {
    mock.timers.reset()
  }
}

/** The settings hold for both modes, so a test key cannot change them. */
const change = async ({ id }: TestOrganization, changes: object) =>
  app.as((await app.key(id, { mode: 'live' })).secret)('PATCH', 'privacy', changes)
const keep = async (org: TestOrganization, retention: object) => ok(await change(org, { retention }))

const filesOf = ({ id }: TestOrganization) =>
  readdir(join(app.settings.DATA_DIR, 'files', 'kept', id), { recursive: true, withFileTypes: true }).then((entries) =>
    entries.filter((entry) => entry.isFile()),
  )

async function newCall({ id }: TestOrganization): Promise<string> {
  const scope = { organizationId: id, livemode: false }
  const callId = newId()
  const key = fileKey(scope, 'recordings', callId)
  await files.write(key, Readable.from([Buffer.from('RIFF')]))
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into calls (id, medium, direction, status, ended_at, deadline_at, from_number, transcript, summary, usage,
        file_key, recording_size, recording_sha256)
      values (${callId}, 'phone', 'inbound', 'completed', now(), now(), ${from},
        '[{"speaker": "caller", "text": "Hi", "timestamp": 1}]', 'Said hi', '{"tools": [], "voice": {}}', ${key}, 4, 'abcd')`,
  )
  return callId
}

test('settings: both modes share them, only named kinds change, and changes are audited', async () => {
  const acme = await app.organization()
  const { call } = acme
  assert.deepEqual(ok(await call('GET', 'privacy')), { retention: nothing, masking })
  assert.deepEqual(await keep(acme, { messages: 365, media: 30 }), {
    retention: { ...nothing, messages: 365, media: 30 },
    masking,
  })
  assert.deepEqual(await keep(acme, { media: null, events: 7 }), {
    retention: { ...nothing, messages: 365, events: 7 },
    masking,
  })
  assert.deepEqual(ok(await change(acme, {})).retention.messages, 365)
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  assert.equal(ok(await live('GET', 'privacy')).retention.messages, 365)
  const { data } = ok(await call('GET', 'audit-log?action=privacy_settings.updated'))
  assert.deepEqual(
    [data[0].previous, data[0].current],
    [{ retention: { messages: 365, media: 30 } }, { retention: { messages: 365, events: 7 } }],
  )
  assert.deepEqual(ok(await (await app.organization()).call('GET', 'privacy')), { retention: nothing, masking })
})

test('settings: masking is changed member by member, and patterns are bounded', async () => {
  const acme = await app.organization()
  const patterns = ['AB-######']
  assert.deepEqual(ok(await change(acme, { masking: { card_numbers: true } })).masking, {
    card_numbers: true,
    patterns: [],
  })
  assert.deepEqual(ok(await change(acme, { masking: { patterns } })).masking, {
    card_numbers: true,
    patterns,
  })
  for (const bad of [['###'], ['abcdef'], ['#'.repeat(65)], Array(21).fill('####'), 'AB####'])
    assert.equal((await change(acme, { masking: { patterns: bad } })).status, 422, JSON.stringify(bad))
})

test('settings: bad values are 422, other credentials 401 and 403', async () => {
  const acme = await app.organization()
  for (const retention of [{ messages: 0 }, { media: 36_501 }, { events: 1.5 }, { recordings: '30' }, 30])
    assert.equal((await change(acme, { retention })).status, 422, JSON.stringify(retention))
  assert.equal((await app.call('GET', 'privacy')).status, 401)
  assert.equal((await app.call('PATCH', 'privacy', {})).status, 401)
  assert.equal((await acme.call('PATCH', 'privacy', { retention: { messages: 1 } })).status, 403)
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:write'] })).secret)
  assert.equal((await reader('GET', 'privacy')).status, 200)
  assert.equal((await reader('PATCH', 'privacy', {})).status, 403)
  const member = await person(app, acme.id, 'member')
  assert.equal((await member.call('PATCH', 'privacy', {})).status, 403)
})

test('every kind has a rule, and every rule has a kind', () => {
  assert.deepEqual([...new Set(retention.map(({ kind }) => kind))].sort(), Object.keys(retentionKinds).sort())
})

test('messages expire with files, timeline entries, events and recipients; counts follow, everything else stays', async () => {
  const start = idTime()
  const acme = await campaigner(app)
  const globex = await app.organization()
  for (const { call } of [acme, globex]) await call('POST', 'simulator/messages', { from, text: 'my secret' })
  const ticketsOf = async ({ call }: TestOrganization) => ok(await call('GET', 'inbox/tickets')).inboxes
  await until(async () => (await ticketsOf(acme)).length === 1 && (await ticketsOf(globex)).length === 1)
  const [ticket] = await ticketsOf(acme)
  const { body: sent } = await upload(acme.call, `inbox/messages/${ticket.id}`, { file: png, fileName: 'cat.png' })
  const [contactId = ''] = await acme.contacts(1)
  const campaign = await acme.send([contactId])
  const counts = countsOf(
    await acme.until(campaign.id, ({ status, read_count }) => status === 'completed' && read_count === 1),
  )
  await keep(acme, { messages: 20 })

  await expire(19, start)
  assert.equal(ok(await acme.call('GET', `inbox/messages/${ticket.id}`)).total, 2)

  await expire(21, start)
  assert.deepEqual(ok(await acme.call('GET', `inbox/messages/${ticket.id}`)).messages, [])
  assert.equal(ok(await acme.call('GET', `inbox/messages/${ticket.id}`)).total, 0)
  assert.equal((await acme.call('GET', new URL(sent.media_url).pathname)).status, 404)
  assert.equal((await ticketsOf(acme))[0].unread_count, 0)
  for (const id of [ticket.contact_id, contactId]) {
    const timeline = ok(await acme.call('GET', `contacts/${id}/activities`))
    assert.ok(timeline.activities.every(({ type }: { type: string }) => !type.startsWith('message_')))
    assert.equal(timeline.total, timeline.activities.length)
  }
  const events = ok(await acme.call('GET', 'events?limit=100'))
  assert.equal(events.total_count, events.data.length)
  assert.ok(!JSON.stringify(events).includes('my secret'))
  assert.ok(events.data.some(({ type }: { type: string }) => type === 'contact.created'))
  const [delivery] = await acme.deliveries(campaign.id)
  assert.deepEqual([delivery?.contact_id, delivery?.phone_number, delivery?.status], [null, '', 'read'])
  assert.deepEqual(countsOf(await acme.see(campaign.id)), counts)
  assert.equal(ok(await globex.call('GET', `inbox/messages/${(await ticketsOf(globex))[0].id}`)).total, 1)
})

test('media expires alone: the message stays and its file is gone', async () => {
  const start = idTime()
  const acme = await app.organization()
  await acme.call('POST', 'simulator/messages', { from, text: 'hi' })
  await until(async () => ok(await acme.call('GET', 'inbox/tickets')).inboxes.length === 1)
  const [ticket] = ok(await acme.call('GET', 'inbox/tickets')).inboxes
  const { body: sent } = await upload(acme.call, `inbox/messages/${ticket.id}`, { file: png, fileName: 'cat.png' })
  const path = new URL(sent.media_url).pathname
  await keep(acme, { media: 10 })
  await expire(9, start)
  assert.equal((await acme.call('GET', path)).status, 200)
  await expire(11, start)
  const gone = await acme.call('GET', path)
  assert.deepEqual([gone.status, /retention/.test(gone.body.detail)], [404, true])
  assert.equal(ok(await acme.call('GET', `inbox/messages/${ticket.id}`)).total, 2)
  await app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  await until(async () => (await filesOf(acme)).length === 0)
})

test('transcripts, recordings and call logs expire apart from each other', async () => {
  const start = idTime()
  const acme = await app.organization()
  const id = await newCall(acme)
  const read = async () => (await acme.call('GET', `calls/${id}`)).body
  await keep(acme, { transcripts: 10, recordings: 20, call_logs: 30 })
  await expire(9, start)
  assert.deepEqual([(await read()).summary, (await read()).transcript.length], ['Said hi', 1])
  await expire(11, start)
  const stripped = await read()
  assert.deepEqual([stripped.transcript, stripped.summary, stripped.analysis], [[], '', null])
  assert.notEqual(stripped.recording_url, '')
  await expire(21, start)
  assert.equal((await read()).recording_url, '')
  assert.equal((await acme.call('GET', `call-logs/${id}/recording`)).status, 404)
  await expire(31, start)
  assert.equal((await acme.call('GET', `calls/${id}`)).status, 404)
  assert.equal(ok(await acme.call('GET', 'calls')).total_count, 0)
  assert.equal(ok(await acme.call('GET', 'audit-log?action=call.deleted')).total_count, 0)
})

test('a running call does not expire', async () => {
  const start = idTime()
  const acme = await app.organization()
  const id = newId()
  await app.database.inTenant(
    { organizationId: acme.id, livemode: false },
    (tx) => tx.run`
      insert into calls (id, medium, direction, deadline_at) values (${id}, 'web', 'inbound', now() + interval '1 hour')`,
  )
  await keep(acme, { call_logs: 1, transcripts: 1, recordings: 1 })
  await expire(2, start)
  assert.equal((await acme.call('GET', `calls/${id}`)).status, 200)
})

test('events expire with the delivery log of webhooks, in both modes', async () => {
  const start = idTime()
  const acme = await app.organization()
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const endpoint = await receiver()
  const webhook = await makeWebhook(acme.call, endpoint.url)
  for (const call of [acme.call, live]) await call('POST', 'contacts', { phone_number: from })
  await until(async () => (await seeDeliveries(acme.call, webhook.id)).length > 0)
  await keep(acme, { events: 3 })
  await expire(4, start)
  for (const call of [acme.call, live]) assert.equal(ok(await call('GET', 'events')).total_count, 0)
  assert.deepEqual(await seeDeliveries(acme.call, webhook.id), [])
  assert.equal(ok(await acme.call('GET', 'contacts')).total_count, 1)
})
