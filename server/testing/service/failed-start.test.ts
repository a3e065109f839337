import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { connectOwner } from '../connect-owner.ts'
import { until } from '../process.ts'

test('a node whose work cannot start closes everything that it opened', async () => {
  const app = await startTestApp()
  const owner = await connectOwner(app)
  const connections = async () =>
    (await owner.query('select from pg_stat_activity where datname = current_database()')).rowCount ?? 0
  await app.close()
  await until(async () => (await connections()) === 1)
  // Jobs and subscriptions run when the senders of campaigns and webhooks cannot start.
  await owner.query('alter table worker_leases rename to no_leases')
  await assert.rejects(app.node(), /worker_leases/)
  await until(async () => (await connections()) === 1)
  await owner.query('alter table no_leases rename to worker_leases')
  const node = await app.node()
  await until(async () => (await node.call('GET', '/readyz')).status === 200)
})

test('a node starts although its workers cannot fetch jobs', async () => {
  const app = await startTestApp()
  const owner = await connectOwner(app)
  await app.close()
  await owner.query('begin')
  // Like the first fetches of all workers on a busy machine: they take every connection of the queue.
  await owner.query('lock table pgboss.job in access exclusive mode')
  const node = await app.node().finally(() => owner.query('commit'))
  await until(async () => (await node.call('GET', '/readyz')).status === 200)
})
