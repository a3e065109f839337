import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { newId } from '../../../platform/ids.ts'
import { ok, type Reply } from '../../../testing/app.ts'
import { begun, ended } from '../../../testing/calls.ts'
import { startLivePhones, type VoiceOrganization } from '../../../testing/live-phone.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'

const { app, newOrganization } = await startLivePhones()
const rules = [{ when: ['keys'], say: 'We are open from nine to five.' }]
const org = await newOrganization({ agent_type: 'static', agent_config: { call_settings: { rules } } })

const inConversation = async (desk: VoiceOrganization) => {
  const ring = await desk.ring()
  await begun(desk, ring.id)
  return ring
}
const ticketFor = async (id: string, call = org.call) => ok(await call('POST', `calls/${id}/listen`), 201)

interface Listener {
  socket: WebSocket
  hello: Promise<{ type: string; encoding: string }>
  /** Frames by track: 0 is the caller, 1 the agent. */
  frames: [Buffer[], Buffer[]]
  closed: Promise<number>
}

/** The HTTP status if the socket was refused. */
function listen({ ws_url, access_token }: Reply['body']): Promise<Listener | number> {
  const socket = new WebSocket(`${ws_url}?access_token=${access_token}`)
  after(() => socket.terminate())
  const hello = Promise.withResolvers<{ type: string; encoding: string }>()
  const frames: Listener['frames'] = [[], []]
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames[data[0] as 0 | 1].push(data.subarray(1))
    else hello.resolve(JSON.parse(data.toString()))
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ socket, hello: hello.promise, frames, closed }))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })
}

const isLoud = (frame: Buffer) => frame.some((code) => code !== 0xff && code !== 0x7f)

test('a supervisor hears both sides, is not heard, and the socket ends with the call', async () => {
  const ring = await inConversation(org)
  const listener = (await listen(await ticketFor(ring.id))) as Listener
  assert.deepEqual(await listener.hello, { type: 'listening', encoding: 'mulaw-8000' })
  const heard: Uint8Array[] = []
  ring.phone.onHear((frame, isAgent) => {
    if (isAgent) heard.push(frame)
  })
  const words = Buffer.alloc(160, 0x11)
  void ring.phone.say(words)
  await until(async () => listener.frames[0].some((frame) => frame.equals(words)))
  // What a listener sends goes nowhere, whatever it looks like.
  const shout = Buffer.alloc(160, 0x42)
  listener.socket.send(shout)
  listener.socket.send(JSON.stringify({ event: 'media', media: { payload: shout.toString('base64') } }))
  ring.phone.press('1#')
  await until(async () => listener.frames[1].some(isLoud))
  await until(async () => heard.length > 10)
  assert.ok(heard.every((frame) => !shout.equals(frame)))
  ring.phone.hangUp()
  assert.equal(await listener.closed, 4410)
  await ended(org, ring.id)
  const [entry] = ok(await org.call('GET', 'audit-log?action=call.listened')).data
  assert.deepEqual([entry.action, entry.object_id], ['call.listened', ring.id])
})

test('five people listen to a call at once, and one who leaves makes room', async () => {
  const ring = await inConversation(org)
  const ticket = await ticketFor(ring.id)
  const five = (await Promise.all(Array.from({ length: 5 }, () => listen(ticket)))) as Listener[]
  await Promise.all(five.map(({ hello }) => hello))
  assert.equal(await ((await listen(ticket)) as Listener).closed, 4429)
  five[0]?.socket.close()
  await five[0]?.closed
  let again: Listener | undefined
  await until(async () => {
    again = (await listen(ticket)) as Listener
    return Promise.race([
      again.closed.then(() => false),
      until(async () => again?.frames[0].length !== 0).then(() => true),
    ])
  })
  ring.phone.hangUp()
  assert.deepEqual(await Promise.all(five.slice(1).map(({ closed }) => closed)), [4410, 4410, 4410, 4410])
  await ended(org, ring.id)
})

test('another node says that it does not hold the call, and a call that is over says so', async () => {
  const ring = await inConversation(org)
  const node = await app.node({})
  const address = await node.listen()
  const ticket = await ticketFor(ring.id)
  const elsewhere = { ...ticket, ws_url: `${address.replace('http', 'ws')}/api/v1/calls/${ring.id}/listen` }
  assert.equal(await ((await listen(elsewhere)) as Listener).closed, 4409)
  ring.phone.hangUp()
  await ended(org, ring.id)
  assert.equal(await ((await listen(ticket)) as Listener).closed, 4410)
  assert.equal((await org.call('POST', `calls/${ring.id}/listen`)).status, 409)
  await node.close()
})

test('listening needs its own scope, a call of the organization and a valid token', async () => {
  const ring = await inConversation(org)
  const ticket = await ticketFor(ring.id)
  const other = await newOrganization({ agent_type: 'static' })
  assert.equal((await other.call('POST', `calls/${ring.id}/listen`)).status, 404)
  assert.equal((await org.call('POST', `calls/${newId()}/listen`)).status, 404)
  const reader = app.as((await app.key(org.id, { mode: 'live', scopes: ['calls:read', 'calls:dispatch'] })).secret)
  assert.equal((await reader('POST', `calls/${ring.id}/listen`)).status, 403)
  const listener = app.as((await app.key(org.id, { mode: 'live', scopes: ['calls:listen'] })).secret)
  await ticketFor(ring.id, listener)
  assert.equal((await app.call('POST', `calls/${ring.id}/listen`)).status, 401)
  const elsewhere = ticket.ws_url.replace(ring.id, newId())
  const [expires, holder, signature] = ticket.access_token.split('.')
  const longer = `${Number(expires) + 1000}.${holder}.${signature}`
  const another = Buffer.from(JSON.stringify({ organizationId: other.id, livemode: true, keyId: newId() }))
  const forged = `${expires}.${another.toString('base64url')}.${signature}`
  for (const access_token of [forged, `${expires}.${signature}`])
    assert.equal(await listen({ ...ticket, access_token }), 401, access_token)
  for (const wrong of [{ ws_url: elsewhere }, { access_token: longer }, { access_token: 'x' }, { access_token: '' }])
    assert.equal(await listen({ ...ticket, ...wrong }), 401, JSON.stringify(wrong))
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('a listener who loses the permission is cut off, and a token of theirs opens nothing', async () => {
  const ring = await inConversation(org)
  const supervisor = await person(app, org.id, 'supervisor')
  const departing = await person(app, org.id, 'admin')
  const key = await app.key(org.id, { mode: 'live', scopes: ['calls:listen'] })
  const tickets = [
    await ticketFor(ring.id, supervisor.call),
    await ticketFor(ring.id, departing.call),
    await ticketFor(ring.id, app.as(key.secret)),
  ]
  const listeners = (await Promise.all(tickets.map(listen))) as Listener[]
  await Promise.all(listeners.map(({ hello }) => hello))
  const stays = (await listen(await ticketFor(ring.id))) as Listener
  ok(await org.call('PATCH', `members/${supervisor.id}`, { role: 'member' }))
  ok(await departing.call('POST', 'auth/logout'))
  ok(await org.call('DELETE', `keys/${key.id}`))
  assert.deepEqual(await Promise.all(listeners.map(({ closed }) => closed)), [4403, 4403, 4403])
  for (const ticket of tickets) assert.equal(await ((await listen(ticket)) as Listener).closed, 4403)
  assert.equal(stays.socket.readyState, WebSocket.OPEN)
  ring.phone.hangUp()
  assert.equal(await stays.closed, 4410)
  await ended(org, ring.id)
})
