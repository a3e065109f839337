import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'

const app = await sharedTestApp()
const acme = await app.organization({ owner: 'olive@acme.example' })
const globex = await app.organization({ owner: 'gus@globex.example' })
const { call } = acme
const filters = { queue: 'needs_person', team_id: newId(), priority: 'urgent', tag: 'billing', sort: 'waiting_since' }
const create = async (members: object = {}, by = call) =>
  ok(await by('POST', 'inbox/views', { name: 'Urgent bills', filters, ...members }), 201)
const namesOf = async (by = call) => ok(await by('GET', 'inbox/views')).data.map(({ name }: { name: string }) => name)

test('a view keeps the filters of the list, which takes them back', async () => {
  const view = await create({ shared: true })
  const { id, created_at, updated_at, ...members } = view
  assert.deepEqual(members, {
    organization_id: acme.id,
    name: 'Urgent bills',
    shared: true,
    owner_id: null,
    filters,
    position: 0,
    livemode: false,
  })
  assert.deepEqual(ok(await call('GET', `inbox/views/${id}`)), view)
  ok(await call('GET', `inbox/tickets?${new URLSearchParams(view.filters)}`))
  const changed = ok(await call('PATCH', `inbox/views/${id}`, { name: ' Bills ', filters: { status: 'closed' } }))
  assert.deepEqual([changed.name, changed.filters], ['Bills', { status: 'closed' }])
  assert.deepEqual(ok(await call('DELETE', `inbox/views/${id}`)), { message: 'View deleted successfully' })
  assert.equal((await call('GET', `inbox/views/${id}`)).status, 404)
})

test('views are ordered by position; private ones are seen by their member alone', async () => {
  const org = await app.organization({ owner: 'views@acme.example' })
  const member = await person(app, org.id, 'member')
  const theirs: typeof call = (method, path, body) => member.call(method, path, body, { 'x-mode': 'test' })
  const first = await create({ name: 'First', shared: true }, org.call)
  await create({ name: 'Second' }, org.call)
  const third = await create({ name: 'Third', shared: true }, org.call)
  const own = await create({ name: 'Own' }, theirs)
  assert.deepEqual([first.position, third.position, own.owner_id], [0, 2, member.id])
  assert.deepEqual(await namesOf(org.call), ['First', 'Second', 'Third'])
  assert.deepEqual(await namesOf(theirs), ['First', 'Third', 'Own'])
  ok(await org.call('PATCH', `inbox/views/${first.id}`, { position: 9 }))
  assert.deepEqual(await namesOf(org.call), ['Second', 'Third', 'First'])
  for (const [method, body] of [['GET'], ['PATCH', { name: 'Stolen' }], ['DELETE']] as const)
    assert.equal((await org.call(method, `inbox/views/${own.id}`, body)).status, 404)
  const shared = ok(await theirs('PATCH', `inbox/views/${own.id}`, { shared: true }))
  assert.deepEqual([shared.owner_id, (await namesOf(org.call)).includes('Own')], [null, true])
  const second = await create({ name: 'Private' }, theirs)
  const owner = await person(app, org.id, 'owner')
  ok(await owner.call('DELETE', `members/${member.id}`))
  const { rows } = await app.database.pools.system.query('select from inbox_views where id = $1', [second.id])
  assert.equal(rows.length, 0)
})

test('bad views, other organizations and missing scopes are refused', async () => {
  const { id } = await create({ shared: true })
  for (const [body, ...loc] of [
    [{ filters }, 'name'],
    [{ name: ' ', filters }, 'name'],
    [{ name: 'x' }, 'filters'],
    [{ name: 'x', filters: { queue: 'later' } }, 'filters', 'queue'],
    [{ name: 'x', filters: { colour: 'red' } }, 'filters'],
    [{ name: 'x', filters: { queue: 'all', status: 'closed' } }, 'filters', 'queue'],
    [{ name: 'x', filters: { sort: 'priority' } }, 'filters', 'sort'],
    [{ name: 'x', filters: { queue: 'all', sort: 'priority', search: 'a' } }, 'filters', 'sort'],
    [{ name: 'x', filters, position: -1 }, 'position'],
  ] as [object, ...string[]][]) {
    const refused = await call('POST', 'inbox/views', body)
    assert.equal(refused.status, 422, refused.text)
    assert.deepEqual(refused.body.detail[0].loc.slice(0, loc.length + 1), ['body', ...loc], refused.text)
  }
  assert.equal((await call('PATCH', `inbox/views/${id}`, {})).status, 422)
  for (const [by, path] of [
    [globex.call, `inbox/views/${id}`],
    [call, `inbox/views/${newId()}`],
    [call, 'inbox/views/x'],
  ] as const)
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
      assert.deepEqual((await by(method, path, body)).body, { detail: 'View not found' })
  const reader = app.as((await app.key(acme.id, { scopes: ['inbox:read'] })).secret)
  for (const [method, path, body] of [
    ['POST', 'inbox/views', { name: 'x', filters }],
    ['PATCH', `inbox/views/${id}`, { name: 'x' }],
    ['DELETE', `inbox/views/${id}`],
  ] as const)
    assert.equal((await reader(method, path, body)).status, 403)
  assert.equal((await reader('GET', 'inbox/views')).status, 200)
  const key = app.as((await app.key(acme.id)).secret)
  const refused = await key('POST', 'inbox/views', { name: 'x', filters })
  assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'shared']])
})

test('a member sees at most a hundred views', async () => {
  const org = await app.organization()
  await app.database.inTenant(
    { organizationId: org.id, livemode: false },
    (tx) => tx.run`
      insert into inbox_views (id, name, filters, position) select new_id(), 'V', '{}', n from generate_series(1, 100) n`,
  )
  const refused = await org.call('POST', 'inbox/views', { name: 'x', filters, shared: true })
  assert.equal(refused.status, 409)
})
