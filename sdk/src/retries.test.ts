import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../server/testing/app.ts'
import { connectOwner } from '../../server/testing/connect-owner.ts'
import { until } from '../../server/testing/process.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import { ApiError, ConnectionError, createClient, RateLimitError, TimeoutError } from './index.ts'

const app = await sharedTestApp()
const proxy = await startFaultyProxy(await app.listen())
const { key } = await app.organization()
const client = createClient({ baseUrl: proxy.url, apiKey: key, retryDelayMs: 5 })

let numbers = 0
const nextNumber = () => `+1202555${String(1000 + numbers++)}`
const contactsOf = async (number: string) => (await client.contacts.list({ search: number })).total_count
const triesOf = async (work: () => Promise<unknown>) => {
  const before = proxy.seen.length
  const outcome = await work().then(
    (value) => ({ value, error: undefined }),
    (error) => ({ value: undefined, error }),
  )
  return { ...outcome, seen: proxy.seen.slice(before) }
}

for (const fault of ['reset before', 'reset after', 'half an answer'] as const)
  test(`a POST that meets "${fault}" is repeated with its key, and there is one contact in the end`, async () => {
    const phone_number = nextNumber()
    proxy.next(fault, fault)
    const { value, seen } = await triesOf(() => client.contacts.create({ phone_number, name: 'Ada' }))
    assert.equal((value as { phone_number: string }).phone_number, phone_number)
    assert.equal(seen.length, 3)
    assert.ok(seen[0]?.idempotencyKey)
    assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
    assert.equal(await contactsOf(phone_number), 1)
  })

test('two calls have different keys, and a key passed by the caller is used as it is', async () => {
  const seen = (
    await triesOf(async () => {
      await client.contacts.create({ phone_number: nextNumber() })
      await client.contacts.create({ phone_number: nextNumber() })
      await client.contacts.create({ phone_number: nextNumber() }, { idempotencyKey: 'order-1042' })
    })
  ).seen.map(({ idempotencyKey }) => idempotencyKey)
  assert.equal(new Set(seen).size, 3)
  assert.equal(seen[2], 'order-1042')
})

test('reads, updates and deletions are retried too, without a key', async () => {
  const { id } = await client.contacts.create({ phone_number: nextNumber() })
  for (const work of [
    () => client.contacts.get(id),
    () => client.contacts.update(id, { name: 'Grace' }),
    () => client.contacts.delete(id),
  ]) {
    proxy.next('reset before')
    const { error, seen } = await triesOf(work)
    assert.equal(error, undefined)
    assert.deepEqual(
      seen.map(({ idempotencyKey }) => idempotencyKey),
      [undefined, undefined],
    )
  }
})

test('a rate-limited request waits as long as Retry-After says', async () => {
  proxy.next({ status: 429, headers: { 'retry-after': '1' } }, { status: 503, headers: { 'retry-after': '0' } })
  const { error, seen } = await triesOf(() => client.organization.get())
  assert.equal(error, undefined)
  assert.equal(seen.length, 3)
  assert.ok((seen[1]?.at as number) - (seen[0]?.at as number) >= 1000)
})

test('500, 502, 503 and 504 are retried, and after the last attempt the error is thrown', async () => {
  proxy.next(
    { status: 500 },
    { status: 502 },
    { status: 504 },
    { status: 503, headers: { 'x-request-id': 'the-last' } },
  )
  const { error, seen } = await triesOf(() => client.contacts.create({ phone_number: nextNumber() }))
  assert.ok(error instanceof ApiError)
  assert.deepEqual([error.status, error.detail, error.requestId], [503, 'made up by the proxy', 'the-last'])
  assert.equal(seen.length, 4)
})

test('a refusal is not retried', async () => {
  for (const status of [400, 401, 403, 404, 409, 413, 422, 501]) {
    proxy.next({ status })
    const { error, seen } = await triesOf(() => client.contacts.create({ phone_number: nextNumber() }))
    assert.deepEqual([(error as ApiError).status, seen.length], [status, 1])
  }
})

test('a stored refusal is not requested a third time', async () => {
  proxy.next({ status: 502, headers: { 'idempotent-replayed': 'true' } })
  const { error, seen } = await triesOf(() => client.contacts.create({ phone_number: nextNumber() }))
  assert.deepEqual([(error as ApiError).status, seen.length], [502, 1])
})

test('a Retry-After of an hour is not waited for', async () => {
  proxy.next({ status: 429, headers: { 'retry-after': '3600' } })
  const { error, seen } = await triesOf(() => client.organization.get())
  assert.ok(error instanceof RateLimitError)
  assert.deepEqual([error.retryAfterSeconds, seen.length], [3600, 1])
})

test('signing in is not retried when its outcome is unknown', async () => {
  const login = { email: 'ada@example.com', password: 'wrong password' }
  proxy.next('reset after')
  const lost = await triesOf(() => client.signIn.login(login))
  assert.ok(lost.error instanceof ConnectionError)
  assert.equal(lost.seen.length, 1)
  proxy.next({ status: 429, headers: { 'retry-after': '0' } })
  const refused = await triesOf(() => client.signIn.login(login))
  assert.deepEqual([refused.error?.status, refused.seen.length], [401, 2])
})

test('a retry whose first request is still running is repeated until it gets the response', async () => {
  const phone_number = nextNumber()
  // A transaction locks the table: the first request takes its key and then blocks.
  const blocker = await connectOwner(app)
  await blocker.query('begin; lock table contacts in exclusive mode')
  const seen = proxy.seen.length
  const impatient = triesOf(() => client.contacts.create({ phone_number }, { timeoutMs: 500, maxRetries: 50 }))
  await until(async () => proxy.seen.slice(seen).some(({ status }) => status === 409))
  await blocker.query('rollback')
  const { value, error } = await impatient
  assert.equal(error, undefined)
  assert.equal((value as { phone_number: string }).phone_number, phone_number)
  assert.equal(await contactsOf(phone_number), 1)
})

test('no response ends in a TimeoutError, and the next attempt may succeed', async () => {
  proxy.next('silence')
  const { error, seen } = await triesOf(() => client.organization.get({ timeoutMs: 1_000, maxRetries: 0 }))
  assert.ok(error instanceof TimeoutError)
  assert.equal(seen.length, 1)
  proxy.next('silence')
  assert.equal((await triesOf(() => client.organization.get({ timeoutMs: 300, maxRetries: 50 }))).error, undefined)
})

test('an abort ends a request, a delay and a list immediately, with the caller’s reason', async () => {
  const reason = new Error('the caller left')
  for (const fault of ['silence', { status: 429, headers: { 'retry-after': '50' } }] as const) {
    proxy.next(fault)
    const controller = new AbortController()
    const before = proxy.seen.length
    const waiting = client.organization.get({ signal: controller.signal })
    await until(async () => proxy.seen.length > before)
    controller.abort(reason)
    await assert.rejects(waiting, reason)
  }
  const before = proxy.seen.length
  await assert.rejects(client.organization.get({ signal: AbortSignal.abort(reason) }), reason)
  await assert.rejects(async () => {
    for await (const _ of client.contacts.list({}, { signal: AbortSignal.abort(reason) }));
  }, reason)
  assert.equal(proxy.seen.length, before)
})

test('an unreachable service is a ConnectionError that says why', async () => {
  const unreachable = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: key, maxRetries: 0 })
  await assert.rejects(unreachable.organization.get(), (error: ConnectionError) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /GET http:\/\/127\.0\.0\.1:9\/api\/v1\/organization got no answer: .+/)
    return true
  })
})

test('a redirect is not followed', async () => {
  proxy.next({ status: 307, headers: { location: 'http://127.0.0.1:9/' } })
  await assert.rejects(client.contacts.create({ phone_number: nextNumber() }, { maxRetries: 0 }), ConnectionError)
})
