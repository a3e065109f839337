import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newChannel, newCustomer, sendingOf, startChatApp } from '../../../testing/conversations.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { sweepLostMessagesJob } from '../jobs.ts'
import { sendMessage } from '../sending/send-message.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization('olive@acme.example')
const globex = await newOrganization()
const { call } = acme
const owner = await connectOwner(app)

const messagesOf = async (ticketId: string, query = '') =>
  ok(await call('GET', `inbox/messages/${ticketId}${query}`), 200)
const activitiesOf = async (contactId: string, type: string) =>
  (await call('GET', `contacts/${contactId}/activities?type=${type}`)).body.activities

test('a reply by a person takes the contact over from the AI, once', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const pat = await person(app, acme.id, 'member')
  const answer = await pat.call(
    'POST',
    `inbox/messages/${received.ticketId}`,
    { body: 'I am a person' },
    { 'x-mode': 'live' },
  )
  const message = ok(answer, 201)
  assert.deepEqual([message.actor_type, message.actor_id], ['user', pat.id])
  assert.equal((await call('GET', `contacts/${received.contactId}`)).body.ai_handling, false)
  ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'Still here' }), 201)
  const handoffs = await activitiesOf(received.contactId, 'handoff_to_human')
  assert.equal(handoffs.length, 1)
  assert.equal(handoffs[0].actor_id, pat.id)
  assert.equal((await eventsOf(call, received.contactId, 'contact.handoff')).length, 1)
})

test('a reply by an agent leaves the contact with the AI', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const actor = { type: 'ai', id: newId() } as const
  const reply = { body: 'I am no person', contextMessageId: null }
  const message = await sendMessage(sendingOf(app), acme.scope, received.ticketId, reply, { actor })
  assert.deepEqual([message.actor_type, message.actor_id, message.status], ['ai', actor.id, 'sent'])
  assert.equal(platform.sent.at(-1).text.body, 'I am no person')
  assert.equal((await call('GET', `contacts/${received.contactId}`)).body.ai_handling, true)
  const [activity] = await activitiesOf(received.contactId, 'message_outbound')
  assert.deepEqual([activity.actor_type, activity.actor_id], ['ai', actor.id])
})

test('a contact who opted out of marketing can still get a reply', async () => {
  const received = await acme.receives({ from: newCustomer(), body: 'STOP' })
  assert.notEqual((await call('GET', `contacts/${received.contactId}`)).body.opted_out_at, null)
  const message = ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'You are off the list.' }), 201)
  assert.equal(message.status, 'sent')
})

test('a reply in a closed ticket is sent, and the ticket stays closed', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  await call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' })
  ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'One more thing' }), 201)
  assert.equal((await call('GET', `inbox/tickets/${ticketId}`)).body.status, 'closed')
})

test('a contact without a phone number is reached by its chat account', async () => {
  const userId = `US.${newId()}`
  await acme.receives({ from: newCustomer() })
  const sender = { phoneNumber: null, userId, name: 'Nomad Nobody' }
  const received = await acme.receives({ from: 'nomad', sender } as never)
  ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'Found you' }), 201)
  const { to, recipient } = platform.sent.at(-1)
  assert.deepEqual([to, recipient], [undefined, userId])
})

test('a reply uses the ticket’s channel, or else the channel that the contact last wrote to', async () => {
  const branch = await newChannel(acme, '+14155559001', platform.token)
  const from = newCustomer()
  const received = await acme.receives({ from, channelId: branch })
  assert.equal((await call('GET', `inbox/tickets/${received.ticketId}`)).body.chat_phone_number_id, branch)
  assert.equal(
    ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'A' }), 201).chat_phone_number_id,
    branch,
  )
  await call('PATCH', `inbox/tickets/${received.ticketId}`, { status: 'closed' })
  const fresh = ok(await call('POST', 'inbox/tickets', { contact_id: received.contactId }), 201)
  assert.equal(fresh.chat_phone_number_id, null)
  assert.ok(fresh.window_expires_at > new Date().toISOString())
  const reply = ok(await call('POST', `inbox/messages/${fresh.id}`, { body: 'B' }), 201)
  assert.equal(reply.chat_phone_number_id, branch)
  // The 24-hour window belongs to the channel: without that channel there is no window.
  assert.equal((await call('DELETE', `channels/${branch}`)).status, 200)
  assert.equal((await call('POST', `inbox/messages/${fresh.id}`, { body: 'C' })).status, 409)
})

test('without a channel, or with one that has no chat side, a reply is refused with what to do', async () => {
  const lonely = await newOrganization()
  const received = await lonely.receives({ from: newCustomer() })
  await lonely.call('PATCH', `channels/${lonely.channelId}`, { chat: null })
  const unconfigured = await lonely.call('POST', `inbox/messages/${received.ticketId}`, { body: 'Hello?' })
  assert.equal(unconfigured.status, 409, unconfigured.text)
  await lonely.call('DELETE', `channels/${lonely.channelId}`)
  const answer = await lonely.call('POST', `inbox/messages/${received.ticketId}`, { body: 'Hello?' })
  assert.deepEqual([answer.status, answer.body.detail], [409, 'There is no channel to answer on: add one first'])
  assert.equal((await lonely.call('GET', `inbox/messages/${received.ticketId}`)).body.total, 1)
})

test('messages are listed by time in either order, in pages with the exact total', async () => {
  const from = newCustomer()
  const at = (minute: number) => new Date(Date.now() - (60 - minute) * 60_000).toISOString()
  const received = await acme.receives({ from, body: '1', at: at(1) })
  for (const n of [3, 5, 2, 4]) await acme.receives({ from, body: String(n), at: at(n) })
  const bodies = async (query: string) => {
    const { total, page, size, messages } = await messagesOf(received.ticketId, query)
    assert.equal(size, messages.length)
    return [total, page, messages.map(({ body }: { body: string }) => Number(body))]
  }
  assert.deepEqual(await bodies(''), [5, 1, [1, 2, 3, 4, 5]])
  assert.deepEqual(await bodies('?order=desc'), [5, 1, [5, 4, 3, 2, 1]])
  assert.deepEqual(await bodies('?limit=2&offset=2'), [5, 2, [3, 4]])
  assert.deepEqual(await bodies('?limit=2&offset=4&order=desc'), [5, 3, [1]])
  assert.deepEqual(await bodies('?offset=50'), [5, 2, []])
  for (const [query, name] of [
    ['order=up', 'order'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=-1', 'offset'],
  ]) {
    const answer = await call('GET', `inbox/messages/${received.ticketId}?${query}`)
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['query', name]])
  }
  const { contact_id } = (await call('GET', `inbox/tickets/${received.ticketId}`)).body
  assert.equal(contact_id, received.contactId)
})

test('a search finds inbound and outbound messages, within the own organization only', async () => {
  const received = await acme.receives({ from: newCustomer(), body: 'Where is my Kaleidoscope, 100% lost?' })
  await globex.receives({ from: newCustomer(), body: 'My kaleidoscope too' })
  ok(await call('POST', `inbox/messages/${received.ticketId}`, { body: 'We call it a periscope' }), 201)
  const found = async (search: string) =>
    (await call('GET', `inbox/tickets?search=${encodeURIComponent(search)}`)).body.inboxes.map(
      ({ id }: { id: string }) => id,
    )
  assert.deepEqual(await found('kaleidoSCOPE'), [received.ticketId])
  assert.deepEqual(await found('periscope'), [received.ticketId])
  assert.deepEqual(await found('100% lost'), [received.ticketId])
  assert.deepEqual(await found('100_ lost'), [])
  assert.deepEqual(await found('ka'), [])
})

test('replies whose process died become failed with an unknown outcome and are not resent', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const message = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Nobody wrote it down' }), 201)
  const other = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Not that old' }), 201)
  const forget = (id: string, age: string) =>
    owner.query(
      `update messages set accepted_at = null, chat_message_id = '', created_at = now() - $2::interval where id = $1`,
      [id, age],
    )
  await forget(message.id, '3 minutes')
  await forget(other.id, '1 minute')
  const sent = platform.sent.length
  await app.database.inSystem((tx) => tx.enqueue(sweepLostMessagesJob, {}))
  const statusOf = async (id: string) =>
    (await messagesOf(ticketId)).messages.find((each: { id: string }) => each.id === id)
  await until(async () => (await statusOf(message.id)).status === 'failed')
  assert.equal((await statusOf(message.id)).error.code, 'unknown')
  assert.equal((await statusOf(other.id)).status, 'sent')
  assert.deepEqual((await eventsOf(call, message.id)).at(-1).type, 'message.failed')
  assert.equal(platform.sent.length, sent)
})

test('deleting a contact while a reply is sent leaves nothing behind', async () => {
  const received = await acme.receives({ from: newCustomer() })
  platform.next.push(async () => {
    assert.equal((await call('DELETE', `contacts/${received.contactId}`)).status, 200)
  })
  const answer = await call('POST', `inbox/messages/${received.ticketId}`, { body: 'Are you there?' })
  assert.deepEqual([answer.status, answer.body], [404, { detail: 'Inbox ticket not found' }])
  const { rows } = await owner.query('select count(*)::int as n from messages where contact_id = $1', [
    received.contactId,
  ])
  assert.equal(rows[0].n, 0)
})
