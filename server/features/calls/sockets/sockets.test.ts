import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { sign } from '../../../../simulator/carrier/callbacks.ts'
import { clientAddress, networkOf } from '../../../platform/http/client-address.ts'
import { newId } from '../../../platform/ids.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { fromPcm16 } from '../../../providers/speech/audio.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { createReceptionist, ended } from '../../../testing/calls.ts'
import { until } from '../../../testing/process.ts'
import { simulatedAccount } from '../carriers/carriers.ts'
import { createSocketSlots } from './socket-slots.ts'

const app = await startTestApp({ settings: { CORS_ORIGINS: ['https://shop.example.com'], CALLS_PER_ORGANIZATION: 3 } })
const url = await app.listen()
const acme = await app.organization()
const agent_id = await createReceptionist(acme)
const [channel] = (await acme.call('GET', 'channels')).body.data
const secrets = createSecretBox(app.settings.SECRET_KEY as string)

const webCall = async (organization: TestOrganization = acme, agent = agent_id) =>
  organization.call('POST', 'calls/web', { agent_id: agent })

interface Heard {
  socket: WebSocket
  events: { type: string; [member: string]: unknown }[]
  audio: Buffer[]
  closed: Promise<number>
}

/** Opens a WebSocket. Returns the HTTP status if it was refused, otherwise what it receives. */
function open(address: string, options: object = {}, protocols: string[] = []): Promise<Heard | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address, protocols, options)
    after(() => socket.terminate())
    const heard: Heard = {
      socket,
      events: [],
      audio: [],
      closed: new Promise((done) => socket.once('close', (code) => done(code))),
    }
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) heard.audio.push(data)
      else heard.events.push(JSON.parse(data.toString()))
    })
    socket.once('open', () => resolve(heard))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => {})
  })
}
const withToken = ({ ws_url, access_token }: { ws_url: string; access_token: string }) =>
  `${ws_url}?access_token=${access_token}`

/** Sends speech like a browser: 20 ms frames with silence before and after. */
async function speak({ socket }: Heard, text: string): Promise<void> {
  const speech = createOfflineSpeech({ processes: 1 })
  const pieces: Uint8Array[] = [Buffer.alloc(640 * 10)]
  const signal = AbortSignal.timeout(60_000)
  for await (const piece of speech.voice.speak(text, {
    encoding: 'pcm16-16000',
    voice: 'rms',
    language: 'en-US',
    signal,
  }))
    pieces.push(piece)
  await speech.close()
  const audio = Buffer.concat([...pieces, Buffer.alloc(640 * 100)])
  const began = performance.now()
  for (let at = 0; at < audio.length && socket.readyState === socket.OPEN; at += 640) {
    socket.send(audio.subarray(at, at + 640))
    const due = began + (at / 640) * 20
    if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
  }
}

test('a browser talks to an agent and receives its audio and events', async () => {
  const askedAt = Date.now()
  const { status, body } = await webCall()
  assert.equal(status, 201)
  assert.match(body.call_id, /^WC[0-9a-f]{32}$/)
  assert.ok(body.ws_url.startsWith(url.replace('http', 'ws')))
  const expiresAt = Date.parse(body.expires_at)
  assert.ok(expiresAt > askedAt + 59_000 && expiresAt < Date.now() + 61_000, body.expires_at)
  const heard = (await open(withToken(body))) as Heard
  await until(async () => heard.events.some(({ type }) => type === 'agent.speech_stopped'))
  const finals = () =>
    heard.events.filter(({ type }) => type === 'transcript.final').map(({ segment }) => segment as { text: string })
  const isUnderstood = () => finals().some(({ text }) => /nine to five/.test(text))
  // On a busy machine words may get lost, so the caller repeats the question.
  for (let i = 0; i < 5 && !isUnderstood(); i++) {
    const answers = finals().length
    await speak(heard, 'What are your opening hours?')
    const deadline = performance.now() + 20_000
    await until(async () => finals().length >= answers + 2 || performance.now() > deadline)
  }
  assert.ok(isUnderstood(), JSON.stringify(finals()))
  assert.equal((await acme.call('GET', `calls/${body.id}`)).body.status, 'in-progress')
  const { body: live } = await acme.call('GET', `calls/${body.id}/transcript`)
  assert.equal(live.segments[0].segment.text, 'Hello, this is the front desk.')
  const later = await acme.call('GET', `calls/${body.id}/transcript?after=${live.segments[0].number}`)
  // More may have been said meanwhile.
  assert.deepEqual(later.body.segments.slice(0, live.segments.length - 1), live.segments.slice(1))
  heard.socket.send(JSON.stringify({ type: 'hangup' }))
  const done = await ended(acme, body.id)
  assert.deepEqual([done.status, done.ended_reason, done.medium], ['completed', 'caller_hung_up', 'web'])
  const callerSaid = done.transcript.filter(({ speaker }: { speaker: string }) => speaker === 'caller')
  assert.ok(callerSaid.some(({ text }: { text: string }) => /open|hours/i.test(text)))
  assert.equal(done.cost_breakdown.telephony, 0)
  const types = new Set(heard.events.map(({ type }) => type))
  for (const type of ['session.started', 'agent.speech_started', 'transcript.final']) assert.ok(types.has(type), type)
  const loudest = Math.max(...fromPcm16(Buffer.concat(heard.audio)).map(Math.abs))
  assert.ok(loudest > 1000, 'the agent can be heard')
})

test('a token works once, for its own call, and until it expires', async () => {
  const { body } = await webCall()
  const { body: other } = await webCall()
  assert.equal(await open(body.ws_url), 401)
  assert.equal(await open(`${body.ws_url}?access_token=guess`), 401)
  assert.equal(await open(withToken({ ...body, ws_url: other.ws_url })), 401, 'the token of another call')
  const first = (await open(withToken(body))) as Heard
  await until(async () => first.events.length > 0)
  assert.equal(await open(withToken(body)), 401, 'a token that was used')
  first.socket.close()
  await ended(acme, body.id)

  await app.database.forSystem().run`update calls set ticket_expires_at = now() - interval '1 second',
    deadline_at = now() - interval '1 second' where id = ${other.id}`
  assert.equal(await open(withToken(other)), 401)
  const missed = await ended(acme, other.id)
  assert.deepEqual([missed.status, missed.ended_reason], ['no-answer', 'not_joined'])
})

test('a replayed request returns no token', async () => {
  const headers = { 'idempotency-key': 'web once' }
  const first = await acme.call('POST', 'calls/web', { agent_id }, headers)
  const again = await acme.call('POST', 'calls/web', { agent_id }, headers)
  assert.deepEqual([again.body.id, again.body.access_token], [first.body.id, null])
  await acme.call('POST', `calls/${first.body.id}/end`)
})

test('foreign origins, unknown paths and other hosts are refused', async () => {
  const { body } = await webCall()
  const address = withToken(body)
  assert.equal(await open(address, { headers: { origin: 'https://evil.example.com' } }), 403)
  assert.equal(await open(address, { headers: { host: 'evil.example.com' } }), 421)
  assert.equal(await open(address.replace('/calls/web/', '/calls/wep/')), 404)
  const media = `${url.replace('http', 'ws')}/hooks/voice/${body.id}/media`
  assert.equal(await open(media, { headers: { origin: 'https://shop.example.com' } }), 403)
  const allowed = (await open(body.ws_url, { headers: { origin: 'https://shop.example.com' } }, [
    'frontdesk',
    body.access_token,
  ])) as Heard
  await until(async () => allowed.events.length > 0)
  assert.equal(allowed.socket.protocol, 'frontdesk')
  allowed.socket.terminate()
  assert.equal((await ended(acme, body.id)).ended_reason, 'line_lost')
})

const mediaOf = (channelId: string, base = url) => `${base.replace('http', 'ws')}/hooks/voice/${channelId}/media`

test('of two browsers that present one token concurrently, only one joins', async () => {
  const { body } = await webCall()
  const both = await Promise.all([open(withToken(body)), open(withToken(body))])
  const opened = both.filter((each): each is Heard => typeof each !== 'number')
  await until(async () => opened.some(({ events }) => events.length > 0))
  const talking = opened.filter(({ events }) => events.length > 0)
  assert.equal(talking.length, 1)
  for (const each of opened) if (each !== talking[0]) assert.equal(await each.closed, 1008)
  talking[0]?.socket.send(JSON.stringify({ type: 'hangup' }))
  assert.equal((await ended(acme, body.id)).ended_reason, 'caller_hung_up')
})

test('a media stream with an invalid ticket, an invalid message or a message that is too long is closed', async () => {
  const media = mediaOf(channel.id)
  for (const unknown of [newId(), agent_id, '-'.repeat(36)]) assert.equal(await open(mediaOf(unknown)), 404)
  for (const opening of [
    JSON.stringify({ event: 'start', streamSid: 'MZ1', start: { callSid: 'CA1', customParameters: { ticket: 'x' } } }),
    JSON.stringify({ event: 'media' }),
    'not json',
  ]) {
    const heard = (await open(media)) as Heard
    heard.socket.send(opening)
    assert.equal(await heard.closed, 1008, opening)
  }
  const greedy = (await open(media)) as Heard
  greedy.socket.send('x'.repeat(100_000))
  assert.equal(await greedy.closed, 1009)
})

test('idle sockets of one address leave slots for other addresses, signed streams and browsers', async () => {
  const node = await app.node({ TRUST_PROXY: true })
  const base = await node.listen()
  const media = mediaOf(channel.id, base)
  const from = (address: string, more: object = {}) => ({ headers: { 'x-forwarded-for': address, ...more } })
  const idle: Heard[] = []
  const occupy = async (count: number, address: (i: number) => string) => {
    const opened = await Promise.all(Array.from({ length: count }, (_, i) => open(media, from(address(i)))))
    for (const each of opened) if (typeof each !== 'number') idle.push(each)
    return opened.filter((each) => each === 503).length
  }
  // Entries before the proxy's own are written by the client and must be ignored.
  assert.equal(await occupy(23, (i) => `203.0.113.${i}, 198.51.100.7`), 3)
  const signed = (secret: string) =>
    open(media, from('198.51.100.7', { 'x-twilio-signature': sign(media, {}, secret) }))
  // At once: an idle socket is closed after ten seconds, which frees its slot.
  assert.equal(await signed('another secret'), 503)
  const carrier = (await signed(simulatedAccount(secrets, acme.id).authToken)) as Heard
  assert.equal(typeof carrier, 'object', 'the carrier still comes in')
  assert.equal(await occupy(1, () => '198.51.100.8'), 0)
  assert.equal(await occupy(23, (i) => `2001:db8::${i.toString(16)}:1`), 3, 'an IPv6 network counts as one address')
  const { body } = await node.as(acme.key)('POST', 'calls/web', { agent_id })
  const browser = (await open(withToken(body), from('198.51.100.7'))) as Heard
  await until(async () => browser.events.length > 0)
  browser.socket.send(JSON.stringify({ type: 'hangup' }))
  assert.equal((await ended(acme, body.id)).ended_reason, 'caller_hung_up')

  idle[0]?.socket.terminate()
  await until(async () => {
    const again = await open(media, from('198.51.100.7'))
    if (again !== 503) idle.push(again as Heard)
    return again !== 503
  })
  for (const { socket } of [...idle, carrier]) socket.terminate()
  await node.close()
})

test('slots are limited in total and per network, and freed only once', () => {
  const slots = createSocketSlots({ total: 3, perNetwork: 2 })
  const first = slots.take('a')
  assert.ok(first && slots.take('a'))
  assert.equal(slots.take('a'), undefined)
  assert.ok(slots.take('b'))
  assert.equal(slots.take('c'), undefined, 'all are taken')
  first()
  first()
  assert.ok(slots.take('c'))
  assert.equal(slots.take('a'), undefined)
})

test('the client address comes from the trusted proxy, and an IPv6 /64 is one network', () => {
  const request = (forwarded?: string) =>
    ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '::ffff:10.0.0.1' } }) as never
  assert.equal(clientAddress(request('1.1.1.1, 2.2.2.2'), true), '2.2.2.2')
  assert.equal(clientAddress(request('1.1.1.1, 2.2.2.2'), false), '::ffff:10.0.0.1')
  assert.equal(clientAddress(request(), true), '::ffff:10.0.0.1')
  for (const [address, network] of [
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0:0:ffff::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ] as const)
    assert.equal(networkOf(address), network)
})

test('a browser is told that its call was ended by request, and web calls are limited by slots', async () => {
  const fresh = await app.organization()
  const agent = await createReceptionist(fresh)
  const calls = [await webCall(fresh, agent), await webCall(fresh, agent), await webCall(fresh, agent)]
  const refused = await webCall(fresh, agent)
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, /limit of 3 concurrent calls/)
  const heard = (await open(withToken(calls[0]?.body))) as Heard
  await until(async () => heard.events.length > 0)
  await fresh.call('POST', `calls/${calls[0]?.body.id}/end`)
  const done = await ended(fresh, calls[0]?.body.id)
  assert.deepEqual([done.status, done.ended_reason], ['completed', 'ended_by_request'])
  await until(async () =>
    heard.events.some(({ type, reason }) => type === 'session.ended' && reason === 'ended_by_request'),
  )
  assert.equal((await webCall(fresh, agent)).status, 201)
  for (const each of [(await webCall(acme)).body, calls[1]?.body]) assert.ok(each.id)
  assert.equal((await acme.call('POST', 'calls/web', { agent_id: agent })).status, 404)
  assert.equal((await acme.call('POST', 'calls/web', {})).status, 422)
})
