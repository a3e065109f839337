import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'

const app = await sharedTestApp()
const acme = await app.organization({ owner: 'olive@acme.test' })
const globex = await app.organization()
let lastNumber = 0
const newNumber = () => `+1415555${String(++lastNumber).padStart(4, '0')}`

const create = async (input: object = {}) => {
  return ok(await acme.call('POST', 'contacts', { phone_number: newNumber(), ...input }), 201)
}

/** The contact as events show it. */
async function read(id: string) {
  const { identities, handled_by: _, ...contact } = (await acme.call('GET', `contacts/${id}`)).body
  assert.ok(identities.length > 0)
  return contact
}

const Event = Type.Object({
  type: Type.String(),
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  data: Type.Unsafe<{ object: any; previous?: any }>({}),
})
const eventsOf = (id: string, organizationId = acme.id) =>
  app.database.forTenant({ organizationId, livemode: false }).all(Event)`
    select type, data from events where data -> 'object' ->> 'id' = ${id} order by id`

test('a contact is created with its defaults, a first activity and an event', async () => {
  const answer = ok(await acme.call('POST', 'contacts', { phone_number: '+1 (415) 555-9999', name: ' Ada ' }), 201)
  const { id, created_at, ...rest } = answer
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    organization_id: acme.id,
    phone_number: '+14155559999',
    name: 'Ada',
    first_name: null,
    tags: [],
    notes: '',
    custom_fields: {},
    stage: 'new',
    ai_handling: true,
    last_activity_at: created_at,
    opted_out_at: null,
    blocked_at: null,
    whatsapp_user_id: null,
    username: null,
    time_zone: null,
    source_type: null,
    source_id: null,
    source_headline: null,
    source_url: null,
    source_at: null,
    livemode: false,
    updated_at: created_at,
  })
  assert.deepEqual(await read(id), answer)
  const { activities, total } = (await acme.call('GET', `contacts/${id}/activities`)).body
  assert.equal(total, 1)
  assert.deepEqual(
    [activities[0].type, activities[0].actor_type, activities[0].actor_id, activities[0].payload],
    ['contact_created', 'user', acme.ownerId, {}],
  )
  assert.deepEqual(await eventsOf(id), [{ type: 'contact.created', data: { object: answer } }])
})

test('members are stored as given: tags trimmed and unique, custom fields whole, `customers` as customer', async () => {
  const given = {
    name: 'Zoë 😀',
    tags: [' vip ', 'vip', 'news, daily', 'emoji 😀'],
    notes: '  as\ngiven  ',
    custom_fields: { plan: 'gold', deep: { list: [1, 2.5, null, true, { a: 'b' }] }, '': 'empty key', __proto__x: 1 },
    stage: 'customers',
    ai_handling: false,
    unknown: 'ignored',
    id: newId(),
    organization_id: globex.id,
  }
  const contact = await create(given)
  const { name, tags, notes, custom_fields, stage, ai_handling } = contact
  assert.deepEqual(
    { name, tags, notes, custom_fields, stage, ai_handling },
    {
      name: given.name,
      tags: ['vip', 'news, daily', 'emoji 😀'],
      notes: given.notes,
      custom_fields: given.custom_fields,
      stage: 'customer',
      ai_handling: false,
    },
  )
  assert.equal(contact.organization_id, acme.id)
  assert.notEqual(contact.id, given.id)
  assert.ok(!('unknown' in contact))
})

test('null for an optional member means absent on create', async () => {
  const contact = await create({
    name: null,
    tags: null,
    notes: null,
    custom_fields: null,
    stage: null,
    ai_handling: null,
  })
  const { name, tags, notes, custom_fields, stage, ai_handling } = contact
  assert.deepEqual([name, tags, notes, custom_fields, stage, ai_handling], ['', [], '', {}, 'new', true])
})

test('a second contact with the number is refused with the first one’s id, in any notation', async () => {
  const phone_number = newNumber()
  const { id } = await create({ phone_number, name: 'First' })
  const spaced = phone_number.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-')
  const answer = await acme.call('POST', 'contacts', { phone_number: spaced, name: 'Second' })
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.body, {
    detail: `A contact with the phone number ${phone_number} exists already`,
    existing_id: id,
  })
  assert.equal((await acme.call('GET', `contacts/${id}`)).body.name, 'First')
  assert.equal((await eventsOf(id)).length, 1)
})

test('on_conflict=return answers the existing contact, on_conflict=update the updated one', async () => {
  const phone_number = newNumber()
  const fresh = ok(await acme.call('POST', 'contacts?on_conflict=return', { phone_number, name: 'First' }), 201)
  const returned = await acme.call('POST', 'contacts?on_conflict=return', { phone_number, name: 'Second' })
  assert.deepEqual([returned.status, returned.body], [200, fresh])
  const updated = ok(
    await acme.call('POST', 'contacts?on_conflict=update', { phone_number, tags: ['x'], stage: 'lost' }),
  )
  assert.deepEqual([updated.name, updated.tags, updated.stage], ['First', ['x'], 'lost'])
  assert.deepEqual(await read(fresh.id), updated)
  assert.deepEqual(
    (await eventsOf(fresh.id)).map(({ type }) => type),
    ['contact.created', 'contact.updated', 'contact.stage_changed'],
  )
  const bad = await acme.call('POST', 'contacts?on_conflict=merge', { phone_number })
  assert.equal(bad.status, 422)
  assert.deepEqual(bad.body.detail[0].loc, ['query', 'on_conflict'])
})

test('PUT changes the given members only, and its event has the previous values', async () => {
  const before = await create({ name: 'Ada', tags: ['a'], notes: 'n', custom_fields: { a: 1, b: 2 } })
  const answer = ok(await acme.call('PUT', `contacts/${before.id}`, { name: ' Ada L. ', custom_fields: { b: 3 } }))
  const { updated_at, ...after } = answer
  assert.ok(updated_at > before.updated_at)
  assert.deepEqual({ ...after, updated_at: before.updated_at }, { ...before, name: 'Ada L.', custom_fields: { b: 3 } })
  const [, event] = await eventsOf(before.id)
  assert.deepEqual(event, {
    type: 'contact.updated',
    data: { object: answer, previous: { name: 'Ada', custom_fields: { a: 1, b: 2 } } },
  })
  const number = newNumber()
  const all = { name: '', phone_number: number, tags: [], notes: '', custom_fields: {} }
  const cleared = (await acme.call('PUT', `contacts/${before.id}`, all)).body
  assert.deepEqual([cleared.name, cleared.phone_number, cleared.tags, cleared.notes], ['', number, [], ''])
})

test('PUT leaves stage and handling alone; PATCH changes them and writes the timeline', async () => {
  const { id } = await create()
  const put = await acme.call('PUT', `contacts/${id}`, { name: 'x', stage: 'lost', ai_handling: false })
  assert.deepEqual([put.body.stage, put.body.ai_handling], ['new', true])
  const patched = ok(await acme.call('PATCH', `contacts/${id}`, { stage: 'customers', ai_handling: false }))
  assert.deepEqual([patched.stage, patched.ai_handling], ['customer', false])
  const { activities } = (await acme.call('GET', `contacts/${id}/activities`)).body
  assert.deepEqual(
    activities.map(({ type, payload, actor_id }: Record<string, unknown>) => [type, payload, actor_id]),
    [
      ['handoff_to_human', {}, acme.ownerId],
      ['stage_changed', { old_stage: 'new', new_stage: 'customer' }, acme.ownerId],
      ['contact_created', {}, acme.ownerId],
    ],
  )
  assert.equal(patched.last_activity_at, activities[0].created_at, 'every activity moves last_activity_at')
  assert.deepEqual(await read(id), patched)
  assert.deepEqual(
    (await eventsOf(id)).map(({ type, data }) => [type, data.previous]),
    [
      ['contact.created', undefined],
      ['contact.updated', { name: '' }],
      ['contact.updated', { stage: 'new', ai_handling: true }],
      ['contact.stage_changed', { stage: 'new' }],
      ['contact.handoff', { ai_handling: true }],
    ],
  )
})

test('equal values, or none, change nothing', async () => {
  const given = { name: 'Ada', tags: ['a', 'b'], notes: 'n', custom_fields: { deep: [1, { x: null }] } }
  const before = await create(given)
  const { phone_number } = before
  for (const body of [{}, given, { ...given, phone_number, name: ' Ada ', tags: ['a ', 'b', 'a'] }]) {
    assert.deepEqual((await acme.call('PUT', `contacts/${before.id}`, body)).body, before)
    assert.deepEqual(
      (await acme.call('PATCH', `contacts/${before.id}`, { ...body, stage: 'new', ai_handling: true })).body,
      before,
    )
  }
  assert.equal((await eventsOf(before.id)).length, 1)
  assert.equal((await acme.call('GET', `contacts/${before.id}/activities`)).body.total, 1)
})

test('changing to another contact’s number is refused with its id', async () => {
  const [ada, bob] = [await create(), await create()]
  for (const method of ['PUT', 'PATCH']) {
    const answer = await acme.call(method, `contacts/${bob.id}`, { name: 'x', phone_number: ada.phone_number })
    assert.deepEqual([answer.status, answer.body.existing_id], [409, ada.id])
  }
  assert.deepEqual(await read(bob.id), bob)
  ok(await acme.call('PUT', `contacts/${bob.id}`, { phone_number: bob.phone_number }))
})

test('a handoff changes the handling, and repeating it does nothing', async () => {
  const { id } = await create()
  const first = await acme.call('POST', `contacts/${id}/handoff`, { to: 'human', reason: 'asked for a person' })
  assert.deepEqual([first.status, first.body.ai_handling], [200, false])
  const second = await acme.call('POST', `contacts/${id}/handoff`, { to: 'human' })
  assert.deepEqual([second.status, second.body], [200, first.body])
  await acme.call('POST', `contacts/${id}/handoff`, { to: 'ai', reason: null })
  const { activities, total } = (await acme.call('GET', `contacts/${id}/activities`)).body
  assert.equal(total, 3)
  assert.deepEqual(
    activities.map(({ type, payload }: Record<string, unknown>) => [type, payload]),
    [
      ['handoff_to_ai', {}],
      ['handoff_to_human', { reason: 'asked for a person' }],
      ['contact_created', {}],
    ],
  )
  assert.equal((await eventsOf(id)).filter(({ type }) => type === 'contact.handoff').length, 2)
})

test('deleting removes timeline, tasks and tags, emits an event and frees the number', async () => {
  const contact = await create({ tags: ['going'] })
  await acme.call('POST', `contacts/${contact.id}/activities`, { note: 'hello' })
  const task = ok(await acme.call('POST', 'crm/tasks', { contact_id: contact.id, title: 'Call back' }), 201)
  const answer = await acme.call('DELETE', `contacts/${contact.id}`)
  assert.deepEqual([answer.status, answer.body], [200, { message: 'Contact deleted successfully' }])
  for (const path of ['', '/activities'])
    assert.equal((await acme.call('GET', `contacts/${contact.id}${path}`)).status, 404)
  assert.equal((await acme.call('GET', `crm/tasks/${task.id}`)).status, 404)
  assert.equal((await acme.call('DELETE', `contacts/${contact.id}`)).status, 404)
  const Left = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forSystem().one(Left)`
    select (select count(*) from activities where contact_id = ${contact.id})
      + (select count(*) from contact_tags where contact_id = ${contact.id})
      + (select count(*) from tasks where contact_id = ${contact.id}) as n`
  assert.equal(n, 0)
  assert.equal((await acme.call('GET', 'contacts?tag=going')).body.total_count, 0)
  const last = (await eventsOf(contact.id)).at(-1)
  assert.equal(last?.type, 'contact.deleted')
  assert.equal(last?.data.object.phone_number, contact.phone_number)
  assert.notEqual((await create({ phone_number: contact.phone_number })).id, contact.id)
})
