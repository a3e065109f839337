import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../testing/app.ts'
import { startChatApp } from '../../testing/conversations.ts'
import { lockWaited } from '../../testing/locks.ts'
import { person, type TestPerson } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import type { Event } from '../events/schema.ts'

const { app, newOrganization } = await startChatApp()
const acme = await newOrganization('olive@events.example')
const { call } = acme
const owner = await person(app, acme.id, 'owner')
const modes = ['test', 'live'] as const
type Mode = (typeof modes)[number]

const settings = 'team.*,member.*,assignment_rule.*,schedule.*,sla_policy.*'
const eventsIn = async (mode: Mode, { call: as }: TestPerson = owner): Promise<Event[]> =>
  ok(await as('GET', `events?limit=100&type=${settings}`, undefined, { 'x-mode': mode })).data
const newestIn = async (mode: Mode) => (await eventsIn(mode))[0]?.id ?? ''

/** Makes the change in one mode, and returns the new events of both with their previous values. */
async function told(mode: Mode, change: (by: typeof call) => Promise<unknown>): Promise<Record<Mode, Event[]>> {
  const known = { test: await newestIn('test'), live: await newestIn('live') }
  await change((method, path, body) => owner.call(method, path, body, { 'x-mode': mode }))
  const since = async (of: Mode) => (await eventsIn(of)).filter(({ id }) => id > known[of])
  return { test: await since('test'), live: await since('live') }
}

/** The change has this event in each mode, whichever it was made in. */
async function tells(mode: Mode, type: string | undefined, previous: object | undefined, ...request: unknown[]) {
  const [method, path, body] = request as [string, string, unknown?]
  let answer: unknown
  const events = await told(mode, async (by) => {
    const { status, text, body: given } = await by(method, path, body)
    assert.ok(status < 300, text)
    answer = given
  })
  for (const of of modes) {
    assert.deepEqual(
      events[of].map((event) => [event.type, event.data.previous, event.livemode]),
      type === undefined ? [] : [[type, previous, of === 'live']],
      `${method} ${path} in ${of}`,
    )
    const { open_tickets: _, ...shown } = answer as { open_tickets?: number }
    if (type !== undefined && method !== 'DELETE') assert.deepEqual(events[of][0]?.data.object, shown)
  }
  return answer as { id: string }
}

test('changes of settings that both modes share have one event in each mode', async () => {
  const [live, inTest] = ['live', 'test'] as const
  const hours = { name: 'Office', time_zone: 'UTC', weekly_hours: {} }
  const { id: schedule_id } = await tells(inTest, 'schedule.created', undefined, 'POST', 'schedules', hours)
  const schedule = `schedules/${schedule_id}`
  await tells(live, 'schedule.updated', { name: 'Office' }, 'PATCH', schedule, { name: 'Desk' })
  await tells(live, undefined, undefined, 'PATCH', schedule, { name: 'Desk' })

  const { id: team_id } = await tells(inTest, 'team.created', undefined, 'POST', 'teams', { name: 'Sales' })
  const team = `teams/${team_id}`
  await tells(inTest, 'team.updated', { member_ids: [] }, 'PATCH', team, { member_ids: [owner.id] })
  await tells(live, undefined, undefined, 'PATCH', team, { member_ids: [owner.id] })

  const targets = { name: 'Standard', first_reply_minutes: 30 }
  const { id: policyId } = await tells(live, 'sla_policy.created', undefined, 'POST', 'sla-policies', targets)
  const policy = `sla-policies/${policyId}`
  await tells(inTest, 'sla_policy.updated', { team_id: null }, 'PATCH', policy, { team_id })
  await tells(inTest, undefined, undefined, 'PATCH', policy, { team_id })
  await tells(live, 'sla_policy.deleted', undefined, 'DELETE', policy)

  const mine = `availability/${owner.id}`
  await tells(inTest, 'member.availability_changed', { status: 'online' }, 'PATCH', mine, { status: 'away' })
  await tells(live, 'member.availability_changed', { capacity: null }, 'PATCH', mine, { capacity: 3 })
  await tells(live, undefined, undefined, 'PATCH', mine, { status: 'away' })

  await tells(inTest, 'team.deleted', undefined, 'DELETE', team)
  await tells(live, 'schedule.deleted', undefined, 'DELETE', schedule)
  assert.equal((await owner.call('DELETE', team)).status, 404)
})

test('a change that is refused has no event', async () => {
  const { id: schedule_id } = ok(
    await call('POST', 'schedules', { name: 'Used', time_zone: 'UTC', weekly_hours: {} }),
    201,
  )
  ok(await call('POST', 'teams', { name: 'Uses it', schedule_id }), 201)
  const events = await told('live', async (by) => {
    assert.equal((await by('DELETE', `schedules/${schedule_id}`)).status, 409)
    assert.equal((await by('POST', 'teams', { name: 'Uses it' })).status, 409)
    assert.equal((await by('POST', 'teams', { name: 'New', member_ids: [schedule_id] })).status, 404)
  })
  assert.deepEqual(events, { test: [], live: [] })
})

test('the rule of a channel has events in the mode of the channel', async () => {
  const [first, second] = await Promise.all(
    ['First', 'Second'].map(async (name) => ok(await call('POST', 'teams', { name }), 201).id as string),
  )
  const path = `assignment-rules/${acme.channelId}`
  // Both requests find no rule, and one of them adds it.
  const added = await told('live', (by) =>
    Promise.all([first, second].map(async (team_id) => ok(await by('PUT', path, { team_id })))),
  )
  assert.deepEqual(added.live.map(({ type }) => type).sort(), ['assignment_rule.created', 'assignment_rule.updated'])
  const { team_id } = ok(await call('GET', path))
  assert.equal(added.live[0]?.data.object.team_id, team_id)
  assert.deepEqual(added.live[0]?.data.previous, { team_id: team_id === first ? second : first })
  const removed = await told('live', async (by) => ok(await by('DELETE', path)))
  assert.deepEqual(
    removed.live.map(({ type, data }) => [type, data.object.id, data.object.team_id]),
    [['assignment_rule.deleted', acme.channelId, team_id]],
  )
  assert.deepEqual([added.test, removed.test], [[], []])
})

test('a member who is removed leaves their teams with an event', async () => {
  const [ada, ben] = [await person(app, acme.id, 'member'), await person(app, acme.id, 'member')]
  const member_ids = [ada.id, ben.id].sort()
  const { id } = ok(await call('POST', 'teams', { name: 'Two', member_ids }), 201)
  ok(await call('POST', 'teams', { name: 'Without', member_ids: [ben.id] }), 201)
  const known = { test: await newestIn('test'), live: await newestIn('live') }
  ok(await call('DELETE', `members/${ada.id}`))
  for (const mode of modes) {
    const since = async () => (await eventsIn(mode)).filter((event) => event.id > known[mode])
    await until(async () => (await since()).length > 0)
    assert.deepEqual(
      (await since()).map(({ type, data }) => [type, data.object.id, data.object.member_ids, data.previous]),
      [['team.updated', id, [ben.id], { member_ids }]],
    )
  }
})

test('members that another request adds to a team at the same time stay in it', async () => {
  const { id } = ok(await call('POST', 'teams', { name: 'Busy' }), 201)
  const isLocked = Promise.withResolvers<void>()
  const renaming = isLocked.promise.then(() => call('PATCH', `teams/${id}`, { name: 'Busier' }))
  await app.database.inTenant(acme.scope, async (tx) => {
    await tx.run`update teams set updated_at = now() where id = ${id}`
    await tx.run`insert into team_members (team_id, user_id) values (${id}, ${owner.id})`
    isLocked.resolve()
    await lockWaited(app)
  })
  assert.deepEqual(ok(await renaming).member_ids, [owner.id])
})

test('members with limited access hear of settings, which they may list too', async () => {
  const ada = await person(app, acme.id, 'member')
  ok(await call('PUT', `members/${ada.id}/access`, { channel_ids: [], team_ids: [] }))
  ok(await ada.call('PATCH', `availability/${ada.id}`, { status: 'off' }))
  for (const mode of modes) {
    const [newest] = await eventsIn(mode, ada)
    assert.deepEqual([newest?.type, newest?.data.object.id], ['member.availability_changed', ada.id])
  }
  const reader = app.as((await app.key(acme.id, { mode: 'live', scopes: ['contacts:read'] })).secret)
  assert.equal(ok(await reader('GET', `events?type=${settings}`)).total_count, 0)
})
