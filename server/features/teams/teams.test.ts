import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'

const app = await sharedTestApp()
const acme = await app.organization({ mode: 'live', owner: 'tina@teams.example' })
const globex = await app.organization({ mode: 'live', owner: 'gil@teams.example' })
const { call } = acme
const ada = await person(app, acme.id, 'member', { name: 'Ada' })
const supervisor = await person(app, acme.id, 'supervisor')
const asTest = app.as((await app.key(acme.id, { mode: 'test' })).secret)

let teams = 0
const create = async (members: object = {}) =>
  ok(await call('POST', 'teams', { name: `Team ${++teams}`, ...members }), 201)
const hours = async () =>
  ok(await call('POST', 'schedules', { name: `Of team ${++teams}`, time_zone: 'UTC', weekly_hours: {} }), 201).id

test('a team is created, changed, listed and deleted', async () => {
  const created = await create({ name: ' Sales ', member_ids: [ada.id] })
  const { id, created_at, updated_at, ...members } = created
  assert.deepEqual(members, {
    organization_id: acme.id,
    name: 'Sales',
    member_ids: [ada.id],
    assignment: 'manual',
    schedule_id: null,
    after_hours_team_id: null,
    reassign_after_minutes: null,
  })
  assert.equal(updated_at, created_at)
  const [night, schedule_id] = [await create(), await hours()]
  const changes = { assignment: 'least_busy', schedule_id, after_hours_team_id: night.id, reassign_after_minutes: 5 }
  const changed = ok(await call('PATCH', `teams/${id}`, { ...changes, member_ids: [] }))
  assert.deepEqual({ ...changed, updated_at }, { ...created, ...changes, member_ids: [] })
  assert.deepEqual(ok(await call('GET', `teams/${id}`)), changed)
  assert.ok(ok(await call('GET', 'teams')).data.some((team: { id: string }) => team.id === id))
  assert.equal((await call('DELETE', `schedules/${schedule_id}`)).status, 409)
  assert.equal((await call('DELETE', `teams/${night.id}`)).status, 409)
  assert.deepEqual(ok(await call('DELETE', `teams/${id}`)), { message: 'Team deleted successfully' })
  assert.deepEqual(ok(await call('DELETE', `schedules/${schedule_id}`)), { message: 'Schedule deleted successfully' })
  const { data } = ok(await call('GET', `audit-log?object_id=${id}`))
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['team.deleted', 'team.updated', 'team.created'],
  )
})

test('faulty teams are refused', async () => {
  const { id, name } = await create()
  const theirs = ok(await globex.call('POST', 'schedules', { name: 'Theirs', time_zone: 'UTC', weekly_hours: {} }), 201)
  for (const [status, body] of [
    [409, { name: name.toUpperCase() }],
    [404, { member_ids: [newId()] }],
    [404, { member_ids: [globex.ownerId] }],
    [404, { schedule_id: theirs.id }],
    [404, { schedule_id: await hours(), after_hours_team_id: newId() }],
    [422, { after_hours_team_id: id }],
    [422, { assignment: 'by_chance' }],
    [422, { reassign_after_minutes: 0 }],
    [422, { name: ' ' }],
  ] as const) {
    const answer = await call('POST', 'teams', { name: `Team ${++teams}`, ...body })
    assert.equal(answer.status, status, `${JSON.stringify(body)} ${answer.text}`)
  }
  assert.equal(
    (await call('PATCH', `teams/${id}`, { schedule_id: await hours(), after_hours_team_id: id })).status,
    422,
  )
})

test('a team of another organization is 404, and managing teams has its own permission', async () => {
  const { id } = await create()
  for (const [as, of] of [
    [globex.call, id],
    [call, newId()],
  ] as const)
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const answer = await as(method, `teams/${of}`, body)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Team not found' }])
    }
  assert.equal((await ada.call('GET', `teams/${id}`)).status, 200)
  assert.equal((await ada.call('PATCH', `teams/${id}`, {})).status, 403)
  assert.equal((await supervisor.call('PATCH', `teams/${id}`, {})).status, 200)
  assert.equal((await app.call('GET', 'teams')).status, 401)
  for (const [method, path, body] of [
    ['POST', 'teams', { name: 'By test' }],
    ['PATCH', `teams/${id}`, {}],
    ['DELETE', `teams/${id}`],
    ['PATCH', `availability/${ada.id}`, { status: 'away' }],
  ] as const)
    assert.equal((await asTest(method, path, body)).status, 403, `${method} ${path}`)
})

test('members set their own status; supervisors set that of others and capacities', async () => {
  const statusOf = async (id: string) =>
    ok(await call('GET', 'availability?limit=100')).data.find((each: { id: string }) => each.id === id)
  const { updated_at, ...standard } = await statusOf(ada.id)
  assert.deepEqual(standard, { id: ada.id, name: 'Ada', status: 'online', capacity: null, open_tickets: 0 })
  assert.equal(updated_at, null)
  assert.equal(ok(await ada.call('PATCH', `availability/${ada.id}`, { status: 'away' })).status, 'away')
  assert.equal((await ada.call('PATCH', `availability/${ada.id}`, { capacity: 3 })).status, 403)
  assert.equal((await ada.call('PATCH', `availability/${supervisor.id}`, { status: 'off' })).status, 403)
  const limited = ok(await supervisor.call('PATCH', `availability/${ada.id}`, { capacity: 3 }))
  assert.deepEqual([limited.status, limited.capacity], ['away', 3])
  assert.equal(ok(await supervisor.call('PATCH', `availability/${ada.id}`, { capacity: null })).capacity, null)
  assert.equal((await call('PATCH', `availability/${ada.id}`, { status: 'busy' })).status, 422)
  for (const id of [newId(), globex.ownerId])
    assert.equal((await call('PATCH', `availability/${id}`, { status: 'off' })).status, 404)
})
