import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { makeWebhook, seeDeliveries } from '../../../testing/webhook-receivers.ts'
import { recordResults } from './queries.ts'

/** This node serves the API only: nothing is delivered. */
const app = await startTestApp({ settings: { ROLE: 'api' } })

test('a result that is recorded during a retry request does not cancel the retry', async () => {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const { id: webhookId } = await makeWebhook(org.call, 'https://example.com/')
  const { id } = (await org.call('POST', `webhooks/${webhookId}/test`)).body
  const owner = new pg.Client(app.connection)
  await owner.connect()
  const waiting = async () =>
    (
      await owner.query(`select from pg_locks where not granted and database = (
      select oid from pg_database where datname = current_database()) or locktype = 'transactionid' and not granted`)
    ).rowCount
  const [changed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const retrying = app.database.inTenant(scope, async (tx) => {
    await tx.run`update webhook_deliveries set step = 0, next_attempt_at = now() where id = ${id}`
    changed.resolve()
    await done.promise
  })
  await changed.promise
  const attempt = {
    attempted_at: new Date().toISOString(),
    duration_ms: 1,
    response_status: 500,
    error: 'It answered 500',
  }
  const result = { ...scope, webhookId, id, url: 'https://example.com/', attempts: 0, attempt, responseBody: '' }
  const recording = app.database.inSystem((tx) =>
    recordResults(tx, [{ ...result, status: 'failed', step: 9, delayMs: null }]),
  )
  await until(async () => (await waiting()) !== 0)
  done.resolve()
  await retrying
  assert.equal(await recording, 0)
  const [delivery] = await seeDeliveries(org.call, webhookId)
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
  await owner.end()
})
