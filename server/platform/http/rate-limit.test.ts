import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'

const limit = 250
const app = await startTestApp({ settings: { RATE_LIMIT_PER_MINUTE: limit } })

test('a credential gets its limit and no request more, whichever nodes it uses', async () => {
  const nodes = [app, await app.node(), await app.node()]
  const acme = await app.organization()
  const callers = nodes.map((node) => node.as(acme.key))
  const answers = await Promise.all(
    Array.from({ length: limit + 150 }, (_, n) => (callers[n % 3] as (typeof callers)[0])('GET', 'contacts?limit=1')),
  )
  const accepted = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(accepted + refused.length, answers.length)
  assert.ok(accepted <= limit, `${accepted} of ${limit} were let through`)
  // Each node may lose part of one block, which is a hundredth of the limit.
  assert.ok(accepted >= limit - 3 * 2, `${accepted} of ${limit} were let through`)
  for (const { body, headers } of refused) {
    assert.equal(body.error, 'rate_limit_exceeded')
    assert.equal(typeof body.message, 'string')
    assert.ok(Number.isInteger(body.retry_after) && body.retry_after >= 1 && body.retry_after <= 60)
    assert.equal(headers['retry-after'], String(body.retry_after))
    assert.equal(headers['ratelimit-limit'], String(limit))
    assert.equal(headers['ratelimit-remaining'], '0')
  }
})

test('each credential has its own limit', async () => {
  const busy = await app.organization()
  const calm = await app.organization()
  await Promise.all(Array.from({ length: limit + 5 }, () => busy.call('GET', 'contacts?limit=1')))
  assert.equal((await busy.call('GET', 'contacts')).status, 429)
  assert.equal((await calm.call('GET', 'contacts')).status, 200)
})

test('the limit is reset after a minute', async () => {
  const acme = await app.organization()
  await Promise.all(Array.from({ length: limit + 5 }, () => acme.call('GET', 'contacts?limit=1')))
  assert.equal((await acme.call('GET', 'contacts')).status, 429)
  // The database's clock decides; a node that has not seen this window yet asks the database.
  await app.database.forSystem().run`
    update rate_limit_windows set started_at = started_at - interval '61 seconds' where bucket like ${`%${acme.keyId}`}`
  const fresh = await app.node()
  assert.equal((await fresh.as(acme.key)('GET', 'contacts')).status, 200)
})

test('when the clock is set back, callers are not blocked until the old time is reached again', async () => {
  const acme = await app.organization()
  await Promise.all(Array.from({ length: limit + 5 }, () => acme.call('GET', 'contacts?limit=1')))
  await app.database.forSystem().run`
    update rate_limit_windows set started_at = now() + interval '1 hour' where bucket like ${`%${acme.keyId}`}`
  const fresh = await app.node()
  assert.equal((await fresh.as(acme.key)('GET', 'contacts')).status, 200)
})
