import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import { freshId, payloadOf, post, processed, statusesOf, statusOf } from '../../../testing/hooks.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization('olive@acme.example')
const globex = await newOrganization()
const { call } = acme
const owner = await connectOwner(app)

const messagesOf = async (ticketId: string, query = '') =>
  ok(await call('GET', `inbox/messages/${ticketId}${query}`), 200)
const activitiesOf = async (contactId: string, type: string) =>
  (await call('GET', `contacts/${contactId}/activities?type=${type}`)).body.activities

/** Sets the contact's last inbound message to this long ago. */
const lastWrote = (contactId: string, ago: string) =>
  owner.query('update chat_windows set last_inbound_at = now() - $2::interval where contact_id = $1', [contactId, ago])

test('a reply is sent to the platform and stored with its id, an activity and an event', async () => {
  const from = newCustomer()
  const received = await acme.receives({ from, body: 'Is it open today?' })
  const sentBefore = platform.sent.length
  const message = ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'Yes, until six.' }), 201)
  const { id, chat_message_id, created_at, updated_at, ...members } = message
  assert.deepEqual(members, {
    inbox_id: received.ticketId,
    organization_id: acme.id,
    contact_id: received.contactId,
    chat_phone_number_id: acme.channelId,
    direction: 'outbound',
    message_type: 'text',
    body: 'Yes, until six.',
    status: 'sent',
    error: null,
    media_url: null,
    media_mime_type: null,
    media_filename: null,
    media_size: null,
    context_message_id: null,
    reactions: null,
    edited_at: null,
    edit_history: [],
    edit_text_missing: false,
    revoked: false,
    revoked_at: null,
    payload: null,
    feedback: null,
    actor_type: 'user',
    actor_id: acme.ownerId,
    livemode: true,
  })
  assert.match(chat_message_id, /^wamid\./)
  assert.ok(updated_at >= created_at)
  assert.deepEqual(platform.sent.slice(sentBefore), [
    {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: from,
      biz_opaque_callback_data: id,
      type: 'text',
      text: { body: 'Yes, until six.' },
    },
  ])
  const [activity, ...more] = await activitiesOf(received.contactId, 'message_outbound')
  assert.equal(more.length, 0)
  assert.deepEqual(activity.payload, { message_id: id, preview: 'Yes, until six.' })
  assert.deepEqual([activity.actor_type, activity.actor_id], ['user', acme.ownerId])
  assert.deepEqual(
    (await eventsOf(call, id)).map(({ type, data }: { type: string; data: object }) => ({ type, data })),
    [{ type: 'message.sent', data: { object: message } }],
  )
  const { total, messages } = await messagesOf(received.ticketId)
  assert.deepEqual([total, messages[1]], [2, message])
  const ticket = ok(await call('GET', `inbox/tickets/${received.ticketId}`), 200)
  assert.equal(ticket.last_message_at, created_at)
  assert.equal(ticket.chat_phone_number_id, acme.channelId)
  assert.equal(ticket.unread_count, 1)
})

test('a reply can quote only a message of the same conversation and channel', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const other = await acme.receives({ from: newCustomer() })
  const theirs = await globex.receives({ from: newCustomer() })
  const quoting = (context_message_id: unknown) =>
    call('POST', `inbox/messages/${received.ticketId}`, { body: 'This one', context_message_id })
  const message = ok(await quoting(received.chatMessageId), 201)
  assert.equal(message.context_message_id, received.chatMessageId)
  assert.deepEqual(platform.sent.at(-1).context, { message_id: received.chatMessageId })
  const sent = platform.sent.length
  for (const id of [other.chatMessageId, theirs.chatMessageId, 'wamid.nothing', received.messageId])
    assert.deepEqual((await quoting(id)).body, { detail: 'Message named by context_message_id not found' })
  assert.deepEqual((await quoting('')).body.detail[0].loc, ['body', 'context_message_id'])
  assert.equal(platform.sent.length, sent)
})

test('a free-form message outside the 24-hour window is refused, and nothing is stored or sent', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const sent = platform.sent.length
  await lastWrote(received.contactId, '23 hours 59 minutes')
  ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'Just in time' }), 201)
  await lastWrote(received.contactId, '24 hours 1 second')
  const answer = await call('POST', `inbox/messages/${received.ticketId}`, { body: 'Too late' })
  assert.equal(answer.status, 409)
  assert.match(answer.body.detail, /24 hours.*template/)
  assert.equal((await messagesOf(received.ticketId)).total, 2)
  assert.equal(platform.sent.length, sent + 1)
})

test('a contact who never wrote cannot get a free-form message', async () => {
  const contact = ok(await call('POST', 'contacts', { phone_number: newCustomer() }), 201)
  const ticket = ok(await call('POST', 'inbox/tickets', { contact_id: contact.id }), 201)
  assert.equal(ticket.window_expires_at, null)
  const answer = await call('POST', `inbox/messages/${ticket.id}`, { body: 'Hello' })
  assert.equal(answer.status, 409)
})

test('each validation error of a reply has its location', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const sent = platform.sent.length
  for (const [body, loc] of [
    [{}, ['body', 'body']],
    [{ body: '  \n ' }, ['body', 'body']],
    [{ body: 7 }, ['body', 'body']],
    [{ body: 'x'.repeat(4097) }, ['body', 'body']],
    [{ body: 'NUL \0' }, ['body', 'body']],
    [{ body: 'Hi', message_type: 'sticker' }, ['body', 'message_type']],
    [{ body: 'Hi', message_type: 'image' }, ['body', 'media_url']],
    [{ body: 'Hi', message_type: 'text', media_url: 'https://example.com/a.png' }, ['body', 'media_url']],
    [{ body: 'Hi', message_type: 'image', media_url: 'not an address' }, ['body', 'media_url']],
    [{ body: 'Hi', message_type: 'image', media_url: 'file:///etc/passwd' }, ['body', 'media_url']],
    [{ body: 'Hi', context_message_id: 7 }, ['body', 'context_message_id']],
  ] as const) {
    const answer = await call('POST', `inbox/messages/${ticketId}`, body)
    assert.deepEqual([answer.status, answer.body.detail?.[0]?.loc], [422, loc], answer.text)
  }
  assert.deepEqual((await call('POST', `inbox/messages/${ticketId}`)).body.detail[0].loc, ['body'])
  assert.equal((await call('POST', `inbox/messages/${ticketId}`, '{"body"')).status, 400)
  const text = await call('POST', `inbox/messages/${ticketId}`, 'Hi', { 'content-type': 'text/plain' })
  assert.deepEqual(
    [text.status, text.body.detail],
    [415, 'Unsupported Media Type: send multipart/form-data or application/json'],
  )
  assert.equal((await messagesOf(ticketId)).total, 1)
  assert.equal(platform.sent.length, sent)
  const longest = { message_type: 'text', body: 'é'.repeat(4096), media_url: null }
  ok(await call('POST', `inbox/messages/${ticketId}`, longest), 201)
})

test('a message that the platform refuses is stored as failed and answered with the reason', async () => {
  const received = await acme.receives({ from: newCustomer() })
  for (const code of [131026, 190, 131047]) {
    platform.next.push(refusal(code, 'Message undeliverable'))
    const answer = await call('POST', `inbox/messages/${received.ticketId}`, { body: `Refused ${code}` })
    assert.equal(answer.status, 502, answer.text)
    const { detail, upstream, message_id } = answer.body
    assert.match(detail, /did not take it/)
    assert.equal(upstream.code, code)
    const { messages } = await messagesOf(received.ticketId, '?order=desc&limit=1')
    assert.deepEqual([messages[0].id, messages[0].status, messages[0].chat_message_id], [message_id, 'failed', ''])
    assert.deepEqual(messages[0].error, { code: String(code), message: upstream.message })
    const events = await eventsOf(call, message_id)
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['message.failed'],
    )
    assert.deepEqual(events[0].data.object, messages[0])
  }
  assert.deepEqual(await activitiesOf(received.contactId, 'message_outbound'), [])
  assert.equal((await messagesOf(received.ticketId)).total, 4)
})

test('a request that the platform asks to retry is retried, and the message is sent once', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  platform.next.push(refusal(130429), refusal(130429))
  const sent = platform.sent.length
  const message = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Patience' }), 201)
  assert.equal(message.status, 'sent')
  assert.equal(platform.sent.length, sent + 1)
  assert.equal(platform.next.length, 0)
})

test('a retry delay longer than the caller waits fails the message at once', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  platform.next.push(refusal(80007))
  const answer = await call('POST', `inbox/messages/${ticketId}`, { body: 'Minutes' })
  assert.deepEqual([answer.status, answer.body.upstream.code], [502, 80007])
  assert.equal(platform.next.length, 0)
})

test('if the connection breaks after sending, the outcome is unknown and the message is not resent', async () => {
  const { ticketId, contactId } = await acme.receives({ from: newCustomer() })
  const sent = platform.sent.length
  platform.next.push('hang up')
  const answer = await call('POST', `inbox/messages/${ticketId}`, { body: 'Into the dark' })
  assert.equal(answer.status, 502)
  assert.match(answer.body.detail, /no clear answer.*may have been sent/)
  assert.equal(platform.sent.length, sent + 1)
  const { messages } = await messagesOf(ticketId, '?order=desc&limit=1')
  assert.deepEqual([messages[0].id, messages[0].status], [answer.body.message_id, 'failed'])
  assert.equal(messages[0].error.code, 'unknown')
  assert.deepEqual(await activitiesOf(contactId, 'message_outbound'), [])
})

test('a message is not resent after a 5xx of the platform: it is unknown until a status settles it', async () => {
  const { body: channel } = await call('GET', `channels/${acme.channelId}`)
  const hook = { hook: channel.chat.hook_url.replace('https://desk.example.com', ''), appSecret: '0123456789abcdef' }
  for (const [code, status] of [
    [131000, 500],
    [131016, 503],
    [133004, 503],
    [2, 503],
  ] as const) {
    const { ticketId } = await acme.receives({ from: newCustomer() })
    const sent = platform.sent.length
    platform.next.push({ status, body: { error: { message: 'Something went wrong', type: 'OAuthException', code } } })
    const answer = await call('POST', `inbox/messages/${ticketId}`, { body: `A fault ${code}` })
    assert.deepEqual([answer.status, answer.body.upstream.code], [502, code])
    assert.equal(platform.sent.length, sent, 'the platform was asked once')
    const newest = async () => (await messagesOf(ticketId, '?order=desc&limit=1')).messages[0]
    const message = await newest()
    assert.deepEqual([message.id, message.status], [answer.body.message_id, 'failed'])
    assert.equal(message.error.code, 'unknown')
    const receipt = statusOf(freshId(), 'delivered', { biz_opaque_callback_data: message.id })
    const where = { phoneNumberId: acme.channelNumber.slice(1), businessAccountId: '700100200300400' }
    ok(await post(app, hook, payloadOf(statusesOf(where, [receipt]))))
    await processed(app)
    const settled = await newest()
    assert.deepEqual([settled.status, settled.error, settled.chat_message_id], ['delivered', null, receipt.id])
  }
})

test('a repeated Idempotency-Key sends once and returns the first response, also a refusal', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const send = (key: string, body: object) =>
    call('POST', `inbox/messages/${ticketId}`, body, { 'idempotency-key': key })
  const sent = platform.sent.length
  const first = ok(await send('one', { body: 'Once' }), 201)
  const replay = await send('one', { body: 'Once' })
  assert.deepEqual([replay.status, replay.body], [201, first])
  assert.equal(replay.headers['idempotent-replayed'], 'true')
  assert.equal((await send('one', { body: 'Other' })).status, 409)
  platform.next.push(refusal(131026))
  const refused = await send('two', { body: 'No' })
  const refusedAgain = await send('two', { body: 'No' })
  assert.deepEqual([refusedAgain.status, refusedAgain.body], [502, refused.body])
  platform.next.push('hang up')
  const lost = await send('three', { body: 'Lost' })
  assert.deepEqual((await send('three', { body: 'Lost' })).body, lost.body)
  assert.equal((await send('four', { body: '' })).status, 422)
  ok(await send('four', { body: 'Now it says something' }), 201)
  assert.equal(platform.sent.length, sent + 3)
  assert.equal((await messagesOf(ticketId)).total, 5)
})

test('twenty concurrent requests with one key send one message', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const sent = platform.sent.length
  const node = await app.node()
  const callers = [call, node.as(acme.key)]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      callers[i % 2]?.('POST', `inbox/messages/${ticketId}`, { body: 'Once' }, { 'idempotency-key': 'race' }),
    ),
  )
  assert.equal(platform.sent.length, sent + 1)
  const ids = answers.filter((answer) => answer?.status === 201).map((answer) => answer?.body.id)
  assert.ok(ids.length >= 1)
  assert.equal(new Set(ids).size, 1)
  assert.ok(answers.every((answer) => answer?.status === 201 || answer?.status === 409))
})

test('no response, event or row of a refused message contains the access token', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  platform.next.push({
    status: 400,
    body: { error: { message: `Token ${platform.token} is no good`, type: 'OAuthException', code: 190 } },
  })
  const answer = await call('POST', `inbox/messages/${ticketId}`, { body: 'Secret' })
  assert.equal(answer.status, 502)
  for (const text of [answer.text, (await call('GET', 'events')).text, JSON.stringify(await messagesOf(ticketId))])
    assert.ok(!text.includes(platform.token))
})
