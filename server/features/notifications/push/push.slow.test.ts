import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { type ChatOrganization, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { holdJobs } from '../../../testing/hold-jobs.ts'
import { person, type TestPerson } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { startPushService } from '../../../testing/push-service.ts'
import { setHandling } from '../../contacts/set-handling.ts'

const service = await startPushService()
const { app, newOrganization } = await startChatApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })

const owner = await connectOwner(app)

let devices = 0
async function subscribe(member: TestPerson) {
  const device = `device-${++devices}`
  const answer = await member.call('POST', 'push-subscriptions', service.subscribe(device))
  return { device, id: ok(answer, 201).id as string }
}

// Pushes are due after five seconds, which a tab in use has to claim them. Here they wait for the test.
const { runNow: pushNow } = await holdJobs(owner, 'notifications.push')
const jobsOf = async (id: string): Promise<string[]> => {
  const { rows } = await app.database.pools.system.query(
    `select state::text from pgboss.job where name = 'notifications.push' and data ->> 'subscriptionId' = $1`,
    [id],
  )
  return rows.map(({ state }) => state)
}
const untilJobs = (id: string, states: string[]) =>
  until(async () => {
    await pushNow()
    return JSON.stringify(await jobsOf(id)) === JSON.stringify(states)
  })
const isSubscribed = async (id: string) =>
  (await app.database.pools.system.query('select from push_subscriptions where id = $1', [id])).rows.length > 0
const receivedBy = (device: string) => service.received.filter((push) => push.device === device)

/** Assigns a ticket without messages: one notification. */
async function assign({ call }: Pick<ChatOrganization, 'call'>, member: TestPerson) {
  const from = newCustomer()
  const contact = ok(await call('POST', 'contacts', { phone_number: from, name: 'Ada' }), 201)
  const { id } = ok(await call('POST', 'inbox/tickets', { contact_id: contact.id }), 201)
  ok(await call('PATCH', `inbox/tickets/${id}`, { assignee_id: member.id }))
  return { from, ticketId: id as string }
}
const newMember = ({ id }: ChatOrganization) => person(app, id, 'member')

test('a notification that no one has seen is pushed to each browser, encrypted and signed', async () => {
  const org = await newOrganization()
  const ana = await newMember(org)
  const [desk, phone] = [await subscribe(ana), await subscribe(ana)]
  const { ticketId, from } = await assign(org, ana)
  await Promise.all([desk, phone].map(({ id }) => untilJobs(id, ['completed'])))
  assert.equal(receivedBy(phone.device)[0]?.message.title, 'Assigned to you: Ada')
  ok(await ana.call('DELETE', `push-subscriptions/${desk.id}`))
  await org.receives({ from, body: 'Is it open today?' })
  await untilJobs(phone.id, ['completed', 'completed'])
  const [, push] = receivedBy(phone.device)
  assert.equal(receivedBy(desk.device).length, 1)
  const { data } = ok(await ana.call('GET', 'notifications?limit=1'))
  assert.deepEqual(push?.message, {
    id: data[0].id,
    title: 'Message from Ada',
    body: 'Is it open today?',
    organization: 'Acme',
    tag: `ticket ${ticketId}`,
    url: `/inbox/${ticketId}?organization=${org.id}`,
  })
  assert.equal(push?.headers['content-encoding'], 'aes128gcm')
  assert.equal(push?.headers.topic, ticketId.replaceAll('-', ''))
  assert.equal(push?.claims.sub, 'https://desk.example.com')
})

test('a push says what happened, to whom, and how often while it was unread', async () => {
  const org = await newOrganization()
  const ana = await newMember(org)
  const { device, id } = await subscribe(ana)
  const texts = () => receivedBy(device).map(({ message }) => [message.title, message.body])
  const from = newCustomer()
  const { ticketId, contactId } = await org.receives({ from, body: 'Is it open today?' })
  await untilJobs(id, ['completed'])
  await org.receives({ from, body: 'Hello?' })
  await untilJobs(id, ['completed', 'completed'])
  const note = { body: 'Do you know this one?', mentioned_ids: [ana.id] }
  ok(await org.call('POST', `inbox/tickets/${ticketId}/notes`, note), 201)
  await untilJobs(id, ['completed', 'completed', 'completed'])
  await app.database.inTenant(org.scope, (tx) =>
    setHandling(tx, contactId, { aiHandling: false, actor: { type: 'ai', id: null }, reason: 'Asked for a person' }),
  )
  await untilJobs(id, ['completed', 'completed', 'completed', 'completed'])
  assert.deepEqual(texts(), [
    ['Ada is waiting', 'Is it open today?'],
    ['Ada is waiting (2)', 'Hello?'],
    ['You were mentioned: Ada', 'Do you know this one?'],
    ['The AI handed off Ada', 'Hello?'],
  ])
})

test('what a tab in use has shown, or the member has read, is not pushed', async () => {
  const org = await newOrganization()
  const [ana, ben] = [await newMember(org), await newMember(org)]
  for (const [member, verb] of [
    [ana, 'shown'],
    [ben, 'read'],
  ] as const) {
    const { device, id } = await subscribe(member)
    await assign(org, member)
    const listed = async () => ok(await member.call('GET', 'notifications')).data[0]
    await until(async () => (await listed()) !== undefined)
    ok(await member.call('POST', `notifications/${(await listed()).id}/${verb}`))
    await untilJobs(id, ['completed'])
    assert.deepEqual(receivedBy(device), [])
  }
})

test('an app in the background alerts a member to whom nothing is pushed, once', async () => {
  const org = await newOrganization()
  const ana = await newMember(org)
  const live = { call: ana.call, scope: org, headers: {} }
  const test = {
    call: ana.call,
    scope: { call: app.as((await app.key(org.id)).secret) },
    headers: { 'x-mode': 'test' },
  }
  const claims = async ({ call, scope, headers }: typeof live | typeof test) => {
    await assign(scope, ana)
    const unread = async () => ok(await call('GET', 'notifications?unread=true', undefined, headers)).data
    await until(async () => (await unread()).length === 1)
    const [{ id }] = await unread()
    const claim = () => call('POST', `notifications/${id}/shown?in_use=false`, undefined, headers)
    const alerts = (await Promise.all([claim(), claim()])).map((claimed) => ok(claimed).alert)
    ok(await call('POST', 'notifications/read', {}, headers))
    return alerts.sort()
  }
  assert.deepEqual(await claims(live), [false, true])
  const { device, id } = await subscribe(ana)
  assert.deepEqual(await claims(test), [false, true], 'test mode pushes nothing')
  await assign(org, ana)
  const unread = async () => ok(await ana.call('GET', 'notifications?unread=true')).data
  await until(async () => (await unread()).length === 1)
  const [{ id: notificationId }] = await unread()
  const claim = `notifications/${notificationId}/shown?in_use=false`
  assert.deepEqual(ok(await ana.call('POST', claim)), { alert: false })
  await untilJobs(id, ['completed'])
  assert.equal(receivedBy(device).length, 1, 'the push is not withheld')
  ok(await ana.call('DELETE', `push-subscriptions/${id}`))
  assert.deepEqual(ok(await ana.call('POST', claim)), { alert: true })
  assert.equal((await ana.call('POST', `notifications/${notificationId}/shown?in_use=perhaps`)).status, 422)
})

test('nothing is pushed in quiet hours, nor in test mode', async () => {
  const org = await newOrganization()
  const ana = await newMember(org)
  const { device, id } = await subscribe(ana)
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const quiet = { quiet_hours: { from: clock(-2), until: clock(2) }, time_zone: 'UTC' }
  ok(await ana.call('PATCH', 'notifications/preferences', quiet))
  await assign({ call: app.as((await app.key(org.id)).secret) }, ana)
  const test = { 'x-mode': 'test' }
  await until(async () => ok(await ana.call('GET', 'notifications', undefined, test)).total_count === 1)
  await assign(org, ana)
  await untilJobs(id, ['completed'])
  assert.deepEqual(receivedBy(device), [])
})

test('a push service that is down is tried again; a browser that is gone is forgotten', async () => {
  const org = await newOrganization()
  const ana = await newMember(org)
  const { device, id } = await subscribe(ana)
  service.next.push(503, 429)
  await assign(org, ana)
  await untilJobs(id, ['completed'])
  assert.equal(receivedBy(device).length, 1)
  for (const status of [404, 410]) {
    const gone = await subscribe(ana)
    await app.database.pools.system.query('delete from push_subscriptions where user_id = $1 and id <> $2', [
      ana.id,
      gone.id,
    ])
    service.next.push(status)
    await assign(org, ana)
    await until(async () => {
      await pushNow()
      return !(await isSubscribed(gone.id))
    })
  }
  // A refusal that says nothing about the browser leaves it subscribed.
  const kept = await subscribe(ana)
  service.next.push(400)
  await assign(org, ana)
  await untilJobs(kept.id, ['completed'])
  assert.equal(await isSubscribed(kept.id), true)
})

test('a browser that is signed out receives nothing', async () => {
  const org = await newOrganization()
  const ana = await newMember(org)
  const { device, id } = await subscribe(ana)
  ok(await ana.call('POST', 'auth/logout', {}))
  await assign(org, ana)
  await until(async () => {
    await pushNow()
    return !(await isSubscribed(id))
  })
  assert.deepEqual(receivedBy(device), [])
})

test('a subscription is checked, belongs to its person and can be removed', async () => {
  const org = await newOrganization()
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  const given = service.subscribe('checked')
  const post = (body: unknown, member = ana) => member.call('POST', 'push-subscriptions', body)
  for (const [faulty, status] of [
    [{}, 422],
    [{ ...given, endpoint: 'no url' }, 422],
    [{ ...given, endpoint: 'ftp://push.example.com/1' }, 422],
    [{ ...given, endpoint: 'http://10.0.0.1/1' }, 422],
    [{ ...given, keys: { ...given.keys, auth: 'c2hvcnQ' } }, 422],
    [{ ...given, keys: { ...given.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } }, 422],
  ] as const)
    assert.equal((await post(faulty)).status, status, JSON.stringify(faulty))
  assert.equal((await org.call('POST', 'push-subscriptions', given)).status, 403)
  const first = ok(await post(given), 201)
  assert.deepEqual(ok(await post(given), 201), first, 'the same browser once')
  const remove = (member: TestPerson) => member.call('DELETE', `push-subscriptions/${first.id}`)
  assert.equal((await remove(ben)).status, 404)
  ok(await remove(ana))
  assert.equal((await remove(ana)).status, 404)
  assert.equal((await ana.call('DELETE', 'push-subscriptions/x')).status, 404)
  assert.equal((await org.call('DELETE', `push-subscriptions/${first.id}`)).status, 403)
})
