import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { eventKinds } from '../../app.ts'
import type { EventKind } from '../../platform/events.ts'
import { idAt, newId } from '../../platform/ids.ts'
import { type CallAs, startTestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import { allScopes } from '../organizations/schema.ts'
import { expireEventsJob } from './jobs.ts'
import type { Event } from './schema.ts'

const app = await startTestApp({ settings: { EVENT_RETENTION_DAYS: 7 } })
const nothing = { data: [], has_more: false, next_cursor: null, total_count: 0 }
const day = 24 * 3600 * 1000

const newContact = async (call: CallAs, phone_number = '+14155550100') =>
  (await call('POST', 'contacts', { phone_number })).body

const list = async (call: CallAs, query = ''): Promise<{ data: Event[]; total_count: number; has_more: boolean }> => {
  const { status, body, text } = await call('GET', `events?${query}`)
  assert.equal(status, 200, text)
  return body
}

const typesOf = async (call: CallAs, query = '') => (await list(call, query)).data.map(({ type }) => type)

/** Events as they would have been written at their time. */
const write = (organizationId: string, livemode: boolean, events: { id: string; type: string }[]) =>
  app.database.inTenant({ organizationId, livemode }, (tx) => {
    const ids = events.map(({ id }) => id)
    const types = events.map(({ type }) => type)
    return tx.run`
      insert into events (id, type, data)
      select id, type, '{"object": {}}' from unnest(${ids}::uuid[], ${types}::text[]) e (id, type)`
  })

test('every change is an event that carries the changed record', async () => {
  const { id: organization_id, call } = await app.organization()
  const contact = await newContact(call)
  const changed = (await call('PATCH', `contacts/${contact.id}`, { name: 'Ada' })).body
  const { data, ...page } = await list(call)
  const [second, first] = data as [Event, Event]
  assert.deepEqual(page, { has_more: false, next_cursor: first.id, total_count: 2 })
  assert.deepEqual(first, {
    id: first.id,
    type: 'contact.created',
    created_at: first.created_at,
    organization_id,
    livemode: false,
    data: { object: contact },
  })
  assert.deepEqual([second.type, second.data], ['contact.updated', { object: changed, previous: { name: '' } }])
  assert.match(first.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(first.created_at <= second.created_at)
})

test('a refused request emits no event', async () => {
  const { call } = await app.organization()
  const contact = await newContact(call)
  assert.equal((await call('POST', 'contacts', { phone_number: contact.phone_number })).status, 409)
  assert.equal((await call('POST', 'crm/tasks', { contact_id: newId(), title: 'x' })).status, 404)
  assert.deepEqual(await typesOf(call), ['contact.created'])
})

test('events come newest first, and paging meets each one once', async () => {
  const { call } = await app.organization()
  const { id } = await newContact(call)
  for (let n = 0; n < 6; n++) await call('PATCH', `contacts/${id}`, { name: `Name ${n}` })
  const seen: Event[] = []
  for (let cursor = ''; ; ) {
    const { data, has_more, total_count } = await list(call, `limit=3${cursor}`)
    seen.push(...data)
    assert.equal(total_count, 7)
    if (!has_more) break
    cursor = `&starting_after=${data.at(-1)?.id}`
  }
  assert.deepEqual(
    seen.map(({ data }) => data.object.name),
    ['Name 5', 'Name 4', 'Name 3', 'Name 2', 'Name 1', 'Name 0', ''],
  )
})

test('types can be filtered one by one, as a list, or by prefix', async () => {
  const { call } = await app.organization()
  const contact = await newContact(call)
  const task = (await call('POST', 'crm/tasks', { contact_id: contact.id, title: 'x' })).body
  await call('PATCH', `crm/tasks/${task.id}`, { status: 'completed' })
  await call('PATCH', `contacts/${contact.id}`, { stage: 'lost' })
  const all = [
    ...['contact.stage_changed', 'contact.updated'],
    ...['task.completed', 'task.updated', 'task.created', 'contact.created'],
  ]
  const expected: [string, string[]][] = [
    ['', all],
    ['type=*', all],
    ['type=', all],
    ['type=task.created', ['task.created']],
    ['type=task.created&type=contact.created', ['task.created', 'contact.created']],
    ['type=task.created,contact.created,task.created', ['task.created', 'contact.created']],
    ['type=task.*', ['task.completed', 'task.updated', 'task.created']],
    ['type=task.*,contact.created&type=task.updated', [...all.slice(2)]],
    ['type=contact.*', ['contact.stage_changed', 'contact.updated', 'contact.created']],
    ['type=contact.deleted', []],
    ['type=con.*', []],
    ['type=unheard.of', []],
  ]
  for (const [query, types] of expected) {
    assert.deepEqual(await typesOf(call, query), types, query)
    assert.equal((await list(call, query)).total_count, types.length, query)
  }
  const [newest, next] = (await list(call, 'type=task.*&limit=2')).data as [Event, Event]
  assert.deepEqual([newest.type, next.type], ['task.completed', 'task.updated'])
  assert.deepEqual(await typesOf(call, `type=task.*&limit=2&starting_after=${next.id}`), ['task.created'])
})

test('malformed filters are refused with their location', async () => {
  const { call } = await app.organization()
  const refused = {
    limit: ['0', '101', 'x'],
    starting_after: ['x'],
    type: ['contact.', '.created', 'contact.*.x', 'CONTACT.created', 'task.created,no%20way'],
    created_after: ['yesterday', '2026-02-30T00:00:00Z'],
  }
  for (const [name, values] of Object.entries(refused))
    for (const value of values) {
      const { status, body, text } = await call('GET', `events?${name}=${value}`)
      assert.equal(status, 422, `${name}=${value} ${text}`)
      assert.deepEqual(body.detail[0].loc, ['query', name])
    }
})

test('created_after returns later events only', async () => {
  const { id, call } = await app.organization()
  const at = (ms: number) => new Date(Date.parse('2031-01-01T00:00:00.000Z') + ms)
  const times = [0, 1, 1, 1000, 2000]
  const ids = times.map((ms) => idAt(at(ms)))
  await write(
    id,
    false,
    ids.map((each, n) => ({ id: each, type: n % 2 ? 'task.updated' : 'contact.updated' })),
  )
  const { data } = await list(call)
  assert.deepEqual(
    data.map(({ created_at }) => created_at).sort(),
    times.map((ms) => at(ms).toISOString()),
  )
  const since = (ms: number) => encodeURIComponent(at(ms).toISOString())
  const expected: [string, number][] = [
    [`created_after=${since(-1)}`, 5],
    [`created_after=${since(0)}`, 4],
    [`created_after=${since(1)}`, 2],
    [`created_after=${encodeURIComponent('2031-01-01T01:00:00.001+01:00')}`, 2],
    [`created_after=${since(1000)}`, 1],
    [`created_after=${since(2000)}`, 0],
    ['created_after=1950-01-01T00:00:00Z', 5],
    ['created_after=9999-12-31T23:59:59Z', 0],
    [`created_after=${since(0)}&type=task.updated`, 2],
    [`created_after=${since(0)}&type=contact.*,task.*`, 4],
    [`created_after=${since(0)}&type=contact.deleted`, 0],
  ]
  for (const [query, count] of expected) {
    const page = await list(call, query)
    assert.deepEqual([page.data.length, page.total_count], [count, count], query)
  }
  const [first] = (await list(call, `created_after=${since(0)}&limit=1`)).data as [Event]
  const rest = await list(call, `created_after=${since(0)}&limit=2&starting_after=${first.id}`)
  assert.deepEqual([rest.data.length, rest.has_more, rest.total_count], [2, true, 4])
})

test('a credential sees the events that its scopes cover', async () => {
  const { id, call } = await app.organization()
  await write(
    id,
    false,
    eventKinds.map(({ type }) => ({ id: newId(), type })),
  )
  // Written by a version with more types: only full access covers it.
  await write(id, false, [{ id: newId(), type: 'relic.found' }])
  assert.equal((await list(call, 'limit=100')).total_count, eventKinds.length + 1)
  for (const scope of allScopes.filter((each) => each !== 'full_access')) {
    const limited = app.as((await app.key(id, { scopes: [scope] })).secret)
    const isCovered = (kind: EventKind) => kind.scope === scope || kind.narrowerScope === scope
    const covered = eventKinds.filter(isCovered).map(({ type }) => type)
    const { data, total_count } = await list(limited, 'limit=100')
    assert.deepEqual(data.map(({ type }) => type).sort(), covered.sort(), scope)
    assert.equal(total_count, covered.length)
    const hidden = eventKinds.filter((kind) => !isCovered(kind)).map(({ type }) => type)
    const asked = await limited('GET', `events?type=${hidden.join(',')}&created_after=2020-01-01T00:00:00Z`)
    assert.deepEqual([asked.status, asked.body], [200, nothing])
  }
  assert.equal((await app.call('GET', 'events')).status, 401)
})

test('another organization’s events, or those of the other mode, are never visible', async () => {
  const { id, call } = await app.organization()
  await newContact(call)
  const { data } = await list(call)
  const stranger = await app.organization()
  const live = app.as((await app.key(id, { mode: 'live' })).secret)
  for (const other of [stranger.call, live])
    for (const query of ['', 'type=contact.*', 'created_after=2020-01-01T00:00:00Z', `starting_after=${newId()}`])
      assert.deepEqual((await other('GET', `events?${query}`)).body, nothing, query)
  const created = await newContact(live)
  const [event] = (await list(live)).data
  assert.deepEqual([event?.livemode, event?.data.object], [true, created])
  assert.deepEqual((await list(call)).data, data)
})

test('the total is exact under parallel writes', async () => {
  const { call } = await app.organization()
  await Promise.all(Array.from({ length: 30 }, (_, n) => newContact(call, `+141555503${String(n).padStart(2, '0')}`)))
  const { data, total_count } = await list(call, 'limit=100')
  assert.deepEqual([data.length, total_count], [30, 30])
})

test('events past the retention are neither listed nor counted, and are removed for all tenants', async () => {
  const organizations = [await app.organization(), await app.organization({ mode: 'live' })]
  const old = Array.from({ length: 6000 }, (_, n) => ({
    id: idAt(new Date(Date.now() - 8 * day - n)),
    type: 'task.updated',
  }))
  const young = { id: idAt(new Date(Date.now() - 6 * day)), type: 'task.updated' }
  const [first, second] = organizations as [(typeof organizations)[0], (typeof organizations)[0]]
  await write(first.id, false, [...old, young])
  await write(second.id, true, [...old.slice(0, 10), young])
  const seenBy = async ({ call }: (typeof organizations)[0]) => {
    const { data, total_count } = await list(call)
    return [total_count, ...data.map(({ id }) => id)]
  }
  for (const each of organizations) assert.deepEqual(await seenBy(each), [1, young.id])
  assert.equal((await list(first.call, 'type=task.updated')).total_count, 1)
  await app.database.inSystem((tx) => tx.enqueue(expireEventsJob, {}))
  const Stored = Type.Object({ n: Type.Integer() })
  const stored = () => app.database.forSystem().one(Stored)`
    select count(*)::int as n from events where organization_id = any(${organizations.map(({ id }) => id)}::uuid[])`
  await until(async () => (await stored()).n === 2)
  for (const each of organizations) assert.deepEqual(await seenBy(each), [1, young.id])
})

test('the removal is scheduled every hour', async () => {
  const Schedule = Type.Object({ cron: Type.String() })
  const schedule = await app.database.forSystem().maybe(Schedule)`
    select cron from pgboss.schedule where name = ${expireEventsJob.name}`
  assert.match(schedule?.cron ?? '', /^\d+ \* \* \* \*$/)
})
