import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { type ChatOrganization, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { readConversation } from '../messages/read-conversation.ts'

const llm = await startLlmServer()
const { app, platform, newOrganization } = await startChatApp({
  settings: { AGENT_REPLY_DELAY_MS: 50, ...llm.settings },
})
const acme = await newOrganization('olive@acme.example')
const globex = await newOrganization('gus@globex.example')
const { call } = acme
const inLive = { 'x-mode': 'live' }
const secret = 'Between us: offered a refund'

const conversation = (org: ChatOrganization = acme) => org.receives({ from: newCustomer() })
const add = async (ticketId: string, members: object = {}) =>
  ok(await call('POST', `inbox/tickets/${ticketId}/notes`, { body: secret, ...members }), 201)
const timelineOf = async (contactId: string) =>
  ok(await call('GET', `contacts/${contactId}/activities?type=note_added`))
const changesOf = async (id: string) => (await eventsOf(call, id)).map(({ type, data }) => [type, data.previous])

test('a note stands beside the messages and in the timeline, never among the messages', async () => {
  const { ticketId, contactId } = await conversation()
  const before = ok(await call('GET', `inbox/messages/${ticketId}`))
  const ticketBefore = ok(await call('GET', `inbox/tickets/${ticketId}`))
  const note = await add(ticketId)
  const { id, created_at, updated_at, ...members } = note
  assert.deepEqual(members, {
    organization_id: acme.id,
    inbox_id: ticketId,
    contact_id: contactId,
    author_id: acme.ownerId,
    body: secret,
    mentioned_ids: [],
    edited_at: null,
    livemode: true,
  })
  assert.equal(updated_at, created_at)
  assert.deepEqual(ok(await call('GET', `inbox/messages/${ticketId}`)), before, 'messages and total are unchanged')
  assert.deepEqual(ok(await call('GET', `inbox/tickets/${ticketId}`)), ticketBefore, 'the contact still waits')
  assert.deepEqual(ok(await call('GET', `inbox/tickets/${ticketId}/notes`)), {
    total: 1,
    page: 1,
    size: 1,
    notes: [note],
  })
  assert.deepEqual(ok(await call('GET', `inbox/tickets/${ticketId}/notes/${id}`)), note)
  const { activities, total } = await timelineOf(contactId)
  assert.deepEqual(
    [total, activities[0].payload, activities[0].actor_id],
    [1, { note: secret, note_id: id, inbox_id: ticketId }, acme.ownerId],
  )
  assert.deepEqual(await changesOf(id), [['note.created', undefined]])
})

test('its author edits and deletes a note, and the timeline follows', async () => {
  const { ticketId, contactId } = await conversation()
  const { id } = await add(ticketId)
  const path = `inbox/tickets/${ticketId}/notes/${id}`
  const edited = ok(await call('PATCH', path, { body: 'Refund agreed' }))
  assert.equal(edited.body, 'Refund agreed')
  assert.ok(edited.edited_at)
  assert.deepEqual(ok(await call('PATCH', path, { body: 'Refund agreed' })), edited)
  assert.equal((await timelineOf(contactId)).activities[0].payload.note, 'Refund agreed')
  const member = await person(app, acme.id, 'member')
  const admin = await person(app, acme.id, 'admin')
  for (const { call: other } of [member, admin]) {
    assert.equal((await other('PATCH', path, { body: 'Mine' }, inLive)).status, 403)
    assert.equal((await other('DELETE', path, undefined, inLive)).status, 403)
    assert.equal((await other('GET', path, undefined, inLive)).status, 200)
  }
  assert.deepEqual(ok(await call('DELETE', path)), { message: 'Note deleted successfully' })
  assert.equal((await call('GET', path)).status, 404)
  assert.equal((await call('DELETE', path)).status, 404)
  const { total, activities } = await timelineOf(contactId)
  assert.deepEqual([total, activities], [0, []])
  assert.deepEqual(await changesOf(id), [
    ['note.created', undefined],
    ['note.updated', { body: secret }],
    ['note.deleted', undefined],
  ])
})

test('a mention names members who may read the inbox, and nobody else', async () => {
  const { ticketId } = await conversation()
  const member = await person(app, acme.id, 'member')
  const role = ok(await call('POST', 'roles', { name: 'Callers', scopes: ['calls:read'] }), 201)
  const caller = await person(app, acme.id, role.id)
  const note = await add(ticketId, { mentioned_ids: [member.id, acme.ownerId, member.id] })
  assert.deepEqual(note.mentioned_ids, [member.id, acme.ownerId])
  const { data } = ok(await call('GET', 'events?type=note.created&limit=1'))
  assert.deepEqual(data[0].data.object.mentioned_ids, [member.id, acme.ownerId])
  const limited = await person(app, acme.id, 'member')
  ok(await call('PUT', `members/${limited.id}/access`, { channel_ids: [], team_ids: [] }))
  const path = `inbox/tickets/${ticketId}/notes`
  for (const unable of [caller, limited]) {
    const refused = await call('POST', path, { body: 'Look', mentioned_ids: [member.id, unable.id] })
    const msg = `${unable.id} has no access to this conversation`
    const detail = [{ loc: ['body', 'mentioned_ids', '1'], msg, type: 'value_error' }]
    assert.deepEqual([refused.status, refused.body], [422, { detail }])
    assert.equal((await call('PATCH', `${path}/${note.id}`, { mentioned_ids: [unable.id] })).status, 422)
  }
  for (const stranger of [globex.ownerId as string, newId()]) {
    const refused = await call('POST', path, { body: 'Look', mentioned_ids: [member.id, stranger] })
    assert.deepEqual([refused.status, refused.body], [404, { detail: 'mentioned_ids names someone who is no member' }])
    assert.equal((await call('PATCH', `${path}/${note.id}`, { mentioned_ids: [stranger] })).status, 404)
  }
  // Who was mentioned and left since stays in the note.
  const owner = await person(app, acme.id, 'owner')
  ok(await owner.call('DELETE', `members/${member.id}`))
  const edited = ok(await call('PATCH', `inbox/tickets/${ticketId}/notes/${note.id}`, { body: 'Still there' }))
  assert.deepEqual(edited.mentioned_ids, [member.id, acme.ownerId])
})

test('a note never reaches the customer: not by messages and not by agents', async () => {
  const org = await newOrganization('secrets@acme.example')
  const agent = ok(await org.call('POST', 'agents', { name: 'Desk' }), 201)
  const { ticketId } = await org.receives({ from: newCustomer() })
  ok(await org.call('POST', `inbox/tickets/${ticketId}/notes`, { body: secret }), 201)
  const before = llm.requests.length
  const asked = () => JSON.stringify(llm.requests.slice(before).map(({ body }) => body))
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: agent.id }))
  const { contact } = ok(await org.call('GET', `inbox/tickets/${ticketId}`))
  await org.receives({ from: contact.phone_number, body: 'What did you decide?' })
  const answers = async () =>
    ok(await org.call('GET', `inbox/messages/${ticketId}`)).messages.filter(
      (each: { actor_type: string; chat_message_id: string }) => each.actor_type === 'ai' && each.chat_message_id,
    )
  // Two if the first message is also answered, because its event was read after the channel got its agent.
  await until(async () => asked().includes('What did you decide?') && (await answers()).length >= 1)
  assert.doesNotMatch(asked(), /Between us/)
  const seen = await readConversation(app.database.forTenant(org.scope), ticketId, 100)
  assert.doesNotMatch(JSON.stringify(seen), /Between us/)
  ok(await org.call('POST', `inbox/messages/${ticketId}`, { body: 'We are looking into it' }), 201)
  assert.doesNotMatch(JSON.stringify(platform.sent), /Between us/)

  const Count = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forTenant(org.scope).one(Count)`
    select count(*)::integer as n from messages where body like '%Between us%'`
  assert.equal(n, 0)
})

test('notes follow their contact: merged, erased', async () => {
  const one = await conversation()
  const other = await conversation()
  const kept = await add(one.ticketId, { body: 'First' })
  const moved = await add(other.ticketId, { body: 'Second' })
  ok(await call('POST', `contacts/${one.contactId}/merge`, { contact_id: other.contactId }))
  const { notes } = ok(await call('GET', `inbox/tickets/${one.ticketId}/notes`))
  assert.deepEqual(
    notes.map(({ id, contact_id }: { id: string; contact_id: string }) => [id, contact_id]),
    [
      [kept.id, one.contactId],
      [moved.id, one.contactId],
    ],
  )
  ok(await call('DELETE', `inbox/tickets/${one.ticketId}/notes/${moved.id}`))
  const { activities } = await timelineOf(one.contactId)
  assert.ok(!activities.some(({ payload }: { payload: { note_id?: string } }) => payload.note_id === moved.id))
  ok(await call('DELETE', `contacts/${one.contactId}`))
  assert.equal((await call('GET', `inbox/tickets/${one.ticketId}/notes`)).status, 404)
})

test('notes are paged, oldest first', async () => {
  const { ticketId } = await conversation()
  for (const body of ['a', 'b', 'c']) await add(ticketId, { body })
  const page = ok(await call('GET', `inbox/tickets/${ticketId}/notes?limit=2&offset=2`))
  assert.deepEqual(
    [page.total, page.page, page.size, page.notes.map(({ body }: { body: string }) => body)],
    [3, 2, 1, ['c']],
  )
  const beyond = ok(await call('GET', `inbox/tickets/${ticketId}/notes?offset=9`))
  assert.deepEqual([beyond.total, beyond.notes], [3, []])
})

test('bad notes, other tickets and other organizations are refused', async () => {
  const { ticketId } = await conversation()
  const { id } = await add(ticketId)
  const theirs = await conversation(globex)
  const path = `inbox/tickets/${ticketId}/notes`
  for (const [body, ...loc] of [
    [{}, 'body'],
    [{ body: '' }, 'body'],
    [{ body: ' \n' }, 'body'],
    [{ body: 'x'.repeat(8193) }, 'body'],
    [{ body: 'x', mentioned_ids: ['x'] }, 'mentioned_ids', '0'],
  ] as [object, ...string[]][]) {
    const refused = await call('POST', path, body)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', ...loc]], refused.text)
  }
  assert.equal((await call('PATCH', `${path}/${id}`, {})).status, 422)
  const other = await conversation()
  for (const ticket of [theirs.ticketId, newId(), 'x']) {
    for (const [method, at, body] of [
      ['GET', `inbox/tickets/${ticket}/notes`],
      ['POST', `inbox/tickets/${ticket}/notes`, { body: 'x' }],
      ['GET', `inbox/tickets/${ticket}/notes/${id}`],
      ['PATCH', `inbox/tickets/${ticket}/notes/${id}`, { body: 'x' }],
      ['DELETE', `inbox/tickets/${ticket}/notes/${id}`],
    ] as const)
      assert.equal((await call(method, at, body)).status, 404, `${method} ${at}`)
  }
  assert.equal((await call('GET', `inbox/tickets/${other.ticketId}/notes/${id}`)).status, 404)
  const reader = app.as((await app.key(acme.id, { mode: 'live', scopes: ['inbox:read'] })).secret)
  assert.equal((await reader('POST', path, { body: 'x' })).status, 403)
  assert.equal((await reader('GET', path)).status, 200)
})

test('the same Idempotency-Key adds one note', async () => {
  const { ticketId } = await conversation()
  const headers = { 'idempotency-key': `note of ${ticketId}` }
  const first = await call('POST', `inbox/tickets/${ticketId}/notes`, { body: 'once' }, headers)
  const again = await call('POST', `inbox/tickets/${ticketId}/notes`, { body: 'once' }, headers)
  assert.deepEqual(again.body, first.body)
  assert.equal(ok(await call('GET', `inbox/tickets/${ticketId}/notes`)).total, 1)
})
