import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, startTestApp, type TestOrganization } from '../../testing/app.ts'
import { refusal } from '../../testing/chat-platform.ts'
import { newCustomer, startChatApp } from '../../testing/conversations.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { until } from '../../testing/process.ts'

const settings = { AGENT_REPLY_DELAY_MS: 50 }

/** The answers that the platform has accepted: an answer is stored before it is sent. */
const answersTo = async ({ call }: TestOrganization, from: string): Promise<Reply['body'][]> => {
  const { inboxes } = ok(await call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`))
  if (!inboxes[0]) return []
  const { messages } = ok(await call('GET', `inbox/messages/${inboxes[0].id}?limit=100`))
  return messages.filter(({ actor_type, chat_message_id }: Reply['body']) => actor_type === 'ai' && chat_message_id)
}
async function untilAnswers(org: TestOrganization, from: string, count: number) {
  await until(async () => (await answersTo(org, from)).length >= count)
  return answersTo(org, from)
}

test('a rule offers choices in chat, and a tap arrives as the customer’s words', async () => {
  const app = await startTestApp({ settings })
  await app.listen()
  const org = await app.organization()
  const days = ['Monday', 'Tuesday', 'Wednesday', 'The first free appointment that you have']
  const rules = [
    { when: ['book'], say: 'Morning or afternoon?', choices: ['Morning', 'Afternoon'] },
    { when: ['morning'], say: 'Which day suits you?', choices: days },
    { when: ['tuesday'], say: 'See you on Tuesday.' },
  ]
  const agent = { name: 'Desk', agent_type: 'static', agent_config: { call_settings: { rules, fallback: 'Pardon?' } } }
  const { id } = ok(await org.call('POST', 'agents', agent), 201)
  const [channel] = ok(await org.call('GET', 'channels')).data
  ok(await org.call('PATCH', `channels/${channel.id}`, { agent_id: id }))
  const from = newCustomer()
  const does = (message: object) => org.call('POST', 'simulator/messages', { from, name: 'Ines', ...message })

  ok(await does({ text: 'I want to book' }), 202)
  const [first] = await untilAnswers(org, from, 1)
  assert.deepEqual(first.payload.interactive.buttons, [
    { id: 'choice-1', title: 'Morning' },
    { id: 'choice-2', title: 'Afternoon' },
  ])
  assert.equal(first.body, 'Morning or afternoon?\n\n• Morning\n• Afternoon')

  ok(await does({ type: 'interactive', text: 'Morning' }), 202)
  const [, second] = await untilAnswers(org, from, 2)
  const { type, label, sections } = second.payload.interactive
  assert.deepEqual([type, label, sections[0].rows.length], ['list', 'Choose', 4])
  assert.deepEqual(sections[0].rows[3], {
    id: 'choice-4',
    title: 'The first free appointm…',
    description: 'The first free appointment that you have',
  })
  ok(await does({ type: 'interactive', text: 'Tuesday' }), 202)
  const answers = await untilAnswers(org, from, 3)
  assert.equal(answers[2].body, 'See you on Tuesday.')
  const { messages } = ok(await org.call('GET', `inbox/messages/${answers[0].inbox_id}`))
  const taps = messages.filter(({ direction }: Reply['body']) => direction === 'inbound').slice(1)
  assert.deepEqual(
    taps.map(({ body, context_message_id }: Reply['body']) => [body, context_message_id]),
    [
      ['Morning', first.chat_message_id],
      ['Tuesday', second.chat_message_id],
    ],
  )

  // The simulated phone shows that the agent is typing before the answer comes.
  const { data } = (await app.control('GET', 'transcript')).body
  const received = data.filter((entry: Reply['body']) => entry.direction === 'from_customer')
  assert.deepEqual([...new Set(received.map(({ status }: Reply['body']) => status))], ['read, typing'])
})

test('a model offers choices with a tool; the typing indicator precedes its answer and may fail', async () => {
  const llm = await startLlmServer()
  const { platform, newOrganization } = await startChatApp({ settings: { ...settings, ...llm.settings } })
  const org = await newOrganization()
  const agent = ok(await org.call('POST', 'agents', { name: 'Desk', agent_config: { language: 'de-DE' } }), 201)
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: agent.id }))
  const offers = (given: object) => ({ call: [{ name: 'offer_choices', arguments: JSON.stringify(given) }] })
  const from = newCustomer()

  llm.next.push({ say: ['Gern.'], ...offers({ say: 'Wann?', choices: ['Montag', ' Montag ', '', 7, 'Dienstag'] }) })
  await org.receives({ from, body: 'Termin' })
  const [first] = await untilAnswers(org, from, 1)
  assert.equal(first.body, 'Gern. Wann?\n\n• Montag\n• Dienstag')
  const [typing, answer] = platform.sent.slice(-2)
  assert.deepEqual([typing.status, typing.typing_indicator], ['read', { type: 'text' }])
  assert.deepEqual([answer.type, answer.interactive.type], ['interactive', 'button'])

  platform.nextTyping.push(refusal(131000))
  llm.next.push(offers({ say: 'Welcher Tag?', choices: Array.from({ length: 12 }, (_, i) => `Tag ${i + 1}`) }))
  await org.receives({ from, body: 'Montag' })
  const [, second] = await untilAnswers(org, from, 2)
  const { type, label, sections } = second.payload.interactive
  assert.deepEqual([type, label, sections[0].rows.length], ['list', 'Auswählen', 10])
  const shown = llm.requests.at(-1)?.body.messages.map(({ content }: { content: string }) => content)
  assert.ok(shown.includes(first.body), 'the model sees what it offered')
})
