import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../platform/ids.ts'
import { fileKey } from '../../providers/files/contract.ts'
import { createDiskFiles } from '../../providers/files/disk.ts'
import { type Reply, sharedTestApp } from '../../testing/app.ts'
import { atCarrier, createReceptionist, ended, place } from '../../testing/calls.ts'
import { until } from '../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await app.organization()
const globex = await app.organization()
const agent_id = await createReceptionist(acme)
const theirAgent = await createReceptionist(globex)
const files = createDiskFiles(`${app.settings.DATA_DIR}/files`)

let people = 0
/** The simulator answers numbers ending in 0112 as busy: the call ends at once, without audio. */
const busyNumber = () => `+1415${String(500 + ++people).padStart(3, '0')}0112`
const locs = ({ body }: Reply) => body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))

/** Creates an ended call, with a recording of these bytes if given. */
async function endedCall(recording?: Buffer): Promise<string> {
  const { body } = await place(acme, { agent_id, to_number: busyNumber() })
  await ended(acme, body.id)
  if (!recording) return body.id
  const scope = { organizationId: acme.id, livemode: false }
  const key = fileKey(scope, 'recordings', body.id)
  const { size, sha256 } = await files.write(key, Readable.from([recording]))
  await app.database.inTenant(
    scope,
    (tx) =>
      tx.run`update calls set file_key = ${key}, recording_size = ${size}, recording_sha256 = ${sha256} where id = ${body.id}`,
  )
  return body.id
}

test('a new call is queued on the oldest voice channel and linked to its contact', async () => {
  const to_number = busyNumber()
  const { status, body } = await place(acme, {
    agent_id,
    to_number: to_number.replace(/(\+1)(\d{3})(\d{3})/, '$1 ($2) $3-'),
    variables: { name: 'Ines' },
    metadata: { order: 7 },
  })
  assert.equal(status, 201)
  const [channel] = (await acme.call('GET', 'channels')).body.data
  const expected = {
    status: 'in-progress',
    telephony_status: 'queued',
    direction: 'outbound',
    call_id: '',
    to_number,
    from_number: channel.phone_number,
    chat_phone_number_id: channel.id,
    agent_id,
    agent_version: 1,
    duration_seconds: 0,
    ended_at: null,
    recording_url: '',
    transcript: [],
    summary: '',
    cost: 0,
    livemode: false,
    variables: { name: 'Ines' },
    metadata: { order: 7 },
  }
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name)
  const { body: contact } = await acme.call('GET', `contacts/${body.contact_id}`)
  assert.equal(contact.phone_number, to_number)
  const byContact = await place(acme, { agent_id, contact_id: body.contact_id })
  assert.deepEqual([byContact.status, byContact.body.to_number], [201, to_number])
  const done = await ended(acme, body.id)
  assert.deepEqual([done.status, done.started_at], ['busy', body.started_at])
})

test('invalid requests are rejected and nothing is dialed', async () => {
  const to_number = busyNumber()
  assert.deepEqual(locs(await place(acme, {})), ['body.agent_id'])
  assert.deepEqual(locs(await place(acme, { agent_id })), ['body.to_number'])
  assert.deepEqual(locs(await place(acme, { agent_id, to_number: 'nobody' })), ['body.to_number'])
  assert.deepEqual(locs(await place(acme, { agent_id: 'x', to_number })), ['body.agent_id'])
  assert.deepEqual(locs(await place(acme, { agent_id, to_number, contact_id: newId() })), ['body.contact_id'])
  for (const [body, status] of [
    [{ agent_id: newId(), to_number }, 404],
    [{ agent_id: theirAgent, to_number }, 404],
    [{ agent_id, contact_id: newId() }, 404],
    [{ agent_id, to_number, chat_phone_number_id: newId() }, 404],
  ] as const)
    assert.equal((await place(acme, body)).status, status, JSON.stringify(body))
  const [theirChannel] = (await globex.call('GET', 'channels')).body.data
  assert.equal((await place(acme, { agent_id, to_number, chat_phone_number_id: theirChannel.id })).status, 404)
  const idle = await createReceptionist(acme)
  await acme.call('PATCH', `agents/${idle}`, { is_active: 'inactive' })
  assert.equal((await place(acme, { agent_id: idle, to_number })).status, 409)
  assert.deepEqual(await atCarrier(app, to_number), [])
})

test('a live call without a channel, carrier account or PUBLIC_URL is rejected with the missing setting', async () => {
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const created = await live('POST', 'agents', { name: 'Live', agent_type: 'static' })
  const call = () => live('POST', 'calls', { agent_id: created.body.id, to_number: '+12025550142' })
  assert.match((await call()).body.detail, /POST \/channels/)
  const phone_number = '+12025550100'
  const { body: channel } = await live('POST', 'channels', { phone_number })
  const refused = await call()
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, /account_sid/)
  const voice = { provider: 'twilio', account_sid: 'AC1', auth_token: 'token', phone_number_id: 'PN1' }
  await live('PATCH', `channels/${channel.id}`, { voice })
  const withoutUrl = await call()
  assert.equal(withoutUrl.status, 409)
  assert.match(withoutUrl.body.detail, /PUBLIC_URL/)
  assert.equal((await live('GET', 'calls')).body.total_count, 0)
})

test('requests without a credential get 401, requests without the scope get 403', async () => {
  for (const [method, path] of [
    ['POST', 'calls'],
    ['POST', 'calls/web'],
    ['GET', 'calls'],
    ['GET', `calls/${newId()}`],
    ['GET', 'call-logs'],
    ['GET', `call-logs/${newId()}/recording`],
  ] as const) {
    const { status, body } = await app.call(method, path, method === 'POST' ? {} : undefined)
    assert.deepEqual([status, body.detail, body.error.code], [401, 'Could not validate credentials', 'invalid_api_key'])
  }
  const reader = app.as((await app.key(acme.id, { scopes: ['calls:read'] })).secret)
  const dispatcher = app.as((await app.key(acme.id, { scopes: ['calls:dispatch'] })).secret)
  assert.equal((await reader('POST', 'calls', { agent_id, to_number: busyNumber() })).status, 403)
  assert.equal((await reader('POST', 'calls/web', { agent_id })).status, 403)
  assert.equal((await reader('POST', `calls/${newId()}/end`)).status, 403)
  assert.equal((await reader('GET', 'calls')).status, 200)
  assert.equal((await dispatcher('GET', 'calls')).status, 403)
  assert.equal((await dispatcher('DELETE', `calls/${newId()}`)).status, 403)
  assert.equal((await dispatcher('POST', 'calls', { agent_id, to_number: busyNumber() })).status, 201)
})

test('twenty concurrent requests with one Idempotency-Key create one call that is dialed once', async () => {
  const to_number = busyNumber()
  const headers = { 'idempotency-key': 'once' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => place(acme, { agent_id, to_number }, headers)))
  const first = answers.find(({ status }) => status === 201) as Reply
  for (const { status, body } of answers) {
    assert.ok(status === 201 || status === 409, String(status))
    if (status === 201) assert.equal(body.id, first.body.id)
  }
  await ended(acme, first.body.id)
  const again = await place(acme, { agent_id, to_number }, headers)
  assert.deepEqual([again.status, again.body.id], [201, first.body.id])
  assert.equal((await place(acme, { agent_id, to_number: busyNumber() }, headers)).status, 409)
  assert.equal((await atCarrier(app, to_number)).length, 1)
})

test('another organization’s call gets the same 404 as an unknown call on every path', async () => {
  const id = await endedCall(Buffer.from('RIFF'))
  for (const [method, path] of [
    ['GET', `calls/${id}`],
    ['GET', `calls/${id}/transcript`],
    ['POST', `calls/${id}/end`],
    ['DELETE', `calls/${id}`],
    ['GET', `call-logs/${id}`],
    ['GET', `call-logs/${id}/recording`],
  ] as const) {
    const theirs = await globex.call(method, path)
    const unknown = await globex.call(method, path.replace(id, newId()))
    assert.deepEqual([theirs.status, theirs.body], [404, unknown.body], path)
  }
  assert.equal((await globex.call('GET', `calls?agent_id=${agent_id}`)).body.total_count, 0)
  assert.equal((await globex.call('GET', 'call-logs')).body.total, 0)
  assert.equal((await acme.call('GET', 'calls/x')).status, 404)
  const [malformed, unknown] = [await acme.call('GET', 'call-logs/x'), await acme.call('GET', `call-logs/${newId()}`)]
  assert.deepEqual([malformed.status, malformed.body], [404, { detail: 'Call log entry not found' }])
  assert.deepEqual(unknown.body, malformed.body)
  const ticket = await acme.call('GET', 'inbox/tickets/x')
  assert.deepEqual(ticket.body, (await acme.call('GET', `inbox/tickets/${newId()}`)).body)
})

test('a recording is served whole and by range, and is removed with its call', async () => {
  const bytes = Buffer.from('RIFF....WAVEfmt a recording')
  const id = await endedCall(bytes)
  const url = `call-logs/${id}/recording`
  const { body: call } = await acme.call('GET', `call-logs/${id}`)
  assert.equal(call.recording_url, `/api/v1/${url}`)
  const whole = await acme.call('GET', url)
  assert.deepEqual([whole.status, whole.text], [200, bytes.toString()])
  assert.equal(whole.headers['content-type'], 'audio/wav')
  assert.equal(whole.headers['accept-ranges'], 'bytes')
  const part = await acme.call('GET', url, undefined, { range: 'bytes=0-3' })
  assert.deepEqual([part.status, part.text], [206, 'RIFF'])
  assert.equal(part.headers['content-range'], `bytes 0-3/${bytes.length}`)
  const known = await acme.call('GET', url, undefined, { 'if-none-match': String(whole.headers.etag) })
  assert.equal(known.status, 304)
  assert.equal((await acme.call('GET', url, undefined, { range: 'bytes=9999-' })).status, 416)
  assert.equal((await acme.call('GET', `call-logs/${await endedCall()}/recording`)).status, 404)

  const { status, body } = await acme.call('DELETE', `calls/${id}`)
  assert.deepEqual([status, body.message], [200, 'Call deleted successfully'])
  assert.equal((await acme.call('GET', `calls/${id}`)).status, 404)
  const [event] = (await acme.call('GET', 'events?type=call.deleted')).body.data
  assert.equal(event.data.object.id, id)
  const removed = await app.database.forSystem().all(Type.Object({ key: Type.String() }))`
    select key from removed_files where key like ${`%${id}`}`
  assert.equal(removed.length, 1)
})

test('a queued call is ended without being dialed, and ending it again changes nothing', async () => {
  const waiting = await app.database.inTenant({ organizationId: acme.id, livemode: false }, async (tx) => {
    const id = newId()
    await tx.run`insert into calls (id, medium, direction, agent_id, to_number, due_at, deadline_at)
      values (${id}, 'phone', 'outbound', ${agent_id}, '+14155550142', now() + interval '1 hour', now() + interval '1 hour')`
    return id
  })
  assert.equal((await acme.call('DELETE', `calls/${waiting}`)).status, 409)
  const { status, body } = await acme.call('POST', `calls/${waiting}/end`)
  assert.deepEqual([status, body.status, body.ended_reason], [200, 'failed', 'ended_by_request'])
  const again = await acme.call('POST', `calls/${waiting}/end`)
  assert.deepEqual([again.status, again.body.ended_at], [200, body.ended_at])
  assert.equal((await acme.call('POST', `calls/${newId()}/end`)).status, 404)
})

test('calls are listed by cursor, filtered and counted', async () => {
  const fresh = await app.organization()
  const agent = await createReceptionist(fresh)
  const calls: Reply['body'][] = []
  for (let i = 0; i < 5; i++) calls.push((await place(fresh, { agent_id: agent, to_number: busyNumber() })).body)
  for (const { id } of calls) await ended(fresh, id)
  const list = async (query: string) => (await fresh.call('GET', `calls?${query}`)).body
  const first = await list('limit=2')
  assert.deepEqual(
    [first.data.map(({ id }: Reply['body']) => id), first.has_more, first.total_count],
    [[calls[4].id, calls[3].id], true, 5],
  )
  assert.equal(first.next_cursor, calls[3].id)
  const second = await list(`limit=3&starting_after=${first.next_cursor}`)
  assert.deepEqual([second.data.length, second.has_more, second.data[2].id], [3, false, calls[0].id])
  for (const [query, count] of [
    ['status=busy', 5],
    ['status=completed', 0],
    ['direction=outbound&status=busy', 5],
    ['direction=inbound', 0],
    [`agent_id=${agent}`, 5],
    [`agent_id=${newId()}`, 0],
    [`contact_id=${calls[1].contact_id}`, 1],
    [`started_after=${calls[2].started_at}`, 3],
    [`started_before=${calls[2].started_at}`, 2],
    [`started_after=${calls[1].started_at}&started_before=${calls[3].started_at}&status=busy`, 2],
  ] as const) {
    const { data, total_count } = await list(query)
    assert.deepEqual([data.length, total_count], [count, count], query)
  }
  assert.equal((await fresh.call('GET', 'calls?status=dancing')).status, 422)
  assert.equal((await fresh.call('GET', 'calls?starting_after=x')).status, 422)
  await fresh.call('DELETE', `contacts/${calls[1].contact_id}`)
  const unlinked = (await fresh.call('GET', `calls/${calls[1].id}`)).body
  assert.equal(unlinked.contact_id, null)
  await fresh.call('DELETE', `calls/${calls[0].id}`)
  assert.equal((await list('')).total_count, 4)
})

test('call logs are paged by number and searched by part of a number or id, or by similarity', async () => {
  const fresh = await app.organization()
  const scope = { organizationId: fresh.id, livemode: false }
  const numbers = ['+12025550142', '+12025550143', '+447700900123', '+4930901820']
  await app.database.inTenant(scope, async (tx) => {
    for (const [i, to] of numbers.entries())
      await tx.run`insert into calls (id, medium, direction, call_id, from_number, to_number, status, ended_at, deadline_at)
        values (${newId()}, 'phone', ${i === 3 ? 'inbound' : 'outbound'}, ${`CA${'0123456789abcdef'.repeat(2).slice(0, 31)}${i}`},
          '+13105550100', ${to}, ${i === 2 ? 'failed' : 'completed'}, now(), now())`
  })
  const logs = async (query: string) => (await fresh.call('GET', `call-logs?${query}`)).body
  const found = async (search: string) =>
    (await logs(`search=${encodeURIComponent(search)}`)).items.map(({ to_number }: Reply['body']) => to_number)
  const all = await logs('')
  assert.deepEqual([all.total, all.page, all.page_size, all.items.length], [4, 1, 20, 4])
  const second = await logs('page=2&page_size=3')
  assert.deepEqual([second.total, second.items.length, second.items[0].to_number], [4, 1, numbers[0]])
  assert.deepEqual((await logs('page=9')).items, [])
  assert.equal((await logs('page=9')).total, 4)
  assert.equal((await logs('direction=inbound')).total, 1)
  assert.equal((await logs('status=failed')).total, 1)
  assert.equal((await logs('status=failed&direction=inbound')).total, 0)
  assert.deepEqual(await found('(202) 555-0142'), [numbers[0]])
  assert.deepEqual(await found('555.014'), [numbers[1], numbers[0]])
  assert.deepEqual(await found('+44 7700'), [numbers[2]])
  assert.deepEqual(await found('CDEF0'), [numbers[3], numbers[2], numbers[1], numbers[0]])
  assert.deepEqual(await found('9ABCDE2'), [numbers[2]])
  assert.deepEqual(await found('+447700900132'), [numbers[2]], 'two digits were swapped')
  assert.deepEqual(await found('999999999'), [])
  assert.deepEqual(await found('100% _'), [])
  const near = await logs('search=%2B447700900132&status=completed')
  assert.deepEqual([near.total, near.items], [0, []])
  const agent = await createReceptionist(fresh)
  const scoped = { organizationId: fresh.id, livemode: false }
  await app.database.inTenant(
    scoped,
    (tx) => tx.run`update calls set agent_id = ${agent} where to_number = ${numbers[1]}`,
  )
  for (const search of ['', 'search=555014&']) {
    const ofAgent = await logs(`${search}agent_id=${agent}`)
    assert.deepEqual([ofAgent.total, ofAgent.items[0].to_number], [1, numbers[1]])
    assert.equal((await logs(`${search}agent_id=${newId()}`)).total, 0)
    const now = new Date().toISOString()
    assert.equal((await logs(`${search}started_after=${now}`)).total, 0)
    assert.equal((await logs(`${search}started_before=${now}`)).total, search ? 2 : 4)
  }
  assert.equal((await logs(`search=%2B447700900132&agent_id=${agent}`)).total, 0)
  const filtered = await logs('search=555014&page_size=1&page=2')
  assert.deepEqual([filtered.total, filtered.items[0].to_number], [2, numbers[0]])
  for (const bad of ['page=0', 'page_size=101', 'page_size=0', 'status=x', 'direction=x'])
    assert.equal((await fresh.call('GET', `call-logs?${bad}`)).status, 422, bad)
  await until(async () => (await logs('')).total === 4)
})
