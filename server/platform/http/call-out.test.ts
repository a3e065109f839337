import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../../testing/app.ts'
import { AppError, conflict, invalid } from '../errors.ts'

/** What the operation does when it calls out; each test sets it. */
let callOut: () => Promise<{ done: string }>
const app = await startTestApp({
  prepare: ({ routes }) =>
    routes.callOut({
      id: 'callOut',
      method: 'POST',
      url: '/call-out',
      tag: 'Test',
      summary: 'What the test says',
      scope: 'any',
      response: Type.Object({ done: Type.String() }),
      status: 201,
      handler: () => callOut(),
    }),
})
const acme = await app.organization()
const post = (name: string, body: object = {}) => acme.call('POST', 'call-out', body, { 'idempotency-key': name })

test('a repeated Idempotency-Key replays the first response without calling out again', async () => {
  let calls = 0
  callOut = async () => ({ done: String(++calls) })
  const answers = [await post('once'), await post('once')]
  assert.deepEqual(
    answers.map(({ status, body, headers }) => [status, body.done, headers['idempotent-replayed']]),
    [
      [201, '1', undefined],
      [201, '1', 'true'],
    ],
  )
  assert.equal((await post('once', { other: true })).status, 409)
  assert.equal((await acme.call('POST', 'call-out', {})).body.done, '2', 'without a key each request stands alone')
})

test('while a request calls out, another with its key gets 409 and does not call out', async () => {
  const begun = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let calls = 0
  callOut = async () => {
    calls++
    begun.resolve()
    await answered.promise
    return { done: 'late' }
  }
  const first = post('slow')
  await begun.promise
  const meanwhile = await Promise.all(Array.from({ length: 5 }, () => post('slow')))
  for (const answer of meanwhile) assert.equal(answer.status, 409, answer.text)
  answered.resolve()
  assert.equal((await first).status, 201)
  assert.equal((await post('slow')).body.done, 'late')
  assert.equal(calls, 1)
})

test('a refusal, ours or the remote side’s, is the permanent response for its key', async () => {
  for (const error of [
    conflict('Not like this'),
    new AppError(502, 'The platform refused', { upstream: { code: '131026', message: 'Undeliverable' } }),
  ]) {
    callOut = async () => {
      throw error
    }
    const first = await post(`refused ${error.status}`)
    assert.equal(first.status, error.status)
    callOut = async () => ({ done: 'too late' })
    const again = await post(`refused ${error.status}`)
    assert.deepEqual([again.status, again.body], [error.status, first.body])
    assert.equal(again.headers['idempotent-replayed'], 'true')
  }
})

test('a validation error does not use up the key', async () => {
  callOut = async () => {
    throw invalid(['body', 'file'], 'Not a picture')
  }
  assert.equal((await post('form')).status, 422)
  callOut = async () => ({ done: 'right this time' })
  assert.equal((await post('form')).status, 201)
})

test('after an internal error the outcome is unknown, so the key is never run again', async () => {
  callOut = async () => {
    throw new Error('lost on the way')
  }
  assert.equal((await post('fault')).status, 500)
  callOut = async () => ({ done: 'twice' })
  const again = await post('fault')
  assert.equal(again.status, 409)
  assert.match(again.body.detail, /interrupted before its outcome was known/)
})
