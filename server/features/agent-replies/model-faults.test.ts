import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../testing/app.ts'
import { newCustomer, startChatApp } from '../../testing/conversations.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { operatorOf } from '../../testing/operators.ts'
import { until } from '../../testing/process.ts'
import { startToolServer } from '../../testing/tool-server.ts'

/** Live mode with a hosted model that misbehaves. */

const llm = await startLlmServer()
const tools = await startToolServer()
const { app, platform, newOrganization } = await startChatApp({
  settings: { ...llm.settings, OUTBOUND_ALLOW: ['127.0.0.1'], AGENT_REPLY_DELAY_MS: 0 },
})

test('a model that always calls a tool gets six rounds and no retry, and the conversation goes to a person', async () => {
  const org = await newOrganization()
  const tool = {
    name: 'find_order',
    description: 'Looks up an order',
    method: 'POST',
    url: `${tools.url}/orders/{number}`,
    parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  }
  const agent = ok(await org.call('POST', 'agents', { name: 'Desk', agent_config: { tools: [tool] } }), 201)
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: agent.id }))
  llm.always.answer = { call: [{ name: 'find_order', arguments: '{"number":"1"}' }] }
  const { contactId } = await org.receives({ from: newCustomer(), body: 'Where is my order?' })
  const tasks = async () => ok(await org.call('GET', `crm/tasks?contact_id=${contactId}`)).data
  await until(async () => (await tasks()).length > 0)
  const [task] = await tasks()
  assert.match(task.description, /gave no answer after 6 rounds/)
  assert.deepEqual([tools.requests.length, llm.requests.length], [6, 7])
  assert.equal(ok(await org.call('GET', `contacts/${contactId}`)).ai_handling, false)
  await until(async () => platform.sent.length > 0)
  assert.deepEqual(
    platform.sent.map(({ status, type }) => status ?? type),
    ['read'],
  )
  const operator = await operatorOf(app)
  const [month] = ok(await operator.call('GET', `operator/organizations/${org.id}/usage`)).data
  assert.deepEqual(
    [month.chat_input_tokens, month.chat_output_tokens],
    [7 * 12, 7 * 7],
    'tokens of a failed turn count',
  )
})
