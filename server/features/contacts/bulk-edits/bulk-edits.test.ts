import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowestIdAt, newId } from '../../../platform/ids.ts'
import { ok, type Reply, sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { expireBulkEditsJob } from './jobs.ts'

const app = await sharedTestApp()

let lastNumber = 0
const addContacts = (org: TestOrganization, count: number, members: object) =>
  Promise.all(
    Array.from({ length: count }, async () =>
      ok(
        await org.call('POST', 'contacts', {
          phone_number: `+1415555${String(++lastNumber).padStart(4, '0')}`,
          ...members,
        }),
        201,
      ),
    ),
  )

const read = async ({ call }: TestOrganization, id: string) => ok(await call('GET', `contact-bulk-edits/${id}`))

async function edit(org: TestOrganization, body: object): Promise<Reply['body']> {
  const { id } = ok(await org.call('POST', 'contact-bulk-edits', body), 202)
  await until(async () => (await read(org, id)).state === 'completed')
  return read(org, id)
}

const total = async ({ call }: TestOrganization, query: string) =>
  ok(await call('GET', `contacts?limit=1&${query}`)).total_count as number

test('all contacts that match are edited, beyond one batch, and no others', async () => {
  const org = await app.organization()
  await addContacts(org, 120, { tags: ['fair', 'old'] })
  await addContacts(org, 3, { tags: ['other'] })
  const done = await edit(org, { filter: { tag: 'fair' }, add_tags: ['vip'], remove_tags: ['old'], stage: 'engaged' })
  assert.deepEqual([done.total, done.processed, done.state], [120, 120, 'completed'])
  assert.deepEqual(
    [await total(org, 'tag=vip'), await total(org, 'tag=old'), await total(org, 'stage=engaged')],
    [120, 0, 120],
  )
  const { filter: _, ...ended } = done
  const [event, ...others] = ok(await org.call('GET', 'events?type=bulk_edit.*')).data
  assert.deepEqual(
    [event.type, event.data, others],
    ['bulk_edit.completed', { object: ended, previous: { state: 'running' } }, []],
  )
  // A change that takes contacts out of the filter does not skip any.
  const moved = await edit(org, { filter: { stage: 'engaged' }, stage: 'lost' })
  assert.equal(moved.processed, 120)
  const found = await edit(org, { filter: { search: '+1415555' }, ai_handling: false })
  assert.equal(found.processed, 123)
  const removed = await edit(org, { filter: { tag: 'vip' }, delete: true })
  assert.deepEqual([removed.processed, await total(org, '')], [120, 3])
})

test('an agent that is turned off halfway does not change which contacts are edited', async () => {
  const org = await app.organization()
  const { call } = org
  const [contact] = await addContacts(org, 101, {})
  const agent = ok(await call('POST', 'agents', { name: 'Desk', agent_type: 'static' }), 201)
  const [channel] = ok(await call('GET', 'channels')).data
  ok(await call('PATCH', `channels/${channel.id}`, { agent_id: agent.id }))
  // The first batch waits for this contact until the agent is turned off.
  const locked = Promise.withResolvers<void>()
  const turnedOff = Promise.withResolvers<void>()
  const holding = app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
    await tx.run`select from contacts where id = ${contact.id} for update`
    locked.resolve()
    await turnedOff.promise
  })
  await locked.promise
  const ids: string[] = []
  try {
    for (const [handled_by, tag, matching] of [
      ['ai', 'ai', 101],
      ['no_one', 'no one', 0],
    ] as const) {
      const edit = ok(await call('POST', 'contact-bulk-edits', { filter: { handled_by }, add_tags: [tag] }), 202)
      assert.equal(edit.total, matching)
      ids.push(edit.id)
    }
    ok(await call('PATCH', `agents/${agent.id}`, { is_active: 'inactive' }))
  } finally {
    turnedOff.resolve()
    await holding
  }
  for (const id of ids) await until(async () => (await read(org, id)).state === 'completed')
  assert.deepEqual([await total(org, 'tag=ai'), await total(org, 'tag=no+one')], [101, 0])
})

test('a bulk edit that is over cannot be cancelled, and one that runs keeps what is done', async () => {
  const org = await app.organization()
  await addContacts(org, 2, {})
  const { id } = await edit(org, { filter: {}, add_tags: ['a'] })
  assert.equal((await org.call('POST', `contact-bulk-edits/${id}/cancel`)).status, 409)
  // A bulk edit that no worker has begun yet.
  const waiting = newId()
  await app.database.inTenant(
    { organizationId: org.id, livemode: false },
    (tx) => tx.run`
      insert into contact_bulk_edits (id, filter, changes, total, actor_type)
      values (${waiting}, '{}', '{"add_tags": ["b"]}', 2, 'user')`,
  )
  const cancelled = ok(await org.call('POST', `contact-bulk-edits/${waiting}/cancel`))
  assert.equal(cancelled.state, 'cancelled')
  const [{ data }] = ok(await org.call('GET', 'events?type=bulk_edit.cancelled')).data
  const { filter: _, ...ended } = cancelled
  assert.deepEqual(data, { object: ended, previous: { state: 'running' } })
  assert.equal(await total(org, 'tag=b'), 0)
})

test('bulk edits that are over are kept for 30 days', async () => {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const daysAgo = (days: number) => lowestIdAt(new Date(Date.now() - days * 86_400_000))
  const [old, recent, running] = [daysAgo(31), daysAgo(29), daysAgo(32)]
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into contact_bulk_edits (id, filter, changes, total, actor_type, state)
      values (${old}, '{}', '{}', 0, 'user', 'completed'), (${recent}, '{}', '{}', 0, 'user', 'cancelled'),
        (${running}, '{}', '{}', 0, 'user', 'running')`,
  )
  await app.database.inSystem((tx) => tx.enqueue(expireBulkEditsJob, {}))
  await until(async () => (await org.call('GET', `contact-bulk-edits/${old}`)).status === 404)
  for (const kept of [recent, running]) await read(org, kept)
})

test('invalid edits, unknown ids and missing scopes are refused', async () => {
  const org = await app.organization()
  for (const [body, loc] of [
    [{ filter: {} }, ['body', 'add_tags']],
    [{ add_tags: ['a'] }, ['body', 'filter']],
    [{ filter: { stage: 'unknown' }, add_tags: ['a'] }, ['body', 'filter', 'stage']],
    [{ filter: {}, stage: 'unknown' }, ['body', 'stage']],
    [{ filter: {}, add_tags: [] }, ['body', 'add_tags']],
    [{ filter: {}, delete: true, stage: 'lost' }, ['body', 'delete']],
  ] as const) {
    const answer = await org.call('POST', 'contact-bulk-edits', body)
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, loc], JSON.stringify(body))
  }
  const { id } = await edit(org, { filter: {}, add_tags: ['a'] })
  const stranger = await app.organization()
  for (const [method, path, body, scope] of [
    ['POST', 'contact-bulk-edits', { filter: {}, add_tags: ['a'] }, 'contacts:read'],
    ['GET', `contact-bulk-edits/${id}`, undefined, 'contacts:write'],
    ['POST', `contact-bulk-edits/${id}/cancel`, undefined, 'contacts:read'],
  ] as const) {
    assert.equal((await app.call(method, path, body)).status, 401)
    const { secret } = await app.key(org.id, { scopes: [scope] })
    assert.equal((await app.as(secret)(method, path, body)).status, 403)
    if (path.includes(id)) assert.equal((await stranger.call(method, path, body)).status, 404)
  }
})
