import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../../platform/outbound-fetch.ts'
import { createLocalEmbedder } from '../../../providers/embeddings/local.ts'
import { createHostedLlm } from '../../../providers/llm/ai-sdk.ts'
import { LlmError } from '../../../providers/llm/contract.ts'
import { sharedTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'
import { startToolServer } from '../../../testing/tool-server.ts'
import { createEmbedders } from '../../knowledge/embedders.ts'
import { openVectorIndex } from '../../knowledge/vectors/open-vector-index.ts'
import { completeConfig } from '../config/complete-config.ts'
import type { AgentConfigInput } from '../config/config-input.ts'
import { summarize } from '../texts/summarize.ts'
import { createMcpTools } from '../tools/mcp-tools.ts'
import { converse } from './converse.ts'
import type { Conversing, OpenAgent, TurnEvent, TurnInput } from './turn.ts'

/** By voice, as calls use it: no operation of the API shows this. */

const app = await sharedTestApp()
const org = await app.organization()
const llm = await startLlmServer()
const server = await startToolServer()
const http = createOutboundHttp({ allow: ['127.0.0.1'] })
const log = app.server.log as never
const embedders = createEmbedders({ local: createLocalEmbedder() })
const mcpTools = createMcpTools({ http, log })
after(async () => {
  await mcpTools.close()
  await embedders.close()
  await http.close()
})
const provider = (baseUrl: string) => ({ baseUrl, apiKey: 'x' })
const deps: Conversing = {
  http,
  mcpTools,
  log,
  llm: createHostedLlm({
    http,
    providers: { openai: provider(`${llm.url}/v1`), anthropic: provider(llm.url), google: provider(llm.url) },
  }),
  knowledge: {
    database: app.database,
    embedders,
    vectorIndex: await openVectorIndex(app.connection, { kind: 'exact', memoryBytes: 1_000_000 }),
    log,
    keywordWeight: 0.5,
  },
  searchMs: app.settings.KNOWLEDGE_SEARCH_MS,
}

const agentOf = (config: AgentConfigInput = {}, more: Partial<OpenAgent> = {}): OpenAgent => ({
  id: '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d',
  version: 1,
  name: 'Desk',
  type: 'prompt',
  isActive: true,
  timezone: 'UTC',
  config: completeConfig(config),
  ...more,
})
const turnOf = (agent: OpenAgent, heard: string, more: Partial<TurnInput> = {}): TurnInput => ({
  scope: { organizationId: org.id, livemode: true },
  agent,
  medium: 'voice',
  history: [],
  heard,
  now: new Date('2026-03-01T09:30:00Z'),
  signal: new AbortController().signal,
  ...more,
})
const eventsOf = (turn: TurnInput): Promise<TurnEvent[]> => Array.fromAsync(converse(deps, turn))
const typesOf = (events: TurnEvent[]) => events.map(({ type }) => type)

const orders = {
  name: 'find_order',
  description: '',
  method: 'GET' as const,
  url: `${server.url}/orders/{number}`,
  headers: {},
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  timeout_ms: 5_000,
  say_while_running: 'One moment, please.',
}
const callOf = (name: string, given: object) => ({ call: [{ name, arguments: JSON.stringify(given) }] })

test('while a tool runs a filler is spoken, unless the model said one; what follows is a new sentence', async () => {
  llm.next.push(callOf('find_order', { number: '1' }), { say: ['It ', 'shipped.'] })
  const events = await eventsOf(turnOf(agentOf({ tools: [orders] }), 'Where is order 1?'))
  assert.deepEqual(typesOf(events), ['tool_call', 'say_meanwhile', 'tool_result', 'text', 'text', 'done'])
  assert.deepEqual(events[1], { type: 'say_meanwhile', text: 'One moment, please.' })
  llm.next.push({ say: ['Let me see.'], ...callOf('find_order', { number: '1' }) }, { say: ['It shipped.'] })
  const spoken = await eventsOf(turnOf(agentOf({ tools: [orders] }), 'Where is order 1?'))
  assert.deepEqual(typesOf(spoken), ['text', 'tool_call', 'tool_result', 'text', 'done'])
  const done = spoken.at(-1)
  assert.ok(done?.type === 'done')
  assert.equal(done.text, 'Let me see. It shipped.')
})

test('no tool runs before the event after its call is requested', async () => {
  llm.next.push({
    call: ['1', '2'].map((number) => ({ name: 'find_order', arguments: JSON.stringify({ number }) })),
  })
  const asked = server.requests.length
  const events = converse(deps, turnOf(agentOf({ tools: [orders] }), 'Where are orders 1 and 2?'))
  const { value } = await events.next()
  assert.equal(value?.type, 'tool_call')
  await events.return(undefined)
  assert.equal(server.requests.length, asked)
})

test('on the phone the model can end the call or hand off, and transfer if there is a number', async () => {
  const given = { reason: 'Said goodbye', say: 'Goodbye!' }
  llm.next.push(callOf('end_call', given))
  const ended = await eventsOf(turnOf(agentOf(), 'That was all'))
  assert.deepEqual(ended.slice(0, 2), [
    { type: 'text', text: 'Goodbye!' },
    { type: 'end_call', reason: 'Said goodbye' },
  ])
  const names = () => llm.requests.at(-1)?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
  assert.deepEqual(names(), ['hand_off_to_person', 'end_call'])
  const reachable = agentOf({ call_settings: { transfer_number: '+12025550142' } })
  llm.next.push(callOf('transfer_call', given))
  const transferred = await eventsOf(turnOf(reachable, 'The boss'))
  assert.deepEqual(names(), ['hand_off_to_person', 'end_call', 'transfer_call'])
  assert.deepEqual(transferred[1], { type: 'transfer', to: '+12025550142', reason: 'Said goodbye' })
  const asked = llm.requests.length
  const person = await eventsOf(turnOf(reachable, 'Let me speak to a human'))
  assert.equal(person.at(-2)?.type, 'transfer')
  const unreachable = await eventsOf(turnOf(agentOf(), 'Let me speak to a human'))
  assert.equal(unreachable.at(-2)?.type, 'handoff')
  assert.equal(llm.requests.length, asked)
})

test('a static agent ends, hands off and transfers by its rules, with the call’s variables', async () => {
  const call_settings = {
    rules: [
      { when: ['bye'], say: 'Bye {{first_name}}, {{contact.name}}{{nothing}}.', then: 'end' as const },
      { when: ['sales'], say: 'Hold on.', then: 'transfer' as const },
    ],
    transfer_number: '+12025550142',
  }
  const agent = agentOf({ call_settings }, { type: 'static' })
  const contact = { id: org.id, name: 'Ada', phone_number: '', tags: [], notes: '', custom_fields: {} }
  const bye = await eventsOf(turnOf(agent, 'ok bye', { variables: { first_name: 'A.' }, contact }))
  const done = bye.at(-1)
  assert.ok(done?.type === 'done')
  assert.equal(done.text, 'Bye A., Ada.')
  assert.equal(bye.at(-2)?.type, 'end_call')
  assert.equal((await eventsOf(turnOf(agent, 'sales'))).at(-2)?.type, 'transfer')
  const written = await eventsOf(turnOf(agent, 'ok bye', { medium: 'chat' }))
  assert.ok(!typesOf(written).includes('end_call'), 'in writing there is no call to end')
})

test('in test mode goodbye ends the call', async () => {
  const scope = { organizationId: org.id, livemode: false }
  const events = await eventsOf(turnOf(agentOf(), 'Thanks, goodbye', { scope }))
  assert.deepEqual(typesOf(events), ['text', 'end_call', 'done'])
})

test('aborting stops the model and the tools at once, with the reason', async () => {
  const reason = new Error('the caller spoke')
  for (const [plan, requests] of [
    [{ never: true as const }, llm.requests],
    [callOf('find_order', { number: '1' }), server.requests],
  ] as const) {
    const before = requests.length
    llm.next.push(plan)
    const controller = new AbortController()
    const slow = { ...orders, url: `${server.url}/never/{number}` }
    const speaking = eventsOf(turnOf(agentOf({ tools: [slow] }), 'Where is it?', { signal: controller.signal }))
    const refused = assert.rejects(speaking, reason)
    await until(async () => requests.length > before)
    controller.abort(reason)
    await refused
  }
})

test('an unavailable model is an LlmError', async () => {
  llm.next.push({ status: 400 })
  await assert.rejects(eventsOf(turnOf(agentOf(), 'Hi')), (error) => error instanceof LlmError)
})

test('earlier tool results are part of the conversation', async () => {
  const tools = [{ id: 'call_9', name: 'find_order', arguments: { number: '1' }, result: 'shipped' }]
  const history = [
    { speaker: 'caller' as const, text: 'Where is order 1?' },
    { speaker: 'agent' as const, text: 'It shipped.', tools },
  ]
  await eventsOf(turnOf(agentOf({ tools: [orders] }), 'When?', { history }))
  const { messages } = llm.requests.at(-1)?.body ?? {}
  assert.deepEqual(
    messages.slice(1).map(({ role }: { role: string }) => role),
    ['user', 'assistant', 'tool', 'assistant', 'user'],
  )
  assert.match(messages[0].content, /Sunday, March 1, 2026 at 9:30/)
})

test('on the phone an agent reads only the documents that were chosen for it', async () => {
  const call = app.as(org.key)
  const [pool, parking] = await Promise.all([
    addDocument(call, 'The pool opens at seven in the morning.', 'hours.txt'),
    addDocument(call, 'Parking costs nine euros a day.', 'prices.txt'),
  ])
  assert.ok(pool.id)
  const agent = agentOf({ knowledge: { document_ids: [parking.id] } })
  const scope = { organizationId: org.id, livemode: false }
  const said = async (heard: string) => {
    const events = await eventsOf(turnOf(agent, heard, { scope }))
    assert.deepEqual(typesOf(events)[0], 'retrieved')
    const done = events.at(-1)
    return done?.type === 'done' ? done.text : ''
  }
  assert.equal(await said('What does parking cost?'), 'According to prices.txt: Parking costs nine euros a day.')
  assert.match(await said('When does the pool open?'), /did not find anything/)
})

test('a conversation is summarized by the model in live mode, by its own words in test mode', async () => {
  const turns = [
    { speaker: 'agent' as const, text: 'Hello.' },
    { speaker: 'caller' as const, text: 'When do you open tomorrow?' },
    { speaker: 'agent' as const, text: 'At nine.' },
    { speaker: 'caller' as const, text: 'Thanks, bye.' },
  ]
  const signal = new AbortController().signal
  const scope = { organizationId: org.id, livemode: true }
  llm.next.push({ say: ['Asked for ', 'opening hours.'] })
  const live = await summarize(deps, { scope, agent: agentOf(), turns, signal })
  assert.deepEqual(live, {
    summary: 'Asked for opening hours.',
    usage: { input_tokens: 12, output_tokens: 7, model: 'gpt-5-mini-2026' },
  })
  const asked = llm.requests.length
  const test = await summarize(deps, { scope: { ...scope, livemode: false }, agent: agentOf(), turns, signal })
  assert.match(test.summary, /“When do you open tomorrow\?” The agent answered: “At nine\.”/)
  assert.equal(test.usage.model, 'scripted')
  const nothing = await summarize(deps, { scope, agent: agentOf(), turns: [], signal })
  assert.equal(nothing.summary, '')
  assert.equal(llm.requests.length, asked)
})

test('choices of a rule are words on the phone and something to tap in chat', async () => {
  const rules = [{ when: ['book'], say: 'Which day?', choices: ['Monday', 'Tuesday', '{{day}}'] }]
  const agent = agentOf({ call_settings: { rules }, language: 'en-US' }, { type: 'static' })
  const variables = { day: 'Friday' }
  const spoken = (await eventsOf(turnOf(agent, 'I want to book', { variables }))).at(-1)
  assert.ok(spoken?.type === 'done')
  assert.equal(spoken.text, 'Which day? Monday, Tuesday, or Friday?')
  const tapped = await eventsOf(turnOf(agent, 'I want to book', { variables, medium: 'chat' }))
  assert.deepEqual(tapped.slice(-2)[0], { type: 'choices', choices: ['Monday', 'Tuesday', 'Friday'] })
  const german = agentOf({ call_settings: { rules }, language: 'de-DE' }, { type: 'static' })
  const words = (await eventsOf(turnOf(german, 'book', { variables }))).at(-1)
  assert.ok(words?.type === 'done')
  assert.equal(words.text, 'Which day? Monday, Tuesday oder Friday?')
})
