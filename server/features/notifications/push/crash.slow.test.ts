import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { holdJobs } from '../../../testing/hold-jobs.ts'
import { person } from '../../../testing/people.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../../testing/process.ts'
import { startPushService } from '../../../testing/push-service.ts'

/** The test's own node runs no workers: pushes come from a process that the test kills, and then from another node. */

const service = await startPushService()
const { app, platform, newOrganization } = await startChatApp({
  settings: { ROLE: 'api', OUTBOUND_ALLOW: ['127.0.0.1'] },
})
const org = await newOrganization()
// Pushes are due five seconds after their record. Here they wait for the test.
const { runNow: pushNow } = await holdJobs(await connectOwner(app), 'notifications.push')

async function startDoomed() {
  const worker = await startProcess(await temporaryFolder(), {
    ROLE: 'worker',
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
    OUTBOUND_ALLOW: '127.0.0.1',
  })
  // A subscription receives events only from its first poll on.
  await until(async () => {
    const { rows } = await app.database.pools.system.query(
      `select from event_subscriptions where name = 'notifications'`,
    )
    return rows.length > 0
  })
  return worker
}
const startNext = () => app.node({ ROLE: 'worker' })
const countOf = async ({ call }: { call: (method: string, path: string) => ReturnType<typeof org.call> }) =>
  ok(await call('GET', 'notifications')).total_count

async function newDevice(device: string) {
  const member = await person(app, org.id, 'member')
  ok(await member.call('POST', 'push-subscriptions', service.subscribe(device)), 201)
  return member
}
async function assign(memberId: string) {
  const contact = ok(await org.call('POST', 'contacts', { phone_number: newCustomer() }), 201)
  const { id } = ok(await org.call('POST', 'inbox/tickets', { contact_id: contact.id }), 201)
  ok(await org.call('PATCH', `inbox/tickets/${id}`, { assignee_id: memberId }))
}
const receivedBy = (device: string) => service.received.filter((push) => push.device === device)

test('a worker killed between record and push leaves the push to the next one, which sends it once', async () => {
  const doomed = await startDoomed()
  const member = await newDevice('first')
  await assign(member.id)
  await until(async () => (await countOf(member)) === 1)
  await doomed.stop('SIGKILL')
  assert.equal(receivedBy('first').length, 0)
  const next = await startNext()
  await pushNow()
  await until(async () => receivedBy('first').length > 0)
  await next.close()
  assert.equal(receivedBy('first').length, 1)
  assert.equal(await countOf(member), 1)
})

test('a push that is repeated after a crash replaces the first one', async () => {
  const doomed = await startDoomed()
  const member = await newDevice('second')
  service.next.push(() => doomed.stop('SIGKILL').then(() => {}))
  await assign(member.id)
  await until(async () => (await countOf(member)) === 1)
  await pushNow()
  await doomed.exited
  const next = await startNext()
  await until(async () => receivedBy('second').length === 2)
  await next.close()
  const [once, again] = receivedBy('second')
  assert.deepEqual(again?.message, once?.message)
  assert.equal(again?.headers.topic, once?.headers.topic)
})
