import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Desk, newCustomer, ok, startDesks } from '../../testing/conversations.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { until } from '../../testing/process.ts'

/** In live mode, with a model and a platform that take their time: what happens meanwhile decides. */

const llm = await startLlmServer()
const { app, platform, desk } = await startDesks({ settings: { ...llm.settings, AGENT_REPLY_DELAY_MS: 0 } })
const acme = await withAgent(await desk())

async function withAgent(org: Desk): Promise<Desk> {
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

const untilNothingWaits = () =>
  until(async () => {
    const { rows } = await app.database.pools.system.query('select from messages_to_answer limit 1')
    return rows.length === 0
  })

/** The answer to somebody else proves that what was written before was seen, and passed over. */
async function passedOver() {
  const { ticketId } = await acme.hears({ from: newCustomer(), body: 'A witness' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  await untilNothingWaits()
}

test('the model is asked with the conversation, the contact and the manners of chat; its words are sent', async () => {
  const from = newCustomer()
  llm.next.push({ say: ['Hello ', 'Ada.'] })
  const { ticketId } = await acme.hears({ from, body: 'Hi there' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  assert.equal((await answersOf(ticketId))[0].body, 'Hello Ada.')
  await acme.hears({ from, body: 'And now?' })
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
  assert.match(system.content, /<contact>\n\{"name":"Ada"/)
  await until(async () => platform.sent.some(({ text }) => text?.body === 'You said: And now?'))
})

test('a person who takes over while the model thinks is the only one to answer', async () => {
  for (const takesOver of [
    async (ticketId: string) =>
      void ok(await acme.call('POST', `inbox/messages/${ticketId}`, { body: 'Olive here' }), 201),
    async (_: string, contactId: string) =>
      void ok(await acme.call('POST', `contacts/${contactId}/handoff`, { to: 'human' })),
  ]) {
    const n = llm.requests.length
    llm.next.push({ say: ['Too ', 'late ', 'by ', 'now.'], pauseMs: 60 })
    const { ticketId, contactId } = await acme.hears({ from: newCustomer(), body: 'Hello?' })
    await asked(n + 1)
    await takesOver(ticketId, contactId)
    await untilNothingWaits()
    assert.deepEqual(await answersOf(ticketId), [])
    assert.ok(!platform.sent.some(({ text }) => text?.body === 'Too late by now.'))
  }
})

test('a person who answers and hands back while the model thinks is not spoken over', async () => {
  const n = llm.requests.length
  llm.next.push({ say: ['Not ', 'needed ', 'any ', 'more.'], pauseMs: 100 })
  const { ticketId, contactId } = await acme.hears({ from: newCustomer(), body: 'Hello?' })
  await asked(n + 1)
  ok(await acme.call('POST', `inbox/messages/${ticketId}`, { body: 'Olive here' }), 201)
  ok(await acme.call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  await untilNothingWaits()
  assert.deepEqual(await answersOf(ticketId), [])
})

test('what comes in while the model thinks is answered together with what it thinks about', async () => {
  const from = newCustomer()
  const n = llm.requests.length
  llm.next.push({ say: ['Half ', 'an ', 'answer.'], pauseMs: 500 }, { say: ['To both.'] })
  const { ticketId } = await acme.hears({ from, body: 'First' })
  await asked(n + 1)
  await acme.hears({ from, body: 'Second' })
  await until(async () => (await answersOf(ticketId)).length > 0)
  await untilNothingWaits()
  assert.deepEqual(
    (await answersOf(ticketId)).map(({ body }) => body),
    ['To both.'],
  )
  assert.equal(llm.requests.at(-1)?.body.messages.at(-1).content, 'First\nSecond')
})

test('a person who takes over while the platform asks for patience keeps the answer from going out', async () => {
  const from = newCustomer()
  llm.next.push({ say: ['Held back.'] })
  const throttled = {
    status: 429,
    body: { error: { message: '(#130429) Rate limit hit', type: 'OAuthException', code: 130429 } },
  }
  let contactId = ''
  // More than once: it must not be sent before the person is there, however slow the machine is.
  platform.next.push({ ...throttled }, { ...throttled }, { ...throttled })
  const heard = await acme.hears({ from, body: 'Hello?' })
  contactId = heard.contactId
  await until(async () => (await answersOf(heard.ticketId)).length === 1)
  ok(await acme.call('POST', `contacts/${contactId}/handoff`, { to: 'human' }))
  await until(async () => (await answersOf(heard.ticketId))[0].status === 'failed')
  assert.equal((await answersOf(heard.ticketId))[0].error.code, 'not_sent')
  assert.ok(!platform.sent.some(({ text }) => text?.body === 'Held back.'))
  platform.next.length = 0
})

test('a model that refuses, or is not configured, leaves the contact to a person', async () => {
  llm.next.push({ status: 401 })
  const { ticketId, contactId } = await acme.hears({ from: newCustomer(), body: 'Hello?' })
  await until(async () => !(await contactOf(contactId)).ai_handling)
  assert.deepEqual(await answersOf(ticketId), [])
  const { data } = ok(await acme.call('GET', `crm/tasks?contact_id=${contactId}`))
  assert.match(data[0].description, /does not accept our key/)
})

test('a model that fails for a while is asked again, and answers once', async () => {
  const from = newCustomer()
  llm.next.push({ status: 500 }, { status: 500 }, { status: 500 }, { say: ['Here I am.'] })
  const { ticketId } = await acme.hears({ from, body: 'Hello?' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  assert.equal((await answersOf(ticketId))[0].body, 'Here I am.')
})

test('the model hands over by its tool, and says so to the contact', async () => {
  const given = JSON.stringify({ reason: 'Wants a refund', say: 'Olive will take care of this.' })
  llm.next.push({ call: [{ name: 'hand_off_to_person', arguments: given }] })
  const { ticketId, contactId } = await acme.hears({ from: newCustomer(), body: 'I want my money back' })
  await until(async () => (await answersOf(ticketId)).length === 1)
  assert.equal((await answersOf(ticketId))[0].body, 'Olive will take care of this.')
  await until(async () => !(await contactOf(contactId)).ai_handling)
  const { activities } = ok(await acme.call('GET', `contacts/${contactId}/activities?type=handoff_to_human`))
  assert.equal(activities[0].payload.reason, 'Wants a refund')
})

test('an answer that the platform refuses is kept as failed, and a person is called', async () => {
  llm.next.push({ say: ['Undeliverable.'] })
  platform.next.push({
    status: 400,
    body: { error: { message: '(#131026) Message undeliverable', type: 'OAuthException', code: 131026 } },
  })
  const { ticketId, contactId } = await acme.hears({ from: newCustomer(), body: 'Hello?' })
  await until(async () => !(await contactOf(contactId)).ai_handling)
  assert.deepEqual(
    (await answersOf(ticketId)).map(({ status, error }) => [status, error.code]),
    [['failed', '131026']],
  )
})

test('an answer to which the platform answers with a fault is not sent again, and a person is called', async () => {
  llm.next.push({ say: ['Only once.'] })
  platform.next.push({
    status: 500,
    body: { error: { message: '(#131000) Something went wrong', type: 'OAuthException', code: 131000 } },
  })
  const { ticketId, contactId } = await acme.hears({ from: newCustomer(), body: 'Hello?' })
  await until(async () => !(await contactOf(contactId)).ai_handling)
  assert.deepEqual(
    (await answersOf(ticketId)).map(({ status, error }) => [status, error.code]),
    [['failed', 'unknown']],
  )
  assert.ok(!platform.sent.some(({ text }) => text?.body === 'Only once.'))
})

test('a message from before the window is not answered, and the model is not asked', async () => {
  const at = new Date(Date.now() - 25 * 3_600_000).toISOString()
  const { ticketId } = await acme.hears({ from: newCustomer(), body: 'Long ago', at })
  await passedOver()
  assert.deepEqual(await answersOf(ticketId), [])
  assert.ok(!llm.requests.some(({ body }) => JSON.stringify(body).includes('Long ago')))
})

test('whoever opts out while the model thinks hears nothing more', async () => {
  const from = newCustomer()
  const n = llm.requests.length
  llm.next.push({ say: ['Not ', 'wanted.'], pauseMs: 80 })
  const { ticketId } = await acme.hears({ from, body: 'Hello?' })
  await asked(n + 1)
  await acme.hears({ from, body: 'STOP', at: new Date(Date.now() + 1000).toISOString() })
  await passedOver()
  assert.deepEqual(await answersOf(ticketId), [])
})
