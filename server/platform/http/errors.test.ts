import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'

/**
 * The error shapes of agents and calls are chosen by path: the test adds its own routes under their paths, which can
 * fail in any way.
 */
const Named = Type.Object({ name: Type.String({ minLength: 1 }) })
const upstream = { upstream: { code: 131026, message: 'Undeliverable' } }
const logged: Record<string, unknown>[] = []
const app = await startTestApp({
  log: createLog('info', { write: (line) => void logged.push(JSON.parse(line)) }),
  prepare({ routes }) {
    for (const url of ['/agents/probe', '/calls/probe', '/call-logs/probe', '/things'])
      routes.write({
        id: `probe ${url}`,
        method: 'POST',
        url,
        tag: 'Probe',
        summary: 'Probe',
        scope: 'agents:write',
        body: Named,
        response: Named,
        handler: async (_tx, { body }) => {
          if (body.name === 'fault') throw new Error('select secret from vault')
          if (body.name === 'upstream')
            throw new AppError(502, 'The platform refused', upstream, new Error('The platform refused'))
          return body
        },
      })
  },
})
const acme = await app.organization()
const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)

const keyError = {
  code: 'invalid_api_key',
  message: 'The API key or token is missing, malformed, unknown, expired or revoked',
  type: 'authentication_error',
}

test('a missing or invalid credential answers 401 in both documented shapes at once', async () => {
  for (const headers of [
    undefined,
    { authorization: 'Bearer' },
    { authorization: 'Basic abc' },
    { authorization: 'Bearer svc_sk_test_short' },
    { authorization: `Bearer svc_sk_test_${'x'.repeat(43)}` },
    { authorization: `Bearer ${acme.key.slice(0, -1)}${acme.key.endsWith('a') ? 'b' : 'a'}` },
    { authorization: `Bearer ${acme.key} ${acme.key}` },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  ]) {
    const answer = await app.call('POST', 'things', { name: 'x' }, headers as never)
    assert.equal(answer.status, 401, JSON.stringify(headers))
    assert.deepEqual(answer.body, { detail: 'Unauthorized', error: keyError })
  }
})

test('calls and call logs have their own text for 401', async () => {
  for (const path of ['calls/probe', 'call-logs/probe']) {
    const answer = await app.call('POST', path, { name: 'x' })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { detail: 'Could not validate credentials', error: keyError })
  }
})

test('agents answer {error, message} for 400, 401 and 500', async () => {
  const unauthorized = await app.call('POST', 'agents/probe', { name: 'x' })
  assert.equal(unauthorized.status, 401)
  assert.deepEqual(unauthorized.body, { error: 401, message: 'Unauthorized' })
  for (const body of [{ name: '' }, {}, { name: 7 }]) {
    const invalid = await acme.call('POST', 'agents/probe', body)
    assert.equal(invalid.status, 400)
    assert.equal(invalid.body.error, 400)
    assert.match(invalid.body.message, /name/)
  }
  const fault = await acme.call('POST', 'agents/probe', { name: 'fault' })
  assert.equal(fault.status, 500)
  assert.deepEqual(fault.body, { error: 500, message: 'Internal Server Error' })
})

test('agents add the general shape where the contract names no shape for them', async () => {
  const refused = await acme.call('POST', 'agents/probe', { name: 'upstream' })
  assert.equal(refused.status, 502)
  const message = 'The platform refused'
  const upstream = { code: 131026, message: 'Undeliverable' }
  assert.deepEqual(refused.body, { error: 502, message, detail: message, upstream })
  const missing = await acme.call('GET', 'agents/nobody')
  assert.equal(missing.status, 404)
  assert.deepEqual(missing.body, { error: 404, message: 'Agent not found', detail: 'Agent not found' })
})

test('a missing scope answers 403 and names the scope, everywhere', async () => {
  for (const path of ['things', 'agents/probe', 'calls/probe']) {
    const answer = await reader('POST', path, { name: 'x' })
    assert.equal(answer.status, 403)
    const message = 'This credential lacks the scope agents:write'
    assert.deepEqual(answer.body, {
      detail: message,
      error: {
        code: 'invalid_api_key',
        message,
        type: 'authentication_error',
        reason: 'insufficient_scope',
        required_scope: 'agents:write',
      },
    })
  }
})

test('an internal error reveals no details', async () => {
  const answer = await acme.call('POST', 'things', { name: 'fault' })
  assert.equal(answer.status, 500)
  assert.deepEqual(answer.body, { detail: 'Internal Server Error' })
})

test('a refusal of the platform is passed on, and logged once as a warning without a stack', async () => {
  const answer = await acme.call('POST', 'things', { name: 'upstream' }, { 'x-request-id': 'order-41' })
  assert.equal(answer.status, 502)
  assert.deepEqual(answer.body, { detail: 'The platform refused', ...upstream })
  const lines = logged.filter(({ request_id }) => request_id === 'order-41')
  assert.deepEqual(
    lines.map(({ event, level, route, reason, err }) => ({ event, level, route, reason, err })),
    [
      {
        event: 'http.upstream_failed',
        level: 40,
        route: '/api/v1/things',
        reason: 'The platform refused',
        err: undefined,
      },
    ],
  )
})

test('the credential is checked before the body', async () => {
  assert.equal((await app.call('POST', 'things', '{broken')).status, 401)
  assert.equal((await reader('POST', 'things', '{broken')).status, 403)
})

test('each kind of malformed body has its own response', async () => {
  const cases: [unknown, Record<string, string>, number, unknown][] = [
    ['{broken', {}, 400, { detail: 'The body is not valid JSON' }],
    ['', {}, 422, { detail: [{ loc: ['body'], msg: 'A JSON body is required', type: 'missing' }] }],
    [new Uint8Array([0x22, 0xff, 0xfe, 0x22]), {}, 400, { detail: 'The body is not valid JSON' }],
    ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, undefined],
    ['hello', { 'content-type': 'text/plain' }, 415, undefined],
    [JSON.stringify({ name: 'x'.repeat(2 ** 20) }), {}, 413, { detail: 'The body is too large' }],
    ['[]', {}, 422, undefined],
    ['"text"', {}, 422, undefined],
    ['null', {}, 422, undefined],
  ]
  for (const [body, headers, status, expected] of cases) {
    const answer = await acme.call('POST', 'things', body, headers)
    assert.equal(answer.status, status, `${String(body).slice(0, 20)} ${answer.text.slice(0, 200)}`)
    if (expected) assert.deepEqual(answer.body, expected)
    assert.ok(answer.body.detail)
  }
})

test('NUL bytes and lone surrogates are refused with their location', async () => {
  const nul = await acme.call('POST', 'things', '{"name": "a\\u0000b", "more": {"list": ["ok", "\\ud800"]}}')
  assert.equal(nul.status, 422)
  assert.deepEqual(nul.body.detail, [
    { loc: ['body', 'name'], msg: 'NUL characters are not allowed', type: 'string_unicode' },
    { loc: ['body', 'more', 'list', '1'], msg: 'Lone surrogates are not allowed', type: 'string_unicode' },
  ])
  assert.equal((await acme.call('POST', 'things', '{"name": "pair \\ud83d\\ude00"}')).status, 200)
  const query = await acme.call('GET', 'contacts?search=a%00b')
  assert.equal(query.status, 422)
  assert.deepEqual(query.body.detail[0].loc, ['query', 'search'])
})

test('unknown routes and malformed URLs are 404, wrong methods 405 with Allow', async () => {
  const unknown = await app.call('GET', 'nowhere')
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.body, { detail: 'Not Found' })
  const wrong = await app.call('DELETE', 'contacts')
  assert.equal(wrong.status, 405)
  assert.match(String(wrong.headers.allow), /GET, HEAD, POST/)
  assert.ok(wrong.body.detail)
  for (const id of ['%ZZ', '%ED%A0%80', 'x'.repeat(600)]) {
    const broken = await acme.call('GET', `contacts/${id}`, undefined, { 'x-request-id': 'order-42' })
    assert.equal(broken.status, 404, id)
    assert.deepEqual(broken.body, { detail: 'Not Found' })
    assert.equal(broken.headers['x-request-id'], 'order-42')
    assert.equal(broken.headers['x-content-type-options'], 'nosniff')
  }
})

test('a client that sends too large a body still reads the response, and bytes that are not HTTP get one too', async () => {
  const node = await app.node()
  const address = await node.server.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/api/v1/things`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x'.repeat(10 * 2 ** 20) }),
  })
  assert.equal(answer.status, 413)
  assert.deepEqual(await answer.json(), { detail: 'The body is too large' })

  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('NONSENSE / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const refused = await text(socket)
  assert.match(refused, /^HTTP\/1\.1 400 /)
  assert.match(refused, /^x-request-id: [0-9a-f-]{36}\r$/im)
  assert.match(refused, /^x-content-type-options: nosniff\r$/im)
  assert.match(refused, /\{"detail":"[^"]+"\}$/)
})

test('refused access is logged with the caller, without the path and the credential', async () => {
  const refusals = async (ask: () => Promise<unknown>) => {
    const before = logged.length
    await ask()
    return logged.slice(before).filter(({ event }) => event === 'http.access_refused')
  }
  const id = '01890000-0000-7000-8000-000000000000'
  const headers = { authorization: `Bearer svc_sk_test_${'x'.repeat(43)}`, 'x-request-id': 'order-43' }
  const [unknown, ...more] = await refusals(() => app.call('GET', `contacts/${id}`, undefined, headers))
  assert.equal(more.length, 0)
  const { request_id, method, route, status, ip_address, credential } = unknown ?? {}
  assert.deepEqual(
    [request_id, method, route, status, ip_address, credential],
    ['order-43', 'GET', '/api/v1/contacts/:contact_id', 401, '127.0.0.1', undefined],
  )
  assert.ok(!JSON.stringify(unknown).includes('xxxx') && !JSON.stringify(unknown).includes(id))
  const [forbidden] = await refusals(() => reader('POST', 'contacts', { phone_number: '+14155552671' }))
  assert.deepEqual([forbidden?.status, forbidden?.reason], [403, 'This credential lacks the scope contacts:write'])
  assert.match(String(forbidden?.credential), /^key [0-9a-f-]{36}$/)
  assert.deepEqual(await refusals(() => reader('GET', 'contacts')), [])
  const allowed_ips = ['203.0.113.7']
  const key = (
    await acme.call('POST', 'keys', { name: 'Narrow', mode: 'test', scopes: ['contacts:read'], allowed_ips })
  ).body
  const [elsewhere] = await refusals(() => app.as(key.secret)('GET', 'contacts'))
  assert.deepEqual([elsewhere?.status, elsewhere?.credential], [403, `key ${key.id}`])
  const ada = await person(app, acme.id, 'member')
  const [noOperator] = await refusals(() => ada.call('GET', 'operator/installation'))
  assert.deepEqual([noOperator?.status, noOperator?.credential], [403, `user ${ada.id}`])
})

test('every response carries a request id: the caller’s own if it is valid', async () => {
  const given = await app.call('GET', '/healthz', undefined, { 'x-request-id': 'order-42' })
  assert.equal(given.headers['x-request-id'], 'order-42')
  for (const bad of ['', 'a b', 'x'.repeat(200), '<script>']) {
    const made = await app.call('GET', 'nowhere', undefined, { 'x-request-id': bad })
    assert.match(String(made.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  }
})

test('responses carry security headers and are not cached', async () => {
  const { headers } = await acme.call('GET', 'contacts')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['strict-transport-security'], undefined, 'browsers ignore it without https')
  const node = await app.node({ PUBLIC_URL: 'https://desk.example.com' })
  const secure = await node.call('GET', 'nowhere', undefined, { host: 'desk.example.com' })
  assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
})

test('a browser that opens an address of the API saves the response; pages are shown', async () => {
  for (const path of ['contacts', 'nowhere', 'contacts/%ZZ', 'openapi.json'])
    assert.equal((await acme.call('GET', path)).headers['content-disposition'], 'attachment; filename="api.json"', path)
  for (const path of ['/docs', '/healthz', '/'])
    assert.equal((await app.call('GET', path)).headers['content-disposition'], undefined, path)
})

test('requests for a foreign host name are refused, except health checks and scrapes with a token', async () => {
  assert.equal((await acme.call('GET', 'contacts', undefined, { host: 'evil.example' })).status, 421)
  assert.equal((await app.call('GET', '/healthz', undefined, { host: '10.0.0.7' })).status, 200)
  assert.equal((await app.call('GET', '/metrics', undefined, { host: 'evil.example' })).status, 421)
  const node = await app.node({ METRICS_TOKEN: 'a token for metrics' })
  const scrape = (headers: object) => node.call('GET', '/metrics', undefined, { host: 'api-1:3000', ...headers })
  assert.equal((await scrape({})).status, 401)
  assert.equal((await scrape({ authorization: 'Bearer a token for metrics' })).status, 200)
  for (const host of ['localhost:3000', 'LOCALHOST:3000', '127.0.0.1'])
    assert.equal((await acme.call('GET', 'contacts', undefined, { host })).status, 200, host)
})

test('other origins are allowed only if the setting lists them, and never with cookies', async () => {
  const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const closed = await app.call('OPTIONS', 'contacts', undefined, preflight)
  assert.equal(closed.headers['access-control-allow-origin'], undefined)
  const node = await app.node({ CORS_ORIGINS: ['https://shop.example'] })
  const open = await node.call('OPTIONS', 'contacts', undefined, preflight)
  assert.equal(open.headers['access-control-allow-origin'], 'https://shop.example')
  assert.equal(open.headers['access-control-allow-credentials'], undefined)
  assert.match(String(open.headers['access-control-allow-headers']), /\borganization_id\b/)
  assert.equal((await node.call('OPTIONS', 'contacts')).status, 204)
  assert.equal((await node.call('GET', 'nowhere')).status, 404)
  const other = await node.call('OPTIONS', 'contacts', undefined, { ...preflight, origin: 'https://evil.example' })
  assert.notEqual(other.headers['access-control-allow-origin'], 'https://evil.example')
})
