import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'

const app = await sharedTestApp()
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live' })
const owner = await person(app, acme.id, 'owner')
const admin = await person(app, acme.id, 'admin')
const member = await person(app, acme.id, 'member', { email: 'mia@example.com', name: 'Mia' })
const stranger = await person(app, globex.id, 'owner')

const roleOf = async (id: string) => (await owner.call('GET', `members/${id}`)).body.role

test('every member sees the members of their own organization only', async () => {
  const listed = ok(await member.call('GET', 'members'))
  assert.deepEqual(
    listed.data.map(({ id }: { id: string }) => id),
    [member.id, admin.id, owner.id],
  )
  assert.equal(listed.total_count, 3)
  const { created_at, updated_at, ...mia } = listed.data[0]
  assert.deepEqual(mia, {
    id: member.id,
    organization_id: acme.id,
    email: 'mia@example.com',
    name: 'Mia',
    role: 'member',
    access: null,
  })
  assert.equal(created_at, updated_at)
  const second = await member.call('GET', `members?limit=1&starting_after=${member.id}`)
  assert.deepEqual([second.body.data[0].id, second.body.has_more], [admin.id, true])
  assert.deepEqual((await member.call('GET', `members/${member.id}`)).body, listed.data[0])
  assert.deepEqual((await stranger.call('GET', `members/${member.id}`)).body, { detail: 'Member not found' })
})

test('a key needs the scope for tasks to list members', async () => {
  const reader = await app.key(acme.id, { scopes: ['contacts:read'] })
  assert.equal((await app.as(reader.secret)('GET', 'members')).status, 200)
  const other = await app.key(acme.id, { scopes: ['calls:read'] })
  assert.equal((await app.as(other.secret)('GET', 'members')).status, 403)
})

test('plain members cannot manage members', async () => {
  for (const [method, path, body] of [
    ['PATCH', `members/${admin.id}`, { role: 'member' }],
    ['PATCH', `members/${member.id}`, { role: 'owner' }],
    ['PATCH', `members/${member.id}`, { role: 'admin' }],
    ['DELETE', `members/${admin.id}`, undefined],
    ['DELETE', `members/${owner.id}`, undefined],
    ['DELETE', `members/${stranger.id}`, undefined],
  ] as const) {
    const answer = await member.call(method, path, body)
    assert.equal(answer.status, 403, `${method} ${path}`)
    assert.equal(answer.body.error.required_scope, 'full_access')
  }
  assert.deepEqual([await roleOf(admin.id), await roleOf(member.id)], ['admin', 'member'])
})

test('admins manage members and admins, never owners', async () => {
  const other = await person(app, acme.id, 'member')
  const refused = async (method: string, path: string, body?: object) => {
    const answer = await admin.call(method, path, body)
    assert.equal(answer.status, 403, `${method} ${path}`)
    assert.equal(answer.body.detail, 'An admin cannot manage or make an owner')
  }
  await refused('PATCH', `members/${owner.id}`, { role: 'member' })
  await refused('PATCH', `members/${owner.id}`, { role: 'owner' })
  await refused('DELETE', `members/${owner.id}`)
  await refused('PATCH', `members/${admin.id}`, { role: 'owner' })
  await refused('PATCH', `members/${other.id}`, { role: 'owner' })
  assert.equal((await admin.call('PATCH', `members/${other.id}`, { role: 'admin' })).body.role, 'admin')
  assert.equal((await other.call('GET', 'keys')).status, 200, 'the new role counts at once')
  assert.equal((await admin.call('PATCH', `members/${other.id}`, { role: 'member' })).body.role, 'member')
  assert.equal((await other.call('GET', 'keys')).status, 403)
  assert.equal((await admin.call('DELETE', `members/${other.id}`)).status, 200)
  assert.equal(await roleOf(owner.id), 'owner')
})

test('a live key with full access manages members like an admin; other keys and test keys cannot', async () => {
  const other = await person(app, acme.id, 'member')
  assert.equal((await acme.call('PATCH', `members/${owner.id}`, { role: 'member' })).status, 403)
  assert.equal((await acme.call('PATCH', `members/${other.id}`, { role: 'owner' })).status, 403)
  assert.equal((await acme.call('PATCH', `members/${other.id}`, { role: 'admin' })).status, 200)
  for (const key of [await app.key(acme.id), await app.key(acme.id, { mode: 'live', scopes: ['contacts:write'] })]) {
    const call = app.as(key.secret)
    assert.equal((await call('PATCH', `members/${other.id}`, { role: 'member' })).status, 403)
    assert.equal((await call('DELETE', `members/${other.id}`)).status, 403)
  }
  assert.equal(await roleOf(other.id), 'admin')
  assert.equal((await acme.call('DELETE', `members/${other.id}`)).status, 200)
})

test('the last owner can neither step down nor leave', async () => {
  const initech = await app.organization({ mode: 'live' })
  const only = await person(app, initech.id, 'owner')
  assert.equal((await only.call('PATCH', `members/${only.id}`, { role: 'admin' })).status, 409)
  assert.equal((await only.call('DELETE', `members/${only.id}`)).status, 409)
  assert.equal((await only.call('PATCH', `members/${only.id}`, { role: 'owner' })).status, 200)
  const next = await person(app, initech.id, 'member')
  assert.equal((await only.call('PATCH', `members/${next.id}`, { role: 'owner' })).status, 200)
  assert.equal((await only.call('DELETE', `members/${only.id}`)).status, 200)
  assert.equal((await next.call('DELETE', `members/${next.id}`)).status, 409)
})

test('when two owners demote each other concurrently, one owner remains', async () => {
  for (let round = 0; round < 5; round++) {
    const hooli = await app.organization()
    const [a, b] = [await person(app, hooli.id, 'owner'), await person(app, hooli.id, 'owner')]
    const answers = await Promise.all([
      a.call('PATCH', `members/${b.id}`, { role: 'member' }),
      b.call('PATCH', `members/${a.id}`, { role: 'member' }),
      a.call('DELETE', `members/${a.id}`),
      b.call('DELETE', `members/${b.id}`),
    ])
    assert.ok(answers.some(({ status }) => status === 200))
    const roles = (await hooli.call('GET', 'members')).body.data.map(({ role }: { role: string }) => role)
    assert.ok(roles.includes('owner'), JSON.stringify(roles))
  }
})

test('a demoted member cannot use their cached role to promote themselves again', async () => {
  const node = await app.node()
  const fallen = await person(app, acme.id, 'admin')
  assert.equal((await node.as(fallen.token)('GET', 'keys')).status, 200)
  // Without a signal, the node uses the cached role for a moment.
  await app.database.forSystem().run`
    update members set role = 'member' where user_id = ${fallen.id} and organization_id = ${acme.id}`
  const climb = await node.as(fallen.token)('PATCH', `members/${fallen.id}`, { role: 'admin' })
  assert.equal(climb.status, 403)
  const invite = { email: 'accomplice@example.com', role: 'admin' }
  assert.equal((await node.as(fallen.token)('POST', 'invitations', invite)).status, 403)
  assert.equal(await roleOf(fallen.id), 'member')
})

test('a member may leave; their tasks stay and become unassigned', async () => {
  const leaver = await person(app, acme.id, 'member')
  const contact = await owner.call('POST', 'contacts', { phone_number: '+14155552671' })
  const task = await owner.call('POST', 'crm/tasks', {
    contact_id: contact.body.id,
    title: 'Call back',
    assignee_id: leaver.id,
  })
  assert.equal(task.body.assignee_id, leaver.id, task.text)
  const left = await leaver.call('DELETE', `members/${leaver.id}`)
  assert.deepEqual([left.status, left.body], [200, { message: 'Member removed successfully' }])
  assert.equal((await leaver.call('GET', 'contacts')).status, 401)
  assert.equal((await owner.call('GET', `crm/tasks/${task.body.id}`)).body.assignee_id, null)
  assert.equal((await owner.call('DELETE', `members/${leaver.id}`)).status, 404)
})

test('a person removed from one organization stays in the other', async () => {
  const both = await person(app, [acme.id, globex.id], 'member')
  assert.equal((await owner.call('DELETE', `members/${both.id}`)).status, 200)
  assert.equal((await both.call('GET', 'me')).body.organization.id, globex.id)
  assert.equal((await both.call('GET', 'me', undefined, { organization_id: acme.id })).status, 400)
})

test('a member of another organization answers 404', async () => {
  for (const id of [stranger.id, '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d', 'nonsense'])
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { role: 'member' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await owner.call(method, `members/${id}`, body)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Member not found' }], `${method} ${id}`)
    }
  assert.equal((await stranger.call('GET', 'me')).body.user.role, 'owner')
  for (const role of ['king', null, undefined])
    assert.equal((await owner.call('PATCH', `members/${member.id}`, { role })).status, 422)
})
