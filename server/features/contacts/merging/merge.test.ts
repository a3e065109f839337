import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalData } from '../../../app.ts'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { campaigner, countsOf } from '../../../testing/campaigns.ts'
import {
  type ConnectedChannel,
  connectChannel,
  deliver,
  messagesTo,
  payloadOf,
  post,
  processed,
  textFrom,
} from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'

const app = await startTestApp()
await app.listen()
const acme = await app.organization()
const channel = await connectChannel(acme)
/** The role that sees every row. The database's owner does only if it is a superuser. */
const { system } = app.database.pools

let people = 0
const newNumber = () => `+1555090${1000 + ++people}`

const create = async (org: TestOrganization, members: object = {}) =>
  ok(await org.call('POST', 'contacts', { phone_number: newNumber(), ...members }), 201)
const merge = (org: TestOrganization, into: string, from: string) =>
  org.call('POST', `contacts/${into}/merge`, { contact_id: from })
const read = async (org: TestOrganization, id: string) => ok(await org.call('GET', `contacts/${id}`))
const says = (number: string, text: string, to: ConnectedChannel = channel) =>
  deliver(app, to, messagesTo(to, [textFrom(number.slice(1), text)]))
const ticketsOf = async (org: TestOrganization, id: string, query = '') =>
  ok(await org.call('GET', `inbox/tickets?contact_id=${id}${query}`)).inboxes
const bodiesIn = async (org: TestOrganization, ticketId: string) =>
  ok(await org.call('GET', `inbox/messages/${ticketId}`)).messages.map(({ body }: { body: string }) => body)
const bodiesOf = async (org: TestOrganization, id: string) =>
  (await Promise.all((await ticketsOf(org, id)).map((ticket: { id: string }) => bodiesIn(org, ticket.id))))
    .flat()
    .sort()
const eventsOf = async (org: TestOrganization, type: string) =>
  ok(await org.call('GET', `events?type=${type}&limit=100`)).data

/** Counters of lists against the rows that they count. */
async function countersAreExact(org: TestOrganization) {
  const own = [org.id]
  const count = async (sql: string) => (await system.query(sql, own)).rows
  for (const [counters, rows] of [
    [
      `select stage, ai_handling, opted_out, sum(n)::int as n from contact_counts where organization_id = $1
       group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3`,
      `select stage, ai_handling, opted_out_at is not null as opted_out, count(*)::int as n from contacts
       where organization_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
    ],
    [
      `select tag, sum(n)::int as n from contact_tag_counts where organization_id = $1 group by 1 having sum(n) <> 0 order by 1`,
      `select tag, count(*)::int as n from contacts, unnest(tags) tag where organization_id = $1 group by 1 order by 1`,
    ],
    [
      `select status, unread, sum(n)::int as n from ticket_counts where organization_id = $1
       group by 1, 2 having sum(n) <> 0 order by 1, 2`,
      `select status, unread_count > 0 as unread, count(*)::int as n from tickets where organization_id = $1
       group by 1, 2 order by 1, 2`,
    ],
    [
      `select id, message_count as n, unread_count as unread from tickets where organization_id = $1 order by id`,
      `select t.id, count(m.id)::int as n, (count(*) filter (where m.direction = 'inbound' and m.status = 'delivered'))::int as unread
       from tickets t left join messages m on m.ticket_id = t.id where t.organization_id = $1 group by t.id order by t.id`,
    ],
    [
      `select id, key, value::int as n from contacts, jsonb_each_text(activity_counts) where organization_id = $1 order by 1, 2`,
      `select contact_id as id, type as key, count(*)::int as n from activities where organization_id = $1
       group by 1, 2 order by 1, 2`,
    ],
  ] as const)
    assert.deepEqual(await count(counters), await count(rows))
}

test('a merge moves everything and leaves the old id with a pointer', async () => {
  const into = await create(acme, { name: 'Ada', tags: ['vip', 'both'], custom_fields: { plan: 'gold', city: 'Rome' } })
  const from = await create(acme, {
    name: 'A. Lovelace',
    first_name: 'Augusta',
    time_zone: 'Europe/London',
    notes: 'Prefers mornings',
    tags: ['both', 'late'],
    stage: 'customer',
    custom_fields: { plan: 'silver', size: 7 },
  })
  await says(from.phone_number, 'hello')
  ok(await acme.call('POST', 'crm/tasks', { contact_id: from.id, title: 'Call back' }), 201)
  ok(await acme.call('POST', `contacts/${from.id}/activities`, { note: 'Met at the fair' }), 201)
  ok(
    await acme.call('POST', `contacts/${from.id}/consents`, {
      channel: 'voice',
      purpose: 'recording',
      state: 'granted',
    }),
    201,
  )
  ok(await acme.call('PATCH', `contacts/${from.id}`, { ai_handling: false }))
  const before = ok(await acme.call('GET', 'contacts')).total_count
  const merged = ok(await merge(acme, into.id, from.id))
  assert.equal(merged.id, into.id)
  assert.equal(merged.name, 'Ada')
  assert.equal(merged.notes, 'Prefers mornings')
  // A first name belongs to its name.
  assert.deepEqual([merged.first_name, merged.time_zone], [null, 'Europe/London'])
  assert.equal(merged.phone_number, into.phone_number)
  assert.equal(merged.stage, 'new')
  assert.equal(merged.ai_handling, false)
  assert.deepEqual(merged.tags, ['vip', 'both', 'late'])
  assert.deepEqual(merged.custom_fields, { plan: 'gold', city: 'Rome', size: 7 })
  assert.equal(ok(await acme.call('GET', 'contacts')).total_count, before - 1)
  assert.deepEqual(await bodiesOf(acme, into.id), ['hello'])
  assert.equal(ok(await acme.call('GET', `crm/tasks?contact_id=${into.id}`)).total_count, 1)
  assert.equal(ok(await acme.call('GET', `contacts/${into.id}/consents`)).total_count, 1)
  const { activities, total } = ok(await acme.call('GET', `contacts/${into.id}/activities?limit=50`))
  assert.equal(activities.length, total)
  const [note] = activities
  assert.deepEqual(
    [note.type, note.payload.note, note.payload.merged_contact.custom_fields, note.payload.merged_contact.stage],
    [
      'note_added',
      'Merged with A. Lovelace\nValues not kept:\nname: A. Lovelace\nfirst_name: Augusta\nstage: customer\nplan: silver',
      { plan: 'silver' },
      'customer',
    ],
  )
  assert.equal(note.actor_type, 'user')
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['PUT', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['GET', '/activities', undefined],
    ['POST', '/activities', { note: 'x' }],
    ['GET', '/consents', undefined],
    ['POST', '/consents', { channel: 'all', purpose: 'marketing', state: 'granted' }],
    ['POST', '/handoff', { to: 'ai' }],
    ['POST', '/merge', { contact_id: into.id }],
  ] as const) {
    const gone = await acme.call(method, `contacts/${from.id}${path}`, body)
    assert.deepEqual(
      [gone.status, gone.body],
      [404, { detail: 'Contact not found', merged_into: into.id }],
      method + path,
    )
  }
  const [event] = await eventsOf(acme, 'contact.merged')
  assert.deepEqual([event.data.object.id, event.data.object.merged_contact_id], [into.id, from.id])
  assert.equal((await eventsOf(acme, 'contact.deleted'))[0].data.object.id, from.id)
  assert.deepEqual((await eventsOf(acme, 'contact.updated'))[0].data.previous.tags, ['vip', 'both'])
  await countersAreExact(acme)
})

test('bad merges are refused and change nothing', async () => {
  const [one, two] = [await create(acme), await create(acme)]
  const other = await app.organization()
  const theirs = await create(other)
  const live = app.as((await app.key(acme.id, { mode: 'live', scopes: ['contacts:read', 'contacts:write'] })).secret)
  const lively = ok(await live('POST', 'contacts', { phone_number: newNumber() }), 201)
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const self = await merge(acme, one.id, one.id)
  assert.equal(self.status, 422)
  assert.deepEqual(self.body.detail[0].loc, ['body', 'contact_id'])
  for (const body of [{}, { contact_id: 'x' }, { contact_id: null }, []])
    assert.equal((await acme.call('POST', `contacts/${one.id}/merge`, body)).status, 422, JSON.stringify(body))
  assert.equal((await acme.call('POST', 'contacts/x/merge', { contact_id: one.id })).status, 404)
  for (const id of [theirs.id, lively.id, newId()]) {
    assert.equal((await merge(acme, one.id, id)).status, 404)
    assert.equal((await merge(acme, id, one.id)).status, 404)
  }
  assert.equal((await reader('POST', `contacts/${one.id}/merge`, { contact_id: two.id })).status, 403)
  assert.equal((await app.call('POST', `contacts/${one.id}/merge`, { contact_id: two.id })).status, 401)
  ok(await merge(acme, one.id, two.id))
  const again = await merge(acme, one.id, two.id)
  assert.deepEqual([again.status, again.body.merged_into], [404, one.id])
  // A chain of merges points to the last contact.
  const three = await create(acme)
  ok(await merge(acme, three.id, one.id))
  assert.equal((await acme.call('GET', `contacts/${two.id}`)).body.merged_into, three.id)
  ok(await acme.call('DELETE', `contacts/${three.id}`))
  assert.deepEqual((await acme.call('GET', `contacts/${two.id}`)).body, { detail: 'Contact not found' })
})

test('of two open tickets the older goes on with all messages, and nothing unread is hidden', async () => {
  const [into, from] = [await create(acme), await create(acme)]
  await says(from.phone_number, 'first')
  await says(into.phone_number, 'second')
  await says(from.phone_number, 'third')
  const [[older], [younger]] = [await ticketsOf(acme, from.id), await ticketsOf(acme, into.id)]
  ok(await merge(acme, into.id, from.id))
  const [open, ...more] = await ticketsOf(acme, into.id, '&status=open')
  assert.equal(more.length, 0)
  assert.deepEqual([open.id, open.unread_count], [older.id, 3])
  assert.deepEqual(await bodiesIn(acme, older.id), ['first', 'second', 'third'])
  const closed = ok(await acme.call('GET', `inbox/tickets/${younger.id}`))
  assert.deepEqual([closed.status, closed.unread_count, closed.contact_id], ['closed', 0, into.id])
  assert.equal((await eventsOf(acme, 'ticket.closed'))[0].data.object.id, younger.id)
  await says(into.phone_number, 'fourth')
  assert.equal((await bodiesIn(acme, older.id)).length, 4)
  await countersAreExact(acme)
})

test('both numbers find the contact: search, messages, imports and new contacts', async () => {
  const [into, from] = [await create(acme, { name: 'Two phones' }), await create(acme)]
  await says(into.phone_number, 'from the first')
  ok(await merge(acme, into.id, from.id))
  for (const number of [into.phone_number, from.phone_number]) {
    const { data } = ok(await acme.call('GET', `contacts?search=${encodeURIComponent(number)}`))
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [into.id],
    )
    const { inboxes } = ok(await acme.call('GET', `inbox/tickets?search=${encodeURIComponent(number)}`))
    assert.equal(inboxes[0].contact_id, into.id)
    const taken = await acme.call('POST', 'contacts', { phone_number: number })
    assert.deepEqual([taken.status, taken.body.existing_id], [409, into.id])
    assert.equal(ok(await acme.call('POST', 'contacts?on_conflict=return', { phone_number: number })).id, into.id)
  }
  const other = await create(acme)
  const patched = await acme.call('PATCH', `contacts/${other.id}`, { phone_number: from.phone_number })
  assert.deepEqual([patched.status, patched.body.existing_id], [409, into.id])
  // Answers go to the number that the person wrote from last.
  await says(from.phone_number, 'from the second')
  const after = await read(acme, into.id)
  assert.equal(after.phone_number, from.phone_number)
  assert.deepEqual(
    after.identities.map(({ value, primary, until: end }: Record<string, unknown>) => [value, primary, end]),
    [
      [from.phone_number, true, null],
      [into.phone_number, false, null],
    ],
  )
  assert.equal((await ticketsOf(acme, into.id)).length, 1)
  assert.deepEqual(await bodiesOf(acme, into.id), ['from the first', 'from the second'])
})

test('the stricter consent counts, and a late START that is older changes nothing', async () => {
  const [into, from] = [await create(acme), await create(acme)]
  await says(from.phone_number, 'STOP')
  const { opted_out_at } = await read(acme, from.id)
  assert.ok(opted_out_at)
  assert.equal(ok(await merge(acme, into.id, from.id)).opted_out_at, opted_out_at)
  await deliver(
    app,
    channel,
    messagesTo(channel, [
      textFrom(into.phone_number.slice(1), 'START', { timestamp: String(Math.floor(Date.now() / 1000) - 600) }),
    ]),
  )
  assert.ok((await read(acme, into.id)).opted_out_at)
  assert.equal(ok(await acme.call('GET', `contacts/${into.id}/consents`)).data[0].state, 'withdrawn')
  await countersAreExact(acme)
})

test('two deliveries of one campaign: the first outcome stays, the other is linked, and the figures do not change', async () => {
  const org = await campaigner(app)
  const [one, two, three] = (await org.contacts(3)) as [string, string, string]
  const campaign = await org.send([one, two, three])
  const done = await org.until(campaign.id, ({ status, read_count }) => status === 'completed' && read_count === 3)
  const before = await org.deliveries(campaign.id)
  const earlier = [...before].sort((a, b) => ((a.sent_at as string) < (b.sent_at as string) ? -1 : 1))
  ok(await merge(org, one, two))
  ok(await merge(org, three, one))
  assert.deepEqual(countsOf(await org.see(campaign.id)), countsOf(done))
  const after = await org.deliveries(campaign.id)
  const [kept, ...more] = after.filter(({ contact_id }) => contact_id === three)
  assert.equal(more.length, 0)
  assert.equal(kept?.sent_at, earlier[0]?.sent_at)
  for (const { id, duplicate_of, contact_id } of after)
    if (id !== kept?.id) assert.deepEqual([duplicate_of, contact_id], [kept?.id, null])
  const { total } = ok(await org.call('GET', `contacts/${three}/activities?type=message_outbound`))
  assert.equal(total, 3)
})

test('a merge while a campaign waits or is paused sends one message to the person', async () => {
  const org = await campaigner(app, { messagesPerSecond: 1 })
  // Twelve seconds of work, so that the pause comes before its end.
  const all = await org.contacts(12)
  const [one, two, three, four] = all as [string, string, string, string]
  const scheduled = await org.send([two], { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  const slow = await org.send(all)
  ok(await org.call('POST', `campaigns/${slow.id}/pause`))
  ok(await merge(org, one, two))
  ok(await merge(org, three, four))
  ok(await org.call('PATCH', `channels/${org.channelId}`, { messages_per_second: 1000 }))
  ok(await org.call('POST', `campaigns/${slow.id}/resume`))
  const done = await org.until(slow.id, ({ status }) => status === 'completed')
  assert.equal(done.total_contacts_count, all.length)
  const deliveries = await org.deliveries(slow.id)
  for (const id of [one, three]) assert.equal(deliveries.filter(({ contact_id }) => contact_id === id).length, 1)
  // What was out before the pause stays out; the rest of the duplicates is skipped.
  for (const { duplicate_of, status, reason, sent_at } of deliveries)
    if (duplicate_of && !sent_at) assert.deepEqual([status, reason], ['skipped', 'merged'])
  assert.deepEqual((await org.see(scheduled.id)).audience_contact_ids, [one])
})

test('erasing a merged contact erases both, and a contact that is being erased is not merged', async () => {
  const org = await app.organization()
  const wire = await connectChannel(org)
  const [into, from, third] = [await create(org), await create(org, { name: 'Sibylla' }), await create(org)]
  await says(from.phone_number, 'my secret', wire)
  ok(await merge(org, into.id, from.id))
  await system.query(
    `insert into erasures (organization_id, livemode, id, contact_id, requested_by_type)
     values ($1, false, $2, $3, 'system')`,
    [org.id, newId(), third.id],
  )
  assert.equal((await merge(org, into.id, third.id)).status, 409)
  assert.equal((await merge(org, third.id, into.id)).status, 409)
  const { id } = ok(await org.call('POST', `contacts/${into.id}/erase`), 202)
  await until(async () => ok(await org.call('GET', `privacy/erasures/${id}`)).state === 'completed')
  assert.deepEqual((await org.call('GET', `contacts/${from.id}`)).body, { detail: 'Contact not found' })
  const { rows: tables } = await system.query(
    `select c.oid::regclass::text as name from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'
      and has_table_privilege(oid, 'select')`,
  )
  for (const { name } of tables)
    for (const word of [from.phone_number.slice(1), into.phone_number.slice(1), 'Sibylla', 'my secret']) {
      const { rows } = await system.query(`select t::text as row from ${name} t where t::text like $1`, [`%${word}%`])
      assert.deepEqual(rows, [], `${name} ${word}`)
    }
  // For a restore of a backup from before the merge.
  const { data } = ok(await org.call('GET', 'privacy/erasures'))
  assert.ok(
    data.some(
      (each: { contact_id: string; state: string }) => each.contact_id === from.id && each.state === 'completed',
    ),
  )
})

test('merges that cross, and messages that arrive meanwhile, lose and duplicate nothing', async () => {
  const org = await app.organization()
  const wire = await connectChannel(org)
  for (let round = 0; round < 6; round++) {
    const [a, b] = [await create(org, { tags: [`a${round}`] }), await create(org, { tags: [`b${round}`] })]
    await says(a.phone_number, `${round} a`, wire)
    await says(b.phone_number, `${round} b`, wire)
    const texts = Array.from({ length: 8 }, (_, n) => `${round} racing ${n}`)
    const [first, second] = await Promise.all([
      merge(org, a.id, b.id),
      merge(org, b.id, a.id),
      ...texts.map((text, n) =>
        post(app, wire, payloadOf(messagesTo(wire, [textFrom((n % 2 ? a : b).phone_number.slice(1), text)]))),
      ),
      acmeNote(org, a.id),
    ])
    assert.deepEqual([first?.status, second?.status].sort(), [200, 404], `${first?.text} ${second?.text}`)
    await processed(app)
    const [kept, gone] = first?.status === 200 ? [a, b] : [b, a]
    assert.equal((await org.call('GET', `contacts/${gone.id}`)).body.merged_into, kept.id)
    assert.deepEqual(await bodiesOf(org, kept.id), [`${round} a`, `${round} b`, ...texts].sort())
    assert.equal((await ticketsOf(org, kept.id, '&status=open')).length, 1)
    assert.equal(ok(await org.call('GET', 'contacts')).total_count, round + 1)
  }
  await countersAreExact(org)
})

const acmeNote = (org: TestOrganization, id: string) =>
  org.call('POST', `contacts/${id}/activities`, { note: 'racing' })

test('every table that refers to a contact takes part in a merge', async () => {
  const { rows } = await system.query<{ name: string }>(
    `select distinct conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'contacts'::regclass order by 1`,
  )
  const moved = new Set(personalData.filter(({ merge: rule }) => rule !== undefined).map(({ table }) => table))
  const others = ['contact_identities', 'contact_tags', 'merged_contacts']
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !moved.has(name)),
    others,
  )
})
