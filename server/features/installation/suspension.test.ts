import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok, startTestApp } from '../../testing/app.ts'
import { createReceptionist, place } from '../../testing/calls.ts'
import { campaigner } from '../../testing/campaigns.ts'
import { connectChannel, messagesTo, payloadOf, post, textFrom } from '../../testing/hooks.ts'
import { readMetrics } from '../../testing/metrics.ts'
import { operatorOf } from '../../testing/operators.ts'
import { person, untilStatus } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { openStream } from '../../testing/streams.ts'
import { makeWebhook, receiver } from '../../testing/webhook-receivers.ts'

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const address = await app.listen()
const operator = await operatorOf(app)
const refusal = {
  detail: 'This organization is suspended: ask the operator of this service',
  code: 'organization_suspended',
}

async function suspend(id: string, reason = 'Unpaid invoice') {
  const answer = await operator.call('POST', `operator/organizations/${id}/suspend`, { reason })
  assert.deepEqual([answer.status, answer.body.status, answer.body.suspended_reason], [200, 'suspended', reason])
  return answer.body
}
async function lift(id: string) {
  const answer = await operator.call('POST', `operator/organizations/${id}/lift`)
  assert.deepEqual([answer.status, answer.body.status, answer.body.suspended_at], [200, 'active', null])
}

test('keys, people, MCP and open streams are refused on every node, and work again afterwards', async () => {
  const acme = await app.organization()
  const other = await app.organization()
  const member = await person(app, [acme.id, other.id], 'member')
  const node = await app.node()
  const inAcme = { organization_id: acme.id }
  const stream = await openStream(`${address}/api/v1/stream`, { authorization: `Bearer ${acme.key}` })
  // Both nodes have cached the credentials.
  for (const each of [app, node]) {
    assert.equal((await each.as(acme.key)('GET', 'contacts')).status, 200)
    assert.equal((await each.as(member.token)('GET', 'contacts', undefined, inAcme)).status, 200)
  }
  const first = await suspend(acme.id)
  for (const each of [app, node]) await untilStatus(() => each.as(acme.key)('GET', 'contacts'), 403)
  await stream.ended
  for (const path of ['contacts', 'me', 'keys', 'stream', 'organization', 'agents', 'events']) {
    const refused = await acme.call('GET', path)
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [403, refusal.code, refusal.detail],
      path,
    )
  }
  assert.deepEqual((await acme.call('POST', 'contacts', { phone_number: '+14155550100' })).body, refusal)
  assert.deepEqual((await acme.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body, refusal)
  assert.deepEqual((await member.call('GET', 'contacts', undefined, inAcme)).body, refusal)
  const me = (await member.call('GET', 'me', undefined, inAcme)).body
  assert.deepEqual([me.organization.id, me.is_suspended, me.scopes], [acme.id, true, []])
  assert.equal((await member.call('GET', 'me', undefined, { organization_id: other.id })).body.is_suspended, false)
  assert.equal((await member.call('GET', 'contacts', undefined, { organization_id: other.id })).status, 200)
  assert.equal((await other.call('GET', 'contacts')).status, 200)

  const again = await suspend(acme.id, 'Abuse')
  assert.equal(again.suspended_at, first.suspended_at, 'a second suspension changes the reason only')
  for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }])
    assert.equal((await operator.call('POST', `operator/organizations/${acme.id}/suspend`, body)).status, 422)
  await lift(acme.id)
  for (const each of [app, node]) await untilStatus(() => each.as(acme.key)('GET', 'contacts'), 200)
  const { data } = (await acme.call('GET', `audit-log?object_id=${acme.id}`)).body
  assert.deepEqual(
    data.map(({ actor_name, current }: { actor_name: string; current: { suspended_reason: string } }) => [
      actor_name,
      current.suspended_reason,
    ]),
    [
      ['Operator of this installation', null],
      ['Operator of this installation', 'Abuse'],
      ['Operator of this installation', 'Unpaid invoice'],
    ],
  )
})

const Sent = Type.Object({ sent: Type.Integer(), pending: Type.Integer(), sending: Type.Integer() })

test('a campaign in the middle stops and continues, without losing or repeating a message', async () => {
  const org = await campaigner(app, { messagesPerSecond: 20 })
  // Twenty seconds of work, of which the suspension comes in the first ones.
  await org.crowd(400, 'all', '0100')
  const { id } = await org.send(null)
  await org.until(id, ({ sent_count }) => sent_count > 5)
  await suspend(org.id)
  const counts = () =>
    app.database.forSystem().one(Sent)`
      select count(*) filter (where status in ('sent', 'delivered', 'read'))::integer as sent,
        count(*) filter (where status = 'pending')::integer as pending,
        count(*) filter (where status = 'sending')::integer as sending
      from deliveries where campaign_id = ${id}`
  await until(async () => (await counts()).sending === 0)
  const stopped = await counts()
  assert.ok(stopped.pending > 0, JSON.stringify(stopped))
  // Another organization's campaign runs through meanwhile, so the workers had every chance to continue this one.
  const busy = await campaigner(app)
  const { id: other } = await busy.send(await busy.contacts(5))
  await busy.until(other, ({ status }) => status === 'completed')
  assert.deepEqual(await counts(), stopped)
  await lift(org.id)
  await untilStatus(() => org.call('GET', 'contacts'), 200)
  await org.call('PATCH', `channels/${org.channelId}`, { messages_per_second: 1000 })
  const done = await org.until(id, ({ status }) => status === 'completed')
  assert.deepEqual([done.total_contacts_count, done.sent_count, done.unknown_count], [400, 400, 0])
})

test('a scheduled campaign does not start while its organization is suspended', async () => {
  const org = await campaigner(app)
  const contacts = await org.contacts(1)
  const { id } = await org.send(contacts, { scheduled_at: new Date(Date.now() + 60_000).toISOString() })
  await suspend(org.id)
  await app.database.forSystem().run`update campaigns set scheduled_at = now() - interval '1 second' where id = ${id}`
  const busy = await campaigner(app)
  const { id: other } = await busy.send(await busy.contacts(1))
  await busy.until(other, ({ status }) => status === 'completed')
  const State = Type.Object({ status: Type.String() })
  const { status } = await app.database.forSystem().one(State)`select status from campaigns where id = ${id}`
  assert.equal(status, 'scheduled')
  await lift(org.id)
  await untilStatus(() => org.call('GET', 'contacts'), 200)
  await org.until(id, ({ status }) => status === 'completed')
})

test('inbound webhooks are stored and answered, and processed after the suspension', async () => {
  const acme = await app.organization()
  const channel = await connectChannel(acme)
  const globex = await app.organization()
  const theirs = await connectChannel(globex)
  await suspend(acme.id)
  ok(await post(app, channel, payloadOf(messagesTo(channel, [textFrom('14155557001', 'Hello?')]))))
  await post(app, theirs, payloadOf(messagesTo(theirs, [textFrom('14155557002', 'Hi')])))
  await until(async () => (await globex.call('GET', 'contacts')).body.total_count === 1)
  const Held = Type.Object({ attempts: Type.Integer() })
  const held = () => app.database.forSystem().all(Held)`
    select attempts from kept_hooks where outcome = 'held' and hook_organization_id = ${acme.id}`
  // It is kept in the transaction that ends the batch, after those of the other organizations.
  await until(async () => (await held()).length > 0)
  assert.deepEqual(await held(), [{ attempts: 0 }], 'waiting is not a failed attempt')
  await lift(acme.id)
  await untilStatus(() => acme.call('GET', 'contacts'), 200)
  await until(async () => (await acme.call('GET', 'inbox/tickets')).body.total === 1)
})

test('outgoing webhooks wait, and are delivered once afterwards', async () => {
  const acme = await app.organization()
  const sink = await receiver()
  const { id: webhookId } = await makeWebhook(acme.call, sink.url, ['contact.created'])
  await acme.call('POST', 'contacts', { phone_number: '+14155557101' })
  await until(async () => {
    const { data } = (await acme.call('GET', `webhooks/${webhookId}/deliveries`)).body
    return data[0]?.status === 'succeeded'
  })
  await suspend(acme.id)
  // An event of a request that was running when the suspension came.
  await app.database.inTenant(
    { organizationId: acme.id, livemode: false },
    (tx) => tx.run`update endpoint_leases set due_at = now() - interval '1 second'`,
  )
  const Event = Type.Object({ id: Type.String() })
  const [event] = await app.database.forSystem().all(Event)`select id from events where organization_id = ${acme.id}`
  await app.database.forSystem().run`
    update webhook_deliveries set status = 'pending', next_attempt_at = now() - interval '1 second' where organization_id = ${acme.id}`
  await app.database.forSystem()
    .run`update endpoint_leases set due_at = now() - interval '1 second' where organization_id = ${acme.id}`
  const busy = await app.organization()
  const other = await receiver()
  await makeWebhook(busy.call, other.url, ['contact.created'])
  await busy.call('POST', 'contacts', { phone_number: '+14155557102' })
  await until(async () => other.received.length === 1)
  assert.equal(sink.received.length, 1)
  await lift(acme.id)
  await until(async () => sink.received.length === 2)
  assert.equal(sink.received[1]?.headers['webhook-id'], event?.id)
})

test('queued calls wait, and inbound and web calls are refused', async () => {
  const acme = await app.organization()
  const agentId = await createReceptionist(acme)
  await operator.call('PATCH', `operator/organizations/${acme.id}`, { calls_at_once: 0 })
  const refused = await acme.call('POST', 'calls/web', { agent_id: agentId })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /limit of concurrent calls is 0/)
  const queued = ok(await place(acme, { agent_id: agentId, to_number: '+12025550111' }), 201)
  const waiting = async () => (await readMetrics(app)).get('frontdesk_queue_waiting{queue="calls"}')
  assert.equal(await waiting(), 1)
  await suspend(acme.id)
  assert.equal(await waiting(), 0, 'calls that wait for the operator do not wait for a worker')
  await operator.call('PATCH', `operator/organizations/${acme.id}`, { calls_at_once: null })
  const busy = await app.organization()
  const call = await place(busy, { agent_id: await createReceptionist(busy), to_number: '+12025550111' })
  const Status = Type.Object({ telephony_status: Type.String() })
  const statusOf = (id: string) =>
    app.database.forSystem().one(Status)`select telephony_status from calls where id = ${id}`
  await until(async () => (await statusOf(call.body.id)).telephony_status !== 'queued')
  assert.equal((await statusOf(queued.id)).telephony_status, 'queued')
  await lift(acme.id)
  await until(async () => (await statusOf(queued.id)).telephony_status !== 'queued')
})
