import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { lockWaited } from '../../../testing/locks.ts'
import { makeWebhook, seeDeliveries } from '../../../testing/webhook-receivers.ts'
import { recordResults } from './queries.ts'

/** This node serves the API only: nothing is delivered. */
const app = await startTestApp({ settings: { ROLE: 'api' } })

test('a result that is recorded during a retry request does not cancel the retry', async () => {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const { id: webhookId } = await makeWebhook(org.call, 'https://example.com/')
  const { id } = (await org.call('POST', `webhooks/${webhookId}/test`)).body
  const [changed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const retrying = app.database.inTenant(scope, async (tx) => {
    await tx.run`update webhook_deliveries set step = 0, next_attempt_at = now() - interval '1 second' where id = ${id}`
    changed.resolve()
    await done.promise
  })
  await changed.promise
  const attempt = {
    attempted_at: new Date().toISOString(),
    duration_ms: 1,
    response_status: 500,
    error: 'The endpoint returned status 500',
  }
  const result = { ...scope, webhookId, id, url: 'https://example.com/', attempts: 0, attempt, responseBody: '' }
  const recording = app.database.inSystem((tx) =>
    recordResults(tx, [{ ...result, status: 'failed', step: 9, delayMs: null }]),
  )
  await lockWaited(app)
  done.resolve()
  await retrying
  assert.equal(await recording, 0)
  const [delivery] = await seeDeliveries(org.call, webhookId)
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
})
