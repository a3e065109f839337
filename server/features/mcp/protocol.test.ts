import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { createMCPClient } from '@ai-sdk/mcp'
import { startTestApp } from '../../testing/app.ts'

const app = await startTestApp({ settings: { CORS_ORIGINS: ['https://assistant.example'] } })
const url = new URL(`${await app.listen()}/mcp`)
const { key } = await app.organization()

const both = 'application/json, text/event-stream'
const credential = { authorization: `Bearer ${key}` }

async function post(body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...credential, accept: both, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const json: any = text ? JSON.parse(text) : undefined
  return { status: answer.status, headers: answer.headers, body: json }
}

const rpc = (method: string, params?: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const meta = (version = '2026-07-28') => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
})
/** A request of the revision without a handshake. */
const modern = (method: string, params: { name?: string | undefined; [more: string]: unknown } = {}, headers = {}) =>
  post(rpc(method, { ...meta(), ...params }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
    ...headers,
  })

test('every revision with a handshake works', async () => {
  for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const { status, body, headers } = await post(rpc('initialize', params))
    assert.deepEqual([status, body.result.protocolVersion], [200, protocolVersion])
    assert.equal(headers.get('mcp-session-id'), null)
    const list = await post(rpc('tools/list'), { 'mcp-protocol-version': protocolVersion })
    assert.equal(list.body.result.tools.length, 10)
  }
  const unknown = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  assert.equal((await post(rpc('initialize', unknown))).body.result.protocolVersion, '2025-11-25')
  assert.equal((await post(rpc('tools/list'), { 'mcp-protocol-version': '1999-01-01' })).status, 400)
  assert.deepEqual((await post(rpc('ping'))).body.result, {})
})

test('the revision without a handshake works too', async () => {
  const discovered = await modern('server/discover')
  assert.deepEqual([discovered.status, discovered.body.result.supportedVersions], [200, ['2026-07-28']])
  assert.equal(discovered.body.result._meta['io.modelcontextprotocol/serverInfo'].name, 'frontdesk')
  const { body } = await modern('tools/list')
  assert.equal(body.result.tools.length, 10)
  assert.deepEqual([body.result.resultType, body.result.ttlMs, body.result.cacheScope], ['complete', 60_000, 'private'])
  const called = await modern('tools/call', { name: 'search_contacts', arguments: {} })
  assert.deepEqual(
    [called.status, called.body.result.resultType, called.body.result.structuredContent.total_count],
    [200, 'complete', 0],
  )
  const encoded = `=?base64?${Buffer.from('search_contacts').toString('base64')}?=`
  assert.equal((await modern('tools/call', { name: 'search_contacts' }, { 'mcp-name': encoded })).status, 200)
})

test('a client of that revision needs no configuration', async () => {
  const client = await createMCPClient({
    transport: { type: 'http', url: url.href, headers: credential, redirect: 'error' },
  })
  try {
    const { tools } = await client.listTools()
    assert.equal(tools.length, 10)
    const { search_contacts } = await client.tools()
    const options = { toolCallId: '1', messages: [], context: undefined } as never
    const result = await search_contacts?.execute({ limit: 1 }, options)
    assert.equal((result as { structuredContent: { total_count: number } }).structuredContent.total_count, 0)
  } finally {
    await client.close()
  }
})

test('its headers and its body must agree', async () => {
  const codes = async (...answers: ReturnType<typeof post>[]) =>
    (await Promise.all(answers)).map(({ status, body }) => [status, body.error.code])
  const search = { name: 'search_contacts' }
  assert.deepEqual(
    await codes(
      modern('tools/list', {}, { 'mcp-method': 'tools/call' }),
      modern('tools/call', search, { 'mcp-name': 'add_note' }),
      modern('tools/call', search, { 'mcp-name': '' }),
      modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
      post(rpc('tools/list', meta())),
    ),
    Array(5).fill([400, -32020]),
  )
  assert.deepEqual(
    await codes(
      modern('tools/list', meta('2030-01-01')),
      modern('tools/call', { name: 'no_such_tool' }),
      modern('tools/call', { name: undefined }),
      modern('initialize'),
      modern('subscriptions/listen'),
    ),
    [
      [400, -32022],
      [400, -32602],
      [400, -32602],
      [404, -32601],
      [404, -32601],
    ],
  )
  const { body } = await modern('tools/list', meta('2030-01-01'))
  assert.deepEqual(body.error.data, { supported: ['2026-07-28'], requested: '2030-01-01' })
  assert.equal((await modern('server/discover', {}, {})).status, 200)
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: meta() }
  assert.equal((await post(notification, { 'mcp-protocol-version': '2026-07-28' })).status, 202)
})

test('malformed requests are refused as the protocol says, and break nothing', async () => {
  const codeOf = async (body: unknown, headers?: Record<string, string>) => {
    const answer = await post(body, headers)
    return [answer.status, answer.body?.error?.code]
  }
  for (const text of ['', '{', 'null x', '"\\ud800', new Uint8Array([0x22, 0xff, 0x22])])
    assert.deepEqual(await codeOf(text), [400, -32700], String(text))
  for (const body of [null, 7, 'text', {}, [7], { jsonrpc: '1.0', id: 1, method: 'ping' }, { id: 1, method: 'ping' }]) {
    const [status, code] = await codeOf(JSON.stringify(body))
    assert.equal(status, 400, JSON.stringify(body))
    assert.ok(code === -32700 || code === -32600, `${JSON.stringify(body)}: ${code}`)
    const stateless = await codeOf(JSON.stringify(body), { 'mcp-protocol-version': '2026-07-28' })
    assert.deepEqual(stateless, [400, -32600])
  }
  assert.deepEqual(await codeOf(rpc('no/such/method')), [200, -32601])
  assert.deepEqual(await codeOf(rpc('tools/call', { arguments: {} })), [200, -32602])
  assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const input = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_contacts","arguments":{"search":${deep}}}}`
  assert.equal((await post(input)).body.result.isError, true)
  const lone =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_contacts","arguments":{"search":"\\ud800"}}}'
  assert.match((await post(lone)).body.result.content[0].text, /Lone surrogates/)
  for (const given of [[1], 'x', 7, null]) {
    const called = { name: 'get_contact', arguments: given }
    for (const { body } of [await modern('tools/call', called), await post(rpc('tools/call', called))])
      assert.equal(body.result.content[0].text, 'The arguments do not fit. They must be an object.')
  }
  assert.equal((await post('x'.repeat(1024 * 1024 + 1))).status, 413)
  assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await post(rpc('ping'), { accept: 'text/html' })).status, 406)
})

test('a batch of messages, as an old revision sends it, is answered together and each message counts', async () => {
  const { status, body } = await post([rpc('ping', undefined, 1), rpc('tools/list', undefined, 2)])
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [1, 2],
  )
  const slow = await app.node({ RATE_LIMIT_PER_MINUTE: 3 })
  const other = await app.organization()
  const ask = (messages: unknown) => slow.as(other.key)('POST', '/mcp', messages, { accept: both })
  assert.equal((await ask([rpc('ping', undefined, 1), rpc('ping', undefined, 2)])).status, 200)
  const limited = await ask([rpc('ping', undefined, 1), rpc('ping', undefined, 2)])
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers['retry-after']) >= 1)
})

test('there is no stream to open and no session to close', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await fetch(url, { method, headers: { ...credential, accept: 'text/event-stream' } })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'])
  }
})

test('only credentials in the header are accepted', async () => {
  const none = await post(rpc('ping'), { authorization: '' })
  assert.equal(none.status, 401)
  const bare = await fetch(url, {
    method: 'POST',
    headers: { accept: both, 'content-type': 'application/json', 'x-frontdesk': '1', cookie: 'frontdesk_token=x' },
    body: '{}',
  })
  assert.equal(bare.status, 401)
  assert.match(bare.headers.get('www-authenticate') ?? '', /^Bearer realm="frontdesk"/)
})

test('other origins and other host names are refused', async () => {
  assert.equal((await post(rpc('ping'), { origin: 'https://evil.example' })).status, 403)
  assert.equal((await post(rpc('ping'), { origin: 'null' })).status, 403)
  assert.equal((await post(rpc('ping'), { origin: url.origin })).status, 200)
  assert.equal((await post(rpc('ping'), { origin: 'https://assistant.example' })).status, 200)
  const status = await new Promise((resolve, reject) => {
    const rebound = httpRequest(url, { method: 'POST', headers: { ...credential, host: 'evil.example' } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    rebound.on('error', reject)
    rebound.end('{}')
  })
  assert.equal(status, 421)
})
