import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign } from '../../../../simulator/carrier/callbacks.ts'
import { newId } from '../../../platform/ids.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import { createReceptionist, untilCall } from '../../../testing/calls.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import { simulatedAccount } from '../carriers/carriers.ts'

const app = await sharedTestApp()
const url = await app.listen()
const acme = await app.organization()
const globex = await app.organization()
const secrets = createSecretBox(app.settings.SECRET_KEY as string)
const channelOf = async ({ call }: TestOrganization) => (await call('GET', 'channels')).body.data[0]
const [channel, theirChannel] = [await channelOf(acme), await channelOf(globex)]
const agent_id = await createReceptionist(acme)
const tokenOf = ({ id }: TestOrganization) => simulatedAccount(secrets, id).authToken

/** Sends a callback as the carrier does, signed with the token of acme's account by default. */
async function say(path: string, form: Record<string, string>, token = tokenOf(acme), signature?: string) {
  const address = `${url}${path}`
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature ?? sign(address, form, token),
    },
    body: new URLSearchParams(form),
  })
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') }
}

/** Inserts a call that the carrier has accepted and that is not answered yet. */
async function ringing(callId = `CA${newId()}`): Promise<{ id: string; callId: string; path: string }> {
  const id = newId()
  await app.database.inTenant(
    { organizationId: acme.id, livemode: false },
    (tx) =>
      tx.run`insert into calls (id, medium, direction, telephony_status, call_id, agent_id, channel_id, to_number, deadline_at)
        values (${id}, 'phone', 'outbound', 'initiated', ${callId}, ${agent_id}, ${channel.id}, '+14155550142', now() + interval '1 hour')`,
  )
  return { id, callId, path: `/hooks/voice/${channel.id}/calls/${id}` }
}
const show = async (id: string) => (await acme.call('GET', `calls/${id}`)).body
const status = (CallSid: string, CallStatus: string, SequenceNumber: number, more: Record<string, string> = {}) => ({
  CallSid,
  CallStatus,
  SequenceNumber: String(SequenceNumber),
  ...more,
})

test('a callback that is not signed by the channel’s account changes nothing', async () => {
  const { id, callId, path } = await ringing()
  const form = status(callId, 'busy', 3)
  const foreign = `/hooks/voice/${theirChannel.id}/calls/${id}/status`
  for (const answer of [
    await say(`${path}/status`, form, 'another token'),
    await say(`${path}/status`, form, tokenOf(globex)),
    await say(`${path}/status`, form, undefined, ''),
    await say(
      `${path}/status`,
      { ...form, CallStatus: 'busy ' },
      undefined,
      sign(`${url}${path}/status`, form, tokenOf(acme)),
    ),
    await say(`/hooks/voice/${newId()}/calls/${id}/status`, form),
    await say(`/hooks/voice/x/calls/${id}/status`, form),
    await say(`${path}/status`, { CallStatus: 'busy' }),
    // Validly signed by globex's own account, but for a call of acme.
    { ...(await say(foreign, form, tokenOf(globex))), status: 403 },
  ])
    assert.equal(answer.status, 403)
  assert.deepEqual([(await show(id)).status, (await show(id)).telephony_status], ['in-progress', 'initiated'])
})

test('duplicate and out-of-order callbacks only move a call forward', async () => {
  const { id, callId, path } = await ringing()
  const callback = (CallStatus: string, sequence: number) => say(`${path}/status`, status(callId, CallStatus, sequence))
  await callback('ringing', 1)
  await callback('initiated', 0)
  assert.equal((await show(id)).telephony_status, 'ringing')
  await callback('ringing', 1)
  await callback('no-answer', 3)
  const first = await untilCall(acme, id, ({ status: is }) => is !== 'in-progress')
  assert.equal(first.status, 'no-answer')
  for (const [late, sequence] of [
    ['in-progress', 2],
    ['busy', 4],
    ['completed', 5],
    ['no-answer', 3],
  ] as const)
    assert.equal((await callback(late, sequence)).status, 200)
  const after = await show(id)
  assert.deepEqual([after.status, after.ended_at, after.ended_reason], ['no-answer', first.ended_at, 'no_answer'])
  assert.equal(after.telephony_status, 'no-answer')
  assert.equal((await eventsOf(acme.call, id, 'call.ended')).length, 1)
})

test('the clock of the carrier decides neither the order of callbacks nor the times of a call', async () => {
  const { id, callId, path } = await ringing()
  const day = 86_400_000
  const callback = (CallStatus: string, sequence: number, skewMs: number, more = {}) => {
    const Timestamp = new Date(Date.now() + skewMs).toUTCString().replace('GMT', '+0000')
    return say(`${path}/status`, status(callId, CallStatus, sequence, { Timestamp, ...more }))
  }
  const before = Date.now()
  await callback('ringing', 1, day)
  await callback('initiated', 0, 2 * day)
  assert.equal((await show(id)).telephony_status, 'ringing')
  await callback('completed', 2, -day, { CallDuration: '7' })
  const call = await untilCall(acme, id, ({ status: is }) => is !== 'in-progress')
  assert.deepEqual([call.status, call.telephony_status], ['completed', 'completed'])
  assert.ok(Math.abs(Date.parse(call.ended_at) - before) < day / 2, call.ended_at)
})

test('a late `busy` does not change a completed call', async () => {
  const { id, callId, path } = await ringing()
  await say(`${path}/status`, status(callId, 'completed', 3, { CallDuration: '7' }))
  const completed = await untilCall(acme, id, ({ analysis }) => analysis !== null)
  await say(`${path}/status`, status(callId, 'busy', 4, { CallDuration: '0' }))
  assert.deepEqual(await show(id), completed)
})

test('the duration of a call whose holder died ends at the last heartbeat or the last saved segment', async () => {
  const system = app.database.forSystem()
  const started = Date.now()
  const held = async (lastWordsAt: number) => {
    const { id } = await ringing()
    const node = newId()
    const at = (secondsAgo: number) => new Date(started - secondsAgo * 1000).toISOString()
    const segment = { speaker: 'caller', text: 'Hello?', timestamp: lastWordsAt }
    // The last heartbeat was 15 s before `expires_at`: 60 s after the audio started.
    await system.run`insert into worker_leases (id, name, expires_at) values (${node}, 'call holder', ${at(25)})`
    await system.run`insert into call_segments (organization_id, livemode, call_id, number, segment)
      values (${acme.id}, false, ${id}, 0, ${segment})`
    await system.run`update calls set holder_id = ${node}, answered_at = ${at(120)}, audio_at = ${at(100)},
      carrier_seconds = 119 where id = ${id}`
    return untilCall(acme, id, ({ status: now }) => now !== 'in-progress')
  }
  const lost = await held(3.5)
  assert.deepEqual([lost.status, lost.ended_reason, lost.transcript.length], ['failed', 'worker_lost', 1])
  assert.equal(lost.duration_seconds, 60)
  assert.equal((await held(70.2)).duration_seconds, 71)
})

test('twenty concurrent callbacks end a call once', async () => {
  const { id, callId, path } = await ringing()
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => say(`${path}/status`, status(callId, i % 2 ? 'busy' : 'ringing', i))),
  )
  const call = await untilCall(acme, id, ({ status: is }) => is !== 'in-progress')
  assert.equal(call.status, 'busy')
  assert.equal((await eventsOf(acme.call, id, 'call.ended')).length, 1)
})

test('each final status of the carrier maps to a status of the API', async () => {
  for (const [word, is, reason] of [
    ['completed', 'completed', 'caller_hung_up'],
    ['busy', 'busy', 'busy'],
    ['no-answer', 'no-answer', 'no_answer'],
    ['failed', 'failed', 'carrier_failed'],
    ['canceled', 'failed', 'canceled'],
  ] as const) {
    const { id, callId, path } = await ringing()
    await say(`${path}/status`, status(callId, word, 2, { CallDuration: '7' }))
    const call = await untilCall(acme, id, ({ status: now }) => now !== 'in-progress')
    assert.deepEqual([call.status, call.telephony_status, call.ended_reason], [is, word, reason])
    assert.equal(call.duration_seconds, 7)
  }
})

test('a call without a carrier id takes it from the first callback and rejects callbacks with another id', async () => {
  const { id, path } = await ringing('')
  await say(`${path}/status`, status('CAfirst', 'ringing', 1))
  assert.equal((await show(id)).call_id, 'CAfirst')
  await say(`${path}/status`, status('CAsecond', 'busy', 2))
  assert.deepEqual([(await show(id)).call_id, (await show(id)).status], ['CAfirst', 'in-progress'])
})

test('an answered call is connected with a ticket, and an ended one is hung up', async () => {
  const { id, callId, path } = await ringing()
  const connected = await say(`${path}/answer`, status(callId, 'in-progress', 2))
  assert.match(connected.type ?? '', /^text\/xml/)
  assert.match(connected.text, new RegExp(`<Stream url="ws://[^"]+/hooks/voice/${channel.id}/media">`))
  const ticket = (text: string) => /name="ticket" value="(\w{43})"/.exec(text)?.[1]
  assert.ok(ticket(connected.text))
  const again = await say(`${path}/answer`, status(callId, 'in-progress', 2))
  assert.notEqual(ticket(again.text), ticket(connected.text))
  const other = await say(`${path}/answer`, status('CAanother', 'in-progress', 2))
  assert.match(other.text, /<Hangup\/>/)
  await acme.call('POST', `calls/${id}/end`)
  assert.match((await say(`${path}/answer`, status(callId, 'in-progress', 2))).text, /<Hangup\/>/)
  assert.match((await say(`${path}/after`, status(callId, 'in-progress', 2))).text, /<Hangup\/>/)
})

test('an inbound call to a channel without an agent is declined with a message, and a duplicate callback creates no second call', async () => {
  const form = { CallSid: `CA${newId()}`, From: '+1 202 555 0142', To: channel.phone_number, CallStatus: 'ringing' }
  const path = `/hooks/voice/${channel.id}/inbound`
  const refused = await say(path, form)
  assert.match(refused.text, /<Say>.+<\/Say><Hangup\/>/)
  await say(path, form)
  const { body } = await acme.call('GET', 'calls?direction=inbound')
  assert.equal(body.total_count, 1)
  const [call] = body.data
  assert.deepEqual(
    [call.status, call.ended_reason, call.from_number, call.to_number],
    ['failed', 'no_agent', '+12025550142', channel.phone_number],
  )
  const { body: contact } = await acme.call('GET', `contacts/${call.contact_id}`)
  assert.equal(contact.phone_number, '+12025550142')
})
