import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'

/** Test mode, end to end through the simulator. */
const app = await startTestApp({ settings: { AGENT_REPLY_DELAY_MS: 50 } })
await app.listen()

let people = 0
const newCustomer = () => `+1202555${String(7000 + ++people)}`

/** An organization with an agent on a channel that asks for ratings. */
async function newOrganization(language = 'en-US') {
  const org = await app.organization({ owner: `owner${++people}@example.com` })
  const settings = { rules: [{ when: ['hello'], say: 'Good morning.' }], fallback: 'Pardon?' }
  const agent = { name: 'Desk', agent_type: 'static', agent_config: { language, call_settings: settings } }
  const { id: agent_id } = ok(await org.call('POST', 'agents', agent), 201)
  const [channel] = ok(await org.call('GET', 'channels')).data
  assert.equal(channel.asks_for_rating, false)
  const changed = ok(await org.call('PATCH', `channels/${channel.id}`, { agent_id, asks_for_rating: true }))
  assert.equal(changed.asks_for_rating, true)
  return org
}

const writes = async (org: TestOrganization, from: string, message: object) =>
  ok(await org.call('POST', 'simulator/messages', { from, name: 'Ines', ...message }), 202)

const ticketsOf = async (org: TestOrganization, from: string): Promise<Reply['body'][]> =>
  ok(await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).inboxes

const messagesOf = async (org: TestOrganization, ticketId: string): Promise<Reply['body'][]> =>
  ok(await org.call('GET', `inbox/messages/${ticketId}?limit=100`)).messages

/** The requests that the platform has accepted. */
const requestsIn = (messages: Reply['body'][]) =>
  messages.filter(
    ({ actor_type, direction, chat_message_id }) =>
      direction === 'outbound' && actor_type === 'system' && chat_message_id,
  )

/** A conversation that the agent answered and a member closed. */
async function closedTicket(org: TestOrganization, from: string) {
  await writes(org, from, { text: 'hello' })
  await until(async () => {
    const [ticket] = await ticketsOf(org, from)
    const messages = ticket ? await messagesOf(org, ticket.id) : []
    return messages.some(({ actor_type, chat_message_id }) => actor_type === 'ai' && chat_message_id)
  })
  const [ticket] = await ticketsOf(org, from)
  ok(await org.call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' }))
  return ticket.id as string
}

test('a closed ticket is rated with a tap, which opens no ticket and wakes no agent', async () => {
  const org = await newOrganization('de-DE')
  const from = newCustomer()
  const id = await closedTicket(org, from)
  await until(async () => requestsIn(await messagesOf(org, id)).length === 1)
  const [request] = requestsIn(await messagesOf(org, id))
  assert.equal(request.payload.interactive.body, 'Wie zufrieden sind Sie mit diesem Gespräch?')
  assert.deepEqual(
    request.payload.interactive.buttons.map((button: Reply['body']) => button.id),
    ['rating-good', 'rating-okay', 'rating-bad'],
  )

  await writes(org, from, { type: 'interactive', text: '😐 Mittel' })
  const read = async () => ok(await org.call('GET', `inbox/tickets/${id}`))
  await until(async () => (await read()).rating !== null)
  const rated = await read()
  assert.deepEqual([rated.rating, rated.status, rated.unread_count], ['okay', 'closed', 1])
  assert.ok(rated.rated_at)
  assert.equal((await messagesOf(org, id)).at(-1).payload.rating, 'okay')
  // Changes of mind count.
  await writes(org, from, { type: 'interactive', text: '😀 Gut' })
  await until(async () => (await read()).rating === 'good')
  assert.equal((await ticketsOf(org, from)).length, 1)
  const events = ok(await org.call('GET', 'events?type=ticket.rated')).data
  assert.deepEqual(
    events.map(({ data }: Reply['body']) => data.object.rating),
    ['good', 'okay'],
  )
  // Reports read the events a moment later.
  await until(async () => {
    const { totals } = ok(await org.call('GET', 'reports/conversations'))
    return String([totals.rated_good, totals.rated_okay, totals.rated_bad]) === '1,0,0'
  })

  // A message that is no tap opens a ticket, and the agent answers that one alone.
  await writes(org, from, { text: 'hello' })
  await until(async () => (await ticketsOf(org, from)).length === 2)
  const next = (await ticketsOf(org, from)).find((ticket) => ticket.id !== id)
  await until(async () => (await messagesOf(org, next.id)).some(({ actor_type }) => actor_type === 'ai'))
  const answers = (await messagesOf(org, id)).filter(({ actor_type }) => actor_type === 'ai')
  assert.equal(answers.length, 1)
})

test('a button of another message that has the id of a rating is an ordinary message', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  await writes(org, from, { text: 'hello' })
  await until(async () => (await ticketsOf(org, from)).length === 1)
  const [{ id, contact_id }] = await ticketsOf(org, from)
  const answers = async () => (await messagesOf(org, id)).filter(({ actor_type }) => actor_type === 'ai')
  await until(async () => (await answers()).length === 1)
  const buttons = [{ id: 'rating-good', title: 'Great' }]
  const question = { body: 'How was it?', interactive: { type: 'button', buttons } }
  ok(await org.call('POST', `inbox/messages/${id}`, question), 201)
  ok(await org.call('POST', `contacts/${contact_id}/handoff`, { to: 'ai' }))
  await writes(org, from, { type: 'interactive', text: 'Great' })
  await until(async () => (await answers()).length === 2)
  const { rating, unread_count } = ok(await org.call('GET', `inbox/tickets/${id}`))
  assert.deepEqual([rating, unread_count], [null, 2])
})

test('a ticket is asked about once, and not at all where the channel does not ask', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  const id = await closedTicket(org, from)
  await until(async () => requestsIn(await messagesOf(org, id)).length === 1)
  ok(await org.call('PATCH', `inbox/tickets/${id}`, { status: 'open' }))
  ok(await org.call('PATCH', `inbox/tickets/${id}`, { status: 'closed' }))
  // The ticket of another contact is asked about after the second closing was looked at.
  const other = await closedTicket(org, newCustomer())
  await until(async () => requestsIn(await messagesOf(org, other)).length === 1)
  assert.equal(requestsIn(await messagesOf(org, id)).length, 1)

  const [channel] = ok(await org.call('GET', 'channels')).data
  ok(await org.call('PATCH', `channels/${channel.id}`, { asks_for_rating: false }))
  const silent = await closedTicket(org, newCustomer())
  // Closings are looked at in order, so those of another organization come after this one.
  const another = await newOrganization()
  const last = await closedTicket(another, newCustomer())
  await until(async () => requestsIn(await messagesOf(another, last)).length === 1)
  assert.equal(requestsIn(await messagesOf(org, silent)).length, 0)
})

test('outside the 24 hours no rating is asked for', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  await writes(org, from, { text: 'hello' })
  await until(async () => (await ticketsOf(org, from)).length === 1)
  const [{ id, contact_id }] = await ticketsOf(org, from)
  await until(async () =>
    (await messagesOf(org, id)).some(({ chat_message_id, actor_type }) => actor_type === 'ai' && chat_message_id),
  )
  await app.database.inTenant(
    { organizationId: org.id, livemode: false },
    (tx) =>
      tx.run`update chat_windows set last_inbound_at = now() - interval '25 hours' where contact_id = ${contact_id}`,
  )
  ok(await org.call('PATCH', `inbox/tickets/${id}`, { status: 'closed' }))
  const other = await closedTicket(org, newCustomer())
  await until(async () => requestsIn(await messagesOf(org, other)).length === 1)
  assert.deepEqual(requestsIn(await messagesOf(org, id)), [])
})
