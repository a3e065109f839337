import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import Type from 'typebox'
import { startTestApp } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import { until } from '../../testing/process.ts'
import { type TenantTx, TryAgain } from '../database.ts'
import { notFound } from '../errors.ts'

/** What the routes of this file do; each test sets it. */
let doIt: (tx: TenantTx) => Promise<{ done: string }>
const app = await startTestApp({
  prepare: ({ routes }) =>
    routes.write({
      id: 'doIt',
      method: 'POST',
      url: '/do-it',
      tag: 'Test',
      summary: 'What the test says',
      scope: 'any',
      response: Type.Object({ done: Type.String() }),
      status: 201,
      handler: (tx) => doIt(tx),
    }),
})
const acme = await app.organization()
let n = 0
const newContact = (more = {}) => ({ phone_number: `+1415555${String(2000 + ++n)}`, ...more })
const key = (name: string) => ({ 'idempotency-key': name })

test('the same key and body replay the first response', async () => {
  const body = newContact({ name: 'Ada' })
  const first = await acme.call('POST', 'contacts', body, key('a'))
  const second = await acme.call('POST', 'contacts', body, key('a'))
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.text, first.text)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(second.headers['idempotent-replayed'], 'true')
})

test('the same key with another body or query is refused', async () => {
  await acme.call('POST', 'contacts', newContact(), key('b'))
  const other = await acme.call('POST', 'contacts', newContact(), key('b'))
  assert.equal(other.status, 409)
  const body = newContact()
  await acme.call('POST', 'contacts', body, key('b2'))
  assert.equal((await acme.call('POST', 'contacts?on_conflict=return', body, key('b2'))).status, 409)
})

test('twenty concurrent requests with one key do the work once', async () => {
  const nodes = [app, await app.node()]
  const body = newContact({ name: 'Raced' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => nodes[i % 2]?.as(acme.key)('POST', 'contacts', body, key('race'))),
  )
  const ids = new Set(answers.filter((answer) => answer?.status === 201).map((answer) => answer?.body.id))
  assert.equal(ids.size, 1)
  for (const answer of answers) assert.ok(answer?.status === 201 || answer?.status === 409, answer?.text)
  const [id] = ids
  const replay = await acme.call('POST', 'contacts', body, key('race'))
  assert.equal(replay.status, 201)
  assert.equal(replay.body.id, id)
  const timeline = await acme.call('GET', `contacts/${id}/activities`)
  assert.equal(timeline.body.total, 1)
})

test('validation errors are not stored; refusals are', async () => {
  const invalid = await acme.call('POST', 'contacts', { phone_number: 'x' }, key('c'))
  assert.equal(invalid.status, 422)
  const body = newContact()
  assert.equal((await acme.call('POST', 'contacts', body, key('c'))).status, 201)

  const taken = await acme.call('POST', 'contacts', body, key('d'))
  assert.equal(taken.status, 409)
  await acme.call('DELETE', `contacts/${taken.body.existing_id}`)
  const again = await acme.call('POST', 'contacts', body, key('d'))
  assert.equal(again.status, 409)
  assert.deepEqual(again.body, taken.body)
  assert.equal(again.headers['idempotent-replayed'], 'true')
})

test('a key belongs to its organization, mode and route', async () => {
  const body = newContact()
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const globex = await app.organization()
  const answers = [
    await acme.call('POST', 'contacts', body, key('e')),
    await live('POST', 'contacts', body, key('e')),
    await globex.call('POST', 'contacts', body, key('e')),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 3)
  const note = await acme.call('POST', `contacts/${answers[0]?.body.id}/activities`, { note: 'x' }, key('e'))
  assert.equal(note.status, 201)
})

test('keys expire after a day', async () => {
  const body = newContact()
  const first = await acme.call('POST', 'contacts', body, key('f'))
  await app.database.forSystem()
    .run`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'f'`
  const second = await acme.call('POST', 'contacts', body, key('f'))
  assert.equal(second.status, 409, 'it is a request like any other: the number is taken')
  assert.equal(second.body.existing_id, first.body.id)
})

test('keys that are empty or too long are refused', async () => {
  for (const bad of ['', 'x'.repeat(256)]) {
    const answer = await acme.call('POST', 'contacts', newContact(), key(bad))
    assert.equal(answer.status, 400)
    assert.match(answer.body.detail, /Idempotency-Key/)
  }
})

const Count = Type.Object({ n: Type.Integer() })
const waitingFor = async (client: pg.Client) =>
  (
    await app.database.forSystem().one(Count)`
      select count(*) as n from pg_locks where not granted and locktype = 'advisory'
        and pid = ${(client as unknown as { processID: number }).processID}`
  ).n

test('work that lost a race, and then its key to another request, stores no response', async () => {
  const other = await connectOwner(app)
  const lockName = `${acme.id} false POST /api/v1/do-it lost`
  let taken: Promise<unknown> | undefined
  doIt = async () => {
    taken = other.query('select pg_advisory_lock(hashtextextended($1, 0))', [lockName])
    await until(async () => (await waitingFor(other)) === 1)
    throw new TryAgain(new Error('lost a race'))
  }
  const answer = await acme.call('POST', 'do-it', undefined, key('lost'))
  assert.deepEqual([answer.status, answer.body.detail], [409, 'A request with this Idempotency-Key is still running'])
  assert.equal(answer.headers['retry-after'], '1')
  const kept = await app.database.forSystem().one(Count)`select count(*) as n from idempotency_keys where key = 'lost'`
  assert.equal(kept.n, 0)
  await taken
  await other.query('select pg_advisory_unlock_all()')
  doIt = async () => ({ done: 'at last' })
  await until(async () => (await acme.call('POST', 'do-it', undefined, key('lost'))).status === 201)
})

test('a refusal does not replace the response that another request with its key stored meanwhile', async () => {
  doIt = async (tx) => {
    // As if the other request had run between the refusal and its being stored.
    await app.database.forTenant(tx.scope).run`
      insert into idempotency_keys (route, key, request_hash, status, body)
      select 'POST /api/v1/do-it', 'meanwhile', ${Buffer.alloc(32)}, 201, '{"done":"meanwhile"}'`
    throw notFound('Thing')
  }
  assert.equal((await acme.call('POST', 'do-it', undefined, key('meanwhile'))).status, 404)
  const Kept = Type.Object({ status: Type.Integer() })
  const kept = await app.database.forSystem().one(Kept)`select status from idempotency_keys where key = 'meanwhile'`
  assert.equal(kept.status, 201)
})
