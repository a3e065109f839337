import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { eventTypesOf } from '../../../testing/events-of.ts'
import { newContact, newTicket } from '../../../testing/tickets.ts'

const app = await sharedTestApp()
const node = await app.node()
const acme = await app.organization({ owner: 'olive@acme.example' })
const globex = await app.organization({ owner: 'gus@globex.example' })
const acmeLive = app.as((await app.key(acme.id, { mode: 'live' })).secret)
const { call } = acme

test('opening a ticket returns all its fields and emits an event', async () => {
  const contact = await newContact(call, { tags: ['vip'], notes: 'Likes tea', custom_fields: { plan: 'gold' } })
  const answer = ok(await call('POST', 'inbox/tickets', { contact_id: contact.id }), 201)
  const { id, created_at, updated_at, ...members } = answer
  assert.deepEqual(members, {
    organization_id: acme.id,
    contact_id: contact.id,
    chat_phone_number_id: null,
    status: 'open',
    assignee_id: null,
    priority: 'normal',
    tags: [],
    snoozed_until: null,
    waiting_since: null,
    answered_by: 'person',
    team_id: null,
    sla_due_at: null,
    sla_target: null,
    unread_count: 0,
    last_message_at: null,
    window_expires_at: null,
    rating: null,
    rated_at: null,
    livemode: false,
    ai_handling: contact.ai_handling,
    last_message: null,
    contact: {
      id: contact.id,
      name: 'Ada',
      phone_number: contact.phone_number,
      tags: ['vip'],
      notes: 'Likes tea',
      custom_fields: { plan: 'gold' },
    },
  })
  assert.equal(updated_at, created_at)
  assert.deepEqual((await call('GET', `inbox/tickets/${id}`)).body, answer)
  assert.deepEqual(await eventTypesOf(call, id), ['ticket.opened'])
  const { data } = (await call('GET', 'events?type=ticket.opened&limit=1')).body
  const { contact: _, ai_handling: __, last_message: ___, ...ticket } = answer
  assert.deepEqual(data[0].data, { object: ticket })
})

test('opening a ticket for a contact with open tickets returns the most recently active one', async () => {
  const first = await newTicket(call)
  const again = await call('POST', 'inbox/tickets', { contact_id: first.contact_id })
  assert.deepEqual([again.status, again.body], [200, first])
  await call('PATCH', `inbox/tickets/${first.id}`, { status: 'closed' })
  const second = ok(await call('POST', 'inbox/tickets', { contact_id: first.contact_id }), 201)
  assert.notEqual(second.id, first.id)
  await call('PATCH', `inbox/tickets/${first.id}`, { status: 'open' })
  const latest = await call('POST', 'inbox/tickets', { contact_id: first.contact_id })
  assert.deepEqual([latest.status, latest.body.id], [200, first.id])
})

test('fifty concurrent requests on two nodes open one ticket', async () => {
  const callers = [call, node.as(acme.key)]
  for (let round = 0; round < 3; round++) {
    const contact = await newContact(call)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => callers[i % 2]?.('POST', 'inbox/tickets', { contact_id: contact.id })),
    )
    assert.equal(answers.filter((answer) => answer?.status === 201).length, 1)
    assert.equal(answers.filter((answer) => answer?.status === 200).length, 49)
    assert.equal(new Set(answers.map((answer) => answer?.body.id)).size, 1)
    assert.equal((await call('GET', `inbox/tickets?contact_id=${contact.id}`)).body.total, 1)
  }
})

test('a ticket for a missing contact, or one of another organization or mode, is 404', async () => {
  const theirs = await newContact(globex.call)
  const live = await newContact(acmeLive)
  for (const contact_id of [newId(), theirs.id, live.id]) {
    const answer = await call('POST', 'inbox/tickets', { contact_id })
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Contact not found' }])
  }
})

test('opening a ticket requires a contact id', async () => {
  for (const [body, type] of [
    [{}, 'missing'],
    [{ contact_id: 'x' }, 'uuid_parsing'],
    [{ contact_id: 7 }, 'string_type'],
  ] as const) {
    const { status, body: answer } = await call('POST', 'inbox/tickets', body)
    assert.deepEqual([status, answer.detail[0].loc, answer.detail[0].type], [422, ['body', 'contact_id'], type])
  }
})

test('an organization_id header that names another organization is refused', async () => {
  const contact = await newContact(call)
  for (const organization_id of [globex.id, 'x', newId()]) {
    const answer = await call('POST', 'inbox/tickets', { contact_id: contact.id }, { organization_id })
    assert.deepEqual([answer.status, answer.body], [400, { detail: 'A valid organization_id header is required' }])
  }
  const answer = await call('POST', 'inbox/tickets', { contact_id: contact.id }, { organization_id: acme.id })
  assert.equal(answer.status, 201)
})

test('closing and reopening emit events, and the response has no contact', async () => {
  const ticket = await newTicket(call)
  const closed = await call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' })
  const { contact: _, ai_handling: __, last_message: ___, ...brief } = ticket
  assert.equal(closed.status, 200)
  assert.deepEqual(closed.body, { ...brief, status: 'closed', updated_at: closed.body.updated_at })
  assert.ok(closed.body.updated_at > ticket.updated_at)
  const again = await call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' })
  assert.equal(again.body.status, 'closed')
  assert.ok(again.body.updated_at > closed.body.updated_at)
  const reopened = await call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'open' })
  assert.equal(reopened.body.status, 'open')
  assert.deepEqual(await eventTypesOf(call, ticket.id), ['ticket.opened', 'ticket.closed', 'ticket.reopened'])
})

test('a status other than open and closed is rejected with its location', async () => {
  const ticket = await newTicket(call)
  const wrong = ['waiting', '', 7, 1.5, true, null, [], ['open'], { status: 'open' }].map((status) => ({ status }))
  for (const body of [...wrong, {}]) {
    const answer = await call('PATCH', `inbox/tickets/${ticket.id}`, body)
    assert.equal(answer.status, 422, answer.text)
    const type = 'status' in body ? 'enum' : 'missing'
    assert.deepEqual(answer.body.detail, [{ loc: ['body', 'status'], msg: 'status must be open or closed', type }])
  }
  assert.deepEqual((await call('GET', `inbox/tickets/${ticket.id}`)).body, ticket)
})

test('a ticket can be assigned only to a member', async () => {
  const ticket = await newTicket(call)
  const assigned = await call('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id: acme.ownerId })
  assert.deepEqual([assigned.body.assignee_id, assigned.body.status], [acme.ownerId, 'open'])
  for (const assignee_id of [newId(), globex.ownerId]) {
    const answer = await call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed', assignee_id })
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Assignee not found' }])
  }
  const found = await call('GET', `inbox/tickets/${ticket.id}`)
  assert.deepEqual([found.body.assignee_id, found.body.status], [acme.ownerId, 'open'])
  assert.equal((await call('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id: null })).body.assignee_id, null)
  await call('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id: null })
  assert.deepEqual(await eventTypesOf(call, ticket.id), ['ticket.opened', 'ticket.updated', 'ticket.updated'])
  const answer = await call('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id: 'x' })
  assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', 'assignee_id']])
  await call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed', assignee_id: acme.ownerId })
  const { data } = (await call('GET', 'events?limit=3')).body
  assert.deepEqual(
    data.map(({ type, data }: { type: string; data: { previous: object } }) => [type, data.previous]),
    [
      ['ticket.closed', { status: 'open', assignee_id: null }],
      ['ticket.updated', { assignee_id: acme.ownerId }],
      ['ticket.updated', { assignee_id: null }],
    ],
  )
})

test('a ticket of another organization or mode is 404', async () => {
  const theirs = await newTicket(globex.call)
  const live = await newTicket(acmeLive)
  for (const id of [theirs.id, live.id, newId(), 'x'])
    for (const [method, path, body] of [
      ['GET', `inbox/tickets/${id}`],
      ['PATCH', `inbox/tickets/${id}`, { status: 'closed' }],
      ['POST', `inbox/tickets/${id}/read`],
      ['GET', `inbox/messages/${id}`],
      ['POST', `inbox/messages/${id}`, { body: 'Hi' }],
      ['POST', `inbox/messages/${id}/${newId()}/reaction`, { emoji: '👍' }],
      ['GET', `inbox/media/${id}`],
    ] as const) {
      const answer = await call(method, path, body)
      assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
      assert.match(answer.body.detail, /not found$/)
    }
  assert.equal((await globex.call('GET', `inbox/tickets/${theirs.id}`)).body.status, 'open')
})

test('each operation requires its own scope', async () => {
  const reader = app.as((await app.key(acme.id, { scopes: ['inbox:read'] })).secret)
  const writer = app.as((await app.key(acme.id, { scopes: ['inbox:write'] })).secret)
  const id = newId()
  for (const [caller, required_scope, requests] of [
    [
      reader,
      'inbox:write',
      [
        ['POST', 'inbox/tickets', { contact_id: id }],
        ['PATCH', `inbox/tickets/${id}`, { status: 'open' }],
        ['POST', `inbox/tickets/${id}/read`],
        ['POST', `inbox/messages/${id}`, { body: 'Hi' }],
        ['POST', `inbox/messages/${id}/${id}/reaction`, { emoji: '' }],
      ],
    ],
    [
      writer,
      'inbox:read',
      [
        ['GET', 'inbox/tickets'],
        ['GET', `inbox/tickets/${id}`],
        ['GET', `inbox/messages/${id}`],
        ['GET', `inbox/media/${id}`],
      ],
    ],
  ] as const)
    for (const [method, path, body] of requests) {
      const answer = await caller(method, path, body)
      assert.deepEqual([answer.status, answer.body.error.required_scope], [403, required_scope], `${method} ${path}`)
      assert.equal((await app.call(method, path, body)).status, 401)
    }
  assert.equal((await reader('GET', 'inbox/tickets')).status, 200)
})

test('a repeated Idempotency-Key opens one ticket, and another body is rejected', async () => {
  const [one, two] = [await newContact(call), await newContact(call)]
  const headers = { 'idempotency-key': 'open it' }
  const first = await call('POST', 'inbox/tickets', { contact_id: one.id }, headers)
  await call('PATCH', `inbox/tickets/${first.body.id}`, { status: 'closed' })
  const replay = await call('POST', 'inbox/tickets', { contact_id: one.id }, headers)
  assert.deepEqual([replay.status, replay.body], [201, first.body])
  assert.equal(replay.headers['idempotent-replayed'], 'true')
  assert.equal((await call('POST', 'inbox/tickets', { contact_id: two.id }, headers)).status, 409)
})
