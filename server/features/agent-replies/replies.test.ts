import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, startTestApp, type TestOrganization } from '../../testing/app.ts'
import { addDocument } from '../../testing/documents.ts'
import { connectChannel, deliver, messageFrom, messagesTo, textFrom } from '../../testing/hooks.ts'
import { until } from '../../testing/process.ts'

/** Test mode, end to end through the simulator. */

const app = await startTestApp({ settings: { AGENT_REPLY_DELAY_MS: 500, AGENT_REPLIES_PER_HOUR: 4 } })
await app.listen()

let people = 0
const newCustomer = () => `+1202555${String(3000 + ++people)}`

const rules = [
  { when: ['opening hours', 'open'], say: 'We are open from nine to five.' },
  { when: ['complaint'], say: 'I am sorry. A colleague will write to you.', then: 'handoff' },
  { when: ['bye'], say: 'Goodbye {{contact.name}}.', then: 'end' },
]

/** An organization with an agent on its channel. */
async function newOrganization(agent: object = {}) {
  const org = await app.organization()
  const made = ok(
    await org.call('POST', 'agents', {
      name: 'Desk',
      agent_type: 'static',
      agent_config: { call_settings: { rules, fallback: 'Pardon?' } },
      ...agent,
    }),
    201,
  )
  const [channel] = ok(await org.call('GET', 'channels')).data
  ok(await org.call('PATCH', `channels/${channel.id}`, { agent_id: made.id }))
  return { ...org, agentId: made.id as string, channelId: channel.id as string }
}

const posts = async (org: TestOrganization, from: string, text: string, more: object = {}) =>
  ok(await org.call('POST', 'simulator/messages', { from, name: 'Ines', text, ...more }), 202).chat_message_id as string

/** Posts a message and waits until it is stored. */
async function writes(org: TestOrganization, from: string, text: string, more: object = {}) {
  const id = await posts(org, from, text, more)
  const isIn = ({ messages }: { messages: Reply['body'][] }) =>
    messages.some(({ chat_message_id }) => chat_message_id === id)
  await until(async () => isIn(await conversation(org, from)))
  return id
}

async function conversation(org: TestOrganization, from: string) {
  const { inboxes } = ok(await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`))
  const ticket = inboxes[0]
  if (!ticket) return { ticket: undefined, messages: [] as Reply['body'][], answers: [] as Reply['body'][] }
  const { messages } = ok(await org.call('GET', `inbox/messages/${ticket.id}?limit=100`))
  const answers = messages.filter(({ actor_type }: Reply['body']) => actor_type === 'ai')
  return { ticket, messages, answers }
}

async function untilAnswers(org: TestOrganization, from: string, n: number) {
  await until(async () => (await conversation(org, from)).answers.length >= n)
  return conversation(org, from)
}

/** Waits until no message is queued for an answer. */
const untilNothingWaits = (org: TestOrganization) =>
  until(async () => {
    const { rows } = await app.database.pools.system.query(
      'select from messages_to_answer where organization_id = $1 limit 1',
      [org.id],
    )
    return rows.length === 0
  })

/** The answer to this contact proves that an earlier message of another contact was processed and not answered. */
async function passedOver(org: TestOrganization) {
  const witness = newCustomer()
  await writes(org, witness, 'are you open')
  await untilAnswers(org, witness, 1)
  await untilNothingWaits(org)
}

const acme = await newOrganization()

test('an agent answers in the inbox, and its answer is sent, delivered and stored as its own', async () => {
  const from = newCustomer()
  await writes(acme, from, 'When are you open?')
  const { answers, ticket } = await untilAnswers(acme, from, 1)
  assert.equal(answers[0].body, 'We are open from nine to five.')
  assert.equal(answers[0].actor_id, acme.agentId)
  await until(async () => (await conversation(acme, from)).answers[0].status === 'read')
  const { activities } = ok(await acme.call('GET', `contacts/${ticket.contact_id}/activities?type=message_outbound`))
  assert.deepEqual([activities[0].actor_type, activities[0].actor_id], ['ai', acme.agentId])
  assert.equal(ok(await acme.call('GET', `contacts/${ticket.contact_id}`)).ai_handling, true)
})

test('each message of a conversation gets one answer, in order', async () => {
  const from = newCustomer()
  await writes(acme, from, 'hello')
  await untilAnswers(acme, from, 1)
  await writes(acme, from, 'ok bye')
  const { answers } = await untilAnswers(acme, from, 2)
  assert.deepEqual(
    answers.map(({ body }: Reply['body']) => body),
    ['Pardon?', 'Goodbye Ines.'],
  )
})

test('a prompt agent answers from its own organization’s knowledge base and cites the source', async () => {
  const org = await newOrganization({ agent_type: 'prompt', agent_config: {} })
  const stranger = await newOrganization({ agent_type: 'prompt', agent_config: {} })
  await addDocument(
    org.call,
    'Parking is free for guests.\n\nThe pool opens at seven in the morning.',
    'house rules.txt',
  )
  const from = newCustomer()
  await writes(org, from, 'When does the pool open?')
  const { answers } = await untilAnswers(org, from, 1)
  assert.equal(answers[0].body, 'The pool opens at seven in the morning. (Source: house rules.txt)')
  await writes(stranger, from, 'When does the pool open?')
  const elsewhere = await untilAnswers(stranger, from, 1)
  assert.match(elsewhere.answers[0].body, /did not find anything/)
})

test('several quick messages get one answer', async () => {
  const from = newCustomer()
  const channel = await connectChannel(acme)
  ok(await acme.call('PATCH', `channels/${channel.id}`, { agent_id: acme.agentId }))
  // In one webhook: on a slow machine separate ones would be too far apart to be answered together.
  const texts = ['Open?', 'I mean, are you open?', 'When are you open?'].map((text) => textFrom(from.slice(1), text))
  await deliver(app, channel, messagesTo(channel, texts))
  const { answers } = await untilAnswers(acme, from, 1)
  assert.equal(answers[0].body, 'We are open from nine to five.')
  await untilNothingWaits(acme)
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 1)
})

test('a message that the platform repeats is answered once', async () => {
  const from = newCustomer()
  const id = await writes(acme, from, 'open?')
  await untilAnswers(acme, from, 1)
  for (let i = 0; i < 3; i++) await writes(acme, from, 'open?', { chat_message_id: id })
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 1)
})

test('“human please” hands off: the contact is told, the timeline has the reason, a task is created and the agent stops', async () => {
  const from = newCustomer()
  await writes(acme, from, 'A human please!')
  const { answers, ticket } = await untilAnswers(acme, from, 1)
  assert.equal(answers[0].body, 'I am getting a person for you.')
  const contact = ok(await acme.call('GET', `contacts/${ticket.contact_id}`))
  assert.equal(contact.ai_handling, false)
  const { activities } = ok(await acme.call('GET', `contacts/${contact.id}/activities`))
  const handoff = activities.find(({ type }: Reply['body']) => type === 'handoff_to_human')
  assert.deepEqual([handoff.actor_type, handoff.actor_id], ['ai', acme.agentId])
  assert.match(handoff.payload.reason, /human please/)
  const { data: tasks } = ok(await acme.call('GET', `crm/tasks?contact_id=${contact.id}`))
  assert.deepEqual(
    tasks.map(({ title, created_by_type, created_by_id }: Reply['body']) => [title, created_by_type, created_by_id]),
    [['Reply to Ines', 'ai', acme.agentId]],
  )
  await writes(acme, from, 'when are you open?')
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 1)
})

test('a rule can hand off too', async () => {
  const from = newCustomer()
  await writes(acme, from, 'I have a complaint')
  const { answers, ticket } = await untilAnswers(acme, from, 1)
  assert.match(answers[0].body, /A colleague will write/)
  assert.equal(ok(await acme.call('GET', `contacts/${ticket.contact_id}`)).ai_handling, false)
})

test('the agent stays silent after a person has answered, until the contact is handed back', async () => {
  const from = newCustomer()
  await writes(acme, from, 'hello')
  const { ticket } = await untilAnswers(acme, from, 1)
  ok(await acme.call('POST', `inbox/messages/${ticket.id}`, { body: 'This is Olive.' }), 201)
  await writes(acme, from, 'when are you open?')
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 1)
  // The message that was not answered in the meantime is answered now.
  ok(await acme.call('POST', `contacts/${ticket.contact_id}/handoff`, { to: 'ai' }))
  const { answers } = await untilAnswers(acme, from, 2)
  assert.equal(answers[1].body, 'We are open from nine to five.')
  ok(await acme.call('POST', `contacts/${ticket.contact_id}/handoff`, { to: 'human', reason: 'VIP' }))
  await writes(acme, from, 'open?')
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 2)
})

test('handing a contact back after a person’s answer does not answer earlier messages again', async () => {
  const from = newCustomer()
  await writes(acme, from, 'hello')
  const { ticket } = await untilAnswers(acme, from, 1)
  ok(await acme.call('POST', `inbox/messages/${ticket.id}`, { body: 'This is Olive.' }), 201)
  ok(await acme.call('POST', `contacts/${ticket.contact_id}/handoff`, { to: 'ai' }))
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 1)
})

test('STOP is not answered', async () => {
  const from = newCustomer()
  await writes(acme, from, 'STOP')
  await passedOver(acme)
  assert.equal((await conversation(acme, from)).answers.length, 0)
})

test('an agent does not answer without an active agent on the channel or while a person handles the contact', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  ok(await org.call('PATCH', `agents/${org.agentId}`, { is_active: 'inactive' }))
  await writes(org, from, 'open?')
  await passedOver(acme)
  ok(await org.call('PATCH', `agents/${org.agentId}`, { is_active: 'active' }))
  ok(await org.call('POST', 'contacts', { phone_number: '+12025552999', ai_handling: false }), 201)
  await writes(org, '+12025552999', 'open?')
  await passedOver(org)
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: null }))
  const third = newCustomer()
  await writes(org, third, 'open?')
  await passedOver(acme)
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: org.agentId }))
  await passedOver(org)
  for (const number of [from, '+12025552999', third])
    assert.equal((await conversation(org, number)).answers.length, 0, number)
})

test('a conversation with another bot is handed off at the hourly limit', async () => {
  const from = newCustomer()
  for (let n = 1; n <= 4; n++) {
    await writes(acme, from, `automatic reply ${n}`)
    await untilAnswers(acme, from, n)
  }
  await writes(acme, from, 'automatic reply 5')
  const { ticket } = await conversation(acme, from)
  await until(async () => !ok(await acme.call('GET', `contacts/${ticket.contact_id}`)).ai_handling)
  assert.equal((await conversation(acme, from)).answers.length, 4)
  const { data: tasks } = ok(await acme.call('GET', `crm/tasks?contact_id=${ticket.contact_id}`))
  assert.match(tasks[0].description, /another machine/)
})

test('two nodes answer many contacts concurrently, each message once', async () => {
  const second = await app.node()
  const org = await newOrganization()
  const contacts = Array.from({ length: 12 }, newCustomer)
  await Promise.all(contacts.map((from) => posts(org, from, 'are you open?')))
  for (const from of contacts) await untilAnswers(org, from, 1)
  await untilNothingWaits(org)
  await passedOver(org)
  for (const from of contacts) assert.equal((await conversation(org, from)).answers.length, 1)
  await second.close()
})

test('a deleted contact or a closed ticket gets no answer and does not block others', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  await writes(org, from, 'hello')
  const { ticket } = await untilAnswers(org, from, 1)
  await writes(org, from, 'open?')
  ok(await org.call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' }))
  ok(await org.call('DELETE', `contacts/${ticket.contact_id}`))
  await passedOver(org)
})

test('a question that is edited after its answer is answered again', async () => {
  const from = newCustomer()
  await writes(acme, from, 'When are you open?')
  await untilAnswers(acme, from, 1)
  await posts(acme, from, 'bye', { type: 'edit' })
  const { answers, messages } = await untilAnswers(acme, from, 2)
  assert.equal(answers[1].body, 'Goodbye Ines.')
  const inbound = messages.filter(({ direction }: Reply['body']) => direction === 'inbound')
  assert.deepEqual(
    inbound.map(({ body, edit_history }: Reply['body']) => [body, edit_history[0].body]),
    [['bye', 'When are you open?']],
  )
})

test('a question that was edited or deleted before its answer is answered as it is now, or not at all', async () => {
  const channel = await connectChannel(acme)
  ok(await acme.call('PATCH', `channels/${channel.id}`, { agent_id: acme.agentId }))
  const [edited, deleted, both] = [newCustomer(), newCustomer(), newCustomer()].map((number) => number.slice(1))
  const questions = [edited, deleted, both].map((from) => textFrom(from as string, 'When are you open?'))
  const [first, second] = questions.map(({ id }) => id)
  const edit = { original_message_id: first, message: { type: 'text', text: { body: 'bye' } } }
  await deliver(
    app,
    channel,
    messagesTo(channel, [
      ...questions,
      messageFrom(edited, { type: 'edit', edit }),
      messageFrom(deleted, { type: 'revoke', revoke: { original_message_id: second } }),
      textFrom(both as string, 'my password is'),
    ] as never),
  )
  const [, password] = (await conversation(acme, `+${both}`)).messages
  await deliver(
    app,
    channel,
    messagesTo(channel, [
      messageFrom(both, { type: 'revoke', revoke: { original_message_id: password.chat_message_id } }),
    ] as never),
  )
  assert.equal((await untilAnswers(acme, `+${both}`, 1)).answers[0].body, 'We are open from nine to five.')
  assert.match((await untilAnswers(acme, `+${edited}`, 1)).answers[0].body, /^Goodbye/)
  await passedOver(acme)
  assert.equal((await conversation(acme, `+${edited}`)).answers.length, 1)
  assert.equal((await conversation(acme, `+${deleted}`)).answers.length, 0)
})
