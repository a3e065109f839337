import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newCustomer } from '../../../testing/conversations.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import { until } from '../../../testing/process.ts'
import { newTicket } from '../../../testing/tickets.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await app.organization({ owner: 'olive@acme.example' })
const globex = await app.organization({ owner: 'gus@globex.example' })
const { call } = acme
const owner = await connectOwner(app)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const patch = (id: string, changes: object) => call('PATCH', `inbox/tickets/${id}`, changes)
const read = async (id: string) => ok(await call('GET', `inbox/tickets/${id}`))
const changesOf = async (id: string) =>
  (await eventsOf(call, id)).slice(1).map(({ type, data }) => [type, data.previous])
const idsOf = async (org: TestOrganization, query: string) => {
  const { inboxes, total } = ok(await org.call('GET', `inbox/tickets?${query}`))
  assert.equal(total, inboxes.length, query)
  return inboxes.map(({ id }: { id: string }) => id)
}

test('priority and tags are set, filtered by and sorted by; status stays as it was', async () => {
  const org = await app.organization()
  const [low, normal, urgent, closed] = [
    await newTicket(org.call),
    await newTicket(org.call),
    await newTicket(org.call),
    await newTicket(org.call),
  ]
  assert.deepEqual([normal.priority, normal.tags, normal.snoozed_until], ['normal', [], null])
  const set = (id: string, changes: object) => org.call('PATCH', `inbox/tickets/${id}`, changes)
  const changed = ok(await set(urgent.id, { priority: 'urgent', tags: [' billing ', 'vip', 'billing'] }))
  assert.deepEqual([changed.priority, changed.tags, changed.status], ['urgent', ['billing', 'vip'], 'open'])
  ok(await set(low.id, { priority: 'low', tags: ['billing'] }))
  ok(await set(closed.id, { priority: 'urgent', status: 'closed' }))
  assert.deepEqual(await idsOf(org, 'priority=urgent'), [closed.id, urgent.id])
  assert.deepEqual(await idsOf(org, 'priority=urgent&status=open'), [urgent.id])
  assert.deepEqual(await idsOf(org, 'priority=normal'), [normal.id])
  assert.deepEqual(await idsOf(org, 'priority=normal&status=closed'), [])
  assert.deepEqual(await idsOf(org, 'tag=billing'), [urgent.id, low.id])
  assert.deepEqual(await idsOf(org, 'tag=vip&status=closed'), [])
  assert.deepEqual(await idsOf(org, 'tag=billing&search=ada'), [urgent.id, low.id])
  assert.deepEqual(await idsOf(org, 'status=open&sort=priority'), [urgent.id, normal.id, low.id])
  assert.deepEqual(ok(await org.call('GET', 'inbox/tags')).tags, [
    { tag: 'billing', tickets: 2 },
    { tag: 'vip', tickets: 1 },
  ])
  ok(await set(urgent.id, { tags: ['vip'] }))
  assert.deepEqual(ok(await org.call('GET', 'inbox/tags?search=BILL')).tags, [{ tag: 'billing', tickets: 1 }])
  ok(await org.call('DELETE', `contacts/${low.contact_id}`))
  assert.deepEqual(ok(await org.call('GET', 'inbox/tags')).tags, [{ tag: 'vip', tickets: 1 }])
  assert.deepEqual(ok(await globex.call('GET', 'inbox/tags')).tags, [])
})

test('each change emits one event with what was before, and none without a change', async () => {
  const { id } = await newTicket(call)
  ok(await patch(id, { priority: 'high' }))
  ok(await patch(id, { priority: 'high', tags: [] }))
  ok(await patch(id, { tags: ['a,b'] }))
  ok(await patch(id, { tags: ['a', 'b'], priority: 'low' }))
  assert.deepEqual(await changesOf(id), [
    ['ticket.updated', { priority: 'normal' }],
    ['ticket.updated', { tags: [] }],
    ['ticket.updated', { tags: ['a,b'], priority: 'high' }],
  ])
})

test('a snoozed ticket comes back at its time', async () => {
  const org = await app.organization()
  const { id } = await newTicket(org.call)
  const later = inMinutes(60)
  const snoozed = ok(await org.call('PATCH', `inbox/tickets/${id}`, { snoozed_until: later }))
  assert.deepEqual([snoozed.snoozed_until, snoozed.status], [later, 'open'])
  assert.deepEqual([await idsOf(org, 'queue=snoozed'), await idsOf(org, 'queue=all')], [[id], []])
  assert.deepEqual(await idsOf(org, 'queue=snoozed&sort=snoozed_until'), [id])
  ok(await org.call('PATCH', `inbox/tickets/${id}`, { snoozed_until: null }))
  assert.deepEqual([await idsOf(org, 'queue=snoozed'), await idsOf(org, 'queue=all')], [[], [id]])

  ok(await org.call('PATCH', `inbox/tickets/${id}`, { snoozed_until: later }))
  const [job] = (
    await owner.query(
      `select id, start_after from pgboss.job where data -> 'ticketIds' ? $1 order by created_on desc`,
      [id],
    )
  ).rows
  assert.equal(job.start_after, later)
  // The time comes: for the ticket and for the job.
  await owner.query(`update tickets set snoozed_until = now() - interval '1 second' where id = $1`, [id])
  await owner.query(`update pgboss.job set start_after = now() - interval '1 second' where id = $1`, [job.id])
  const types = async () => ok(await org.call('GET', 'events?limit=20')).data.map(({ type }: { type: string }) => type)
  await until(async () => (await types()).includes('ticket.woken'))
  const woken = ok(await org.call('GET', `inbox/tickets/${id}`))
  assert.equal(woken.snoozed_until, null)
  assert.deepEqual(await idsOf(org, 'queue=all'), [id])
})

test('a snoozed ticket comes back when the contact writes, and closing ends the snooze', async () => {
  const org = await app.organization()
  const from = newCustomer()
  const says = async (text: string) => {
    ok(await org.call('POST', 'simulator/messages', { from, text }), 202)
    let ticket: { id: string; snoozed_until: string | null } | undefined
    await until(async () => {
      ticket = ok(await org.call('GET', `inbox/tickets?search=${encodeURIComponent(text)}`)).inboxes[0]
      return ticket !== undefined
    })
    return ticket as NonNullable<typeof ticket>
  }
  const { id } = await says('The first question')
  const snooze = () => org.call('PATCH', `inbox/tickets/${id}`, { snoozed_until: inMinutes(60) })
  ok(await snooze())
  const again = await says('Are you still there')
  assert.deepEqual([again.id, again.snoozed_until], [id, null])
  const { data } = ok(await org.call('GET', 'events?type=ticket.woken'))
  assert.deepEqual(
    data.map(({ data }: { data: { object: { id: string } } }) => data.object.id),
    [id],
  )
  ok(await snooze())
  const closed = ok(await org.call('PATCH', `inbox/tickets/${id}`, { status: 'closed' }))
  assert.equal(closed.snoozed_until, null)
  const refused = await snooze()
  assert.deepEqual([refused.status, refused.body.detail], [409, 'A closed ticket cannot be snoozed: reopen it first'])
  const both = ok(await org.call('PATCH', `inbox/tickets/${id}`, { status: 'open', snoozed_until: inMinutes(5) }))
  assert.equal(both.status, 'open')
  assert.ok(both.snoozed_until)
})

test('invalid changes are refused with their location', async () => {
  const { id } = await newTicket(call)
  for (const [changes, ...loc] of [
    [{ priority: 'highest' }, 'priority'],
    [{ priority: null }, 'priority'],
    [{ tags: 'vip' }, 'tags'],
    [{ tags: [''] }, 'tags', '0'],
    [{ tags: ['x'.repeat(101)] }, 'tags', '0'],
    [{ tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
    [{ snoozed_until: 'tomorrow' }, 'snoozed_until'],
    [{ snoozed_until: inMinutes(-1) }, 'snoozed_until'],
    [{ snoozed_until: inMinutes(5), status: 'closed' }, 'snoozed_until'],
  ] as [object, ...string[]][]) {
    const answer = await patch(id, changes)
    assert.deepEqual([answer.status, answer.body.detail[0]?.loc], [422, ['body', ...loc]], JSON.stringify(changes))
  }
})

test('many tickets change at once, and those that cannot are named', async () => {
  const [one, two, closed] = [await newTicket(call), await newTicket(call), await newTicket(call)]
  const theirs = await newTicket(globex.call)
  ok(await patch(one.id, { tags: ['vip', 'old'] }))
  ok(await patch(closed.id, { status: 'closed' }))
  const missing = newId()
  const result = ok(
    await call('POST', 'inbox/tickets/bulk', {
      ids: [one.id, two.id, closed.id, missing, theirs.id, one.id],
      assignee_id: acme.ownerId,
      priority: 'high',
      snoozed_until: inMinutes(30),
      add_tags: ['billing'],
      remove_tags: ['old'],
    }),
  )
  assert.deepEqual(result.failed, [
    { id: closed.id, detail: 'A closed ticket cannot be snoozed: reopen it first' },
    { id: missing, detail: 'Inbox ticket not found' },
    { id: theirs.id, detail: 'Inbox ticket not found' },
  ])
  const tagsOf = new Map(result.updated.map(({ id, tags }: { id: string; tags: string[] }) => [id, tags]))
  assert.deepEqual([tagsOf.size, tagsOf.get(one.id), tagsOf.get(two.id)], [2, ['vip', 'billing'], ['billing']])
  const after = await read(two.id)
  assert.deepEqual([after.assignee_id, after.priority], [acme.ownerId, 'high'])
  assert.equal((await read(closed.id)).priority, 'normal')
  const previous = { assignee_id: null, priority: 'normal', tags: [], snoozed_until: null }
  assert.deepEqual(await changesOf(two.id), [['ticket.updated', previous]])

  const shut = ok(await call('POST', 'inbox/tickets/bulk', { ids: [one.id, two.id], status: 'closed' }))
  assert.deepEqual([shut.updated.length, shut.failed], [2, []])
  assert.equal(ok(await globex.call('GET', `inbox/tickets/${theirs.id}`)).priority, 'normal')
})

test('five hundred tickets are closed by one request, with exact totals', async () => {
  const org = await app.organization()
  const { contact_id } = await newTicket(org.call)
  const ids = Array.from({ length: 500 }, newId)
  await app.database.inTenant(
    { organizationId: org.id, livemode: false },
    (tx) => tx.run`insert into tickets (id, contact_id) select id, ${contact_id} from unnest(${ids}::uuid[]) id`,
  )
  const { updated } = ok(await org.call('POST', 'inbox/tickets/bulk', { ids, status: 'closed', add_tags: ['done'] }))
  assert.equal(updated.length, 500)
  for (const [query, total] of [
    ['status=closed', 500],
    ['status=open', 1],
    ['tag=done', 500],
    ['tag=done&status=closed', 500],
  ])
    assert.equal(ok(await org.call('GET', `inbox/tickets?${query}`)).total, total, String(query))
})

test('a bulk change without ids, without changes or for a stranger is refused', async () => {
  const { id } = await newTicket(call)
  for (const [body, ...loc] of [
    [{ priority: 'high' }, 'ids'],
    [{ ids: [], priority: 'high' }, 'ids'],
    [{ ids: Array.from({ length: 501 }, newId), priority: 'high' }, 'ids'],
    [{ ids: ['x'], priority: 'high' }, 'ids', '0'],
    [{ ids: [id] }, 'status'],
    [{ ids: [id], add_tags: [7] }, 'add_tags', '0'],
  ] as [object, ...string[]][]) {
    const answer = await call('POST', 'inbox/tickets/bulk', body)
    assert.deepEqual([answer.status, answer.body.detail[0]?.loc], [422, ['body', ...loc]], JSON.stringify(body))
  }
  const stranger = await call('POST', 'inbox/tickets/bulk', { ids: [id], assignee_id: globex.ownerId })
  assert.deepEqual([stranger.status, stranger.body], [404, { detail: 'Assignee not found' }])
  const reader = app.as((await app.key(acme.id, { scopes: ['inbox:read'] })).secret)
  assert.equal((await reader('POST', 'inbox/tickets/bulk', { ids: [id], priority: 'high' })).status, 403)
})

test('two members who take the same tickets at once leave each with one owner', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await newTicket(call)).id))
  const take = (assignee_id: string | null, order: string[]) =>
    call('POST', 'inbox/tickets/bulk', { ids: order, assignee_id })
  const answers = await Promise.all([
    take(acme.ownerId, ids),
    take(null, ids.toReversed()),
    take(acme.ownerId, ids),
    take(null, ids.toReversed()),
  ])
  for (const answer of answers) assert.equal(ok(answer).updated.length, 8)
  const { total } = ok(await call('GET', `inbox/tickets?assignee_id=${acme.ownerId}&limit=100`))
  const owned = await Promise.all(ids.map(async (id) => (await read(id)).assignee_id !== null))
  assert.ok(
    owned.every((each) => each === owned[0]),
    'the last request decides about all',
  )
  assert.ok(total >= owned.filter(Boolean).length)
})
