import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'

const app = await startTestApp()
const acme = await app.organization()
const contact = (await acme.call('POST', 'contacts', { phone_number: '+14155550100' })).body.id

test('numbers out of range are refused with their location', async () => {
  for (const number of ['1e999', '-1e999', 'Infinity', 'NaN', '9'.repeat(400)])
    for (const [path, name] of [
      [`contacts?limit=${number}`, 'limit'],
      [`contacts/${contact}/activities?offset=${number}`, 'offset'],
    ] as const) {
      const answer = await acme.call('GET', path)
      assert.equal(answer.status, 422, path)
      assert.deepEqual(answer.body.detail[0].loc, ['query', name])
    }
})

test('an unauthenticated request may only have a short body; a longer one is not read', async () => {
  for (const path of ['auth/login', 'auth/link', 'auth/refresh', 'auth/logout', 'invitations/accept']) {
    const answer = await app.call('POST', path, '['.repeat(40 * 1024))
    assert.deepEqual([answer.status, answer.body], [413, { detail: 'The body is too large' }], path)
  }
})

test('values that cannot be stored are found and located, also among 100,000 valid ones', async () => {
  const many = (last: string) =>
    `{"phone_number": "+14155550101", "custom_fields": {"emoji": "\\ud83d\\ude00", "list": [${'[],'.repeat(100_000)}"${last}"]}}`
  const answer = await acme.call('POST', 'contacts', many('\\ud83d'))
  assert.equal(answer.status, 422)
  const fault = { msg: 'Lone surrogates are not allowed', type: 'string_unicode' }
  assert.deepEqual(answer.body.detail, [{ loc: ['body', 'custom_fields', 'list', '100000'], ...fault }])
  assert.equal((await acme.call('POST', 'contacts', many('fine'))).body.custom_fields.emoji, '😀')
})

test('a body that is not an object is refused as a whole, whatever it escapes', async () => {
  for (const body of ['null', '7', 'true', '"\\ud83d\\ude00"', '["\\ud83d\\ude00"]']) {
    const answer = await acme.call('POST', 'contacts', body)
    assert.equal(answer.status, 422, body)
    assert.deepEqual(answer.body.detail[0].loc, ['body'], body)
  }
})
