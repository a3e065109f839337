import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok } from '../../testing/app.ts'
import { type ChatOrganization, newCustomer, startChatApp } from '../../testing/conversations.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { reopenedWithRequest } from '../../testing/ratings.ts'
import { refreshTargetsJob } from './job-kinds.ts'
import { refreshTargets } from './refresh-targets.ts'
import { ticketBatch } from './target-queries.ts'

const { app, newOrganization } = await startChatApp({ settings: { AGENT_REPLY_DELAY_MS: 0 } })

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const after = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * 60_000).toISOString()

async function desk(policy: object = {}) {
  const org = await newOrganization()
  const created = ok(
    await org.call('POST', 'sla-policies', { name: 'Standard', first_reply_minutes: 30, ...policy }),
    201,
  )
  return { ...org, policy: created, ...watching(org) }
}

function watching({ call }: ChatOrganization) {
  const ticketOf = async (id: string) => ok(await call('GET', `inbox/tickets/${id}`))
  return {
    ticketOf,
    untilDue: async (id: string, target: string | null, dueAt?: string | null) => {
      await until(async () => {
        const { sla_target, sla_due_at } = await ticketOf(id)
        return sla_target === target && (dueAt === undefined || sla_due_at === dueAt)
      })
      return (await ticketOf(id)).sla_due_at
    },
    /** The kinds of the targets in events of this type about this ticket. */
    events: async (type: string, id: string): Promise<string[]> =>
      ok(await call('GET', `events?type=${type}&limit=100`))
        .data.filter(({ data }: { data: { object: { id: string } } }) => data.object.id === id)
        .map(({ data }: { data: { object: { target: { kind: string } } } }) => data.object.target.kind),
  }
}

test('a policy is created, changed, listed and deleted', async () => {
  const { call, policy } = await desk()
  const { id, created_at, updated_at, ...members } = policy
  assert.deepEqual(members, {
    organization_id: policy.organization_id,
    name: 'Standard',
    team_id: null,
    priority: null,
    schedule_id: null,
    first_reply_minutes: 30,
    next_reply_minutes: null,
    resolution_minutes: null,
    warning_minutes: 15,
    counts_ai_replies: false,
  })
  const changed = ok(await call('PATCH', `sla-policies/${id}`, { next_reply_minutes: 60, priority: 'high' }))
  assert.deepEqual({ ...changed, updated_at }, { ...policy, next_reply_minutes: 60, priority: 'high' })
  assert.deepEqual(ok(await call('GET', `sla-policies/${id}`)), changed)
  assert.deepEqual(ok(await call('GET', 'sla-policies')).data, [changed])
  assert.deepEqual(ok(await call('DELETE', `sla-policies/${id}`)), { message: 'Policy deleted successfully' })
  assert.equal((await call('GET', `sla-policies/${id}`)).status, 404)
  const { data } = ok(await call('GET', `audit-log?object_id=${id}`))
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['sla_policy.deleted', 'sla_policy.updated', 'sla_policy.created'],
  )
  assert.ok(created_at <= changed.updated_at)
})

test('faulty policies are refused, and those of others are 404', async () => {
  const { id: organizationId, call, policy } = await desk()
  const other = await newOrganization()
  for (const [status, body] of [
    [409, {}],
    [404, { team_id: newId() }],
    [404, { priority: 'low', schedule_id: newId() }],
    [422, { priority: 'low', first_reply_minutes: null }],
    [422, { priority: 'low', first_reply_minutes: 0 }],
    [422, { priority: 'huge' }],
    [422, { priority: 'low', name: ' ' }],
  ] as const) {
    const answer = await call('POST', 'sla-policies', { name: 'Second', first_reply_minutes: 5, ...body })
    assert.equal(answer.status, status, `${JSON.stringify(body)} ${answer.text}`)
  }
  for (const [as, of] of [
    [other.call, policy.id],
    [call, newId()],
  ] as const)
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
      assert.equal((await as(method, `sla-policies/${of}`, body)).status, 404)
  const member = await person(app, organizationId, 'member')
  assert.equal((await member.call('GET', 'sla-policies')).status, 200)
  assert.equal((await member.call('PATCH', `sla-policies/${policy.id}`, {})).status, 403)
  const asTest = app.as((await app.key(organizationId, { mode: 'test' })).secret)
  for (const [method, path, body] of [
    ['POST', 'sla-policies', { name: 'By test', first_reply_minutes: 5 }],
    ['PATCH', `sla-policies/${policy.id}`, {}],
    ['DELETE', `sla-policies/${policy.id}`],
  ] as const)
    assert.equal((await asTest(method, path, body)).status, 403, method)
  assert.equal((await app.call('GET', 'sla-policies')).status, 401)
})

test('first reply, next reply and resolution follow one another', async () => {
  const { call, receives, untilDue, events } = await desk({ next_reply_minutes: 60, resolution_minutes: 600 })
  const [from, at] = [newCustomer(), minutesAgo(3)]
  const { ticketId } = await receives({ from, at })
  assert.equal(await untilDue(ticketId, 'first_reply'), after(at, 30))
  ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Hello' }), 201)
  await untilDue(ticketId, 'resolution')
  const again = minutesAgo(1)
  await receives({ from, at: again })
  assert.equal(await untilDue(ticketId, 'next_reply'), after(again, 60))
  // A second message does not move the due time.
  await receives({ from })
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' }))
  await untilDue(ticketId, null, null)
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { status: 'open' }))
  await untilDue(ticketId, 'next_reply', after(again, 60))
  ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Hello again' }), 201)
  const due = await untilDue(ticketId, 'resolution')
  assert.ok(due > after(new Date().toISOString(), 599), 'reopening starts the resolution again')
  assert.deepEqual(
    [await events('ticket.sla_warning', ticketId), await events('ticket.sla_breached', ticketId)],
    [[], []],
  )
})

test('a warning and a breach are announced once each, whatever happens meanwhile on two nodes', async () => {
  const { receives, untilDue, events } = await desk()
  const second = await app.node()
  const from = newCustomer()
  const { ticketId } = await receives({ from, at: minutesAgo(20) })
  await until(async () => (await events('ticket.sla_warning', ticketId)).length > 0)
  const late = newCustomer()
  const { ticketId: missed } = await receives({ from: late, at: minutesAgo(31) })
  await until(async () => (await events('ticket.sla_breached', missed)).length > 0)
  await Promise.all(Array.from({ length: 10 }, (_, i) => receives({ from: i % 2 ? from : late })))
  await untilDue((await receives({ from: newCustomer() })).ticketId, 'first_reply')
  assert.deepEqual(await events('ticket.sla_warning', ticketId), ['first_reply'])
  assert.deepEqual(await events('ticket.sla_breached', ticketId), [])
  assert.deepEqual(await events('ticket.sla_warning', missed), [])
  assert.deepEqual(await events('ticket.sla_breached', missed), ['first_reply'])
  await second.close()
})

test('a breach is announced at its time, without another event', async () => {
  const { receives, events, ticketOf } = await desk({ first_reply_minutes: 1, warning_minutes: 0 })
  const { ticketId } = await receives({ from: newCustomer(), at: minutesAgo(58.5 / 60) })
  await until(async () => (await events('ticket.sla_breached', ticketId)).length === 1)
  const { sla_due_at } = await ticketOf(ticketId)
  assert.ok(Date.parse(sla_due_at) <= Date.now())
})

test('minutes count within business hours, and hours that never open set no due time', async () => {
  const { call, receives, untilDue, policy, ticketOf } = await desk()
  const closed = ok(await call('POST', 'schedules', { name: 'Never', time_zone: 'UTC', weekly_hours: {} }), 201)
  const { ticketId } = await receives({ from: newCustomer() })
  await untilDue(ticketId, 'first_reply')
  ok(await call('PATCH', `sla-policies/${policy.id}`, { schedule_id: closed.id }))
  const from = newCustomer()
  const other = await receives({ from })
  ok(
    await call('PATCH', `inbox/tickets/${ticketId}`, {
      assignee_id: (await person(app, policy.organization_id, 'member')).id,
    }),
  )
  await untilDue(ticketId, null)
  assert.equal((await ticketOf(other.ticketId)).sla_due_at, null)
  assert.equal((await call('DELETE', `schedules/${closed.id}`)).status, 409)
  // Open for one hour, from tomorrow's midnight on.
  const day = new Date(Date.now() + 86_400_000)
  const midnight = `${day.toISOString().slice(0, 10)}T00:00:00.000Z`
  const holidays = [{ date: midnight.slice(0, 10), hours: [{ from: '00:00', until: '01:00' }] }]
  ok(await call('PATCH', `schedules/${closed.id}`, { holidays }))
  await receives({ from })
  assert.equal(await untilDue(other.ticketId, 'first_reply'), after(midnight, 30))
})

test('tickets are sorted by due time, those without one last', async () => {
  const { call, receives, untilDue } = await desk({ priority: 'high' })
  const [soon, none, soonest] = [
    await receives({ from: newCustomer(), at: minutesAgo(2) }),
    await receives({ from: newCustomer(), at: minutesAgo(9) }),
    await receives({ from: newCustomer(), at: minutesAgo(5) }),
  ]
  for (const { ticketId } of [soon, soonest]) {
    ok(await call('PATCH', `inbox/tickets/${ticketId}`, { priority: 'high' }))
    await untilDue(ticketId, 'first_reply')
  }
  const { inboxes } = ok(await call('GET', 'inbox/tickets?status=open&sort=sla_due_at'))
  assert.deepEqual(
    inboxes.map(({ id }: { id: string }) => id),
    [soonest, soon, none].map(({ ticketId }) => ticketId),
  )
})

test('the policy of the team and priority applies before the general one', async () => {
  const { call, receives, untilDue } = await desk()
  const team = ok(await call('POST', 'teams', { name: 'Support' }), 201)
  const add = async (first_reply_minutes: number, members: object) =>
    ok(await call('POST', 'sla-policies', { name: 'Special', first_reply_minutes, ...members }), 201)
  const at = minutesAgo(1)
  const { ticketId } = await receives({ from: newCustomer(), at })
  assert.equal(await untilDue(ticketId, 'first_reply'), after(at, 30))
  await add(20, { team_id: team.id })
  ok(await call('PUT', `inbox/tickets/${ticketId}/team`, { team_id: team.id }))
  await untilDue(ticketId, 'first_reply', after(at, 20))
  await add(10, { priority: 'normal' })
  await add(5, { priority: 'urgent' })
  ok(await call('PUT', `inbox/tickets/${ticketId}/team`, { team_id: null }))
  await untilDue(ticketId, 'first_reply', after(at, 10))
  await add(15, { priority: 'normal', team_id: team.id })
  ok(await call('PUT', `inbox/tickets/${ticketId}/team`, { team_id: team.id }))
  await untilDue(ticketId, 'first_reply', after(at, 15))
  assert.equal((await call('DELETE', `teams/${team.id}`)).status, 409)
})

test('a change of a policy or of its hours moves the due times of open tickets', async () => {
  const org = await newOrganization()
  const { call, receives } = org
  const { untilDue, events } = watching(org)
  const at = minutesAgo(1)
  const { ticketId } = await receives({ from: newCustomer(), at })
  const policy = ok(await call('POST', 'sla-policies', { name: 'Standard', first_reply_minutes: 30 }), 201)
  await untilDue(ticketId, 'first_reply', after(at, 30))
  ok(await call('PATCH', `sla-policies/${policy.id}`, { first_reply_minutes: 45 }))
  await untilDue(ticketId, 'first_reply', after(at, 45))
  const hours = ok(await call('POST', 'schedules', { name: 'Never', time_zone: 'UTC', weekly_hours: {} }), 201)
  ok(await call('PATCH', `sla-policies/${policy.id}`, { schedule_id: hours.id }))
  await untilDue(ticketId, null, null)
  const midnight = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`
  const holidays = [{ date: midnight.slice(0, 10), hours: [{ from: '00:00', until: '01:00' }] }]
  ok(await call('PATCH', `schedules/${hours.id}`, { holidays }))
  await untilDue(ticketId, 'first_reply', after(midnight, 45))
  // What is overdue by the new policy is missed, once; a later due time does not take that back.
  ok(
    await call('PATCH', `sla-policies/${policy.id}`, { schedule_id: null, first_reply_minutes: 1, warning_minutes: 0 }),
  )
  await untilDue(ticketId, 'first_reply', after(at, 1))
  ok(await call('PATCH', `sla-policies/${policy.id}`, { first_reply_minutes: 2 }))
  await untilDue(ticketId, 'first_reply', after(at, 2))
  ok(await call('DELETE', `sla-policies/${policy.id}`))
  await untilDue(ticketId, null, null)
  assert.deepEqual(await events('ticket.sla_breached', ticketId), ['first_reply'])
})

test('a policy reaches all open tickets, in batches', async () => {
  const { call, scope, receives } = await newOrganization()
  const { contactId } = await receives({ from: newCustomer() })
  // Of equal age, so that batches end between tickets of the same moment.
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into tickets (id, contact_id) select gen_random_uuid(), ${contactId} from generate_series(1, ${ticketBatch + 20})`,
  )
  ok(await call('POST', 'sla-policies', { name: 'Standard', resolution_minutes: 60 }), 201)
  const held = async () =>
    (
      await app.database.pools.system.query(
        'select count(*)::integer as n from tickets where organization_id = $1 and sla_due_at is not null',
        [scope.organizationId],
      )
    ).rows[0].n
  await until(async () => (await held()) === ticketBatch + 21)
})

test('the resolution counts from the last reopening, also if there was no policy before', async () => {
  const org = await newOrganization()
  const { call, receives } = org
  const { untilDue, events } = watching(org)
  const { ticketId } = await receives({ from: newCustomer() })
  const close = async (status: string) => ok(await call('PATCH', `inbox/tickets/${ticketId}`, { status }))
  await app.database.forSystem().run`update tickets set created_at = now() - interval '30 days' where id = ${ticketId}`
  await close('closed')
  const policy = ok(await call('POST', 'sla-policies', { name: 'Standard', resolution_minutes: 60 }), 201)
  const reopened = new Date().toISOString()
  await close('open')
  const due = await untilDue(ticketId, 'resolution')
  assert.ok(due >= after(reopened, 60), due)
  // A ticket that is not held to it for a while has not been opened again.
  ok(await call('DELETE', `sla-policies/${policy.id}`))
  await untilDue(ticketId, null, null)
  ok(await call('POST', 'sla-policies', { name: 'Slow', resolution_minutes: 60 }), 201)
  await untilDue(ticketId, 'resolution', due)
  assert.deepEqual(await events('ticket.sla_breached', ticketId), [])
})

test('a rating wakes no ticket and starts no target', async () => {
  const org = await desk({ next_reply_minutes: 60, resolution_minutes: 600 })
  const { call, ticketOf, untilDue } = org
  const { ticketId, tap } = await reopenedWithRequest(org)
  const snoozed_until = after(new Date().toISOString(), 60)
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { snoozed_until }))
  await untilDue(ticketId, 'resolution')
  await tap('good')
  const rated = await ticketOf(ticketId)
  assert.deepEqual([rated.rating, rated.snoozed_until, rated.waiting_since], ['good', snoozed_until, null])
  await app.database.inTenant(org.scope, (tx) => refreshTargets(tx, ticketId))
  assert.equal((await ticketOf(ticketId)).sla_target, 'resolution')
})

test('a ticket has one job for its next time, however many messages it gets', async () => {
  const { receives, untilDue } = await desk({ warning_minutes: 0 })
  const from = newCustomer()
  const { ticketId } = await receives({ from })
  await untilDue(ticketId, 'first_reply')
  for (let i = 0; i < 5; i++) await receives({ from })
  const jobs = async (isLater: boolean): Promise<number> => {
    const { rows } = await app.database.pools.system.query(
      `select count(*)::integer as n from pgboss.job where name = $1 and data ->> 'ticketId' = $2
        and state in ('created', 'retry', 'active') and (start_after > now()) = $3`,
      [refreshTargetsJob.name, ticketId, isLater],
    )
    return rows[0].n
  }
  await untilDue((await receives({ from: newCustomer() })).ticketId, 'first_reply')
  await until(async () => (await jobs(false)) === 0)
  assert.equal(await jobs(true), 1)
})

test('an answer of the AI counts as a reply only if the policy says so', async () => {
  for (const counts_ai_replies of [false, true]) {
    const { call, channelId, receives, untilDue } = await desk({ counts_ai_replies, resolution_minutes: 6000 })
    const agent_config = { call_settings: { fallback: 'Let me see.' } }
    const agent = ok(await call('POST', 'agents', { name: 'Desk', agent_type: 'static', agent_config }), 201)
    ok(await call('PATCH', `channels/${channelId}`, { agent_id: agent.id }))
    const { ticketId } = await receives({ from: newCustomer() })
    await until(async () => {
      const { messages } = ok(await call('GET', `inbox/messages/${ticketId}`))
      return Boolean(messages[1]?.chat_message_id)
    })
    await untilDue(ticketId, counts_ai_replies ? 'resolution' : 'first_reply')
  }
})
