import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ok, startTestApp } from '../../../testing/app.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { type McpGeneration, startMcpServer } from '../../../testing/mcp-server.ts'
import { until } from '../../../testing/process.ts'
import { startToolServer } from '../../../testing/tool-server.ts'
import { modelName } from './mcp-tools.ts'

const llm = await startLlmServer()
const server = await startToolServer()
const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
const app = await startTestApp({ settings: { ...llm.settings, OUTBOUND_ALLOW: ['127.0.0.1'] }, log })
const acme = await app.organization()
const live = await app.organization({ mode: 'live' })

const secret = 'Bearer s3cr3t-0123456789abcdef'
const parameters = {
  type: 'object',
  properties: { number: { type: 'string' }, note: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
  required: ['number'],
}
const tool = (path: string, more: object = {}) => ({
  name: 'find_order',
  description: 'Looks up an order',
  method: 'GET',
  url: server.url + path,
  headers: { Authorization: secret },
  parameters,
  ...more,
})
const agentWith = async (agent_config: object, org = live) =>
  ok(await org.call('POST', 'agents', { name: 'Desk', agent_config }), 201).id as string

/** One turn in which the model calls the tool and then repeats its result. */
async function turnWith(path: string, given: object | string, more: object = {}) {
  const id = await agentWith({ tools: [tool(path, more)] })
  llm.next.push({
    call: [{ name: 'find_order', arguments: typeof given === 'string' ? given : JSON.stringify(given) }],
  })
  const asked = llm.requests.length
  const answer = ok(await live.call('POST', `agents/${id}/chat`, { message: 'Where is it?' }))
  const [call] = answer.tool_calls
  return { answer, call, rounds: llm.requests.slice(asked) }
}

test('a tool is offered with its schema, called with its headers, and its response goes back to the model', async () => {
  const { answer, call, rounds } = await turnWith('/orders/{number}', { number: 'A 17/../x', note: 'quick & easy' })
  assert.deepEqual(rounds[0]?.body.tools[0].function.parameters, parameters)
  const request = server.requests.at(-1)
  assert.equal(request?.method, 'GET')
  assert.equal(request?.url, '/orders/A%2017%2F..%2Fx?note=quick+%26+easy')
  assert.equal(request?.headers.authorization, secret)
  assert.deepEqual([call.result, call.is_error], ['{"status":"shipped","due_on":"Monday"}', false])
  const [, , , back] = rounds[1]?.body.messages ?? []
  assert.deepEqual([back.role, back.content], ['tool', call.result])
  assert.equal(answer.usage.input_tokens, 24)
})

test('a POST sends the arguments that are not in the URL as JSON', async () => {
  await turnWith('/orders/{number}', { number: '1', count: 2 }, { method: 'POST' })
  const request = server.requests.at(-1)
  assert.deepEqual([request?.method, request?.url], ['POST', '/orders/1'])
  assert.equal(request?.headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(request?.body ?? ''), { count: 2 })
})

test('invalid arguments are reported to the model, and nothing is called', async () => {
  const before = server.requests.length
  for (const [given, problem] of [
    [{ note: 'x' }, /number/],
    [{ number: '1', count: 0 }, /count/],
    ['{"number": ', /not a JSON object/],
    ['[1]', /not a JSON object/],
    [{ number: '..' }, /cannot be part of the address/],
  ] as const) {
    const { call, rounds } = await turnWith('/orders/{number}', given)
    assert.equal(call.is_error, true)
    assert.match(call.result, problem)
    assert.equal(rounds.length, 2)
  }
  assert.equal(server.requests.length, before)
})

test('a tool that fails, hangs, redirects or returns too much is a result, never an exception', async () => {
  const cases: [string, RegExp, object?][] = [
    ['/fails/{number}', /answered 500: \{"error":"out of order"\}/],
    ['/moved/{number}', /redirect \(302\)/],
    ['/never/{number}', /did not answer in time/, { timeout_ms: 150 }],
    ['/huge/{number}', /too long to be read/],
  ]
  for (const [path, problem, more] of cases) {
    const { call, answer } = await turnWith(path, { number: '1' }, more)
    assert.equal(call.is_error, true, path)
    assert.match(call.result, problem)
    assert.notEqual(answer.reply, '')
  }
  const { call } = await turnWith('/long/{number}', { number: '1' })
  assert.equal(call.is_error, false)
  assert.ok(call.result.length < 15_100)
})

test('a secret that a server echoes is hidden, and no secret is logged', async () => {
  const { call } = await turnWith('/echo/{number}', { number: '1' })
  assert.equal(call.result, '{"you_sent":"[secret]"}')
  assert.doesNotMatch(logged.join('\n'), /s3cr3t/)
  assert.doesNotMatch(JSON.stringify(llm.requests), /s3cr3t/)
})

test('an internal address is refused when it is called, even if it was accepted when it was saved', async () => {
  const id = await agentWith({ tools: [tool('/orders/{number}')] })
  const strict = await app.node({ OUTBOUND_ALLOW: [] })
  const before = server.requests.length
  llm.next.push({ call: [{ name: 'find_order', arguments: '{"number":"1"}' }] })
  const answer = ok(await strict.as(live.key)('POST', `agents/${id}/chat`, { message: 'Where is it?' }))
  assert.match(answer.tool_calls[0].result, /may not be called/)
  assert.equal(server.requests.length, before)
  const mcp = await startMcpServer('stateless-2026')
  const other = await agentWith({ mcp_servers: [{ name: 'calendar', url: mcp.url }] })
  ok(await strict.as(live.key)('POST', `agents/${other}/chat`, { message: 'Hi' }))
  assert.equal(mcp.requests.length, 0)
  await strict.close()
})

test('tools can be called in several rounds, up to a limit', async () => {
  const id = await agentWith({ tools: [tool('/orders/{number}')] })
  for (let i = 0; i < 6; i++) llm.next.push({ call: [{ name: 'find_order', arguments: `{"number":"${i}"}` }] })
  llm.next.push({ say: ['Enough.'] })
  const answer = ok(await live.call('POST', `agents/${id}/chat`, { message: 'Where is it?' }))
  assert.equal(answer.reply, 'Enough.')
  assert.equal(answer.tool_calls.length, 6)
  assert.equal(llm.requests.at(-1)?.body.tools, undefined, 'the last round has to answer')
})

test('a model that always calls a tool gets six rounds, then an error; tools that were not offered never run', async () => {
  const id = await agentWith({ tools: [tool('/orders/{number}', { method: 'POST' })] })
  const [asked, ran] = [llm.requests.length, server.requests.length]
  llm.always.answer = { call: [{ name: 'find_order', arguments: '{"number":"1"}' }] }
  const message = { message: 'Where is it?', session_id: 'endless' }
  const endless = await live.call('POST', `agents/${id}/chat`, message)
  assert.deepEqual([endless.status, endless.body.error], [502, 502], endless.text)
  assert.match(endless.body.message, /no answer after 6 rounds/)
  assert.equal(server.requests.length - ran, 6, 'tools that were run')
  assert.equal(llm.requests.length - asked, 7, 'requests to the model')
  assert.equal(llm.requests.at(-1)?.body.tools, undefined)

  llm.always.answer = { say: ['I do not know.'], call: [{ name: 'find_order', arguments: '{"number":"1"}' }] }
  const answered = ok(await live.call('POST', `agents/${id}/chat`, message))
  llm.always.answer = undefined
  assert.match(answered.reply, /I do not know\.$/)
  assert.equal(answered.tool_calls.length, 6)
  assert.equal(server.requests.length - ran, 12, 'the words of the last request count, its calls do not')
})

test('a call of a tool that was not offered is reported to the model', async () => {
  const id = await agentWith({})
  // On the phone the model could end the call; in chat there is no call, so this tool is not offered.
  for (const name of ['format_disk', 'end_call', 'transfer_call']) {
    llm.next.push({ call: [{ name, arguments: '{"reason":"x","say":"y"}' }] }, { say: ['Sorry.'] })
    const answer = ok(await live.call('POST', `agents/${id}/chat`, { message: 'Hi' }))
    const [{ result, is_error }] = answer.tool_calls
    assert.deepEqual([result, is_error, answer.action, answer.reply], ['There is no such tool', true, null, 'Sorry.'])
  }
})

test('test mode calls a tool that is mentioned by name, and repeats its result', async () => {
  const id = await agentWith({ tools: [tool('/orders/{number}')] }, acme)
  const answer = ok(await acme.call('POST', `agents/${id}/chat`, { message: 'Please find my order A-17' }))
  assert.equal(answer.reply, 'Here is what I found: status: shipped, due on: Monday')
  assert.equal(server.requests.at(-1)?.url, '/orders/A-17')
  assert.deepEqual(answer.tool_calls[0].arguments, { number: 'A-17' })
})

for (const generation of ['sse-2024', 'streamable-2025', 'stateless-2026'] as McpGeneration[])
  test(`an MCP server of the generation ${generation}: its tools are offered, called and kept within bounds`, async () => {
    const mcp = await startMcpServer(generation)
    const headers = { 'x-secret': 'mcp-secret-0123456789' }
    const calendar = { name: 'calendar', url: mcp.url, headers, allowed_tools: ['find_slot'] }
    const id = await agentWith({ mcp_servers: [calendar] })
    const ask = async (given: object) => {
      llm.next.push({ call: [{ name: 'calendar_find_slot', arguments: JSON.stringify(given) }] })
      return ok(await live.call('POST', `agents/${id}/chat`, { message: 'When?' })).tool_calls[0]
    }
    const call = await ask({ day: 'Monday' })
    assert.deepEqual([call.result, call.is_error], ['Monday at ten, says [secret]', false])
    const offered = llm.requests.at(-2)?.body.tools.map((each: { function: { name: string } }) => each.function.name)
    assert.deepEqual(offered, ['calendar_find_slot', 'hand_off_to_person', 'offer_choices'])
    assert.ok(mcp.requests.every((request) => request.headers['x-secret'] === headers['x-secret']))
    assert.deepEqual(await ask({ day: 'never' }), {
      ...call,
      arguments: { day: 'never' },
      result: 'No such day',
      is_error: true,
    })
    const wrong = await ask({ date: 'Monday' })
    assert.match(wrong.result, /day/)
    assert.equal(mcp.calls.length, 2)
    if (generation === 'streamable-2025') {
      mcp.forget()
      assert.equal(
        (await ask({ day: 'Friday' })).result,
        'Friday at ten, says [secret]',
        'a forgotten session is begun anew',
      )
    }
  })

test('a stream that an MCP server breaks off has no effect on others, and the next call reconnects', async () => {
  const mcp = await startMcpServer('sse-2024')
  const id = await agentWith({ mcp_servers: [{ name: 'calendar', url: mcp.url }] })
  const ask = async () => {
    llm.next.push({ call: [{ name: 'calendar_find_slot', arguments: '{"day":"Monday"}' }] })
    return ok(await live.call('POST', `agents/${id}/chat`, { message: 'When?' })).tool_calls[0]
  }
  assert.equal((await ask()).is_error, false)
  for (let i = 0; i < 3; i++) {
    mcp.hangUp()
    const connections = mcp.requests.length
    // Until the end of the stream is detected a call may still fail; it never ends the process.
    await until(async () => !(await ask()).is_error)
    assert.ok(mcp.requests.length > connections)
  }
})

test('an unreachable or invalid MCP server costs its tools and nothing else', async () => {
  const gone = { name: 'gone', url: 'http://127.0.0.1:9/mcp' }
  const none = { name: 'none', url: `${server.url}/orders/1` }
  const id = await agentWith({ mcp_servers: [gone, none] })
  assert.equal(ok(await live.call('POST', `agents/${id}/chat`, { message: 'Hi' })).reply, 'You said: Hi')
  assert.doesNotMatch(logged.join('\n'), /mcp-secret/)
})

test('names of MCP tools are converted to names that every model accepts, and stay distinct', () => {
  assert.equal(modelName('calendar', 'find_slot'), 'calendar_find_slot')
  const dotted = [
    modelName('a', 'b.c'),
    modelName('a', 'b_c'),
    modelName('a', 'x'.repeat(100)),
    modelName('a', 'x'.repeat(101)),
  ]
  assert.equal(new Set(dotted).size, 4)
  for (const name of dotted) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
})
