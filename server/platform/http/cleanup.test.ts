import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import { cleanUpHttpJob } from './cleanup.ts'

const app = await startTestApp()
const system = app.database.forSystem()
const Name = Type.Object({ name: Type.String() })

test('stored responses are deleted after a day and idle rate-limit windows after an hour; newer ones stay', async () => {
  const { id } = await app.organization()
  await system.run`
    insert into idempotency_keys (organization_id, livemode, route, key, request_hash, status, body, created_at)
    select ${id}::uuid, n % 2 = 0, 'POST /x', 'old ' || n, ''::bytea, 201, '{}', now() - interval '25 hours'
    from generate_series(1, 6000) n
    union all select ${id}::uuid, false, 'POST /x', 'young', ''::bytea, 201, '{}', now() - interval '23 hours'`
  await system.run`
    insert into rate_limit_windows (bucket, started_at, used)
    values ('old', now() - interval '61 minutes', 1), ('young', now() - interval '59 minutes', 1)`
  await app.database.inSystem((tx) => tx.enqueue(cleanUpHttpJob, {}))
  const keys = () => system.all(Name)`select key as name from idempotency_keys where route = 'POST /x'`
  await until(async () => (await keys()).length <= 1)
  assert.deepEqual(await keys(), [{ name: 'young' }])
  const windows = await system.all(Name)`
    select bucket as name from rate_limit_windows where bucket in ('old', 'young')`
  assert.deepEqual(windows, [{ name: 'young' }])
})

test('the clean-up runs every hour', async () => {
  const Schedule = Type.Object({ cron: Type.String() })
  const schedule = await system.maybe(Schedule)`
    select cron from pgboss.schedule where name = ${cleanUpHttpJob.name}`
  assert.match(schedule?.cron ?? '', /^\d+ \* \* \* \*$/)
})
