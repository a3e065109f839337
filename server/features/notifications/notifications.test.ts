import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import { type ChatOrganization, newCustomer, startChatApp } from '../../testing/conversations.ts'
import { readMetrics } from '../../testing/metrics.ts'
import { person, type TestPerson } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { reopenedWithRequest } from '../../testing/ratings.ts'
import { openStream } from '../../testing/streams.ts'
import { setHandling } from '../contacts/set-handling.ts'

const { app, newOrganization } = await startChatApp()
const url = await app.listen()

interface Listed {
  id: string
  kind: string
  count: number
  ticket_id: string
  preview: string
  read_at: string | null
}

const listOf = async (member: TestPerson, query = ''): Promise<Listed[]> =>
  ok(await member.call('GET', `notifications${query}`)).data
const kindsOf = async (member: TestPerson) => (await listOf(member)).map(({ kind }) => kind)
const untilKinds = (member: TestPerson, kinds: string[]) =>
  until(async () => JSON.stringify(await kindsOf(member)) === JSON.stringify(kinds))

/** Assigns a ticket without messages. When its notification is there, all earlier events have been seen. */
async function settled(org: ChatOrganization, member: TestPerson) {
  const contact = ok(await org.call('POST', 'contacts', { phone_number: newCustomer() }), 201)
  const { id } = ok(await org.call('POST', 'inbox/tickets', { contact_id: contact.id }), 201)
  ok(await org.call('PATCH', `inbox/tickets/${id}`, { assignee_id: member.id }))
  await until(async () => (await listOf(member)).some(({ ticket_id }) => ticket_id === id))
}

test('the preview of a file without text is its kind', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  for (const [type, body, preview] of [
    ['audio', '', 'Voice message'],
    ['image', '', 'Image'],
    ['document', 'The invoice', 'The invoice'],
  ] as const) {
    const { ticketId } = await org.receives({ from: newCustomer(), type, body })
    await until(async () => (await listOf(ana))[0]?.ticket_id === ticketId)
    assert.equal((await listOf(ana))[0]?.preview, preview)
  }
})

test('a member is notified of assignments, of messages in own tickets and of tickets that wait', async () => {
  const org = await newOrganization()
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  const from = newCustomer()
  const { ticketId } = await org.receives({ from, body: 'Is it open today?' })
  await Promise.all([ana, ben].map((member) => untilKinds(member, ['unassigned'])))
  ok(await ana.call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: ben.id }))
  await untilKinds(ben, ['assigned', 'unassigned'])
  await org.receives({ from, body: 'Hello?' })
  await org.receives({ from, body: 'Anyone?' })
  await until(async () => (await listOf(ben))[0]?.count === 2)
  const page = ok(await ben.call('GET', 'notifications?limit=1'))
  const [newest] = page.data
  assert.deepEqual(
    [newest.kind, newest.contact_name, newest.preview, newest.ticket_id, page.total_count, page.unread_count],
    ['message', 'Ada', 'Anyone?', ticketId, 3, 3],
  )
  assert.deepEqual(await kindsOf(ana), ['unassigned'], 'not of what they did, nor of another’s ticket')

  const read = ok(await ben.call('POST', `notifications/${newest.id}/read`))
  assert.notEqual(read.read_at, null)
  assert.deepEqual([(await listOf(ben, '?unread=true')).length, (await listOf(ben, '?unread=false')).length], [2, 1])
  assert.deepEqual(ok(await ben.call('POST', 'notifications/read', {})), { unread_count: 0 })
  await org.receives({ from, body: 'Again' })
  await until(async () => (await listOf(ben, '?unread=true')).length === 1)
  assert.deepEqual(ok(await ana.call('POST', 'notifications/read', { ticket_id: newId() })), { unread_count: 1 })
})

test('unread notifications follow their messages when contacts are merged', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  const one = await org.receives({ from: newCustomer() })
  const other = await org.receives({ from: newCustomer() })
  const note = { body: 'Yours?', mentioned_ids: [ana.id] }
  ok(await org.call('POST', `inbox/tickets/${other.ticketId}/notes`, note), 201)
  await untilKinds(ana, ['mention', 'unassigned', 'unassigned'])
  ok(await org.call('POST', `contacts/${one.contactId}/merge`, { contact_id: other.contactId }))
  assert.deepEqual(
    (await listOf(ana, '?unread=true')).map(({ kind, ticket_id, count }) => [kind, ticket_id, count]),
    [
      ['mention', one.ticketId, 1],
      ['unassigned', one.ticketId, 2],
    ],
  )
})

test('preferences decide what a member is notified of; a role without the inbox is notified of nothing', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  const clerk = await person(app, org.id, 'member')
  const role = ok(await org.call('POST', 'roles', { name: 'Clerk', scopes: ['contacts:read'] }), 201)
  ok(await org.call('PATCH', `members/${clerk.id}`, { role: role.id }))
  const defaults = ok(await ana.call('GET', 'notifications/preferences'))
  assert.deepEqual(
    { ...defaults, push_public_key: defaults.push_public_key.length },
    {
      ...{ mine: true, mentions: true, unassigned: true, email_digest: 'off', quiet_hours: null, time_zone: null },
      ...{ email_available: false, push_public_key: 87 },
    },
  )
  const change = (changes: object) => ana.call('PATCH', 'notifications/preferences', changes)
  const quiet_hours = { from: '22:00', until: '07:00' }
  const changed = ok(await change({ unassigned: false, quiet_hours, time_zone: 'Europe/Berlin' }))
  assert.deepEqual([changed.unassigned, changed.mine, changed.quiet_hours], [false, true, quiet_hours])
  assert.deepEqual(ok(await ana.call('GET', 'notifications/preferences')), changed)
  for (const faulty of [
    { mine: 'yes' },
    { email_digest: 'never' },
    { quiet_hours: { from: '25:00', until: '07:00' } },
    { quiet_hours: { from: '22:00' } },
    { time_zone: 'Berlin' },
  ])
    assert.equal((await change(faulty)).status, 422, JSON.stringify(faulty))
  await org.receives({ from: newCustomer() })
  await settled(org, ana)
  assert.deepEqual(await kindsOf(ana), ['assigned'])
  const { rows } = await app.database.pools.system.query('select from notifications where user_id = $1', [clerk.id])
  assert.equal(rows.length, 0)
  assert.equal((await clerk.call('GET', 'notifications')).status, 403)
})

test('a note notifies those whom it mentions, a hand-off by the AI those who can answer', async () => {
  const org = await newOrganization()
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  const { ticketId, contactId } = await org.receives({ from: newCustomer() })
  await untilKinds(ana, ['unassigned'])
  const note = { body: 'Do you know this one?', mentioned_ids: [ben.id] }
  ok(await ana.call('POST', `inbox/tickets/${ticketId}/notes`, note), 201)
  await untilKinds(ben, ['mention', 'unassigned'])
  await app.database.inTenant(org.scope, (tx) =>
    setHandling(tx, contactId, { aiHandling: false, actor: { type: 'ai', id: null }, reason: 'Asked for a person' }),
  )
  await Promise.all([untilKinds(ana, ['handoff', 'unassigned']), untilKinds(ben, ['handoff', 'mention', 'unassigned'])])
  // A person who takes over notifies no one.
  ok(await ana.call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  ok(await ana.call('POST', `contacts/${contactId}/handoff`, { to: 'human' }))
  await settled(org, ana)
  assert.equal((await listOf(ben)).filter(({ kind }) => kind === 'handoff')[0]?.count, 1)
})

test('a mention shows the note, also in a closed ticket and when an edit adds it', async () => {
  const org = await newOrganization()
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  const { ticketId } = await org.receives({ from: newCustomer(), body: 'Where is my order?' })
  await untilKinds(ben, ['unassigned'])
  const mention = async (): Promise<{ preview: string; count: number } | undefined> =>
    (await ben.call('GET', 'notifications?unread=true')).body.data.find(({ kind }: Listed) => kind === 'mention')
  const notes = `inbox/tickets/${ticketId}/notes`
  const first = ok(await ana.call('POST', notes, { body: 'Ben, is it lost?', mentioned_ids: [ben.id] }), 201)
  await until(async () => (await mention())?.count === 1)
  ok(await ana.call('POST', notes, { body: 'Mentions no one' }), 201)
  await org.receives({ from: newCustomer() })
  assert.equal((await mention())?.preview, 'Ben, is it lost?')

  ok(await ana.call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' }))
  const second = ok(await ana.call('POST', notes, { body: 'Refund it' }), 201)
  ok(await ana.call('PATCH', `${notes}/${second.id}`, { body: 'Refund it, Ben', mentioned_ids: [ben.id] }))
  await until(async () => (await mention())?.count === 2)
  assert.equal((await mention())?.preview, 'Refund it, Ben')
  // A further edit mentions the same member: it notifies no one again.
  ok(await ana.call('PATCH', `${notes}/${second.id}`, { body: 'Refund it today, Ben' }))
  await settled(org, ben)
  assert.deepEqual([(await mention())?.count, (await mention())?.preview], [2, 'Refund it today, Ben'])
  for (const { id } of [first, second]) ok(await ana.call('DELETE', `${notes}/${id}`))
  assert.equal((await mention())?.preview, 'Note changed or deleted')
})

test('a ticket that an agent answers waits for no one', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  const agent = { name: 'Desk', agent_type: 'static', agent_config: { call_settings: { fallback: 'Pardon?' } } }
  const { id } = ok(await org.call('POST', 'agents', agent), 201)
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: id }))
  const { ticketId } = await org.receives({ from: newCustomer() })
  await settled(org, ana)
  assert.deepEqual(
    (await listOf(ana)).filter(({ ticket_id }) => ticket_id === ticketId),
    [],
  )
  // Outside the hours that its replies follow, the agent leaves conversations to people.
  const never = { name: 'Never', time_zone: 'UTC', weekly_hours: {} }
  const { id: schedule_id } = ok(await org.call('POST', 'schedules', never), 201)
  const agent_config = { business_hours: { schedule_id, replies: 'open' } }
  ok(await org.call('PATCH', `agents/${id}`, { agent_config }))
  const later = await org.receives({ from: newCustomer() })
  await until(async () => (await listOf(ana)).some(({ ticket_id }) => ticket_id === later.ticketId))
})

test('a rating notifies no one', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  const { ticketId, tap } = await reopenedWithRequest(org)
  ok(await org.call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: ana.id }))
  await settled(org, ana)
  const own = async () =>
    (await listOf(ana)).flatMap(({ ticket_id, kind, count }) => (ticket_id === ticketId ? [[kind, count]] : []))
  const before = await own()
  assert.deepEqual(before[0], ['assigned', 1])
  await tap('good')
  await settled(org, ana)
  assert.deepEqual(await own(), before)
})

test('one of several devices in use shows a notification, and the stream tells all of them', async () => {
  const org = await newOrganization()
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  const streamOf = ({ token }: TestPerson, query = '?hints=true') =>
    openStream(`${url}/api/v1/stream${query}`, { authorization: `Bearer ${token}` })
  const [desk, phone, other, plain] = await Promise.all([
    streamOf(ana),
    streamOf(ana),
    streamOf(ben),
    streamOf(ana, ''),
  ])
  const { ticketId } = await org.receives({ from: newCustomer() })
  const hintsIn = ({ events }: typeof desk) => events.filter(({ data }) => data.type === 'notification.created')
  await until(async () => hintsIn(desk).length === 1)
  ok(await org.call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: ana.id }))
  await until(async () => hintsIn(desk).length === 2 && hintsIn(phone).length === 2 && hintsIn(other).length === 1)
  assert.equal(hintsIn(plain).length, 0)
  const assigned = hintsIn(desk)[1]?.data.data.object.id
  const claims = await Promise.all([1, 2, 3].map(() => ana.call('POST', `notifications/${assigned}/shown`)))
  assert.deepEqual(claims.map((claim) => ok(claim).alert).sort(), [false, false, true])
  // Another member's, which ben cannot claim.
  assert.deepEqual(ok(await ben.call('POST', `notifications/${assigned}/shown`)), { alert: false })

  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const quiet = { quiet_hours: { from: clock(-2), until: clock(2) }, time_zone: 'UTC' }
  ok(await ben.call('PATCH', 'notifications/preferences', quiet))
  const waiting = hintsIn(other)[0]?.data.data.object.id
  assert.deepEqual(ok(await ben.call('POST', `notifications/${waiting}/shown`)), { alert: false })
  for (const stream of [desk, phone, other, plain]) stream.close()
})

test('notifications are a person’s own, in one organization and mode', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  const { ticketId } = await org.receives({ from: newCustomer() })
  await untilKinds(ana, ['unassigned'])
  const [{ id }] = (await listOf(ana)) as [Listed]
  const test = { 'x-mode': 'test' }
  assert.equal(ok(await ana.call('GET', 'notifications', undefined, test)).total_count, 0)
  const ben = await person(app, org.id, 'member')
  assert.equal((await ben.call('POST', `notifications/${id}/read`)).status, 404)
  assert.equal((await ana.call('POST', `notifications/${id}/read`, undefined, test)).status, 404)
  for (const verb of ['read', 'shown'])
    assert.equal((await org.call('POST', `notifications/${id}/${verb}`)).status, 403)
  assert.equal((await org.call('GET', 'notifications')).status, 403)
  assert.equal((await org.call('GET', 'notifications/preferences')).status, 403)
  assert.equal((await ana.call('POST', 'notifications/read', { ticket_id: 'x' })).status, 422)
  // A member who leaves leaves nothing behind.
  ok(await ana.call('PATCH', 'notifications/preferences', { mine: false }))
  ok(await org.call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: null }))
  ok(await org.call('DELETE', `members/${ana.id}`))
  const { rows } = await app.database.pools.system.query('select from notifications where user_id = $1', [ana.id])
  assert.equal(rows.length, 0)
})

test('a member or a ticket that is removed at the same moment costs no one else a notification', async () => {
  const [reader, remover] = [await connectOwner(app), await connectOwner(app)]
  const failed = async () =>
    (await readMetrics(app)).get('frontdesk_queue_processed_total{queue="events:notifications",outcome="failed"}') ?? 0
  const { rows } = await remover.query('select pg_backend_pid() as pid')
  const isWaitedFor = async () =>
    (await reader.query('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [rows[0].pid])).rows
      .length > 0
  const org = await newOrganization()
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  const before = await failed()
  for (const remove of [
    (_: string) => remover.query('delete from members where organization_id = $1 and user_id = $2', [org.id, ana.id]),
    (ticketId: string) => remover.query('delete from tickets where id = $1', [ticketId]),
  ]) {
    // The event is read once the removal has started: events are read up to the oldest running transaction.
    await reader.query('begin')
    await reader.query(`select from event_subscriptions where name = 'notifications' for update`)
    const { ticketId } = await org.receives({ from: newCustomer() })
    await remover.query('begin')
    await remove(ticketId)
    await reader.query('commit')
    await until(isWaitedFor)
    await remover.query('commit')
    await settled(org, ben)
  }
  assert.equal(await failed(), before)
  // Of the first ticket, which waits; the second one is gone.
  assert.deepEqual((await kindsOf(ben)).filter((kind) => kind === 'unassigned').length, 1)
})
