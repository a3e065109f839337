import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { ok, type Reply, startTestApp, type TestOrganization } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { contactHandoff } from '../contacts/events.ts'
import {
  messageReceived,
  messageSent,
  ticketClosed,
  ticketOpened,
  ticketRated,
  ticketReopened,
  ticketUpdated,
} from '../inbox/events.ts'
import type { Message } from '../inbox/messages/schema.ts'
import type { Ticket } from '../inbox/tickets/schema.ts'
import { packDaysJob } from './jobs.ts'

/** An app of its own: one test reads all events again. */
const app = await startTestApp()

const Left = Type.Object({ n: Type.Integer() })

/** Resolves when the subscription has read all events. */
const untilRead = () =>
  until(async () => {
    const { n } = await app.database.forSystem().one(Left)`
      select count(*) as n from events, event_subscriptions s
      where s.name = 'reports' and (events.transaction_id, events.id) > (s.transaction_id, s.event_id)`
    return n === 0
  })

let people = 0
const newNumber = () => `+1415555${String(4000 + ++people)}`

/** A ticket whose events happened at chosen times. */
async function history({ id: organizationId, call }: TestOrganization, opened: string, contact: object = {}) {
  const contactId = ok(await call('POST', 'contacts', { phone_number: newNumber(), ...contact }), 201).id as string
  const [channel] = ok(await call('GET', 'channels')).data
  const scope = { organizationId, livemode: false }
  const ticket: Ticket = {
    id: newId(),
    organization_id: organizationId,
    contact_id: contactId,
    chat_phone_number_id: channel.id,
    status: 'open',
    assignee_id: null,
    team_id: null,
    priority: 'normal',
    tags: [],
    snoozed_until: null,
    waiting_since: null,
    answered_by: 'person',
    sla_due_at: null,
    sla_target: null,
    unread_count: 0,
    last_message_at: null,
    window_expires_at: null,
    rating: null,
    rated_at: null,
    livemode: false,
    created_at: opened,
    updated_at: opened,
  }
  const write = (work: Parameters<typeof app.database.inTenant>[1]) => app.database.inTenant(scope, work)
  await write(async (tx) => {
    await tx.run`insert into tickets (id, contact_id, channel_id, created_at) values (${ticket.id}, ${contactId}, ${channel.id}, ${opened})`
    await emit(tx, ticketOpened, ticket)
  })
  const message = (at: string, more: Partial<Message>) =>
    write((tx) =>
      emit(tx, more.direction === 'outbound' ? messageSent : messageReceived, {
        id: newId(),
        inbox_id: ticket.id,
        organization_id: organizationId,
        contact_id: contactId,
        chat_phone_number_id: channel.id,
        direction: 'inbound',
        actor_type: 'system',
        actor_id: null,
        payload: null,
        created_at: at,
        ...more,
      } as Message),
    )
  const turn = (kind: typeof ticketClosed, at: string, changes: Partial<Ticket>) =>
    write((tx) => emit(tx, kind, Object.assign(ticket, changes, { updated_at: at })))
  return {
    contactId,
    channelId: channel.id as string,
    writes: (at: string) => message(at, {}),
    taps: (at: string) => message(at, { payload: { rating: 'good' } }),
    agentReplies: (at: string) => message(at, { direction: 'outbound', actor_type: 'ai', actor_id: newId() }),
    replies: (at: string, memberId: string) =>
      message(at, { direction: 'outbound', actor_type: 'user', actor_id: memberId }),
    campaignWrites: (at: string) =>
      message(at, { direction: 'outbound', actor_type: 'user', payload: { campaign_id: newId() } }),
    handsOff: (at: string) =>
      write((tx) =>
        emit(tx, contactHandoff, { id: contactId, ai_handling: false, updated_at: at } as Parameters<
          typeof emit<(typeof contactHandoff)['object']>
        >[2]),
      ),
    closes: (at: string, changes: Partial<Ticket> = {}) => turn(ticketClosed, at, { status: 'closed', ...changes }),
    rates: (at: string, rating: Ticket['rating']) => turn(ticketRated, at, { rating, rated_at: at }),
    changes: (at: string, changes: Partial<Ticket>) => turn(ticketUpdated, at, changes),
    reopens: (at: string) => turn(ticketReopened, at, { status: 'open' }),
  }
}

const report = async ({ call }: TestOrganization, query: string): Promise<Reply['body']> =>
  ok(await call('GET', `reports/conversations?${query}`))

const at = (day: number, time: string) => `2026-03-${String(day).padStart(2, '0')}T${time}.000Z`

test('an organization without conversations has a report of zeros', async () => {
  const org = await app.organization()
  const { totals, previous, series, handoff_reasons, handoff_count, ...groups } = await report(
    org,
    'from=2026-03-01&until=2026-03-03&time_zone=Asia/Kathmandu',
  )
  const { by_channel, by_member, by_team, by_ticket_tag, by_tag, ...rest } = groups
  assert.deepEqual(rest, {
    period: { from: '2026-03-01', until: '2026-03-03' },
    previous_period: { from: '2026-02-26', until: '2026-02-28' },
    time_zone: 'Asia/Kathmandu',
    interval: 'day',
  })
  assert.deepEqual(totals, previous)
  assert.deepEqual([totals.opened, totals.backlog, totals.messages_sent, handoff_count], [0, 0, 0, 0])
  assert.equal(totals.first_reply_median_seconds, null)
  assert.deepEqual(
    series.map(({ date, backlog }: Reply['body']) => [date, backlog]),
    [
      ['2026-03-01', 0],
      ['2026-03-02', 0],
      ['2026-03-03', 0],
    ],
  )
  assert.deepEqual([by_channel, by_member, by_team, by_ticket_tag, by_tag, handoff_reasons], [[], [], [], [], [], []])
  const { period } = await report(org, '')
  assert.equal((Date.parse(period.until) - Date.parse(period.from)) / 86_400_000, 27)
  const months = await report(org, 'from=2026-01-15&until=2026-03-03&interval=month')
  assert.deepEqual(
    months.series.map(({ date }: Reply['body']) => date),
    ['2026-01-15', '2026-02-01', '2026-03-01'],
  )
})

test('volume, reply and resolution times, backlog and containment, by channel, member and tag', async () => {
  const org = await app.organization({ owner: `olive${++people}@example.com` })
  const mia = await person(app, org.id, 'member', { name: 'Mia Member' })

  // An agent answers after a minute, and the conversation is closed without a person.
  const first = await history(org, at(2, '08:00:00'), { tags: ['vip', 'news'] })
  await first.writes(at(2, '08:00:00'))
  await first.agentReplies(at(2, '08:01:00'))
  await first.closes(at(2, '08:10:00'))
  // The agent hands off; a member answers after ten minutes.
  const second = await history(org, at(2, '09:00:00'))
  await second.writes(at(2, '09:00:00'))
  await second.agentReplies(at(2, '09:02:00'))
  await second.handsOff(at(2, '09:02:00'))
  await second.replies(at(2, '09:10:00'), mia.id)
  await second.closes(at(3, '09:00:00'))
  await second.reopens(at(3, '10:00:00'))
  // Stays open. A campaign's message is no reply.
  const third = await history(org, at(3, '12:00:00'), { tags: ['vip'] })
  await third.campaignWrites(at(3, '12:00:00'))
  // Nor is a rating the first message.
  await third.taps(at(3, '12:10:00'))
  await third.replies(at(3, '12:15:00'), mia.id)
  await third.writes(at(3, '12:30:00'))
  // The day before the period.
  const before = await history(org, at(1, '12:00:00'))
  await before.writes(at(1, '12:00:00'))
  await before.replies(at(1, '12:00:30'), mia.id)
  await before.closes(at(1, '13:00:00'), { assignee_id: mia.id })
  await untilRead()

  const found = await report(org, 'from=2026-03-02&until=2026-03-03')
  assert.deepEqual(found.totals, {
    opened: 4,
    reopened: 1,
    closed: 2,
    backlog: 2,
    messages_received: 4,
    messages_sent: 5,
    rated_good: 0,
    rated_okay: 0,
    rated_bad: 0,
    first_reply_median_seconds: 90,
    first_reply_p90_seconds: 114,
    member_reply_median_seconds: 600,
    resolution_median_seconds: (600 + 86_400) / 2,
    resolution_p90_seconds: Math.round(600 + 0.9 * (86_400 - 600)),
    answered_by_ai: 2,
    contained: 1,
    handed_off: 1,
  })
  const { opened, closed, backlog, messages_received, first_reply_median_seconds } = found.previous
  assert.deepEqual([opened, closed, backlog, messages_received, first_reply_median_seconds], [1, 1, 0, 1, 30])
  assert.deepEqual(
    found.series.map((day: Reply['body']) => [day.date, day.opened, day.closed, day.backlog, day.messages_received]),
    [
      ['2026-03-02', 2, 1, 1, 2],
      ['2026-03-03', 2, 1, 2, 2],
    ],
  )
  const groups = (of: Reply['body'][]) =>
    of.map(({ name, opened, closed, contained }) => [name, opened, closed, contained])
  assert.equal(found.by_channel.length, 1)
  assert.equal(found.by_channel[0].id, first.channelId)
  assert.equal(found.by_channel[0].opened, 4)
  assert.deepEqual(groups(found.by_member), [
    ['Mia Member', 2, 1, 0],
    ['No member', 2, 1, 1],
  ])
  assert.deepEqual(groups(found.by_tag), [
    ['vip', 2, 1, 1],
    ['No tag', 2, 1, 0],
    ['news', 1, 1, 1],
  ])

  const ofMia = await report(org, `from=2026-03-02&until=2026-03-03&member_id=${mia.id}`)
  assert.deepEqual([ofMia.totals.opened, ofMia.totals.closed, ofMia.totals.messages_sent], [2, 1, null])
  const vips = await report(org, 'from=2026-03-02&until=2026-03-03&tag=vip')
  assert.deepEqual([vips.totals.opened, vips.totals.backlog], [2, 1])
  const other = await report(org, `from=2026-03-02&until=2026-03-03&channel_id=${newId()}`)
  assert.deepEqual([other.totals.opened, other.totals.messages_received], [0, 0])

  // Deleting a contact takes its conversations along.
  ok(await org.call('DELETE', `contacts/${third.contactId}`))
  assert.equal((await report(org, 'from=2026-03-02&until=2026-03-03')).totals.backlog, 1)
  const stranger = await app.organization()
  assert.equal((await report(stranger, 'from=2026-03-02&until=2026-03-03')).totals.opened, 0)
})

test('teams, tags of tickets and ratings are reported for the conversation that they belong to', async () => {
  const org = await app.organization({ owner: `olive${++people}@example.com` })
  const mia = await person(app, org.id, 'member', { name: 'Mia Member' })
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const team = ok(await live('POST', 'teams', { name: 'Support' }), 201)
  const owned = { assignee_id: mia.id, team_id: team.id, tags: ['billing', 'urgent'] }
  const first = await history(org, at(2, '08:00:00'))
  await first.closes(at(2, '09:00:00'), owned)
  await first.rates(at(2, '09:01:00'), 'bad')
  // A change of mind after the ticket was reopened: it has one rating.
  await first.reopens(at(2, '10:00:00'))
  await first.closes(at(2, '11:00:00'))
  await first.rates(at(3, '09:00:00'), 'good')
  const second = await history(org, at(2, '08:00:00'))
  await second.closes(at(2, '09:00:00'), { tags: ['billing'] })
  await second.rates(at(2, '09:00:00'), 'okay')
  await untilRead()

  const found = await report(org, 'from=2026-03-02&until=2026-03-03')
  const ratings = (of: Reply['body']) => [of.rated_good, of.rated_okay, of.rated_bad]
  assert.deepEqual(ratings(found.totals), [1, 1, 0])
  const groups = (of: Reply['body'][]) => of.map((group) => [group.name, group.opened, ...ratings(group)])
  assert.deepEqual(groups(found.by_channel).length, 1)
  assert.deepEqual(groups(found.by_member), [
    ['Mia Member', 2, 1, 0, 0],
    ['No member', 1, 0, 1, 0],
  ])
  assert.deepEqual(groups(found.by_team), [
    ['Support', 2, 1, 0, 0],
    ['No team', 1, 0, 1, 0],
  ])
  assert.deepEqual(groups(found.by_ticket_tag), [
    ['billing', 3, 1, 1, 0],
    ['urgent', 2, 1, 0, 0],
  ])
  for (const filter of [`team_id=${team.id}`, 'ticket_tag=urgent', `member_id=${mia.id}`]) {
    const { totals } = await report(org, `from=2026-03-02&until=2026-03-03&${filter}`)
    assert.deepEqual([totals.opened, totals.messages_sent, ...ratings(totals)], [2, null, 1, 0, 0], filter)
  }
  const before = await report(org, 'from=2026-03-03&until=2026-03-03')
  assert.deepEqual(
    [ratings(before.totals), ratings(before.previous)],
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
  )
  const exported = await org.call('GET', 'reports/conversations/export?from=2026-03-02&until=2026-03-03&by=ticket_tag')
  assert.match(exported.text, /\r\nbilling,3,/)
})

test('the backlog of each group is what was open at the end of the period, also if nothing else happened to it', async () => {
  const org = await app.organization({ owner: `olga${++people}@example.com` })
  const mia = await person(app, org.id, 'member', { name: 'Mia Member' })
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const team = ok(await live('POST', 'teams', { name: 'Support' }), 201)
  const owned = { assignee_id: mia.id, team_id: team.id, tags: ['billing'] }
  // Open from before the first period to now.
  const waiting = await history(org, at(1, '08:00:00'), { tags: ['vip'] })
  await waiting.changes(at(1, '08:01:00'), owned)
  // Open at the end of the 2nd, closed on the 3rd, reopened on the 4th.
  const returning = await history(org, at(2, '08:00:00'))
  await returning.closes(at(3, '08:00:00'), owned)
  await returning.reopens(at(4, '08:00:00'))
  await returning.changes(at(4, '08:01:00'), { assignee_id: null, team_id: null, tags: ['urgent', 'billing'] })
  // Opened and closed on one day.
  const short = await history(org, at(3, '08:00:00'))
  await short.closes(at(3, '09:00:00'))
  await untilRead()

  const backlogs = async (day: number, filter = '') => {
    const date = at(day, '').slice(0, 10)
    const { totals, series, ...found } = await report(org, `from=${date}&until=${date}${filter}`)
    assert.equal(series.at(-1).backlog, totals.backlog)
    const of = (groups: Reply['body'][]) =>
      Object.fromEntries(groups.flatMap(({ name, backlog }) => (backlog === 0 ? [] : [[name, backlog]])))
    const [channels] = [Object.values(of(found.by_channel))]
    assert.deepEqual(channels, totals.backlog === 0 ? [] : [totals.backlog])
    return [totals.backlog, of(found.by_member), of(found.by_team), of(found.by_ticket_tag), of(found.by_tag)]
  }
  const [mias, support] = [{ 'Mia Member': 1 }, { Support: 1 }]
  assert.deepEqual(await backlogs(1), [1, mias, support, { billing: 1 }, { vip: 1 }])
  assert.deepEqual(await backlogs(2), [2, { 'Mia Member': 2 }, { Support: 2 }, { billing: 2 }, { vip: 1, 'No tag': 1 }])
  assert.deepEqual(await backlogs(3), [1, mias, support, { billing: 1 }, { vip: 1 }])
  const after = [
    2,
    { 'Mia Member': 1, 'No member': 1 },
    { Support: 1, 'No team': 1 },
    { billing: 2, urgent: 1 },
    { vip: 1, 'No tag': 1 },
  ]
  assert.deepEqual(await backlogs(4), after)
  assert.deepEqual(await backlogs(9), after)
  assert.deepEqual(await backlogs(9, '&tag=vip'), [1, mias, support, { billing: 1 }, { vip: 1 }])
  // A late event closes the conversation in the past.
  await waiting.closes(at(2, '10:00:00'))
  await untilRead()
  assert.deepEqual(await backlogs(1), [1, mias, support, { billing: 1 }, { vip: 1 }])
  assert.deepEqual(await backlogs(2), [1, mias, support, { billing: 1 }, { 'No tag': 1 }])
  assert.deepEqual(await backlogs(3), [0, {}, {}, {}, {}])
  const csv = await org.call('GET', 'reports/conversations/export?from=2026-03-04&until=2026-03-04&by=ticket_tag')
  const [head, ...lines] = csv.text.trim().split('\r\n')
  assert.match(head as string, /,id,backlog$/)
  assert.deepEqual(
    lines.map((line) => [line.split(',')[0], line.split(',').at(-1)]),
    [
      ['billing', '1'],
      ['urgent', '1'],
    ],
  )
})

test('hand-off reasons are counted of all hand-offs and exported', async () => {
  const org = await app.organization()
  const handOff = async (id: string, reasons: string[]) => {
    for (const reason of reasons) {
      ok(await org.call('POST', `contacts/${id}/handoff`, { to: 'ai' }))
      ok(await org.call('POST', `contacts/${id}/handoff`, { to: 'human', reason }))
    }
  }
  // One contact takes part in a conversation, the other one does not.
  const rare = Array.from({ length: 22 }, (_, n) => `Reason ${String(n).padStart(2, '0')}`)
  const { id } = ok(await org.call('POST', 'contacts', { phone_number: newNumber() }), 201)
  await handOff(id, ['=Refund, now', '=Refund, now', ...rare])
  const { contactId, channelId } = await history(org, at(2, '08:00:00'))
  await handOff(contactId, ['In the conversation'])
  await untilRead()
  const { handoff_count, handoff_reasons } = await report(org, '')
  const all = 2 + rare.length + 1
  assert.deepEqual([handoff_count, handoff_reasons.length], [all, 20])
  assert.deepEqual(handoff_reasons[0], { reason: '=Refund, now', count: 2 })
  const filtered = await report(org, `channel_id=${channelId}`)
  assert.deepEqual(
    [filtered.handoff_count, filtered.handoff_reasons],
    [1, [{ reason: 'In the conversation', count: 1 }]],
  )
  const csv = await org.call('GET', 'reports/conversations/export?by=handoff_reason')
  assert.equal(csv.status, 200)
  assert.match(String(csv.headers['content-disposition']), /handoffs-by-reason/)
  const lines = csv.text.trim().split('\r\n')
  assert.deepEqual(lines.slice(0, 3), ['reason,handoffs,share', `"'=Refund, now",2,0.08`, 'In the conversation,1,0.04'])
  assert.equal(lines.length, 1 + 1 + rare.length + 1)
})

test('days begin at midnight of the time zone, in zones with 45 minutes and when clocks change', async () => {
  const org = await app.organization()
  // In Kathmandu (UTC+5:45) the 5th of March begins at 18:15 UTC of the 4th.
  const late = await history(org, at(4, '18:14:59'))
  await late.writes(at(4, '18:14:59'))
  const early = await history(org, at(4, '18:15:00'))
  await early.writes(at(4, '18:15:00'))
  // Berlin's 29th of March has 23 hours: 23:00 UTC to 22:00 UTC.
  const spring = await history(org, at(29, '21:59:59'))
  await spring.writes(at(29, '21:59:59'))
  const after = await history(org, at(29, '22:00:00'))
  await after.writes(at(29, '22:00:00'))
  // On the Azores the clocks of the 25th of October went back to midnight: the day began at 00:00 UTC, and again at 01:00.
  const again = await history(org, '2026-10-25T00:30:00.000Z')
  await again.writes('2026-10-25T00:30:00.000Z')
  await untilRead()
  const days = async (query: string) =>
    (await report(org, query)).series.map((day: Reply['body']) => [day.date, day.opened, day.messages_received])
  assert.deepEqual(await days('from=2026-03-04&until=2026-03-05&time_zone=Asia/Kathmandu'), [
    ['2026-03-04', 1, 1],
    ['2026-03-05', 1, 1],
  ])
  assert.deepEqual(await days('from=2026-03-28&until=2026-03-30&time_zone=Europe/Berlin'), [
    ['2026-03-28', 0, 0],
    ['2026-03-29', 1, 1],
    ['2026-03-30', 1, 1],
  ])
  assert.deepEqual(await days('from=2026-10-24&until=2026-10-26&time_zone=Atlantic/Azores'), [
    ['2026-10-24', 0, 0],
    ['2026-10-25', 1, 1],
    ['2026-10-26', 0, 0],
  ])
})

test('reading all events again, with late ones among them, gives the same rows', async () => {
  const org = await app.organization()
  for (let n = 0; n < 12; n++) {
    const day = 10 + (n % 4)
    const ticket = await history(org, at(day, '08:00:00'))
    // Written before the ticket was opened, and told late.
    await ticket.writes(at(day, '08:00:30'))
    await ticket.writes(at(day, '07:59:00'))
    if (n % 2) await ticket.agentReplies(at(day, '08:01:00'))
    if (n % 3) await ticket.replies(at(day, '08:05:00'), newId())
    if (n % 5 === 0) await ticket.handsOff(at(day, '08:06:00'))
    if (n % 4) await ticket.closes(at(day, '09:00:00'))
    if (n % 4 > 1) await ticket.reopens(at(day, '10:00:00'))
    if (n % 4 > 2) await ticket.closes(at(day, '11:00:00'))
    if (n % 4 > 2) await ticket.rates(at(day, '11:01:00'), 'good')
  }
  await untilRead()
  const Row = Type.Object({ row: Type.String() })
  const rows = () => app.database.forSystem().all(Row)`
    select to_jsonb(c)::text as row from reported_conversations c
    union all select to_jsonb(m)::text from reported_messages m order by 1`
  const running = await rows()
  assert.ok(running.length > 30, `${running.length} rows`)
  await app.database.inSystem(async (tx) => {
    await tx.run`update event_subscriptions set transaction_id = '0', event_id = '00000000-0000-0000-0000-000000000000' where name = 'reports'`
    await tx.run`delete from reported_conversations`
    await tx.run`delete from reported_messages`
  })
  await untilRead()
  assert.deepEqual(await rows(), running)
})

test('a report agrees with what happened in the inbox and on the phone', async () => {
  await app.listen()
  const org = await app.organization({ owner: `otto${++people}@example.com` })
  const from = newNumber()
  ok(await org.call('POST', 'simulator/messages', { from, name: 'Ines', text: 'Hello' }), 202)
  const ticketOf = async () => ok(await org.call('GET', 'inbox/tickets')).inboxes[0]
  await until(async () => (await ticketOf()) !== undefined)
  const ticket = await ticketOf()
  ok(await org.call('POST', `inbox/messages/${ticket.id}`, { body: 'Good morning' }), 201)
  ok(await org.call('POST', `contacts/${ticket.contact_id}/handoff`, { to: 'ai' }))
  ok(await org.call('POST', `contacts/${ticket.contact_id}/handoff`, { to: 'human', reason: 'Asked for a person' }))
  ok(await org.call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' }))
  await until(async () => (await report(org, '')).totals.closed === 1)
  const { totals, handoff_reasons } = await report(org, '')
  assert.deepEqual(
    [totals.opened, totals.backlog, totals.messages_received, totals.messages_sent, totals.handed_off],
    [1, 0, 1, 1, 1],
  )
  assert.deepEqual(handoff_reasons, [
    { reason: 'Asked for a person', count: 1 },
    { reason: null, count: 1 },
  ])
  const calls = ok(await org.call('GET', 'reports/calls'))
  assert.deepEqual([calls.totals.calls, calls.previous.calls, calls.series.length], [0, 0, 28])
  const campaigns = ok(await org.call('GET', 'reports/campaigns'))
  assert.deepEqual([campaigns.totals.campaigns, campaigns.campaigns], [0, []])
})

test('reports are exported as CSV', async () => {
  const org = await app.organization()
  const ticket = await history(org, at(2, '08:00:00'), { tags: ['=vip'] })
  await ticket.writes(at(2, '08:00:00'))
  await untilRead()
  const days = 'from=2026-03-02&until=2026-03-03'
  const daily = await org.call('GET', `reports/conversations/export?${days}`)
  assert.equal(daily.status, 200)
  assert.match(String(daily.headers['content-type']), /^text\/csv/)
  assert.deepEqual(daily.text.split('\r\n'), [
    'date,opened,closed,backlog,first_reply_median_seconds,resolution_median_seconds,messages_received,messages_sent',
    '2026-03-02,1,0,1,,,1,0',
    '2026-03-03,0,0,1,,,0,0',
    '',
  ])
  const byTag = await org.call('GET', `reports/conversations/export?${days}&by=tag`)
  assert.match(byTag.text, /\r\n'=vip,1,0,0,/)
  const calls = await org.call('GET', `reports/calls/export?${days}`)
  assert.equal(calls.text.split('\r\n').length, 4)
  const campaigns = await org.call('GET', `reports/campaigns/export?${days}`)
  assert.equal(campaigns.text, 'started_at,name,recipients,sent,delivered,read,replied,failed,id,reply_rate\r\n')
})

test('invalid periods are refused with the field that is wrong, and keys without the scope are refused', async () => {
  const { id, call } = await app.organization()
  const paths = ['conversations', 'calls', 'campaigns'].flatMap((name) => [name, `${name}/export`])
  for (const path of paths) {
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['from=2026-02-30', 'from'],
      ['from=2026-03-02&until=2026-03-01', 'until'],
      ['from=2021-01-01&until=2026-03-01', 'until'],
      ['time_zone=Mars/Olympus', 'time_zone'],
      ['interval=minute', 'interval'],
    ]) {
      const { status, body } = await call('GET', `reports/${path}?${query}`)
      assert.deepEqual([status, body?.detail?.[0]?.loc], [422, ['query', field]], `${path} ${query}`)
    }
    assert.equal((await app.call('GET', `reports/${path}`)).status, 401)
    const { secret } = await app.key(id, { scopes: ['knowledge:read'] })
    assert.equal((await app.as(secret)('GET', `reports/${path}`)).status, 403)
  }
})

test('days are packed, and packed again when late events, tags, merges or deletions change them: the report stays the same', async () => {
  const org = await app.organization({ owner: `pia${++people}@example.com` })
  const mia = await person(app, org.id, 'member', { name: 'Mia Member' })
  const packed = async () => {
    await app.database.inSystem((tx) => tx.enqueue(packDaysJob, {}))
    await until(async () => (await counted(sql`stale_report_days`)) === 0)
    return counted(sql`reported_days`)
  }
  const counted = async (table: Fragment) =>
    (await app.database.forSystem().one(Left)`select count(*) as n from ${table} where organization_id = ${org.id}`).n
  const queries = ['', '&time_zone=Asia/Kathmandu', '&tag=vip', '&interval=week', `&member_id=${mia.id}`]
  const reports = () => Promise.all(queries.map((query) => report(org, `from=2026-03-02&until=2026-03-09${query}`)))
  /** The report is the same with marks, packed again, and without anything packed. */
  const agrees = async () => {
    const changed = await reports()
    assert.ok((await packed()) > 0)
    assert.deepEqual(await reports(), changed)
    await app.database.inSystem((tx) => tx.run`delete from reported_days where organization_id = ${org.id}`)
    assert.deepEqual(await reports(), changed)
    const [{ totals, by_channel, by_member, by_team }] = changed as [Reply['body']]
    for (const groups of [by_channel, by_member, by_team])
      assert.equal(
        groups.reduce((sum: number, { backlog }: Reply['body']) => sum + backlog, 0),
        totals.backlog,
      )
    await app.database.inSystem(
      (tx) => tx.run`insert into stale_report_days (organization_id, livemode, day)
        select distinct organization_id, livemode, (ended_at at time zone 'UTC')::date from reported_conversations
        where organization_id = ${org.id} and ended_at is not null`,
    )
    await packed()
    return totals
  }
  const tickets = []
  for (let n = 0; n < 8; n++) {
    const ticket = await history(org, at(1 + n, '23:50:00'), { tags: n % 2 ? ['vip'] : [] })
    await ticket.writes(at(1 + n, '23:50:00'))
    if (n % 3) await ticket.replies(at(1 + n, '23:51:00'), mia.id)
    if (n !== 5) await ticket.closes(at(2 + n + (n === 2 ? 12 : 0), '00:10:00'))
    tickets.push(ticket)
  }
  await untilRead()
  const [first, second, , , , open] = tickets as [(typeof tickets)[0], (typeof tickets)[0], ...(typeof tickets)[0][]]
  const before = await agrees()
  assert.deepEqual([before.opened, before.closed, before.backlog], [7, 6, 2])

  // A late end, a conversation of a packed day that gets a tag, and one that is rated.
  await open?.closes(at(8, '12:00:00'), { tags: ['late'] })
  await second.closes(at(3, '00:10:00'), { tags: ['billing'] })
  await untilRead()
  assert.equal((await agrees()).closed, 7)
  ok(await org.call('PATCH', `contacts/${first.contactId}`, { tags: ['vip', 'new'] }))
  const [found, , vips] = await reports()
  assert.ok(found.by_tag.some(({ name }: Reply['body']) => name === 'new'))
  assert.equal(vips.totals.closed, 5)
  await agrees()
  // The conversation of a contact that becomes part of another one has the tags of that one.
  const merged = tickets[3]?.contactId as string
  await app.database.inSystem((tx) => tx.run`update tickets set status = 'closed' where contact_id = ${merged}`)
  ok(await org.call('POST', `contacts/${first.contactId}/merge`, { contact_id: merged }))
  await untilRead()
  await agrees()
  const tagged = (await reports())[0].by_tag.find(({ name }: Reply['body']) => name === 'new')
  assert.equal(tagged.closed, 2)
  ok(await org.call('DELETE', `contacts/${second.contactId}`))
  assert.equal((await agrees()).closed, 6)
  const limited = await person(app, org.id, 'member')
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  ok(await live('PUT', `members/${limited.id}/access`, { channel_ids: [], team_ids: [] }))
  const ofLimited = await limited.call('GET', 'reports/conversations?from=2026-03-02&until=2026-03-09', undefined, {
    'x-mode': 'test',
  })
  assert.deepEqual([ok(ofLimited).totals.opened, ofLimited.body.totals.closed], [0, 0])
})
