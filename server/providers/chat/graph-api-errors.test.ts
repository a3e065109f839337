import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { type Answer, breakOff, hang, reset, startGraphPlatform } from '../../testing/graph-platform.ts'
import { freePort, until } from '../../testing/process.ts'
import { ChatError, type ChatPlatform } from './contract.ts'
import { createGraphApi } from './graph-api.ts'

const platform = await startGraphPlatform()
const http = createOutboundHttp({ connectionsPerOrigin: 4 })
after(http.close)
const accessToken = 'EAAG-secret-token'
const credentials = { phoneNumberId: '6', businessAccountId: '7', accessToken }
const connect = (baseUrl: string, timeLimitMs = 30_000) =>
  createGraphApi({ baseUrl, version: 'v19.0', http, timeLimitMs, mediaTimeLimitMs: timeLimitMs }).connect(credentials)
const chat = connect(platform.url)
/** For requests that get no answer: long enough to be sent on a slow machine. */
const hasty = connect(platform.url, 1_500)

const send = (by: ChatPlatform) => by.send({ to: { phoneNumber: '+15550100002' }, type: 'text', body: 'secret words' })
const create = (by: ChatPlatform) =>
  by.createTemplate({ name: 'a', language: 'en', category: 'UTILITY', components: [] })
const fromLibrary = (by: ChatPlatform) =>
  by.createTemplateFromLibrary({ name: 'a', language: 'en', category: 'UTILITY', libraryTemplateName: 'b' })
const read = (by: ChatPlatform) => by.findTemplate({ id: '1' })
const erase = (by: ChatPlatform) => by.deleteTemplate({ id: '1', name: 'a' })
const markRead = (by: ChatPlatform) => by.markRead('wamid.A')
const upload = (by: ChatPlatform) =>
  by.uploadMedia({ bytes: (async function* () {})(), mimeType: 'image/png', fileName: 'a.png' })

type Call = (by: ChatPlatform) => Promise<unknown>
/** Calls that are not idempotent. */
const once: Call[] = [send, create, fromLibrary]
const repeatable: Call[] = [read, erase, markRead, upload]

async function failure(call: Call, answer?: Answer, by = chat): Promise<ChatError> {
  if (answer) platform.answers(answer)
  const error = await call(by).then(
    () => assert.fail('it succeeded'),
    (thrown) => thrown,
  )
  assert.ok(error instanceof ChatError, String(error?.stack))
  return error
}

const refusal = (code: number, more: object = {}, status = 400, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  json: { error: { message: `(#${code}) no`, type: 'OAuthException', code, fbtrace_id: 'A', ...more } },
})

const table: [verdict: string, scope: string, codes: number[]][] = [
  ['token_expired', 'account', [0, 190]],
  ['pause', 'account', [3, 10, 200, 251, 299, 131005, 368, 131031, 131042]],
  ['pause', 'number', [131045, 133010, 133016, 131048]],
  ['pause', 'template', [132015]],
  ['retry', 'app', [4]],
  ['retry', 'account', [80007, 131057]],
  ['retry', 'number', [130429]],
  ['retry', 'recipient', [131056]],
  ['unknown', 'request', [131000]],
  ['unknown', 'app', [17, 613, 131016, 133004]],
  ['unknown', 'account', [80008]],
  [
    'fail',
    'request',
    [33, 100, 131008, 131009, 131051, 131052, 131053, 132000, 132005, 132012, 132018, 132068, 132069],
  ],
  ['fail', 'request', [135000, 999_999]],
  ['fail', 'recipient', [130472, 130497, 131021, 131026, 131030, 131047, 131049, 131050, 131062, 137000]],
  ['fail', 'template', [132001, 132007, 132016]],
]

test('each error code of the platform has its verdict and scope', async () => {
  for (const [verdict, scope, codes] of table)
    for (const code of codes) {
      const error = await failure(send, refusal(code, { error_subcode: 2388024 }))
      assert.deepEqual([error.verdict, error.scope, error.code], [verdict, scope, String(code)], String(code))
      assert.equal(error.subcode, '2388024')
    }
})

test('a code that proves that nothing was sent keeps its verdict with any status', async () => {
  for (const code of [4, 80007, 130429, 131056, 131057])
    for (const status of [400, 500, 503])
      assert.equal((await failure(send, refusal(code, {}, status))).verdict, 'retry', `${code} with ${status}`)
})

test('an ambiguous 5xx makes a send unknown, and an idempotent request is retried', async () => {
  const faults = [131000, 131016, 133004].flatMap((code) => [refusal(code, {}, 500), refusal(code, {}, 503)])
  const open = [refusal(1), refusal(2, {}, 503), refusal(987, { is_transient: true }), refusal(987, {}, 500)]
  for (const answer of [...faults, ...open]) {
    for (const call of once) assert.equal((await failure(call, answer)).verdict, 'unknown')
    for (const call of repeatable) assert.equal((await failure(call, answer)).verdict, 'retry')
  }
})

test('a rate limit says when to retry', async () => {
  const wait = async (answer: Answer) => (await failure(send, answer)).retryAfterMs ?? Number.NaN
  const waits = []
  for (let i = 0; i < 20; i++) waits.push(await wait(refusal(130429)))
  assert.ok(waits.every((ms) => ms >= 1_000 && ms <= 2_000))
  assert.ok(new Set(waits).size > 5, 'they come back at different times')
  assert.equal(await wait(refusal(131056)), 4_000)
  assert.equal(await wait(refusal(131057, {}, 500)), 5_000)
  assert.equal((await failure(read, refusal(131016, {}, 500))).retryAfterMs, 5_000)
  assert.equal(await wait(refusal(80007)), 300_000)
  const usage = (value: string) => refusal(80007, {}, 400, { 'X-Business-Use-Case-Usage': value })
  const entry = (minutes: unknown) => ({ type: 'messaging', call_count: 100, estimated_time_to_regain_access: minutes })
  assert.equal(await wait(usage(JSON.stringify({ 7: [entry(3), entry(11)], 8: [entry(0)] }))), 660_000)
  for (const odd of ['not JSON', '[]', '{"7":[{}]}', '{"7":null}', 'null', '{"7":[null]}'])
    assert.equal(await wait(usage(odd)), 300_000, odd)
  const after = (value: string) => refusal(4, {}, 429, { 'retry-after': value })
  assert.equal(await wait(after('7')), 7_000)
  const inTwoMinutes = await wait(after(new Date(Date.now() + 120_000).toUTCString()))
  assert.ok(inTwoMinutes > 110_000 && inTwoMinutes <= 120_000, String(inTwoMinutes))
  assert.equal(await wait(after(new Date(0).toUTCString())), 0)
  assert.equal(await wait(after('99999999999')), 24 * 3600 * 1000)
  assert.equal(await wait(after('soon')), 300_000)
})

test('a call limit that does not prove that nothing was sent makes a send unknown, and other requests are retried', async () => {
  const bare = { status: 429, headers: { 'retry-after': '7' }, text: 'slow down' }
  for (const [answer, code, waitMs] of [
    [refusal(17), '17', 300_000],
    [refusal(613), '613', 300_000],
    [refusal(80008), '80008', 300_000],
    [refusal(987, {}, 429), '987', null],
    [bare, 'http_429', 7_000],
  ] as const) {
    const sent = await failure(send, answer)
    assert.deepEqual([sent.verdict, sent.code, sent.retryAfterMs], ['unknown', code, null], code)
    assert.equal(platform.asked.length, 1)
    for (const call of [create, fromLibrary, ...repeatable]) {
      const { verdict, retryAfterMs } = await failure(call, answer)
      assert.deepEqual([verdict, retryAfterMs], ['retry', waitMs], code)
    }
  }
})

test('a response without a code is judged by its status and by the request', async () => {
  const bodies: Answer[] = [{ text: '<html>Bad Gateway</html>' }, { text: '' }, { json: { error: 'no' } }, { json: [] }]
  for (const body of bodies) {
    const withStatus = (status: number): Answer => ({ ...body, status })
    for (const status of [500, 502, 503, 504, 408]) {
      const error = await failure(send, withStatus(status))
      assert.deepEqual([error.verdict, error.code], ['unknown', `http_${status}`])
      assert.equal((await failure(read, withStatus(status))).verdict, 'retry')
    }
    assert.deepEqual((await failure(send, withStatus(401))).verdict, 'token_expired')
    assert.deepEqual((await failure(send, withStatus(403))).verdict, 'pause')
    for (const status of [400, 404, 405, 301, 307])
      assert.equal((await failure(send, withStatus(status))).verdict, 'fail')
  }
})

test('an unreadable success may hide a message that was sent', async () => {
  const odd: Answer[] = [
    { text: '<html>Welcome to the airport</html>' },
    { text: '{"messages":[{"id":"wamid.' },
    { text: '' },
    { json: {} },
    { json: { messages: [] } },
    { json: { messages: [{ id: null }] } },
    { json: { messages: 'wamid.A' } },
    { json: ['wamid.A'] },
  ]
  for (const answer of odd)
    for (const call of once) {
      const { verdict, code } = await failure(call, answer)
      assert.deepEqual([verdict, code], ['unknown', 'bad_answer'])
    }
  assert.equal((await failure(read, { text: '<html>' })).verdict, 'retry')
})

test('an error inside a success is an error', async () => {
  assert.equal((await failure(send, refusal(131026, {}, 200))).code, '131026')
})

test('if the platform was never reached, nothing was sent', async () => {
  const unreachable = connect(`http://127.0.0.1:${await freePort()}`)
  for (const call of [...once, ...repeatable]) {
    const { verdict, code } = await failure(call, undefined, unreachable)
    assert.deepEqual([verdict, code], ['retry', 'unreachable'])
  }
})

test('DNS and TLS failures happen before the request is written', async () => {
  const asked = platform.asked.length
  // The platform speaks plain HTTP on this port, so the TLS handshake fails.
  for (const address of ['http://graph.invalid', platform.url.replace('http:', 'https:')])
    for (const call of once) {
      const { verdict, code } = await failure(call, undefined, connect(address))
      assert.deepEqual([verdict, code], ['retry', 'unreachable'], address)
    }
  assert.equal(platform.asked.length, asked)
})

test('timeouts, resets and broken responses after sending make a send unknown', async () => {
  for (const [answer, code, by] of [
    [hang, 'timeout', hasty],
    [reset, 'no_answer', chat],
    [breakOff, 'no_answer', chat],
  ] as const) {
    for (const error of await Promise.all(once.map((call) => failure(call, answer, by))))
      assert.deepEqual([error.verdict, error.code], ['unknown', code])
    for (const error of await Promise.all(repeatable.map((call) => failure(call, answer, by))))
      assert.deepEqual([error.verdict, error.code], ['retry', code])
  }
})

test('a send that timed out while waiting for a free connection was not sent', async () => {
  const held: ServerResponse[] = []
  platform.answers((_, response) => held.push(response))
  const busy = Array.from({ length: 4 }, () => failure(send))
  await until(async () => held.length === 4)
  const error = await failure(send, undefined, connect(platform.url, 100))
  assert.deepEqual([error.verdict, error.code], ['retry', 'unreachable'])
  for (const response of held) response.destroy()
  await Promise.all(busy)
  assert.equal(platform.asked.length, 4)
})

test('a refusal is never resent by the client itself, whatever its code', async () => {
  for (const code of [131052, 131053, 131026, 131000, 130429]) {
    await failure(send, refusal(code))
    assert.equal(platform.asked.length, 1, String(code))
  }
})

test('the error message is the most specific text that the platform gives', async () => {
  const said = async (error: object) => (await failure(send, { status: 400, json: { error } })).message
  const all = { code: 100, message: 'message', error_user_msg: 'for users', error_user_title: 'title' }
  const blame = '{"blame_field_specs":[["components"]]}'
  const none = { ...all, error_user_msg: '' }
  assert.equal(await said({ ...all, error_data: { details: 'details' } }), 'for users')
  assert.equal(await said({ ...all, error_data: blame }), 'for users')
  assert.equal(await said({ ...none, error_data: { details: 'details' } }), 'details')
  assert.equal(await said({ ...none, error_data: 'plain details' }), 'plain details')
  assert.equal(await said({ ...none, error_data: { details: ' ' } }), 'message')
  assert.equal(await said({ ...none, error_data: { details: blame } }), 'message')
  assert.equal(await said({ ...none, error_data: blame }), 'message')
  assert.equal(await said({ ...none, error_data: '[["components"]]' }), 'message')
  assert.equal(await said({ ...none, error_data: '[components] is wrong' }), '[components] is wrong')
  assert.equal(await said({ ...none, error_data: null }), 'message')
  assert.match(await said({ code: 100 }), /status 400/)
})

test('an error contains neither the token nor the message text, even if the platform repeats them', async () => {
  const echo = `Malformed access token ${accessToken} in Bearer ${accessToken}`
  const errors = [
    await failure(send, refusal(190, { message: echo, error_data: { details: echo } })),
    await failure(send, { status: 500, text: echo }),
    await failure(send, hang, hasty),
    await failure(send, reset),
  ]
  for (const error of errors) {
    const seen = [error.message, error.stack, JSON.stringify(error), String((error.cause as Error | undefined)?.stack)]
    assert.doesNotMatch(seen.join(' '), /secret/)
  }
  const unusable = createGraphApi({ baseUrl: platform.url, version: 'v19.0', http }).connect({
    ...credentials,
    accessToken: 'two\nlines',
  })
  const error = await failure(send, { json: {} }, unusable)
  assert.deepEqual([error.verdict, error.code], ['token_expired', 'bad_token'])
  assert.equal(platform.asked.length, 0)
})

test('closing aborts running requests', async () => {
  const api = createGraphApi({ baseUrl: platform.url, version: 'v19.0', http })
  const begun = Promise.withResolvers<void>()
  platform.answers(() => begun.resolve())
  const running = failure(send, undefined, api.connect(credentials))
  await begun.promise
  api.close()
  assert.deepEqual([(await running).verdict, (await running).code], ['unknown', 'no_answer'])
  const late = await failure(send, undefined, api.connect(credentials))
  assert.deepEqual([late.verdict, late.code], ['retry', 'closing'])
})

test('any error text of the platform can be stored, and contains no part of the token', async () => {
  const said = (message: string, code: unknown = 100) =>
    failure(send, { status: 400, json: { error: { code, message } } })
  const odd = await said(`a\0${'x'.repeat(998)}😀 and more`, 'constructor')
  assert.deepEqual([odd.code, odd.verdict], ['constructor', 'fail'])
  assert.ok(odd.message.isWellFormed() && !odd.message.includes('\0'))
  // The token lies across the point where the text is truncated.
  const { message } = await said(`${'x'.repeat(990)}${accessToken}`)
  assert.ok(!message.includes(accessToken.slice(0, 4)), message.slice(-20))
})
