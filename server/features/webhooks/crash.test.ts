import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import Type from 'typebox'
import { startTestApp } from '../../testing/app.ts'
import { databaseUrl, type Running, startProcess, temporaryFolder, until } from '../../testing/process.ts'
import { makeWebhook, receiver, seeDeliveries, verify } from '../../testing/webhook-receivers.ts'
import { recordResults } from './delivering/queries.ts'

/** This node serves the API only. Separate worker processes, which the test kills, deliver. */
const app = await startTestApp({ settings: { ROLE: 'api', OUTBOUND_ALLOW: ['127.0.0.1'] } })

const Left = Type.Object({ pending: Type.Integer(), added: Type.Integer() })

test('every committed event reaches every endpoint although workers are killed repeatedly', async () => {
  const org = await app.organization()
  const endpoints = await Promise.all(
    Array.from({ length: 3 }, () => receiver((response) => void setTimeout(() => response.end(), Math.random() * 20))),
  )
  const webhooks = await Promise.all(endpoints.map(({ url }) => makeWebhook(org.call, url, ['contact.created'])))
  const env = {
    DATABASE_URL: databaseUrl(app.connection),
    SECRET_KEY: app.settings.SECRET_KEY as string,
    OUTBOUND_ALLOW: '127.0.0.1',
    ROLE: 'worker',
    LOG_LEVEL: 'info',
  }
  const folder = await temporaryFolder()
  const workers: Running[] = [await startProcess(folder, env), await startProcess(folder, env)]

  const total = 300
  let made = 0
  const create = async () => {
    while (made < total) {
      const phone_number = `+1415557${String(1000 + made++)}`
      assert.equal((await org.call('POST', 'contacts', { phone_number })).status, 201)
    }
  }
  const creating = Promise.all([create(), create()])
  const received = () => endpoints.reduce((sum, each) => sum + each.received.length, 0)
  const reached = () => endpoints.reduce((sum, each) => sum + new Set(each.received.map(({ id }) => id)).size, 0)
  const left = () =>
    app.database.forSystem().one(Left)`
      select count(*) filter (where status = 'pending')::integer as pending, count(*)::integer as added
      from webhook_deliveries`
  let unwritten = 0
  for (const [kill, share] of [0.1, 0.3, 0.6].entries()) {
    await until(async () => received() > total * 3 * share)
    // Kills a worker with requests in flight and starts another.
    await (workers[kill % 2] as Running).stop('SIGKILL')
    const { pending, added } = await left()
    unwritten += reached() - (added - pending)
    workers[kill % 2] = await startProcess(folder, env)
  }
  await creating
  await until(async () => {
    const { pending, added } = await left()
    return pending === 0 && added === total * 3
  })
  const events: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await org.call('GET', `events?type=contact.created&limit=100${cursor}`)).body
    events.push(...page.data.map(({ id }: { id: string }) => id))
    if (!page.has_more) break
    cursor = `&starting_after=${page.next_cursor}`
  }
  assert.equal(events.length, total)
  for (const [i, endpoint] of endpoints.entries()) {
    for (const each of endpoint.received) verify(webhooks[i]?.secret as string, each)
    const ids = new Set(endpoint.received.map(({ id }) => id))
    assert.deepEqual([...ids].sort(), [...events].sort())
  }
  // Only deliveries whose outcome was not recorded when a worker died are repeated: at most 32 in flight per endpoint
  // and kill.
  assert.ok(received() - total * 3 <= unwritten + 3 * 3 * 32, `${received() - total * 3} came twice`)
  for (const worker of workers) {
    await until(async () => worker.output().includes('working on jobs'))
    assert.equal(await worker.stop(), 0)
  }
})

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
    error: 'The endpoint returned status 500',
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
