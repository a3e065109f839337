import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { until } from '../../../testing/process.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()
const globex = await newOrganization()
const { call } = acme
const owner = await connectOwner(app)

const react = (ticketId: string, messageId: string, emoji: unknown, headers = {}) =>
  call('POST', `inbox/messages/${ticketId}/${messageId}/reaction`, { emoji }, headers)

test('a reaction is sent, shown under the channel’s number, replaced and removed', async () => {
  const from = newCustomer()
  const { ticketId, messageId, chatMessageId } = await acme.receives({ from })
  const message = ok(await react(ticketId, messageId, '👍'))
  assert.deepEqual([message.id, message.reactions], [messageId, { [acme.channelNumber]: '👍' }])
  const { to, type, reaction } = platform.sent.at(-1)
  assert.deepEqual([to, type, reaction], [from, 'reaction', { message_id: chatMessageId, emoji: '👍' }])
  assert.deepEqual(ok(await react(ticketId, messageId, '❤️')).reactions, { [acme.channelNumber]: '❤️' })
  assert.equal(ok(await react(ticketId, messageId, '')).reactions, null)
  assert.deepEqual(platform.sent.at(-1).reaction, { message_id: chatMessageId, emoji: '' })
  const { messages, total } = ok(await call('GET', `inbox/messages/${ticketId}`))
  assert.deepEqual([total, messages[0].reactions], [1, null])
})

test('an accepted outbound message can be reacted to', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const reply = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Hi' }), 201)
  assert.deepEqual(ok(await react(ticketId, reply.id, '🎉')).reactions, { [acme.channelNumber]: '🎉' })
})

test('a reaction must be a single emoji, including composed ones', async () => {
  const { ticketId, messageId } = await acme.receives({ from: newCustomer() })
  for (const emoji of ['👩‍👩‍👧‍👦', '🇩🇪', '👍🏽', '1️⃣', '❤', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
    assert.deepEqual(ok(await react(ticketId, messageId, emoji)).reactions, { [acme.channelNumber]: emoji })
  const sent = platform.sent.length
  for (const emoji of ['ok', '👍👍', ' 👍', '1', 'é', '🇩', '👍x', 7, null, undefined, 'x'.repeat(100)]) {
    const answer = await react(ticketId, messageId, emoji)
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', 'emoji']], String(emoji))
  }
  assert.equal(platform.sent.length, sent)
})

test('a reaction is refused if the platform does not know the message or the window has closed', async () => {
  const { ticketId, messageId, contactId } = await acme.receives({ from: newCustomer() })
  platform.next.push(refusal(131026))
  const failed = await call('POST', `inbox/messages/${ticketId}`, { body: 'Refused' })
  assert.equal((await react(ticketId, failed.body.message_id, '👍')).status, 409)
  await owner.query(`update chat_windows set last_inbound_at = now() - interval '25 hours' where contact_id = $1`, [
    contactId,
  ])
  const late = await react(ticketId, messageId, '👍')
  assert.equal(late.status, 409)
  assert.match(late.body.detail, /24 hours/)
})

test('a reaction needs the message’s own ticket and organization', async () => {
  const mine = await acme.receives({ from: newCustomer() })
  const other = await acme.receives({ from: newCustomer() })
  const theirs = await globex.receives({ from: newCustomer() })
  for (const [ticketId, messageId] of [
    [mine.ticketId, other.messageId],
    [mine.ticketId, theirs.messageId],
    [theirs.ticketId, theirs.messageId],
    [theirs.ticketId, mine.messageId],
    [mine.ticketId, newId()],
    [mine.ticketId, 'x'],
  ] as const) {
    const answer = await react(ticketId, messageId, '👍')
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Message not found' }])
  }
})

test('a reaction that the platform refuses changes nothing', async () => {
  const { ticketId, messageId } = await acme.receives({ from: newCustomer() })
  ok(await react(ticketId, messageId, '👍'))
  for (const behaviour of [refusal(131009), 'hang up'] as const) {
    platform.next.push(behaviour)
    const answer = await react(ticketId, messageId, '😡')
    assert.equal(answer.status, 502, answer.text)
    assert.ok('code' in answer.body.upstream)
  }
  const { messages } = ok(await call('GET', `inbox/messages/${ticketId}`))
  assert.deepEqual(messages[0].reactions, { [acme.channelNumber]: '👍' })
})

test('a repeated Idempotency-Key sends one reaction', async () => {
  const { ticketId, messageId } = await acme.receives({ from: newCustomer() })
  const sent = platform.sent.length
  const headers = { 'idempotency-key': 'thumb' }
  const first = ok(await react(ticketId, messageId, '👍', headers))
  assert.deepEqual(ok(await react(ticketId, messageId, '👍', headers)), first)
  assert.equal((await react(ticketId, messageId, '👎', headers)).status, 409)
  assert.equal(platform.sent.length, sent + 1)
})

const readMarks = () => platform.sent.filter(({ status }) => status === 'read')

test('reading a ticket clears its unread count, marks its messages and sends a receipt for the newest', async () => {
  const from = newCustomer()
  const first = await acme.receives({ from, body: 'One' })
  await acme.receives({ from, body: 'Two' })
  const last = await acme.receives({ from, body: 'Three' })
  const before = ok(await call('GET', `inbox/tickets/${first.ticketId}`))
  assert.equal(before.unread_count, 3)
  assert.equal((await call('GET', `inbox/tickets?unread=true&contact_id=${first.contactId}`)).body.total, 1)
  const { contact: _, ai_handling: __, last_message: ___, ...brief } = before
  const marks = readMarks().length
  const after = ok(await call('POST', `inbox/tickets/${first.ticketId}/read`))
  assert.deepEqual(after, { ...brief, unread_count: 0, updated_at: after.updated_at })
  const { messages } = ok(await call('GET', `inbox/messages/${first.ticketId}`))
  assert.deepEqual(
    messages.map(({ status }: { status: string }) => status),
    ['read', 'read', 'read'],
  )
  const events = ok(await call('GET', 'events?type=message.read&limit=3')).data
  assert.deepEqual(
    new Set(events.map(({ data }: { data: { object: { id: string } } }) => data.object.id)),
    new Set(messages.map(({ id }: { id: string }) => id)),
  )
  await until(async () => readMarks().length > marks)
  assert.deepEqual(readMarks().slice(marks), [
    { messaging_product: 'whatsapp', status: 'read', message_id: last.chatMessageId },
  ])
  assert.deepEqual(ok(await call('POST', `inbox/tickets/${first.ticketId}/read`)), after)
  assert.equal((await call('GET', `inbox/tickets?unread=true&contact_id=${first.contactId}`)).body.total, 0)
})

test('a ticket can be read while the platform is unreachable', async () => {
  const { ticketId, chatMessageId } = await acme.receives({ from: newCustomer() })
  platform.next.push({ status: 503, body: {} }, 'hang up')
  assert.equal(ok(await call('POST', `inbox/tickets/${ticketId}/read`)).unread_count, 0)
  await until(async () => readMarks().filter(({ message_id }) => message_id === chatMessageId).length >= 2)
})

test('unread tickets are listed and counted across both statuses', async () => {
  const org = await newOrganization()
  const [one, two, three] = [newCustomer(), newCustomer(), newCustomer()]
  const first = await org.receives({ from: one })
  const second = await org.receives({ from: two })
  const third = await org.receives({ from: three })
  await org.call('PATCH', `inbox/tickets/${first.ticketId}`, { status: 'closed' })
  await org.call('POST', `inbox/tickets/${second.ticketId}/read`)
  const ids = async (query: string) => {
    const { total, inboxes } = ok(await org.call('GET', `inbox/tickets?${query}`))
    assert.equal(total, inboxes.length)
    return inboxes.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await ids('unread=true'), [first.ticketId, third.ticketId])
  assert.deepEqual(await ids('unread=true&status=open'), [third.ticketId])
  assert.deepEqual(await ids('unread=false'), [second.ticketId])
  assert.deepEqual(
    (await org.call('GET', 'inbox/tickets?unread=true&limit=1&offset=1')).body.inboxes[0].id,
    third.ticketId,
  )
})
