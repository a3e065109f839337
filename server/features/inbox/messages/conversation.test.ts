import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { assertAccepted } from '../../../testing/conversations.ts'
import { eventTypesOf } from '../../../testing/events-of.ts'
import { until } from '../../../testing/process.ts'
import { upload } from '../../../testing/uploads.ts'

/** Follows the guide: test mode, with the simulated platform and its webhooks. */
const app = await sharedTestApp()
await app.listen()
const { call } = await app.organization()

const ticketOf = async (from: string) =>
  ok(await call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).inboxes[0]
const messagesOf = async (ticketId: string) => ok(await call('GET', `inbox/messages/${ticketId}`)).messages
const heardFrom = async (from: string, message: object = {}) => {
  ok(await call('POST', 'simulator/messages', { from, name: 'Ines', text: 'Are you open today?', ...message }), 202)
  await until(async () => (await ticketOf(from))?.unread_count > 0)
  return ticketOf(from)
}

test('a customer writes, gets a reply, and the reply is marked as read', async () => {
  const ticket = await heardFrom('+14155550100')
  assert.equal(ticket.contact.name, 'Ines')
  const reply = ok(await call('POST', `inbox/messages/${ticket.id}`, { body: 'Until six.' }), 201)
  await until(async () => (await messagesOf(ticket.id)).at(-1).status === 'read')
  const [question, answer] = await messagesOf(ticket.id)
  assert.deepEqual(
    [question.direction, question.body, question.status],
    ['inbound', 'Are you open today?', 'delivered'],
  )
  assert.deepEqual([answer.id, answer.chat_message_id], [reply.id, reply.chat_message_id])
  assert.deepEqual(await eventTypesOf(call, reply.id), ['message.sent', 'message.delivered', 'message.read'])
  assert.equal(ok(await call('POST', `inbox/tickets/${ticket.id}/read`)).unread_count, 0)
})

test('images can be received and sent', async () => {
  const from = '+14155550177'
  const file = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const ticket = await heardFrom(from, {
    type: 'image',
    text: 'This one',
    media: { base64: file.toString('base64'), mime_type: 'image/png' },
  })
  const [inbound] = await messagesOf(ticket.id)
  assert.deepEqual([inbound.message_type, inbound.body, inbound.media_mime_type], ['image', 'This one', 'image/png'])
  const path = new URL(inbound.media_url).pathname
  await until(async () => (await call('GET', path)).status === 200)
  assert.equal((await call('GET', path)).headers['content-length'], String(file.length))
  const form = { file: new Uint8Array(file), fileName: 'dot.png', fields: { body: 'Here' } }
  const reply = ok(await upload(call, `inbox/messages/${ticket.id}`, form), 201)
  assert.equal(reply.message_type, 'image')
  await until(async () => (await messagesOf(ticket.id)).at(-1).status === 'read')
})

test('messages that the simulated platform rejects or loses are reported as with the real platform', async () => {
  const undeliverable = await heardFrom('+14155550102')
  await call('POST', `inbox/messages/${undeliverable.id}`, { body: 'Hello?' })
  await until(async () => (await messagesOf(undeliverable.id)).at(-1).status === 'failed')
  assert.equal((await messagesOf(undeliverable.id)).at(-1).error.code, '131026')
  const throttled = await heardFrom('+14155550105')
  const reply = ok(await call('POST', `inbox/messages/${throttled.id}`, { body: 'Third time lucky' }), 201)
  assertAccepted(reply)
})

test('reactions can be received and sent', async () => {
  const ticket = await heardFrom('+14155550188')
  const reply = ok(await call('POST', `inbox/messages/${ticket.id}`, { body: 'React to this' }), 201)
  const reaction = { message_id: reply.chat_message_id, emoji: '🙏' }
  ok(await call('POST', 'simulator/messages', { from: '+14155550188', type: 'reaction', message: { reaction } }), 202)
  await until(async () => (await messagesOf(ticket.id)).at(-1).reactions !== null)
  assert.deepEqual((await messagesOf(ticket.id)).at(-1).reactions, { '+14155550188': '🙏' })
  const [question] = await messagesOf(ticket.id)
  const reacted = ok(await call('POST', `inbox/messages/${ticket.id}/${question.id}/reaction`, { emoji: '👍' }))
  assert.deepEqual(Object.values(reacted.reactions), ['👍'])
})
