import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import Type from 'typebox'
import { expireEventsJob } from '../features/events/jobs.ts'
import { startTestApp } from '../testing/app.ts'
import { until } from '../testing/process.ts'
import { idAt, lowestIdAt } from './ids.ts'

const app = await startTestApp({ settings: { EVENT_RETENTION_DAYS: 7 } })
const system = app.database.forSystem()
const day = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * day)

const Part = Type.Object({ name: Type.String() })
const partOf = async (id: string) =>
  (await system.one(Part)`select tableoid::regclass::text as name from events where id = ${id}`).name
const partitions = async () =>
  (await system.all(Part)`select part::text as name from partitions_of('events')`).map(({ name }) => name)

async function newEvent(organizationId: string, id: string): Promise<void> {
  await app.database.inTenant({ organizationId, livemode: false }, async (tx) => {
    await tx.run`insert into events (id, type, data) values (${id}, 'contact.updated', '{"object": {}}')`
  })
}

test('partitions are added ahead, and take over what was written to the default one', async () => {
  const { id: organizationId, call } = await app.organization()
  const [now, ahead] = [idAt(inDays(0)), idAt(inDays(4.5))]
  for (const id of [now, ahead]) await newEvent(organizationId, id)
  assert.deepEqual([await partOf(now), await partOf(ahead)], ['events_first', 'events_default'])
  await system.run`select add_partitions('events'::regclass, 3)`
  const [first, next, ...more] = await partitions()
  assert.deepEqual([first, await partOf(ahead), more], ['events_first', next, []])
  await system.run`select add_partitions('events'::regclass, 3)`
  assert.equal((await partitions()).length, 2, 'nothing is added twice')
  const { data, total_count } = (await call('GET', 'events')).body
  assert.deepEqual([data.map(({ id }: { id: string }) => id), total_count], [[ahead, now], 2])
})

test('a partition past the retention is dropped, and its events are no longer counted', async () => {
  const { id: organizationId, call } = await app.organization()
  const later = idAt(inDays(4.5))
  await newEvent(organizationId, later)
  for (let n = 0; n < 3; n++) await newEvent(organizationId, idAt(inDays(-n)))
  const total = async () => (await call('GET', 'events')).body.total_count
  assert.equal(await total(), 4)
  mock.timers.enable({ apis: ['Date'], now: inDays(7 + 4).getTime() })
  try {
    await app.database.inSystem((tx) => tx.enqueue(expireEventsJob, {}))
    await until(async () => !(await partitions()).includes('events_first'))
    assert.equal(await total(), 1)
  } finally {
    mock.timers.reset()
  }
  assert.deepEqual(
    (await call('GET', 'events')).body.data.map(({ id }: { id: string }) => id),
    [later],
  )
  // An id below the oldest partition, such as that of a node whose clock is behind, is stored nevertheless.
  const early = idAt(inDays(0))
  await newEvent(organizationId, early)
  assert.deepEqual([await partOf(early), await total()], ['events_default', 2])
})

test('no role has a privilege on a partition itself', async () => {
  const Granted = Type.Object({ name: Type.String() })
  const granted = await system.all(Granted)`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = any(array['events', 'audit_entries']::regclass[]) and (
      has_table_privilege('frontdesk_tenant', inhrelid, 'select') or has_table_privilege('frontdesk_system', inhrelid, 'select'))`
  assert.deepEqual(granted, [])
})

test('recent audit entries cannot be dropped', async () => {
  const recent = lowestIdAt(inDays(-29))
  await assert.rejects(system.run`select drop_expired_partition('audit_entries'::regclass, ${recent})`, /30 days/)
})
