import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { tasksOf } from '../../testing/tasks.ts'

const app = await sharedTestApp()
const acme = await app.organization({ owner: 'olive@acme.example' })
const globex = await app.organization({ owner: 'gus@globex.example' })
const acmeLive = app.as((await app.key(acme.id, { mode: 'live' })).secret)
const { newContact, newTask, activitiesOf, eventsOf, total } = tasksOf(app, acme)

test('a task is created with its defaults, a timeline entry and an event', async () => {
  const contact = await newContact(acme.call, 'Grace')
  const answer = ok(await acme.call('POST', 'crm/tasks', { contact_id: contact.id, title: ' Send the offer ' }), 201)
  const { id, created_at, updated_at, ...members } = answer
  assert.deepEqual(members, {
    organization_id: acme.id,
    contact_id: contact.id,
    title: 'Send the offer',
    description: '',
    due_at: null,
    assignee_id: null,
    status: 'pending',
    created_by_type: 'user',
    created_by_id: acme.ownerId,
    completed_at: null,
    livemode: false,
    contact: { id: contact.id, name: 'Grace', phone_number: contact.phone_number },
  })
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  const [activity, ...more] = await activitiesOf(contact.id, 'task_created')
  assert.equal(more.length, 0)
  assert.deepEqual(activity?.payload, { task_id: id, title: 'Send the offer' })
  assert.deepEqual([activity?.actor_type, activity?.actor_id], ['user', acme.ownerId])
  assert.deepEqual(await eventsOf(id), [{ type: 'task.created', data: { object: answer } }])
  assert.deepEqual((await acme.call('GET', `crm/tasks/${id}`)).body, answer)
})

test('instants are stored in UTC, whatever their offset', async () => {
  const task = await newTask({
    due_at: '2031-05-01T12:00:00.25+02:00',
    assignee_id: acme.ownerId,
    description: 'Bring the file',
  })
  assert.equal(task.due_at, '2031-05-01T10:00:00.250Z')
  assert.equal(task.assignee_id, acme.ownerId)
  assert.equal(task.description, 'Bring the file')
  assert.equal((await newTask({ due_at: '2031-05-01T12:00:00' })).due_at, '2031-05-01T12:00:00.000Z')
})

test('null for an optional member means absent', async () => {
  const task = await newTask({ description: null, due_at: null, assignee_id: null })
  assert.deepEqual([task.description, task.due_at, task.assignee_id], ['', null, null])
})

test('each fault of a new task is reported with its location', async () => {
  const contact_id = (await newContact()).id
  const refused: [object, string][] = [
    [{ title: 'x' }, 'contact_id'],
    [{ contact_id: 'x', title: 'x' }, 'contact_id'],
    [{ contact_id: null, title: 'x' }, 'contact_id'],
    [{ contact_id }, 'title'],
    [{ contact_id, title: '' }, 'title'],
    [{ contact_id, title: '  ' }, 'title'],
    [{ contact_id, title: 'x'.repeat(256) }, 'title'],
    [{ contact_id, title: 7 }, 'title'],
    [{ contact_id, title: 'a\0b' }, 'title'],
    [{ contact_id, title: 'x', description: {} }, 'description'],
    [{ contact_id, title: 'x', due_at: 'tomorrow' }, 'due_at'],
    [{ contact_id, title: 'x', due_at: '2026-02-30T00:00:00Z' }, 'due_at'],
    [{ contact_id, title: 'x', assignee_id: 'me' }, 'assignee_id'],
  ]
  const before = await total()
  for (const [body, member] of refused) {
    const answer = await acme.call('POST', 'crm/tasks', body)
    assert.equal(answer.status, 422, `${JSON.stringify(body)} ${answer.text}`)
    assert.deepEqual(answer.body.detail[0].loc, ['body', member])
  }
  assert.equal((await acme.call('POST', 'crm/tasks')).status, 422)
  assert.equal((await acme.call('POST', 'crm/tasks', '{')).status, 400)
  assert.equal(await total(), before)
  const longest = '🙂'.repeat(255)
  assert.equal((await newTask({ title: longest })).title, longest)
})

test('a task for an unknown contact or assignee is refused and changes nothing', async () => {
  const contact_id = (await newContact()).id
  const before = await total()
  const strangers = [newId(), (await newContact(globex.call)).id, (await newContact(acmeLive)).id]
  for (const stranger of strangers) {
    const answer = await acme.call('POST', 'crm/tasks', { contact_id: stranger, title: 'x' })
    assert.equal(answer.status, 404, answer.text)
    assert.deepEqual(answer.body, { detail: 'Contact not found' })
  }
  for (const assignee_id of [newId(), globex.ownerId]) {
    const answer = await acme.call('POST', 'crm/tasks', { contact_id, title: 'x', assignee_id })
    assert.equal(answer.status, 404, answer.text)
    assert.deepEqual(answer.body, { detail: 'Assignee not found' })
  }
  assert.equal(await total(), before)
  assert.deepEqual(await activitiesOf(contact_id, 'task_created'), [])
})

test('a task that does not exist, is another organization’s or is of the other mode answers the same', async () => {
  const task = await newTask()
  const unknown = await acme.call('GET', `crm/tasks/${newId()}`)
  assert.deepEqual([unknown.status, unknown.body], [404, { detail: 'Task not found' }])
  for (const call of [globex.call, acmeLive])
    for (const [method, body] of [['GET'], ['PATCH', { title: 'Mine' }], ['DELETE']] as [string, object?][]) {
      const answer = await call(method, `crm/tasks/${task.id}`, body)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Task not found' }], method)
    }
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as [string, object?][]) {
    const answer = await acme.call(method, 'crm/tasks/x', body)
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Task not found' }], method)
  }
  assert.deepEqual((await acme.call('GET', `crm/tasks/${task.id}`)).body, task)
})

test('requests need a credential, and a reading scope does not allow writing', async () => {
  const task = await newTask()
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const stranger = app.as((await app.key(acme.id, { scopes: ['inbox:read', 'contacts:write'] })).secret)
  const operations: [string, string, string, object?][] = [
    ['GET', 'crm/tasks', 'contacts:read'],
    ['GET', `crm/tasks/${task.id}`, 'contacts:read'],
    ['POST', 'crm/tasks', 'contacts:write', { contact_id: task.contact_id, title: 'x' }],
    ['PATCH', `crm/tasks/${task.id}`, 'contacts:write', { title: 'x' }],
    ['DELETE', `crm/tasks/${task.id}`, 'contacts:write'],
  ]
  for (const [method, path, scope, body] of operations) {
    const open = await app.call(method, path, body)
    assert.equal(open.status, 401)
    assert.equal(open.body.detail, 'Unauthorized')
    const refused = await (scope === 'contacts:write' ? reader : stranger)(method, path, body)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.required_scope, scope)
  }
  assert.equal((await reader('GET', `crm/tasks/${task.id}`)).status, 200)
})

test('a deleted task is gone, and its timeline entry stays', async () => {
  const task = await newTask()
  const before = await total()
  const answer = await acme.call('DELETE', `crm/tasks/${task.id}`)
  assert.deepEqual([answer.status, answer.body], [200, { message: 'Task deleted successfully' }])
  assert.equal((await acme.call('GET', `crm/tasks/${task.id}`)).status, 404)
  assert.equal((await acme.call('DELETE', `crm/tasks/${task.id}`)).status, 404)
  assert.equal(await total(), before - 1)
  assert.equal((await activitiesOf(task.contact_id, 'task_created')).length, 1)
})

test('deleting a contact deletes its tasks', async () => {
  const task = await newTask({ due_at: '2020-01-01T00:00:00Z' })
  await acme.call('POST', 'crm/tasks', { contact_id: task.contact_id, title: 'Another' })
  const [all, overdue] = [await total(), await total('overdue=true')]
  await acme.call('DELETE', `contacts/${task.contact_id}`)
  assert.equal((await acme.call('GET', `crm/tasks/${task.id}`)).status, 404)
  assert.equal(await total(), all - 2)
  assert.equal(await total('overdue=true'), overdue - 1)
})

test('a task shows the current contact', async () => {
  const task = await newTask()
  await acme.call('PATCH', `contacts/${task.contact_id}`, { name: 'Augusta' })
  assert.equal((await acme.call('GET', `crm/tasks/${task.id}`)).body.contact.name, 'Augusta')
  const { data } = (await acme.call('GET', `crm/tasks?contact_id=${task.contact_id}`)).body
  assert.equal(data[0].contact.name, 'Augusta')
})

test('a repeated request with one idempotency key creates one task', async () => {
  const contact_id = (await newContact()).id
  const send = (title: string) =>
    acme.call('POST', 'crm/tasks', { contact_id, title }, { 'idempotency-key': `task ${contact_id}` })
  const first = await send('Once')
  const second = await send('Once')
  assert.equal(second.status, 201)
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  assert.equal((await send('Another')).status, 409)
  assert.equal(await total(`contact_id=${contact_id}`), 1)
  const lost = { contact_id: newId(), title: 'Nobody’s' }
  for (const replayed of [undefined, 'true']) {
    const answer = await acme.call('POST', 'crm/tasks', lost, { 'idempotency-key': 'nobody' })
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Contact not found' }])
    assert.equal(answer.headers['idempotent-replayed'], replayed)
  }
})
