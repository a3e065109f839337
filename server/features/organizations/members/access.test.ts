import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { newChannel, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { person, type TestPerson } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization('olive@access.example')
const globex = await newOrganization('gil@access.example')
const { call } = acme
const other = await newChannel(acme, '+14155559101', platform.token)
const supervisor = await person(app, acme.id, 'supervisor')

let names = 0
const newTeam = async () => ok(await call('POST', 'teams', { name: `Team ${++names}` }), 201).id as string
const limit = (member: TestPerson, access: object, as = call) =>
  as('PUT', `members/${member.id}/access`, { channel_ids: [], team_ids: [], ...access })
const limited = async (access: object) => {
  const member = await person(app, acme.id, 'member')
  ok(await limit(member, access))
  return member
}
const receives = (channelId: string) => acme.receives({ from: newCustomer(), channelId })
const sees = async ({ call: as }: TestPerson, ticketId: string) =>
  (await as('GET', `inbox/tickets/${ticketId}`)).status === 200

test('a member sees the conversations of their channels and teams and what is assigned to them', async () => {
  const team = await newTeam()
  const member = await limited({ channel_ids: [acme.channelId], team_ids: [team] })
  const [own, foreign] = [await receives(acme.channelId), await receives(other)]
  assert.deepEqual([await sees(member, own.ticketId), await sees(member, foreign.ticketId)], [true, false])
  ok(await call('PUT', `inbox/tickets/${foreign.ticketId}/team`, { team_id: team }))
  assert.equal(await sees(member, foreign.ticketId), true)
  ok(await call('PUT', `inbox/tickets/${foreign.ticketId}/team`, { team_id: null }))
  assert.equal(await sees(member, foreign.ticketId), false)
  ok(await call('PATCH', `inbox/tickets/${foreign.ticketId}`, { assignee_id: member.id }))
  assert.equal(await sees(member, foreign.ticketId), true)
  // Members pass on what they see, out of their own sight too.
  const passed = ok(await member.call('PATCH', `inbox/tickets/${foreign.ticketId}`, { assignee_id: supervisor.id }))
  assert.equal(passed.assignee_id, supervisor.id)
  assert.equal(await sees(member, foreign.ticketId), false)
  ok(await call('PATCH', `inbox/tickets/${foreign.ticketId}`, { assignee_id: member.id }))
  const there = await newTeam()
  ok(await member.call('PUT', `inbox/tickets/${foreign.ticketId}/team`, { team_id: there }))
  assert.equal(await sees(member, foreign.ticketId), false)
})

test('a member with limited access works in the conversations that they see', async () => {
  const member = await limited({ channel_ids: [acme.channelId] })
  const { ticketId, messageId } = await receives(acme.channelId)
  const path = `inbox/tickets/${ticketId}`
  ok(await member.call('POST', `inbox/messages/${ticketId}`, { message_type: 'text', body: 'Hello' }), 201)
  ok(await member.call('POST', `inbox/messages/${ticketId}/${messageId}/reaction`, { emoji: '👍' }))
  ok(await member.call('POST', `${path}/read`))
  ok(await member.call('POST', `${path}/take`))
  const note = ok(await member.call('POST', `${path}/notes`, { body: 'Called', mentioned_ids: [acme.ownerId] }), 201)
  ok(await member.call('PATCH', `${path}/notes/${note.id}`, { body: 'Called back' }))
  ok(await member.call('DELETE', `${path}/notes/${note.id}`))
  const later = { message_type: 'text', body: 'Bye', send_at: '2099-01-01T00:00:00Z' }
  const { id } = ok(await member.call('POST', `${path}/scheduled-messages`, later), 201)
  ok(await member.call('POST', `inbox/scheduled-messages/${id}/cancel`))
  ok(await member.call('POST', 'inbox/tickets/bulk', { ids: [ticketId], add_tags: ['vip'], status: 'closed' }))
  const [hello] = ok(await member.call('GET', `inbox/messages/${ticketId}?order=desc`)).messages
  assert.deepEqual([hello.body, hello.actor_id], ['Hello', member.id])
})

test('a ticket that the member opens is theirs; one that they cannot see stays the only one', async () => {
  const member = await limited({ channel_ids: [acme.channelId] })
  const open = (contactId: string) => member.call('POST', 'inbox/tickets', { contact_id: contactId })
  const fresh = ok(await call('POST', 'contacts', { phone_number: newCustomer() }), 201)
  const opened = ok(await open(fresh.id), 201)
  assert.equal(opened.assignee_id, member.id)
  assert.equal(ok(await open(fresh.id)).id, opened.id)
  const [own, foreign] = [await receives(acme.channelId), await receives(other)]
  assert.equal(ok(await open(own.contactId)).id, own.ticketId)
  const refused = await open(foreign.contactId)
  assert.deepEqual(
    [refused.status, refused.body],
    [409, { detail: 'This contact has an open ticket, and you have no access to it' }],
  )
  assert.equal((await open(newId())).status, 404)
})

test('changes of contacts reach all their conversations', async () => {
  const member = await limited({ channel_ids: [acme.channelId] })
  const [first, second] = [await receives(other), await receives(other)]
  ok(await member.call('PATCH', `contacts/${first.contactId}`, { name: 'Zebulon' }))
  ok(await member.call('POST', `contacts/${first.contactId}/handoff`, { to: 'human' }))
  const { inboxes } = ok(await call('GET', 'inbox/tickets?search=Zebulon'))
  assert.deepEqual(
    inboxes.map(({ id, ai_handling }: { id: string; ai_handling: boolean }) => [id, ai_handling]),
    [[first.ticketId, false]],
  )
  ok(await member.call('POST', `contacts/${second.contactId}/merge`, { contact_id: first.contactId }))
  const messages = ok(await call('GET', `inbox/tickets?contact_id=${second.contactId}&status=open`)).inboxes.map(
    async ({ id }: { id: string }) => ok(await call('GET', `inbox/messages/${id}`)).total,
  )
  assert.equal(
    (await Promise.all(messages)).reduce((sum: number, n: number) => sum + n, 0),
    2,
  )
})

test('members are notified of conversations that they see', async () => {
  const [near, far] = [await limited({ channel_ids: [acme.channelId] }), await limited({ channel_ids: [other] })]
  const { ticketId } = await receives(acme.channelId)
  const ticketsOf = async (member: TestPerson) =>
    ok(await member.call('GET', 'notifications')).data.map(({ ticket_id }: { ticket_id: string }) => ticket_id)
  await until(async () => (await ticketsOf(near)).includes(ticketId))
  // Tickets of earlier tests may be there.
  assert.ok(!(await ticketsOf(far)).includes(ticketId))
  // What they were told of before the limit disappears with the conversation.
  ok(await limit(near, { channel_ids: [other] }))
  assert.ok(!(await ticketsOf(near)).includes(ticketId))
})

test('access is shown, replaced, audited and removed', async () => {
  const member = await person(app, acme.id, 'member')
  const read = async () => ok(await call('GET', `members/${member.id}`)).access
  const team = await newTeam()
  assert.equal(await read(), null)
  const access = { channel_ids: [acme.channelId, other].sort(), team_ids: [team] }
  assert.deepEqual(ok(await limit(member, access, supervisor.call)).access, access)
  assert.deepEqual(await read(), access)
  // Channels belong to a mode, the limit and the teams to both.
  const inTest = ok(await supervisor.call('GET', `members/${member.id}`, undefined, { 'x-mode': 'test' })).access
  assert.deepEqual(inTest, { channel_ids: [], team_ids: [team] })
  ok(await limit(member, { channel_ids: [other], team_ids: [team] }))
  ok(await call('DELETE', `teams/${team}`))
  assert.deepEqual(await read(), { channel_ids: [other], team_ids: [] })
  const gone = ok(await call('DELETE', `members/${member.id}/access`))
  assert.deepEqual(gone, { message: 'Access limit deleted successfully' })
  assert.equal(await read(), null)
  const { data } = ok(await call('GET', `audit-log?object_id=${member.id}&limit=100`))
  const actions = new Set(data.map(({ action }: { action: string }) => action))
  for (const action of ['member.updated', 'member_channel.created', 'member_channel.deleted', 'member_team.created'])
    assert.ok(actions.has(action), action)
  ok(await limit(member, {}))
  ok(await call('PATCH', `members/${member.id}`, { role: 'admin' }))
  assert.equal(await read(), null)
})

test('faulty access is refused', async () => {
  const member = await person(app, acme.id, 'member')
  const theirs = ok(await globex.call('POST', 'teams', { name: 'Theirs' }), 201).id
  for (const [status, access] of [
    [404, { channel_ids: [newId()] }],
    [404, { channel_ids: [globex.channelId] }],
    [404, { team_ids: [theirs] }],
    [422, { team_ids: ['x'] }],
    [422, { channel_ids: null }],
  ] as const)
    assert.equal((await limit(member, access)).status, status, JSON.stringify(access))
  assert.equal(ok(await call('GET', `members/${member.id}`)).access, null)
  const path = (id: string | null) => `members/${id}/access`
  const all = { channel_ids: [], team_ids: [] }
  assert.equal((await call('PUT', path(acme.ownerId), all)).status, 403, 'a key is no owner')
  const admin = await person(app, acme.id, 'admin')
  assert.equal((await call('PUT', path(admin.id), all)).status, 409)
  const asTest = app.as((await app.key(acme.id)).secret)
  for (const [as, id, status] of [
    [app.call, member.id, 401],
    [member.call, member.id, 403],
    [asTest, member.id, 403],
    [globex.call, member.id, 404],
    [call, newId(), 404],
    [call, 'x', 404],
  ] as const) {
    assert.equal((await as('PUT', path(id), all)).status, status)
    assert.equal((await as('DELETE', path(id))).status, status)
  }
})

test('a limited member can manage neither members nor webhooks, whatever the role', async () => {
  const scopes = ['inbox:read', 'webhooks:admin', 'members:manage', 'contacts:read']
  const role = ok(await call('POST', 'roles', { name: 'Lead', scopes }), 201)
  const member = await person(app, acme.id, role.id)
  const colleague = await person(app, acme.id, 'read_only')
  ok(await limit(member, {}))
  assert.deepEqual(ok(await member.call('GET', 'me')).scopes.sort(), ['contacts:read', 'inbox:read'])
  for (const [method, path, body] of [
    ['GET', 'webhooks'],
    ['DELETE', `members/${member.id}/access`],
    ['DELETE', `members/${colleague.id}`],
    ['POST', 'invitations', { email: 'new@example.com', role: 'read_only' }],
  ] as const)
    assert.equal((await member.call(method, path, body)).status, 403, path)
  ok(await call('DELETE', `members/${member.id}/access`))
  await until(async () => (await member.call('GET', 'webhooks')).status === 200)
})
