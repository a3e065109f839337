import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { tasksOf } from '../../testing/tasks.ts'

const app = await sharedTestApp()
const acme = await app.organization({ owner: 'olive@acme.example' })
const globex = await app.organization({ owner: 'gus@globex.example' })
const { newContact, newTask, activitiesOf, eventsOf, total } = tasksOf(app, acme)

test('an update changes the given members, and its event has the previous values', async () => {
  const task = await newTask({ description: 'old', due_at: '2031-01-01T00:00:00Z' })
  const changes = { title: ' New title ', due_at: '2031-01-02T01:00:00+01:00', assignee_id: acme.ownerId }
  const answer = ok(await acme.call('PATCH', `crm/tasks/${task.id}`, changes))
  const { updated_at, ...rest } = answer
  const { updated_at: _, ...before } = task
  assert.deepEqual(rest, {
    ...before,
    title: 'New title',
    due_at: '2031-01-02T00:00:00.000Z',
    assignee_id: acme.ownerId,
  })
  assert.ok(updated_at > task.updated_at)
  const [, event, ...more] = await eventsOf(task.id)
  assert.deepEqual(event, {
    type: 'task.updated',
    data: {
      object: answer,
      previous: { title: 'Call back', due_at: '2031-01-01T00:00:00.000Z', assignee_id: null },
    },
  })
  assert.equal(more.length, 0)
})

test('null clears nullable members and is refused elsewhere', async () => {
  const task = await newTask({ due_at: '2031-01-01T00:00:00Z', assignee_id: acme.ownerId })
  const cleared = await acme.call('PATCH', `crm/tasks/${task.id}`, { due_at: null, assignee_id: null })
  assert.deepEqual([cleared.status, cleared.body.due_at, cleared.body.assignee_id], [200, null, null])
  const refused: [object, string][] = [
    [{ title: null }, 'title'],
    [{ title: ' ' }, 'title'],
    [{ title: 'x'.repeat(256) }, 'title'],
    [{ description: null }, 'description'],
    [{ status: null }, 'status'],
    [{ status: 'done' }, 'status'],
    [{ due_at: 'soon' }, 'due_at'],
    [{ assignee_id: 'me' }, 'assignee_id'],
  ]
  for (const [body, member] of refused) {
    const answer = await acme.call('PATCH', `crm/tasks/${task.id}`, body)
    assert.equal(answer.status, 422, `${JSON.stringify(body)} ${answer.text}`)
    assert.deepEqual(answer.body.detail[0].loc, ['body', member])
  }
  assert.deepEqual((await acme.call('GET', `crm/tasks/${task.id}`)).body, cleared.body)
})

test('an update that changes nothing leaves no trace', async () => {
  const task = await newTask({ due_at: '2031-01-01T00:00:00Z', assignee_id: acme.ownerId })
  const same = {
    title: 'Call back',
    status: 'pending',
    due_at: '2031-01-01T01:00:00+01:00',
    assignee_id: acme.ownerId?.toUpperCase(),
  }
  for (const body of [
    {},
    same,
    { id: newId(), contact_id: newId(), completed_at: '2031-01-01T00:00:00Z', nonsense: 1 },
  ])
    assert.deepEqual((await acme.call('PATCH', `crm/tasks/${task.id}`, body)).body, task)
  assert.equal((await eventsOf(task.id)).length, 1)
})

test('a task cannot be assigned to a non-member', async () => {
  const task = await newTask()
  for (const assignee_id of [newId(), globex.ownerId]) {
    const answer = await acme.call('PATCH', `crm/tasks/${task.id}`, { assignee_id, title: 'Changed' })
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Assignee not found' }])
  }
  assert.deepEqual((await acme.call('GET', `crm/tasks/${task.id}`)).body, task)
})

test('completing a task is recorded once, and reopening clears completed_at', async () => {
  const task = await newTask()
  const path = `crm/tasks/${task.id}`
  const completed = (await acme.call('PATCH', path, { status: 'completed', title: 'Called back' })).body
  assert.equal(completed.status, 'completed')
  assert.ok(completed.completed_at >= task.created_at)
  const again = await acme.call('PATCH', path, { status: 'completed' })
  assert.deepEqual(again.body, completed)
  const renamed = (await acme.call('PATCH', path, { title: 'Called' })).body
  assert.equal(renamed.completed_at, completed.completed_at)
  const [activity, ...more] = await activitiesOf(task.contact_id, 'task_completed')
  assert.equal(more.length, 0)
  assert.deepEqual(activity?.payload, { task_id: task.id, title: 'Called back' })

  for (const status of ['pending', 'cancelled']) {
    const left = (await acme.call('PATCH', path, { status })).body
    assert.deepEqual([left.status, left.completed_at], [status, null])
  }
  await acme.call('PATCH', path, { status: 'completed' })
  assert.equal((await activitiesOf(task.contact_id, 'task_completed')).length, 2)

  const events = await eventsOf(task.id)
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      ...['task.created', 'task.updated', 'task.completed', 'task.updated'],
      ...['task.updated', 'task.updated', 'task.updated', 'task.completed'],
    ],
  )
  assert.deepEqual(events[1]?.data, {
    object: completed,
    previous: { status: 'pending', title: 'Call back', completed_at: null },
  })
  assert.deepEqual(events[2]?.data, { object: completed, previous: { status: 'pending' } })
})

test('twenty parallel completions complete a task once', async () => {
  const task = await newTask()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => acme.call('PATCH', `crm/tasks/${task.id}`, { status: 'completed' })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ body }) => body.completed_at)).size, 1)
  assert.equal((await activitiesOf(task.contact_id, 'task_completed')).length, 1)
  const completions = (await eventsOf(task.id)).filter(({ type }) => type === 'task.completed')
  assert.equal(completions.length, 1)
})

test('updating tasks while their contact is deleted never fails with 500', async () => {
  const contact_id = (await newContact()).id
  const tasks = await Promise.all(
    Array.from({ length: 5 }, () => acme.call('POST', 'crm/tasks', { contact_id, title: 'Race' })),
  )
  const answers = await Promise.all([
    ...tasks.map(({ body }) => acme.call('PATCH', `crm/tasks/${body.id}`, { status: 'completed' })),
    acme.call('DELETE', `contacts/${contact_id}`),
    ...tasks.map(({ body }) => acme.call('PATCH', `crm/tasks/${body.id}`, { title: 'Late' })),
    acme.call('POST', 'crm/tasks', { contact_id, title: 'Too late' }),
    ...tasks.map(({ body }) => acme.call('DELETE', `crm/tasks/${body.id}`)),
  ])
  for (const { status, text } of answers) assert.ok([200, 201, 404].includes(status), text)
  assert.equal(await total(`contact_id=${contact_id}`), 0)
})

test('removing a member unassigns their tasks', async () => {
  const userId = newId()
  await app.database.inSystem(async (tx) => {
    await tx.run`insert into users (id, email) values (${userId}, 'leaver@acme.example')`
    await tx.run`insert into members (organization_id, user_id, role) values (${acme.id}, ${userId}, 'member')`
  })
  const task = await newTask({ assignee_id: userId })
  assert.equal(await total(`assignee_id=${userId}`), 1)
  await app.database.forSystem().run`delete from members where organization_id = ${acme.id} and user_id = ${userId}`
  assert.deepEqual((await acme.call('GET', `crm/tasks/${task.id}`)).body, { ...task, assignee_id: null })
  assert.equal(await total(`assignee_id=${userId}`), 0)
})
