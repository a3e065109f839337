import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import type { Task } from './schema.ts'

const app = await sharedTestApp()
let numbers = 0

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Due times around every boundary of the counters: this hour, today, this month, in UTC. */
function edges(): string[] {
  const now = new Date()
  const starts = [
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth()),
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()),
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours()),
  ]
  const around = starts.flatMap((start) => [start - hour, start - 1, start, start + 1])
  const others = [-800 * day, -40 * day, -day, -hour, -5 * minute, 25 * minute, hour, day, 40 * day]
  return [...around, ...others.map((ms) => now.getTime() + ms)].map((ms) => new Date(ms).toISOString())
}

async function organizationWithContact() {
  const organization = await app.organization({ owner: `owner${++numbers}@example.com` })
  const { body } = await organization.call('POST', 'contacts', { phone_number: `+1415555${1000 + numbers}` })
  return { ...organization, contactId: body.id as string }
}

type Organization = Awaited<ReturnType<typeof organizationWithContact>>

async function addTask({ call, contactId }: Organization, members: object = {}): Promise<Task> {
  return ok(await call('POST', 'crm/tasks', { contact_id: contactId, title: 'Call back', ...members }), 201)
}

/** Reads all pages; every page must report the same total. */
async function listAll({ call }: Pick<Organization, 'call'>, query: string, limit: number) {
  const tasks: Task[] = []
  for (let cursor = ''; ; ) {
    const { status, body, text } = await call('GET', `crm/tasks?limit=${limit}${query}${cursor}`)
    assert.equal(status, 200, text)
    assert.ok(body.data.length <= limit)
    tasks.push(...body.data)
    assert.equal(body.next_cursor, body.data.at(-1)?.id ?? null)
    if (!body.has_more) return { tasks, total: body.total_count as number }
    cursor = `&starting_after=${body.next_cursor}`
  }
}

test('an organization without tasks has an empty page', async () => {
  const org = await organizationWithContact()
  for (const query of ['', '?status=pending', '?overdue=true', '?overdue=false', `?contact_id=${newId()}`]) {
    const { body } = await org.call('GET', `crm/tasks${query}`)
    assert.deepEqual(body, { data: [], has_more: false, next_cursor: null, total_count: 0 }, query)
  }
})

test('tasks come newest first, and paging meets each one once', async () => {
  const org = await organizationWithContact()
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.unshift((await addTask(org, { title: `Task ${n}` })).id)
  const first = (await org.call('GET', 'crm/tasks?limit=2')).body
  assert.deepEqual(
    first.data.map(({ id }: Task) => id),
    made.slice(0, 2),
  )
  assert.deepEqual([first.has_more, first.next_cursor, first.total_count], [true, made[1], 5])
  await addTask(org)
  await org.call('DELETE', `crm/tasks/${made[1]}`)
  const second = (await org.call('GET', `crm/tasks?limit=2&starting_after=${first.next_cursor}`)).body
  const third = (await org.call('GET', `crm/tasks?limit=2&starting_after=${second.next_cursor}`)).body
  assert.deepEqual(
    [...second.data, ...third.data].map(({ id }: Task) => id),
    made.slice(2),
  )
  assert.deepEqual([third.has_more, third.next_cursor, third.total_count], [false, made[4], 5])
  const beyond = (await org.call('GET', `crm/tasks?starting_after=${third.next_cursor}`)).body
  assert.deepEqual(beyond, { data: [], has_more: false, next_cursor: null, total_count: 5 })
})

test('a page holds as many as requested, up to the limit', async () => {
  const org = await organizationWithContact()
  // One after the other: each locks the contact, and the last of many at once would wait too long for a connection.
  for (let n = 0; n < 105; n++) await addTask(org)
  for (const limit of [1, 19, 20, 21, 50, 51, 99, 100]) {
    const { body } = await org.call('GET', `crm/tasks?limit=${limit}`)
    assert.deepEqual([body.data.length, body.has_more, body.total_count], [limit, true, 105])
  }
  assert.equal((await org.call('GET', 'crm/tasks')).body.data.length, 20)
  for (const limit of [20, 50, 100]) assert.equal((await listAll(org, '', limit)).tasks.length, 105)
})

test('malformed filters are refused with their location', async () => {
  const { call } = await organizationWithContact()
  const refused = {
    limit: ['0', '101', 'x', '1.5'],
    starting_after: ['x'],
    status: ['done', 'PENDING'],
    assignee_id: ['me'],
    contact_id: ['x'],
    due_before: ['yesterday', '2026-13-01T00:00:00Z'],
    due_after: ['x'],
    overdue: ['maybe'],
  }
  for (const [name, values] of Object.entries(refused))
    for (const value of values) {
      const { status, body, text } = await call('GET', `crm/tasks?${name}=${value}`)
      assert.equal(status, 422, `${name}=${value} ${text}`)
      assert.deepEqual(body.detail[0].loc, ['query', name])
    }
})

test('every filter, alone and combined, finds and counts the right tasks after any change', async () => {
  const org = await organizationWithContact()
  const other = (await org.call('POST', 'contacts', { phone_number: '+14155559999' })).body.id as string
  const statuses = ['pending', 'completed', 'cancelled'] as const
  const due = [null, ...edges()]
  const tasks = await Promise.all(
    due.flatMap((due_at, d) =>
      statuses.map(async (status, s) => {
        const assignee_id = (d + s) % 2 ? org.ownerId : null
        const task = await addTask(org, { due_at, assignee_id, contact_id: (d + s) % 3 ? org.contactId : other })
        if (status !== 'pending') await org.call('PATCH', `crm/tasks/${task.id}`, { status })
        return task
      }),
    ),
  )
  // Moves some to another due time or status and deletes some: the counters must follow.
  await Promise.all(
    tasks.map((task, n) => {
      const path = `crm/tasks/${task.id}`
      if (n % 7 === 1) return org.call('PATCH', path, { due_at: due[(n * 5) % due.length] })
      if (n % 7 === 2) return org.call('PATCH', path, { status: statuses[n % 3] })
      if (n % 7 === 3)
        return org.call('PATCH', path, { due_at: due[(n * 3) % due.length], status: statuses[(n + 1) % 3] })
      return n % 7 === 4 ? org.call('DELETE', path) : undefined
    }),
  )
  const { tasks: kept } = await listAll(org, '', 100)
  assert.equal(kept.length, tasks.filter((_, n) => n % 7 !== 4).length)

  const options: Record<string, (string | undefined)[]> = {
    status: [undefined, ...statuses],
    overdue: [undefined, 'true', 'false'],
    assignee_id: [undefined, org.ownerId as string],
    contact_id: [undefined, other],
    due_before: [undefined, fromNow(0), fromNow(-2 * day)],
    due_after: [undefined, fromNow(-3 * hour)],
  }
  const combinations = Object.entries(options).reduce<Record<string, string>[]>(
    (all, [name, values]) =>
      all.flatMap((filter) => values.map((value) => (value === undefined ? filter : { ...filter, [name]: value }))),
    [{}],
  )
  for (const filter of combinations) {
    const now = new Date().toISOString()
    const wanted = kept.filter((task) => matches(task, filter, now)).map(({ id }) => id)
    const query = new URLSearchParams(filter).toString()
    const found = await listAll(org, `&${query}`, 7)
    assert.deepEqual(
      found.tasks.map(({ id }) => id),
      wanted,
      query,
    )
    assert.equal(found.total, wanted.length, query)
  }
})

function matches(task: Task, filter: Record<string, string>, now: string): boolean {
  const { status, overdue, assignee_id, contact_id, due_before, due_after } = filter
  const isOverdue = task.status === 'pending' && task.due_at !== null && task.due_at < now
  return (
    (status === undefined || task.status === status) &&
    (overdue === undefined || isOverdue === (overdue === 'true')) &&
    (assignee_id === undefined || task.assignee_id === assignee_id) &&
    (contact_id === undefined || task.contact_id === contact_id) &&
    (due_before === undefined || (task.due_at !== null && task.due_at < due_before)) &&
    (due_after === undefined || (task.due_at !== null && task.due_at > due_after))
  )
}

test('a task becomes overdue when its time comes', async () => {
  const org = await organizationWithContact()
  await addTask(org, { due_at: fromNow(700) })
  const overdue = async () => (await org.call('GET', 'crm/tasks?overdue=true')).body
  const pending = async () => (await org.call('GET', 'crm/tasks?overdue=false')).body
  await until(async () => (await overdue()).total_count === 1)
  assert.equal((await overdue()).data.length, 1)
  assert.deepEqual([(await pending()).total_count, (await pending()).data.length], [0, 0])
})

test('overdue tasks of many months come in order of creation', async () => {
  const org = await organizationWithContact()
  const made: string[] = []
  for (let n = 0; n < 15; n++) {
    const due_at = new Date(Date.UTC(2024, (n * 4) % 15, 1 + n)).toISOString()
    made.unshift((await addTask(org, { due_at })).id)
  }
  for (const limit of [1, 4, 100]) {
    const { tasks, total } = await listAll(org, '&overdue=true', limit)
    assert.deepEqual(
      tasks.map(({ id }) => id),
      made,
    )
    assert.equal(total, 15)
  }
})

test('a time range is a range of instants, in any notation', async () => {
  const org = await organizationWithContact()
  const { id } = await addTask(org, { due_at: '2031-06-01T10:00:00Z' })
  const found = async (query: string) =>
    (await org.call('GET', `crm/tasks?${query}`)).body.data.map((task: Task) => task.id)
  assert.deepEqual(await found(`due_after=${encodeURIComponent('2031-06-01T11:59:59.999+02:00')}`), [id])
  assert.deepEqual(await found(`due_after=${encodeURIComponent('2031-06-01T12:00:00+02:00')}`), [])
  assert.deepEqual(await found('due_before=2031-06-01T10:00:00'), [])
  assert.deepEqual(await found('due_before=2031-06-01T10:00:00.001'), [id])
})

test('another organization’s tasks, or those of the other mode, are never listed or counted', async () => {
  const org = await organizationWithContact()
  const task = await addTask(org, { due_at: '2020-01-01T00:00:00Z', assignee_id: org.ownerId })
  const stranger = await organizationWithContact()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const filters = [
    ...['', 'overdue=true', 'overdue=false', 'status=pending', 'due_before=2021-01-01T00:00:00Z'],
    ...[`contact_id=${org.contactId}`, `assignee_id=${org.ownerId}`, `starting_after=${task.id}`],
  ]
  for (const call of [stranger.call, live])
    for (const filter of filters) {
      const { body } = await call('GET', `crm/tasks?${filter}`)
      assert.deepEqual(body, { data: [], has_more: false, next_cursor: null, total_count: 0 }, filter)
    }
})
