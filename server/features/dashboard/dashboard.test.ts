import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idAt } from '../../platform/ids.ts'
import { sharedTestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'

const app = await sharedTestApp()

test('an empty organization has a dashboard of zeros', async () => {
  const { call } = await app.organization()
  const { status, body } = await call('GET', 'crm/dashboard')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    contacts: { total: 0, new: 0, engaged: 0, qualified: 0, customers: 0, lost: 0 },
    handling: { ai: 0, human: 0 },
    tasks: { pending: 0, overdue: 0 },
  })
})

test('the dashboard counts contacts by stage and handling, and tasks by what is left to do', async () => {
  const { id, call } = await app.organization()
  const contacts = [
    { stage: 'new' },
    { stage: 'engaged', ai_handling: false },
    { stage: 'qualified' },
    { stage: 'customer', ai_handling: false },
    { stage: 'customers', ai_handling: false },
    { stage: 'lost' },
  ]
  const ids: string[] = []
  for (const [n, members] of contacts.entries())
    ids.push((await call('POST', 'contacts', { phone_number: `+1415555010${n}`, ...members })).body.id)
  const [contact_id] = ids
  const add = async (due_at?: string) =>
    (await call('POST', 'crm/tasks', { contact_id, title: 'x', due_at })).body.id as string
  await add()
  await add('2099-01-01T00:00:00Z')
  await add('2020-01-01T00:00:00Z')
  const late = await add(new Date(Date.now() - 1000).toISOString())
  const done = await add('2020-01-01T00:00:00Z')
  await call('PATCH', `crm/tasks/${done}`, { status: 'completed' })

  // Other organizations, and this one's live mode, are not counted.
  const live = app.as((await app.key(id, { mode: 'live' })).secret)
  const stranger = await app.organization()
  for (const other of [live, stranger.call]) {
    const made = await other('POST', 'contacts', { phone_number: '+14155550199' })
    await other('POST', 'crm/tasks', { contact_id: made.body.id, title: 'x', due_at: '2020-01-01T00:00:00Z' })
    assert.deepEqual((await other('GET', 'crm/dashboard')).body.tasks, { pending: 1, overdue: 1 })
  }

  const dashboard = async () => (await call('GET', 'crm/dashboard')).body
  assert.deepEqual(await dashboard(), {
    contacts: { total: 6, new: 1, engaged: 1, qualified: 1, customers: 2, lost: 1 },
    handling: { ai: 3, human: 3 },
    tasks: { pending: 4, overdue: 2 },
  })
  await call('PATCH', `contacts/${ids[1]}`, { stage: 'lost', ai_handling: true })
  await call('PATCH', `crm/tasks/${late}`, { status: 'cancelled' })
  await call('DELETE', `contacts/${ids[5]}`)
  assert.deepEqual(await dashboard(), {
    contacts: { total: 5, new: 1, engaged: 0, qualified: 1, customers: 2, lost: 1 },
    handling: { ai: 3, human: 2 },
    tasks: { pending: 3, overdue: 1 },
  })
})

test('all figures come from one snapshot, also under concurrent changes', async () => {
  const { call } = await app.organization()
  const ids = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, n) => (await call('POST', 'contacts', { phone_number: `+1415555020${n}` })).body.id as string,
    ),
  )
  const stages = ['new', 'engaged', 'qualified', 'customer', 'lost']
  let changing = true
  const changes = (async () => {
    for (let n = 0; n < 12; n++)
      await Promise.all(
        ids.map((id, i) => call('PATCH', `contacts/${id}`, { stage: stages[(n + i) % 5], ai_handling: n % 2 > 0 })),
      )
  })().finally(() => {
    changing = false
  })
  while (changing) {
    const { contacts, handling } = (await call('GET', 'crm/dashboard')).body
    const { total, ...byStage } = contacts
    assert.equal(total, 8)
    assert.equal(
      Object.values(byStage as Record<string, number>).reduce((sum, n) => sum + n),
      8,
    )
    assert.equal(handling.ai + handling.human, 8)
  }
  await changes
})

test('the dashboard requires the scope to read contacts', async () => {
  const { id } = await app.organization()
  assert.equal((await app.call('GET', 'crm/dashboard')).status, 401)
  const key = await app.key(id, { scopes: ['calls:read', 'contacts:write'] })
  const refused = await app.as(key.secret)('GET', 'crm/dashboard')
  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.required_scope, 'contacts:read')
  const reader = await app.key(id, { scopes: ['contacts:read'] })
  assert.equal((await app.as(reader.secret)('GET', 'crm/dashboard')).status, 200)
})

test('messages and calls are counted by day, and a day begins at midnight of the requested time zone', async () => {
  const { id, call } = await app.organization()
  await app.listen()
  const contact = (await call('POST', 'contacts', { phone_number: '+14155550188' })).body.id
  const today = async (query = '') => (await call('GET', `crm/dashboard/daily?days=3${query}`)).body.data
  assert.deepEqual(
    (await today()).map(({ messages, calls }: { messages: number; calls: number }) => [messages, calls]),
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  )
  await call('POST', 'simulator/messages', { from: '+14155550188', text: 'Good morning' })
  await until(async () => (await today()).at(-1).messages === 1)

  // One message a minute before midnight in Kathmandu (a zone with an offset of 5:45), one a minute after it.
  const midnight = new Date(`${(await today('&time_zone=Asia/Kathmandu')).at(-1).date}T00:00:00+05:45`)
  const minute = 60_000
  const [channel] = (await call('GET', 'channels')).body.data
  await app.database.inTenant({ organizationId: id, livemode: false }, async (tx) => {
    for (const at of [midnight.getTime() - 2 * minute, midnight.getTime() - minute, midnight.getTime() + minute])
      await tx.run`
        insert into messages (id, contact_id, channel_id, direction, message_type, body, status, actor_type)
        values (${idAt(new Date(at))}, ${contact}, ${channel.id}, 'inbound', 'text', 'x', 'read', 'user')`
  })
  const days = await today('&time_zone=Asia/Kathmandu')
  assert.deepEqual([days.length, days[1].messages], [3, 2])
  const all = (rows: { messages: number }[]) => rows.reduce((sum, { messages }) => sum + messages, 0)
  assert.equal(all(days), 4)
  assert.equal(all((await call('GET', 'crm/dashboard/daily?days=90')).body.data), 4)
  const stranger = await app.organization()
  assert.equal(all((await stranger.call('GET', 'crm/dashboard/daily')).body.data), 0)
})

test('invalid days are refused with the field that is wrong, and keys without the scope are refused', async () => {
  const { id, call } = await app.organization()
  for (const [query, field] of [
    ['days=0', 'days'],
    ['days=91', 'days'],
    ['time_zone=Mars/Olympus', 'time_zone'],
    ['time_zone=%2B02:00', 'time_zone'],
  ]) {
    const { status, body } = await call('GET', `crm/dashboard/daily?${query}`)
    assert.deepEqual([status, body.detail[0].loc], [422, ['query', field]], query)
  }
  assert.equal((await app.call('GET', 'crm/dashboard/daily')).status, 401)
  const { secret } = await app.key(id, { scopes: ['inbox:read'] })
  assert.equal((await app.as(secret)('GET', 'crm/dashboard/daily')).status, 403)
})
