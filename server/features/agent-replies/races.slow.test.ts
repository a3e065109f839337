import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../testing/app.ts'
import { type ChatOrganization, newCustomer, startChatApp } from '../../testing/conversations.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { until } from '../../testing/process.ts'

/** Live mode with a slow model and a slow platform: the tests change things while they are running. */

const llm = await startLlmServer()
const { app, platform, newOrganization } = await startChatApp({
  settings: { ...llm.settings, AGENT_REPLY_DELAY_MS: 0 },
})
const acme = await withAgent(await newOrganization())

async function withAgent(org: ChatOrganization): Promise<ChatOrganization> {
  const agent = ok(
    await org.call('POST', 'agents', { name: 'Desk', agent_config: { system_prompt: 'Be brief.' } }),
    201,
  )
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: agent.id }))
  return org
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
const messagesOf = async (ticketId: string): Promise<any[]> =>
  ok(await acme.call('GET', `inbox/messages/${ticketId}?limit=100`)).messages
const answersOf = async (ticketId: string) =>
  (await messagesOf(ticketId)).filter(({ actor_type }) => actor_type === 'ai')
const contactOf = async (contactId: string) => ok(await acme.call('GET', `contacts/${contactId}`))
const asked = (n: number) => until(async () => llm.requests.length >= n)
/** The model's next answer, which comes once the test has let it. */
function slowAnswer(...say: string[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  llm.next.push({ say, after: promise })
  return resolve
}

const untilNothingWaits = () =>
  until(async () => {
    const { rows } = await app.database.pools.system.query('select from messages_to_answer limit 1')
    return rows.length === 0
  })

/** An answer to another contact proves that earlier messages were processed and not answered. */
async function passedOver() {
  const { ticketId } = await acme.receives({ from: newCustomer(), body: 'A witness' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  await untilNothingWaits()
}

test('the model gets the conversation, the contact and the chat instructions, and its text is sent', async () => {
  const from = newCustomer()
  llm.next.push({ say: ['Hello ', 'Ada.'] })
  const { ticketId } = await acme.receives({ from, body: 'Hi there' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  assert.equal((await answersOf(ticketId))[0].body, 'Hello Ada.')
  await acme.receives({ from, body: 'And now?' })
  await until(async () => (await answersOf(ticketId)).length === 2)
  const { body } = llm.requests.at(-1) as (typeof llm.requests)[0]
  assert.deepEqual(
    body.messages.slice(1).map(({ role, content }: { role: string; content: string }) => [role, content]),
    [
      ['user', 'Hi there'],
      ['assistant', 'Hello Ada.'],
      ['user', 'And now?'],
    ],
  )
  const [system] = body.messages
  assert.match(system.content, /Be brief\./)
  assert.match(system.content, /plain text/)
  assert.match(system.content, /<contact \w+>\n\{"name":"Ada"/)
  await until(async () => platform.sent.some(({ text }) => text?.body === 'You said: And now?'))
})

test('if a person takes over while the model is running, only the person answers', async () => {
  for (const takesOver of [
    async (ticketId: string) =>
      void ok(await acme.call('POST', `inbox/messages/${ticketId}`, { body: 'Olive here' }), 201),
    async (_: string, contactId: string) =>
      void ok(await acme.call('POST', `contacts/${contactId}/handoff`, { to: 'human' })),
  ]) {
    const n = llm.requests.length
    const comes = slowAnswer('Too ', 'late ', 'by ', 'now.')
    const { ticketId, contactId } = await acme.receives({ from: newCustomer(), body: 'Hello?' })
    await asked(n + 1)
    await takesOver(ticketId, contactId)
    comes()
    await untilNothingWaits()
    assert.deepEqual(await answersOf(ticketId), [])
    assert.ok(!platform.sent.some(({ text }) => text?.body === 'Too late by now.'))
  }
})

test('if a person answers and hands back while the model is running, the agent’s answer is dropped', async () => {
  const n = llm.requests.length
  const comes = slowAnswer('Not ', 'needed ', 'any ', 'more.')
  const { ticketId, contactId } = await acme.receives({ from: newCustomer(), body: 'Hello?' })
  await asked(n + 1)
  ok(await acme.call('POST', `inbox/messages/${ticketId}`, { body: 'Olive here' }), 201)
  ok(await acme.call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  comes()
  await untilNothingWaits()
  assert.deepEqual(await answersOf(ticketId), [])
})

test('messages that arrive while the model is running are answered together with the earlier ones', async () => {
  const from = newCustomer()
  const n = llm.requests.length
  const comes = slowAnswer('Half ', 'an ', 'answer.')
  llm.next.push({ say: ['To both.'] })
  const { ticketId } = await acme.receives({ from, body: 'First' })
  await asked(n + 1)
  await acme.receives({ from, body: 'Second' })
  // It is queued by an event, and then answered with the first one.
  await until(async () => {
    const { rowCount } = await app.database.pools.system.query('select from messages_to_answer')
    return rowCount === 2 || llm.requests.length > n + 1
  })
  comes()
  await until(async () => (await answersOf(ticketId)).length > 0)
  await untilNothingWaits()
  assert.deepEqual(
    (await answersOf(ticketId)).map(({ body }) => body),
    ['To both.'],
  )
  assert.equal(llm.requests.at(-1)?.body.messages.at(-1).content, 'First\nSecond')
})

test('if a person takes over while the platform asks to retry, the answer is not sent', async () => {
  const from = newCustomer()
  llm.next.push({ say: ['Held back.'] })
  const throttled = {
    status: 429,
    body: { error: { message: '(#130429) Rate limit hit', type: 'OAuthException', code: 130429 } },
  }
  let contactId = ''
  // More refusals than there are attempts, so that the answer is not sent before the person takes over.
  platform.next.push(...Array.from({ length: 20 }, () => ({ ...throttled })))
  const received = await acme.receives({ from, body: 'Hello?' })
  contactId = received.contactId
  await until(async () => (await answersOf(received.ticketId)).length === 1)
  ok(await acme.call('POST', `contacts/${contactId}/handoff`, { to: 'human' }))
  await until(async () => (await answersOf(received.ticketId))[0].status === 'failed')
  assert.equal((await answersOf(received.ticketId))[0].error.code, 'not_sent')
  assert.ok(!platform.sent.some(({ text }) => text?.body === 'Held back.'))
  platform.next.length = 0
})

test('if the model refuses or is not configured, the conversation is handed off to a person', async () => {
  llm.next.push({ status: 401 })
  const { ticketId, contactId } = await acme.receives({ from: newCustomer(), body: 'Hello?' })
  await until(async () => !(await contactOf(contactId)).ai_handling)
  assert.deepEqual(await answersOf(ticketId), [])
  const { data } = ok(await acme.call('GET', `crm/tasks?contact_id=${contactId}`))
  assert.match(data[0].description, /does not accept our key/)
})

test('a model that fails temporarily is retried and answers once', async () => {
  const from = newCustomer()
  llm.next.push({ status: 500 }, { status: 500 }, { status: 500 }, { say: ['Here I am.'] })
  const { ticketId } = await acme.receives({ from, body: 'Hello?' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  assert.equal((await answersOf(ticketId))[0].body, 'Here I am.')
})

test('the model can hand off with its tool, and the contact is told', async () => {
  const given = JSON.stringify({ reason: 'Wants a refund', say: 'Olive will take care of this.' })
  llm.next.push({ call: [{ name: 'hand_off_to_person', arguments: given }] })
  const { ticketId, contactId } = await acme.receives({ from: newCustomer(), body: 'I want my money back' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  assert.equal((await answersOf(ticketId))[0].body, 'Olive will take care of this.')
  await until(async () => !(await contactOf(contactId)).ai_handling)
  // Otherwise the answer that the next test plans would be to this message.
  await until(async () => platform.sent.some(({ text }) => text?.body === 'Olive will take care of this.'))
  const { activities } = ok(await acme.call('GET', `contacts/${contactId}/activities?type=handoff_to_human`))
  assert.equal(activities[0].payload.reason, 'Wants a refund')
})

test('an answer that the platform refuses is stored as failed, and the conversation is handed off', async () => {
  llm.next.push({ say: ['Undeliverable.'] })
  platform.next.push({
    status: 400,
    body: { error: { message: '(#131026) Message undeliverable', type: 'OAuthException', code: 131026 } },
  })
  const { ticketId, contactId } = await acme.receives({ from: newCustomer(), body: 'Hello?' })
  await until(async () => !(await contactOf(contactId)).ai_handling)
  assert.deepEqual(
    (await answersOf(ticketId)).map(({ status, error }) => [status, error.code]),
    [['failed', '131026']],
  )
})

test('an answer is not resent after a 5xx of the platform, and the conversation is handed off', async () => {
  llm.next.push({ say: ['Only once.'] })
  platform.next.push({
    status: 500,
    body: { error: { message: '(#131000) Something went wrong', type: 'OAuthException', code: 131000 } },
  })
  const { ticketId, contactId } = await acme.receives({ from: newCustomer(), body: 'Hello?' })
  await until(async () => !(await contactOf(contactId)).ai_handling)
  assert.deepEqual(
    (await answersOf(ticketId)).map(({ status, error }) => [status, error.code]),
    [['failed', 'unknown']],
  )
  assert.ok(!platform.sent.some(({ text }) => text?.body === 'Only once.'))
})

test('a message outside the window is not answered, and the model is not called', async () => {
  const at = new Date(Date.now() - 25 * 3_600_000).toISOString()
  const { ticketId } = await acme.receives({ from: newCustomer(), body: 'Long ago', at })
  await passedOver()
  assert.deepEqual(await answersOf(ticketId), [])
  assert.ok(!llm.requests.some(({ body }) => JSON.stringify(body).includes('Long ago')))
})

test('a contact who opts out while the model is running gets no answer', async () => {
  const from = newCustomer()
  const n = llm.requests.length
  const comes = slowAnswer('Not ', 'wanted.')
  const { ticketId } = await acme.receives({ from, body: 'Hello?' })
  await asked(n + 1)
  await acme.receives({ from, body: 'STOP', at: new Date(Date.now() + 1000).toISOString() })
  comes()
  await passedOver()
  assert.deepEqual(await answersOf(ticketId), [])
})
