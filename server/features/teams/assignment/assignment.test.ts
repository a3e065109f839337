import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { type CallAs, ok } from '../../../testing/app.ts'
import { newCustomer, sendingOf, startChatApp } from '../../../testing/conversations.ts'
import { lockWaited } from '../../../testing/locks.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { assignWaiting } from './assign-waiting.ts'
import { findTicketsToAssign } from './queries.ts'
import { sendAwayMessage } from './send-away-message.ts'

const { app, newOrganization } = await startChatApp({ settings: { AGENT_REPLY_DELAY_MS: 0 } })

interface Assignment {
  assignee_id: string | null
  previous_assignee_id: string | null
  reason: string
  actor_type: string
}

/** An organization with a team that gets the conversations of its channel. */
async function desk(members: number, team: object = {}) {
  const org = await newOrganization()
  const people = []
  for (let i = 0; i < members; i++) people.push(await person(app, org.id, 'member'))
  const member_ids = people.map(({ id }) => id)
  const given = { name: 'Support', assignment: 'round_robin', member_ids, ...team }
  const { id: teamId } = ok(await org.call('POST', 'teams', given), 201)
  ok(await org.call('PUT', `assignment-rules/${org.channelId}`, { team_id: teamId }))
  const ticketOf = async (id: string) => ok(await org.call('GET', `inbox/tickets/${id}`))
  return {
    ...org,
    people,
    teamId,
    ticketOf,
    log: async (id: string): Promise<Assignment[]> =>
      ok(await org.call('GET', `inbox/tickets/${id}/assignments?limit=100`)).data.reverse(),
    untilAssigned: async (
      id: string,
      isWanted = (assignee: string | null): boolean => assignee !== null,
    ): Promise<string> => {
      await until(async () => isWanted((await ticketOf(id)).assignee_id))
      return (await ticketOf(id)).assignee_id
    },
    /** Resolves when a worker has given the ticket its team: whether it gets an assignee is decided in the same transaction. */
    routed: (id: string) => until(async () => (await ticketOf(id)).team_id !== null),
  }
}

const closedHours = async (call: CallAs) =>
  ok(await call('POST', 'schedules', { name: 'Never', time_zone: 'UTC', weekly_hours: {} }), 201).id

test('round robin gives each member a turn, and every step is in the log', async () => {
  const { receives, people, untilAssigned, log, teamId, ticketOf, call } = await desk(3)
  const assignees: string[] = []
  for (let i = 0; i < 6; i++) assignees.push(await untilAssigned((await receives({ from: newCustomer() })).ticketId))
  const ids = people.map(({ id }) => id).sort()
  assert.deepEqual(assignees, [...ids, ...ids])
  const { ticketId } = await receives({ from: newCustomer() })
  await untilAssigned(ticketId)
  assert.equal((await ticketOf(ticketId)).team_id, teamId)
  await call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: ids[2] })
  const steps = (await log(ticketId)).map(({ reason, assignee_id, actor_type }) => [reason, assignee_id, actor_type])
  assert.deepEqual(steps, [
    ['routed', null, 'system'],
    ['automatic', ids[0], 'system'],
    ['manual', ids[2], 'key'],
  ])
})

test('least busy counts open tickets, and a full member is passed over', async () => {
  const { receives, people, untilAssigned, call } = await desk(2, { assignment: 'least_busy' })
  const tickets = []
  for (let i = 0; i < 2; i++) tickets.push((await receives({ from: newCustomer() })).ticketId)
  const [first] = await Promise.all(tickets.map((id) => untilAssigned(id)))
  await call('PATCH', `inbox/tickets/${tickets[0]}`, { status: 'closed' })
  const third = (await receives({ from: newCustomer() })).ticketId
  assert.equal(await untilAssigned(third), first)
  const other = people.find(({ id }) => id !== first)?.id
  ok(await call('PATCH', `availability/${first}`, { capacity: 1 }))
  for (let i = 0; i < 2; i++)
    assert.equal(await untilAssigned((await receives({ from: newCustomer() })).ticketId), other)
})

test('without an available member a ticket waits, and is assigned when one comes back', async () => {
  const { receives, people, ticketOf, routed, untilAssigned, call } = await desk(1)
  const [ada] = people
  for (const status of ['away', 'off']) {
    ok((await ada?.call('PATCH', `availability/${ada?.id}`, { status })) as never)
    const { ticketId } = await receives({ from: newCustomer() })
    await routed(ticketId)
    assert.equal((await ticketOf(ticketId)).assignee_id, null)
    ok((await ada?.call('PATCH', `availability/${ada?.id}`, { status: 'online' })) as never)
    assert.equal(await untilAssigned(ticketId), ada?.id)
  }
  assert.ok(ok(await call('GET', 'availability')).data.some((each: { open_tickets: number }) => each.open_tickets >= 2))
})

test('of members who take a ticket at once, one gets it', async () => {
  const { receives, people, routed, log, call } = await desk(4, { assignment: 'manual' })
  for (let round = 0; round < 3; round++) {
    const { ticketId } = await receives({ from: newCustomer() })
    await routed(ticketId)
    const answers = await Promise.all(people.map((each) => each.call('POST', `inbox/tickets/${ticketId}/take`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    const owner = answers.find(({ status }) => status === 200)?.body.assignee_id
    const refusal = { detail: 'Already assigned to Pat Person', existing_id: owner }
    for (const { status, body } of answers) if (status === 409) assert.deepEqual(body, refusal)
    assert.deepEqual(
      (await log(ticketId)).map(({ reason }) => reason),
      ['routed', 'taken'],
    )
    const winner = people.find(({ id }) => id === owner)
    assert.equal((await winner?.call('POST', `inbox/tickets/${ticketId}/take`))?.status, 200)
    assert.equal((await call('POST', `inbox/tickets/${ticketId}/take`)).status, 400)
  }
  assert.equal((await call('GET', `inbox/tickets/${newId()}/assignments`)).status, 404)
  assert.equal((await people[0]?.call('POST', `inbox/tickets/${newId()}/take`))?.status, 404)
})

test('twenty messages at once give a ticket one owner', async () => {
  const { receives, untilAssigned, log } = await desk(3)
  const from = newCustomer()
  await Promise.all(Array.from({ length: 20 }, () => receives({ from })))
  const { ticketId } = await receives({ from })
  await untilAssigned(ticketId)
  assert.deepEqual(
    (await log(ticketId)).map(({ reason }) => reason),
    ['routed', 'automatic'],
  )
})

test('tickets of a member who is removed, or leaves the team, go to another one', async () => {
  const { receives, people, untilAssigned, log, call, teamId } = await desk(3)
  const { ticketId } = await receives({ from: newCustomer() })
  const first = await untilAssigned(ticketId)
  ok(await call('DELETE', `members/${first}`))
  const left = people.filter(({ id }) => id !== first).map(({ id }) => id)
  const second = await untilAssigned(ticketId)
  ok(await call('PATCH', `teams/${teamId}`, { member_ids: left.filter((id) => id !== second) }))
  const third = await untilAssigned(ticketId, (assignee) => assignee !== null && assignee !== second)
  assert.deepEqual(
    (await log(ticketId)).map(({ reason, previous_assignee_id, assignee_id }) => [
      reason,
      previous_assignee_id,
      assignee_id,
    ]),
    [
      ['routed', null, null],
      ['automatic', null, first],
      ['member_removed', first, null],
      ['automatic', null, second],
      ['left_team', second, null],
      ['automatic', null, third],
    ],
  )
})

test('the tickets of a removed member are announced, also if no one follows', async () => {
  const { receives, people, call, ticketOf, routed } = await desk(1, { assignment: 'manual' })
  const [ana] = people.map(({ id }) => id)
  const [open, closed] = [await receives({ from: newCustomer() }), await receives({ from: newCustomer() })]
  for (const { ticketId } of [open, closed]) {
    await routed(ticketId)
    ok(await call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: ana }))
  }
  ok(await call('PATCH', `inbox/tickets/${closed.ticketId}`, { status: 'closed' }))
  ok(await call('DELETE', `members/${ana}`))
  const releases = async (): Promise<[string, string | null][]> =>
    ok(await call('GET', 'events?type=ticket.updated&limit=100'))
      .data.map(
        (event: { data: { object: { id: string; assignee_id: string | null }; previous: object } }) => event.data,
      )
      .filter(({ previous }: { previous: { assignee_id?: string } }) => previous.assignee_id === ana)
      .map(({ object }: { object: { id: string; assignee_id: string | null } }) => [object.id, object.assignee_id])
  await until(async () => (await releases()).length > 0)
  assert.deepEqual(await releases(), [[open.ticketId, null]])
  assert.equal((await ticketOf(open.ticketId)).assignee_id, null)
})

test('a ticket without a reply in time goes to another member, but not to the same one', async () => {
  const { receives, people, untilAssigned, log, call } = await desk(2, { reassign_after_minutes: 10 })
  const { ticketId } = await receives({ from: newCustomer() })
  const first = await untilAssigned(ticketId)
  const elapse = async (minutes: number) => {
    const system = app.database.forSystem()
    await system.run`update messages set created_at = created_at - make_interval(mins => ${minutes}) where ticket_id = ${ticketId}`
    await system.run`
      update ticket_assignments set created_at = created_at - make_interval(mins => ${minutes}) where ticket_id = ${ticketId}`
    ok(await call('PATCH', `availability/${first}`, { status: 'online' }))
  }
  await elapse(5)
  await elapse(6)
  const second = await untilAssigned(ticketId, (assignee) => assignee !== first)
  assert.equal(second, people.find(({ id }) => id !== first)?.id)
  assert.deepEqual(
    (await log(ticketId)).map(({ reason }) => reason),
    ['routed', 'automatic', 'no_reply'],
  )
  // Once the member has replied, the ticket stays.
  ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Hello' }), 201)
  await elapse(60)
  const other = await receives({ from: newCustomer() })
  await untilAssigned(other.ticketId)
  assert.deepEqual(
    (await log(ticketId)).map(({ reason }) => reason),
    ['routed', 'automatic', 'no_reply'],
  )
})

test('a snoozed ticket stays with the member who set it aside', async () => {
  const { receives, untilAssigned, log, call } = await desk(2, { reassign_after_minutes: 10 })
  const from = newCustomer()
  const { ticketId } = await receives({ from })
  const owner = await untilAssigned(ticketId)
  const snoozed_until = new Date(Date.now() + 3_600_000).toISOString()
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { snoozed_until }))
  const system = app.database.forSystem()
  await system.run`update messages set created_at = created_at - interval '1 hour' where ticket_id = ${ticketId}`
  await system.run`
    update ticket_assignments set created_at = created_at - interval '1 hour' where ticket_id = ${ticketId}`
  await assignWaiting(app.database, undefined, new AbortController().signal)
  assert.deepEqual(
    (await log(ticketId)).map(({ reason }) => reason),
    ['routed', 'automatic'],
  )
  // The contact writes, which wakes it.
  await receives({ from })
  await untilAssigned(ticketId, (assignee) => assignee !== owner)
})

test('tickets that no member has room for do not keep others waiting', async () => {
  const { receives, people, untilAssigned, call, routed } = await desk(1)
  const full = people[0]?.id as string
  await untilAssigned((await receives({ from: newCustomer() })).ticketId)
  ok(await call('PATCH', `availability/${full}`, { capacity: 1 }))
  const { ticketId } = await receives({ from: newCustomer() })
  await routed(ticketId)
  const found = await findTicketsToAssign(app.database.forSystem(), undefined)
  assert.ok(!found.some(({ id }) => id === ticketId))
  ok(await call('PATCH', `availability/${full}`, { capacity: 2 }))
  await untilAssigned(ticketId)
})

test('outside its business hours a team gets nothing, and another team takes over', async () => {
  const { receives, people, routed, ticketOf, call, teamId, untilAssigned, log } = await desk(1)
  const schedule_id = await closedHours(call)
  ok(await call('PATCH', `teams/${teamId}`, { schedule_id }))
  const { ticketId } = await receives({ from: newCustomer() })
  await routed(ticketId)
  assert.deepEqual([(await ticketOf(ticketId)).team_id, (await ticketOf(ticketId)).assignee_id], [teamId, null])
  const member_ids = [people[0]?.id]
  const night = ok(await call('POST', 'teams', { name: 'Night', assignment: 'round_robin', member_ids }), 201)
  ok(await call('PATCH', `teams/${teamId}`, { after_hours_team_id: night.id }))
  const later = await receives({ from: newCustomer() })
  assert.equal(await untilAssigned(later.ticketId), people[0]?.id)
  assert.equal((await ticketOf(later.ticketId)).team_id, night.id)
  assert.deepEqual(
    (await log(later.ticketId)).map(({ reason }) => reason),
    ['after_hours', 'automatic'],
  )
})

test('a ticket can be passed to another team, which assigns it', async () => {
  const { receives, people, call, teamId, untilAssigned, ticketOf, log } = await desk(2)
  const { ticketId } = await receives({ from: newCustomer() })
  const first = await untilAssigned(ticketId)
  const other = people.find(({ id }) => id !== first)?.id
  const given = { name: 'Billing', assignment: 'least_busy', member_ids: [other] }
  const billing = ok(await call('POST', 'teams', given), 201)
  const passed = ok(await call('PUT', `inbox/tickets/${ticketId}/team`, { team_id: billing.id }))
  assert.deepEqual([passed.team_id, passed.assignee_id], [billing.id, null])
  assert.equal(await untilAssigned(ticketId), other)
  assert.deepEqual(
    (await log(ticketId)).map(({ reason }) => reason),
    ['routed', 'automatic', 'manual', 'automatic'],
  )
  // Other members are ignored.
  ok(await call('PUT', `inbox/tickets/${ticketId}/team`, { team_id: null, status: 'closed', tags: 'vip' }))
  const { assignee_id, status, tags } = await ticketOf(ticketId)
  assert.deepEqual([assignee_id, status, tags], [other, 'open', []])
  assert.equal((await call('PUT', `inbox/tickets/${ticketId}/team`, { team_id: newId() })).status, 404)
  assert.equal((await call('PUT', `inbox/tickets/${newId()}/team`, { team_id: teamId })).status, 404)
  assert.equal((await call('PUT', `inbox/tickets/${ticketId}/team`, {})).status, 422)
})

test('a change of a ticket, or of many, passes them to a team', async () => {
  const { receives, people, call, ticketOf, log, routed } = await desk(2, { assignment: 'manual' })
  const [ana, ben] = people.map(({ id }) => id)
  const { ticketId } = await receives({ from: newCustomer() })
  await routed(ticketId)
  const billing = ok(await call('POST', 'teams', { name: 'Billing', assignment: 'manual' }), 201)
  const change = async (changes: object) => {
    const { team_id, assignee_id, priority } = ok(await call('PATCH', `inbox/tickets/${ticketId}`, changes))
    return { team_id, assignee_id, priority }
  }
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: ana }))
  assert.deepEqual(await change({ team_id: billing.id, priority: 'high' }), {
    ...{ team_id: billing.id, assignee_id: null, priority: 'high' },
  })
  const [routing, assigned, passed] = await log(ticketId)
  assert.deepEqual([routing?.reason, assigned?.reason], ['routed', 'manual'])
  assert.deepEqual([passed?.reason, passed?.previous_assignee_id, passed?.assignee_id], ['manual', ana, null])
  const sales = ok(await call('POST', 'teams', { name: 'Sales', assignment: 'manual' }), 201)
  assert.equal((await change({ team_id: sales.id, assignee_id: ben })).assignee_id, ben)
  // The same team again changes nothing.
  assert.equal((await change({ team_id: sales.id })).assignee_id, ben)
  const { data } = ok(await call('GET', 'events?type=ticket.updated&limit=1'))
  assert.deepEqual(data[0].data.previous, { team_id: billing.id, assignee_id: null })

  const other = await receives({ from: newCustomer() })
  await routed(other.ticketId)
  const ids = [ticketId, other.ticketId]
  const { updated } = ok(await call('POST', 'inbox/tickets/bulk', { ids, team_id: billing.id }))
  assert.deepEqual(
    updated.map((ticket: { team_id: string; assignee_id: null }) => [ticket.team_id, ticket.assignee_id]),
    ids.map(() => [billing.id, null]),
  )
  const foreign = await desk(0)
  for (const team_id of [newId(), foreign.teamId]) {
    assert.equal((await call('PATCH', `inbox/tickets/${ticketId}`, { team_id })).status, 404)
    assert.equal((await call('POST', 'inbox/tickets/bulk', { ids, team_id })).status, 404)
  }
  assert.equal((await call('PATCH', `inbox/tickets/${ticketId}`, { team_id: 'Billing' })).status, 422)
  assert.equal((await foreign.call('PATCH', `inbox/tickets/${ticketId}`, { team_id: null })).status, 404)
  assert.equal((await ticketOf(ticketId)).team_id, billing.id)
})

test('what an agent answers is not assigned until it is handed off', async () => {
  const { receives, call, channelId, routed, ticketOf, untilAssigned } = await desk(1)
  const call_settings = { fallback: 'Let me see.' }
  const agent = ok(
    await call('POST', 'agents', { name: 'Desk', agent_type: 'static', agent_config: { call_settings } }),
    201,
  )
  ok(await call('PATCH', `channels/${channelId}`, { agent_id: agent.id }))
  const { ticketId, contactId } = await receives({ from: newCustomer() })
  await routed(ticketId)
  assert.equal((await ticketOf(ticketId)).assignee_id, null)
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'human' }))
  await untilAssigned(ticketId)
  // Outside the hours that its replies follow, the agent leaves conversations to people.
  const business_hours = { schedule_id: await closedHours(call), replies: 'open' }
  ok(await call('PATCH', `agents/${agent.id}`, { agent_config: { business_hours } }))
  const later = await receives({ from: newCustomer() })
  await untilAssigned(later.ticketId)
  assert.equal((await ticketOf(later.ticketId)).last_message.direction, 'inbound')
})

test('an away message is sent once for each conversation and closed period', async () => {
  const { receives, call, channelId, teamId, routed } = await desk(1)
  // Closed from yesterday to the day after tomorrow, so that midnight changes nothing.
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000)
  const name = (date: Date) => date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
  const weekly_hours = Object.fromEntries(
    [3, 4, 5].map((days) => [name(dayAfter(days)), [{ from: '09:00', until: '17:00' }]]),
  )
  const schedule_id = ok(await call('POST', 'schedules', { name: 'Some days', time_zone: 'UTC', weekly_hours }), 201).id
  const rule = { team_id: teamId, schedule_id, away_message: 'We are closed.' }
  ok(await call('PUT', `assignment-rules/${channelId}`, rule))
  const from = newCustomer()
  const { ticketId } = await receives({ from })
  const sent = async () => {
    const { messages } = ok(await call('GET', `inbox/messages/${ticketId}`))
    return messages.filter(({ direction }: { direction: string }) => direction === 'outbound')
  }
  await until(async () => (await sent())[0]?.chat_message_id)
  await Promise.all(Array.from({ length: 5 }, () => receives({ from })))
  const [message, ...more] = await sent()
  assert.deepEqual([message.body, message.actor_type, more], ['We are closed.', 'system', []])
  // A holiday makes the period longer, which is still the same.
  const holidays = [{ date: dayAfter(3).toISOString().slice(0, 10) }]
  ok(await call('PATCH', `schedules/${schedule_id}`, { holidays }))
  await receives({ from })
  await routed((await receives({ from: newCustomer() })).ticketId)
  assert.equal((await sent()).length, 1)
  // Another period, another message: it was open in the week before.
  await app.database.forSystem()
    .run`update away_messages set created_at = now() - interval '7 days' where ticket_id = ${ticketId}`
  await receives({ from })
  await until(async () => (await sent()).at(-1).chat_message_id !== message.chat_message_id)
  assert.equal((await sent()).length, 2)
})

test('a contact who wrote while it was open gets no away message when the ticket changes after hours', async () => {
  const { receives, call, channelId, teamId, untilAssigned, scope } = await desk(1)
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  // Closed half an hour ago. The date is that of the opening: the span may end after midnight.
  const clock = (date: Date) => date.toISOString().slice(11, 16)
  const hours = [{ from: clock(ago(90)), until: clock(ago(30)) }]
  const date = ago(90).toISOString().slice(0, 10)
  const given = { name: 'Until now', time_zone: 'UTC', weekly_hours: {}, holidays: [{ date, hours }] }
  const schedule_id = ok(await call('POST', 'schedules', given), 201).id
  const { ticketId } = await receives({ from: newCustomer(), at: ago(45).toISOString() })
  await untilAssigned(ticketId)
  ok(
    await call('PUT', `assignment-rules/${channelId}`, {
      team_id: teamId,
      schedule_id,
      away_message: 'We are closed.',
    }),
  )
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: null }))
  await untilAssigned(ticketId)
  await sendAwayMessage({ ...sendingOf(app), log: app.server.log as never }, scope, ticketId)
  assert.equal(ok(await call('GET', `inbox/messages/${ticketId}`)).total, 1)
})

test('no away message is sent in a ticket that is closed while it is prepared', async () => {
  const { receives, call, channelId, teamId, scope, routed } = await desk(1)
  const { ticketId, contactId } = await receives({ from: newCustomer() })
  await routed(ticketId)
  const rule = { team_id: teamId, schedule_id: await closedHours(call), away_message: 'Closed.' }
  const [locked, awaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const closing = app.database.inTenant(scope, async (tx) => {
    await tx.run`select from contacts where id = ${contactId} for update`
    locked.resolve()
    await awaited.promise
    await tx.run`update tickets set status = 'closed' where id = ${ticketId}`
  })
  await locked.promise
  // With the contact locked: a job that follows the routing of the ticket would send it, too.
  ok(await call('PUT', `assignment-rules/${channelId}`, rule))
  const sending = sendAwayMessage({ ...sendingOf(app), log: app.server.log as never }, scope, ticketId)
  await lockWaited(app)
  awaited.resolve()
  await Promise.all([closing, sending])
  assert.equal(ok(await call('GET', `inbox/messages/${ticketId}`)).total, 1)
})

test('an agent that a contact is handed to answers what only got an away message', async () => {
  const { receives, call, channelId, teamId } = await desk(1)
  const schedule_id = await closedHours(call)
  const rule = { team_id: teamId, schedule_id, away_message: 'We are closed.' }
  ok(await call('PUT', `assignment-rules/${channelId}`, rule))
  const { ticketId, contactId } = await receives({ from: newCustomer() })
  const sentBy = async (actor: string) => {
    const { messages } = ok(await call('GET', `inbox/messages/${ticketId}`))
    return messages.some(
      (each: { actor_type: string; direction: string; chat_message_id: string }) =>
        each.direction === 'outbound' && each.actor_type === actor && each.chat_message_id,
    )
  }
  await until(() => sentBy('system'))
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'human' }))
  const agent_config = { call_settings: { fallback: 'Let me see.' } }
  const agent = ok(await call('POST', 'agents', { name: 'Desk', agent_type: 'static', agent_config }), 201)
  ok(await call('PATCH', `channels/${channelId}`, { agent_id: agent.id }))
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  await until(() => sentBy('ai'))
})

test('rules are kept for each channel', async () => {
  const { call, channelId, teamId } = await desk(0)
  const other = await newOrganization()
  const { created_at: _, updated_at: __, ...rule } = ok(await call('GET', `assignment-rules/${channelId}`))
  assert.deepEqual(rule, { id: channelId, team_id: teamId, schedule_id: null, away_message: null })
  assert.equal(ok(await call('GET', 'assignment-rules')).total_count, 1)
  assert.equal((await call('DELETE', `teams/${teamId}`)).status, 409)
  for (const [status, body] of [
    [422, { away_message: 'Closed' }],
    [422, { away_message: ' ' }],
    [404, { team_id: newId() }],
    [404, { schedule_id: newId() }],
  ] as const)
    assert.equal((await call('PUT', `assignment-rules/${channelId}`, body)).status, status, JSON.stringify(body))
  for (const id of [newId(), other.channelId]) {
    assert.equal((await call('PUT', `assignment-rules/${id}`, {})).status, 404)
    assert.equal((await call('GET', `assignment-rules/${id}`)).status, 404)
    assert.equal((await call('DELETE', `assignment-rules/${id}`)).status, 404)
  }
  // What is left out stays.
  assert.equal(ok(await call('PUT', `assignment-rules/${channelId}`, {})).team_id, teamId)
  assert.equal(ok(await call('PUT', `assignment-rules/${channelId}`, { team_id: null })).team_id, null)
  assert.deepEqual(ok(await call('DELETE', `assignment-rules/${channelId}`)), {
    message: 'Assignment rule deleted successfully',
  })
})
