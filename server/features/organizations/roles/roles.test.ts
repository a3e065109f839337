import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'
import { scopesOfRole } from '../schema.ts'

const app = await sharedTestApp()
const acme = await app.organization({ mode: 'live' })
const owner = await person(app, acme.id, 'owner')
const admin = await person(app, acme.id, 'admin')
const supervisor = await person(app, acme.id, 'supervisor')
const member = await person(app, acme.id, 'member')
const reader = await person(app, acme.id, 'read_only')

let names = 0
async function define(scopes: string[], call = owner.call) {
  const made = ok(await call('POST', 'roles', { name: `Role ${++names}`, scopes }), 201)
  return made as { id: string; name: string; scopes: string[] }
}

test('the list shows the built-in roles and the custom ones, to every credential', async () => {
  const role = await define(['inbox:read', 'inbox:write', 'inbox:read'])
  assert.deepEqual(role.scopes, ['inbox:read', 'inbox:write'])
  const listed = ok(await reader.call('GET', 'roles'))
  assert.deepEqual(
    listed.built_in.map(({ role }: { role: string }) => role),
    ['owner', 'admin', 'supervisor', 'member', 'read_only'],
  )
  assert.ok(listed.data.some(({ id }: { id: string }) => id === role.id))
  assert.deepEqual((await reader.call('GET', `roles/${role.id}`)).body, role)
  const globex = await app.organization()
  assert.deepEqual((await globex.call('GET', 'roles')).body.data, [])
  assert.deepEqual((await globex.call('GET', `roles/${role.id}`)).body, { detail: 'Role not found' })
})

test('owner, admin and member allow what they always did', () => {
  assert.deepEqual([scopesOfRole.owner, scopesOfRole.admin], [['full_access'], ['full_access']])
  assert.deepEqual([...scopesOfRole.member].sort(), [
    'agents:read',
    'agents:write',
    'calls:dispatch',
    'calls:read',
    'campaigns:manage',
    'contacts:read',
    'contacts:write',
    'inbox:read',
    'inbox:write',
    'knowledge:read',
    'knowledge:write',
  ])
})

test('a member with a custom role may do what it allows, and a change of the role counts at once', async () => {
  const role = await define(['contacts:read'])
  const grace = await person(app, acme.id, 'member')
  const given = await owner.call('PATCH', `members/${grace.id}`, { role: role.id })
  assert.deepEqual([given.status, given.body.role], [200, role.id], given.text)
  const me = (await grace.call('GET', 'me')).body
  assert.deepEqual([me.user.role, me.scopes], [role.id, ['contacts:read']])
  assert.equal((await grace.call('GET', 'contacts')).status, 200)
  const refused = await grace.call('POST', 'contacts', { phone_number: '+14155552671' })
  assert.deepEqual([refused.status, refused.body.error.required_scope], [403, 'contacts:write'])
  assert.equal((await grace.call('GET', 'campaigns')).body.error.required_scope, 'campaigns:manage')

  const changed = await owner.call('PATCH', `roles/${role.id}`, { name: ' Planner ', scopes: ['campaigns:read'] })
  assert.deepEqual(
    [changed.body.name, changed.body.scopes, changed.body.members_count],
    ['Planner', ['campaigns:read'], 1],
  )
  assert.equal((await grace.call('GET', 'campaigns')).status, 200)
  assert.equal((await grace.call('GET', 'contacts')).status, 403)
  assert.equal((await grace.call('POST', 'campaigns', {})).status, 403)
})

test('an invitation to a custom role makes a member with it', async () => {
  const role = await define(['inbox:read'])
  const invited = await owner.call('POST', 'invitations', { email: 'nina@example.com', role: role.id })
  assert.deepEqual([invited.status, invited.body.role], [201, role.id], invited.text)
  const [, token] = invited.body.link.split('#invitation=')
  const joined = await app.call('POST', 'invitations/accept', { token, password: 'correct horse battery staple' })
  assert.deepEqual([joined.status, joined.body.organization.role], [200, role.id], joined.text)
  const nina = app.as(joined.body.access_token)
  assert.equal((await nina('GET', 'inbox/tickets')).status, 200)
  assert.equal((await nina('GET', 'contacts')).status, 403)
})

test('a role in use cannot be deleted; the message counts members and invitations', async () => {
  const role = await define(['inbox:read'])
  const [a, b] = [await person(app, acme.id, role.id), await person(app, acme.id, role.id)]
  const invitation = await owner.call('POST', 'invitations', { email: 'omar@example.com', role: role.id })
  const refused = await owner.call('DELETE', `roles/${role.id}`)
  assert.deepEqual(
    [refused.status, refused.body.detail],
    [409, 'This role is in use by 2 members and 1 invitation: give them another role first'],
  )
  await owner.call('DELETE', `invitations/${invitation.body.id}`)
  for (const { id } of [a, b])
    assert.equal((await owner.call('PATCH', `members/${id}`, { role: 'member' })).status, 200)
  assert.deepEqual((await owner.call('DELETE', `roles/${role.id}`)).body, { message: 'Role deleted successfully' })
  assert.equal((await owner.call('GET', `roles/${role.id}`)).status, 404)
  assert.equal((await owner.call('PATCH', `members/${a.id}`, { role: role.id })).status, 422)
})

test('a role that is deleted while it is given is either given or deleted', async () => {
  for (let round = 0; round < 5; round++) {
    const role = await define(['inbox:read'])
    const grace = await person(app, acme.id, 'member')
    const [given, gone] = await Promise.all([
      owner.call('PATCH', `members/${grace.id}`, { role: role.id }),
      admin.call('DELETE', `roles/${role.id}`),
    ])
    const outcome = `${given.status} ${gone.status}`
    assert.ok(['200 409', '422 200'].includes(outcome), `${outcome} ${given.text} ${gone.text}`)
  }
})

test('a supervisor manages members up to their own permissions', async () => {
  const grace = await person(app, acme.id, 'member')
  for (const role of ['read_only', 'supervisor', 'member'])
    assert.equal((await supervisor.call('PATCH', `members/${grace.id}`, { role })).status, 200, role)
  const webhooks = await define(['webhooks:admin'])
  for (const [method, path, body] of [
    ['PATCH', `members/${grace.id}`, { role: 'owner' }],
    ['PATCH', `members/${grace.id}`, { role: 'admin' }],
    ['PATCH', `members/${grace.id}`, { role: webhooks.id }],
    ['PATCH', `members/${supervisor.id}`, { role: 'admin' }],
    ['PATCH', `members/${admin.id}`, { role: 'member' }],
    ['DELETE', `members/${admin.id}`, undefined],
    ['DELETE', `members/${owner.id}`, undefined],
    ['POST', 'invitations', { email: 'accomplice@example.com', role: 'admin' }],
    ['POST', 'invitations', { email: 'accomplice@example.com', role: webhooks.id }],
    ['POST', 'roles', { name: 'Mighty', scopes: ['inbox:read', 'webhooks:admin'] }],
    ['PATCH', `roles/${webhooks.id}`, { scopes: ['inbox:read'] }],
    ['DELETE', `roles/${webhooks.id}`, undefined],
  ] as const) {
    const refused = await supervisor.call(method, path, body)
    assert.equal(refused.status, 403, `${method} ${path} ${JSON.stringify(body)}`)
    assert.match(refused.body.detail, /^You cannot manage or give a role that allows more than your own: /)
  }
  const own = await define(['members:manage', 'inbox:read'], supervisor.call)
  assert.equal((await supervisor.call('PATCH', `roles/${own.id}`, { scopes: ['webhooks:admin'] })).status, 403)
  const deputy = await person(app, acme.id, own.id)
  assert.equal((await deputy.call('PATCH', `roles/${own.id}`, { scopes: ['contacts:read'] })).status, 403)
  assert.equal((await deputy.call('PATCH', `members/${grace.id}`, { role: 'read_only' })).status, 403)
  assert.equal((await supervisor.call('GET', 'audit-log')).status, 200)
  assert.equal((await supervisor.call('GET', 'keys')).status, 403)
  assert.equal((await supervisor.call('DELETE', `members/${grace.id}`)).status, 200)
})

test('members and readers cannot manage roles, nor can keys beyond their scopes', async () => {
  const role = await define(['inbox:read'])
  const test = await app.key(acme.id)
  const narrow = await app.key(acme.id, { mode: 'live', scopes: ['inbox:read'] })
  for (const call of [member.call, reader.call, app.as(test.secret), app.as(narrow.secret)])
    for (const [method, path, body] of [
      ['POST', 'roles', { name: 'Mine', scopes: ['inbox:read'] }],
      ['PATCH', `roles/${role.id}`, { name: 'Mine' }],
      ['DELETE', `roles/${role.id}`, undefined],
    ] as const)
      assert.equal((await call(method, path, body)).status, 403, `${method} ${path}`)
  const manager = await app.key(acme.id, { mode: 'live', scopes: ['members:manage', 'inbox:read'] })
  const call = app.as(manager.secret)
  assert.equal((await call('PATCH', `roles/${role.id}`, { name: 'Inbox readers' })).status, 200)
  assert.equal((await call('PATCH', `roles/${role.id}`, { scopes: ['inbox:write'] })).status, 403)
  assert.equal((await call('POST', 'invitations', { email: 'a@example.com', role: 'member' })).status, 403)
})

test('when a role shrinks, the invitations that its members could no longer make are withdrawn', async () => {
  const role = await define(['members:manage', 'inbox:read', 'inbox:write'])
  const answering = await define(['inbox:write'])
  const manager = await person(app, acme.id, role.id)
  const kept = await define(['inbox:read'], manager.call)
  for (const [email, offered] of [
    ['withdrawn@example.com', answering.id],
    ['kept@example.com', kept.id],
  ])
    assert.equal((await manager.call('POST', 'invitations', { email, role: offered })).status, 201)
  await owner.call('PATCH', `roles/${role.id}`, { scopes: ['members:manage', 'inbox:read'] })
  const open = (await owner.call('GET', 'invitations?limit=100')).body.data
    .filter(({ invited_by }: { invited_by: string }) => invited_by === manager.id)
    .map(({ email }: { email: string }) => email)
  assert.deepEqual(open, ['kept@example.com'])
})

test('input is checked and located', async () => {
  const role = await define(['inbox:read'])
  for (const [body, loc] of [
    [{ scopes: ['inbox:read'] }, ['body', 'name']],
    [{ name: ' ', scopes: ['inbox:read'] }, ['body', 'name']],
    [{ name: 'x'.repeat(101), scopes: ['inbox:read'] }, ['body', 'name']],
    [{ name: 'Empty', scopes: [] }, ['body', 'scopes']],
    [{ name: 'All', scopes: ['full_access'] }, ['body', 'scopes', '0']],
    [{ name: 'Odd', scopes: ['inbox:read', 'moon:land'] }, ['body', 'scopes', '1']],
  ] as const) {
    const refused = await owner.call('POST', 'roles', body)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, loc], refused.text)
  }
  const twin = await owner.call('POST', 'roles', { name: role.name.toUpperCase(), scopes: ['inbox:read'] })
  assert.equal(twin.status, 409)
  const other = await define(['inbox:read'])
  assert.equal((await owner.call('PATCH', `roles/${other.id}`, { name: role.name })).status, 409)
  for (const unknown of [newId(), 'king', 'custom', 'constructor', '']) {
    const refused = await owner.call('PATCH', `members/${member.id}`, { role: unknown })
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'role']], refused.text)
  }
  const globex = await app.organization({ mode: 'live' })
  const foreign = await person(app, globex.id, 'owner')
  const stolen = await foreign.call('POST', 'invitations', { email: 'eve@example.com', role: role.id })
  assert.equal(stolen.status, 422, 'a role of another organization does not exist')
  for (const id of [newId(), 'nonsense', 'owner'])
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const)
      assert.deepEqual((await owner.call(method, `roles/${id}`, body)).body, { detail: 'Role not found' })
})

test('an organization can have 100 custom roles', async () => {
  const many = await app.organization({ mode: 'live' })
  await app.database.forSystem().run`
    insert into roles (organization_id, id, name, scopes)
    select ${many.id}, gen_random_uuid(), 'Role ' || n, '{inbox:read}' from generate_series(1, 100) n`
  const refused = await many.call('POST', 'roles', { name: 'One more', scopes: ['inbox:read'] })
  assert.equal(refused.status, 409, refused.text)
})

test('changes of roles are in the audit log', async () => {
  const role = await define(['inbox:read'])
  await owner.call('PATCH', `roles/${role.id}`, { scopes: ['inbox:write'] })
  await owner.call('DELETE', `roles/${role.id}`)
  const { data } = (await owner.call('GET', `audit-log?object_id=${role.id}`)).body
  assert.deepEqual(
    data.map(({ action, current }: { action: string; current: object }) => [action, current]),
    [
      ['role.deleted', null],
      ['role.updated', { scopes: ['inbox:write'] }],
      ['role.created', { name: role.name, scopes: ['inbox:read'] }],
    ],
  )
})
