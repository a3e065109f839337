import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { type CallAs, ok, sharedTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'
import { newTicket } from '../../../testing/tickets.ts'

const app = await sharedTestApp()
const node = await app.node()
const acme = await app.organization({ owner: 'olive@acme.example' })
const globex = await app.organization({ owner: 'gus@globex.example' })
const { call } = acme

test('tickets are paged by latest activity, with exact totals for every filter', async () => {
  const org = await app.organization({ owner: 'lists@acme.example' })
  const [owner, member] = [await person(app, org.id, 'owner'), await person(app, org.id, 'member')]
  const tickets = []
  for (let i = 0; i < 7; i++) tickets.push(await newTicket(org.call, { name: `Person ${i}` }))
  for (const i of [1, 4]) await org.call('PATCH', `inbox/tickets/${tickets[i].id}`, { status: 'closed' })
  for (const i of [2, 4]) await org.call('PATCH', `inbox/tickets/${tickets[i].id}`, { assignee_id: member.id })
  const names = async (query: string) => {
    const { total, page, size, inboxes } = ok(await org.call('GET', `inbox/tickets${query}`))
    assert.equal(size, inboxes.length)
    return [total, page, inboxes.map(({ contact }: { contact: { name: string } }) => Number(contact.name.slice(7)))]
  }
  // Closing a ticket counts as activity, assigning it does not.
  assert.deepEqual(await names(''), [7, 1, [4, 1, 6, 5, 3, 2, 0]])
  assert.deepEqual(await names('?limit=3'), [7, 1, [4, 1, 6]])
  assert.deepEqual(await names('?limit=3&offset=3'), [7, 2, [5, 3, 2]])
  assert.deepEqual(await names('?limit=3&offset=6'), [7, 3, [0]])
  assert.deepEqual(await names('?limit=3&offset=4'), [7, 2, [3, 2, 0]])
  assert.deepEqual(await names('?limit=3&offset=90'), [7, 31, []])
  assert.deepEqual(await names('?status=closed'), [2, 1, [4, 1]])
  assert.deepEqual(await names('?status=open&limit=2&offset=2'), [5, 2, [3, 2]])
  assert.deepEqual(await names(`?assignee_id=${member.id}`), [2, 1, [4, 2]])
  assert.deepEqual(await names(`?assignee_id=${member.id}&status=open`), [1, 1, [2]])
  assert.deepEqual(await names(`?assignee_id=${newId()}`), [0, 1, []])
  const team = (await owner.call('POST', 'teams', { name: 'Billing' })).body.id
  for (const i of [1, 2, 5]) await org.call('PATCH', `inbox/tickets/${tickets[i].id}`, { team_id: team })
  assert.deepEqual(await names(`?team_id=${team}`), [3, 1, [1, 5, 2]])
  assert.deepEqual(await names(`?team_id=${team}&limit=1&offset=1`), [3, 2, [5]])
  assert.deepEqual(await names(`?team_id=${team}&queue=all`), [2, 1, [5, 2]])
  assert.deepEqual(await names(`?team_id=${team}&search=person`), [3, 1, [1, 5, 2]])
  assert.deepEqual(await names(`?team_id=${newId()}`), [0, 1, []])
  assert.deepEqual(await names(`?contact_id=${tickets[3].contact_id}`), [1, 1, [3]])
  assert.deepEqual(await names(`?contact_id=${tickets[3].contact_id}&status=closed`), [0, 1, []])
  assert.deepEqual(await names('?unread=false'), [7, 1, [4, 1, 6, 5, 3, 2, 0]])
  assert.deepEqual(await names('?unread=true'), [0, 1, []])
  // A removed member has no tickets.
  assert.equal((await owner.call('DELETE', `members/${member.id}`)).status, 200)
  assert.deepEqual(await names(`?assignee_id=${member.id}`), [0, 1, []])
  assert.equal((await org.call('GET', `inbox/tickets/${tickets[2].id}`)).body.assignee_id, null)
})

test('a bad status filter is a plain 400, other invalid parameters are reported with their location', async () => {
  for (const status of ['waiting', 'OPEN', '']) {
    const answer = await call('GET', `inbox/tickets?status=${status}`)
    assert.deepEqual([answer.status, answer.body], [400, { detail: 'status must be `open` or `closed`' }])
  }
  for (const [query, name] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=-1', 'offset'],
    ['contact_id=x', 'contact_id'],
    ['assignee_id=x', 'assignee_id'],
    ['team_id=x', 'team_id'],
    ['unread=maybe', 'unread'],
  ]) {
    const answer = await call('GET', `inbox/tickets?${query}`)
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['query', name]], query)
  }
})

test('filtering by a contact or member of another organization finds nothing', async () => {
  const theirs = await newTicket(globex.call)
  assert.equal((await call('GET', `inbox/tickets?contact_id=${theirs.contact_id}`)).body.total, 0)
  assert.equal((await call('GET', `inbox/tickets?assignee_id=${globex.ownerId}`)).body.total, 0)
})

test('a search finds contacts by part of a name or number, combined with the other filters', async () => {
  const org = await app.organization()
  const grace = await newTicket(org.call, { name: 'Grace Hopper', phone_number: '+12025550771' })
  await newTicket(org.call, { name: 'Ada Lovelace', phone_number: '+12025550772' })
  await newTicket(globex.call, { name: 'Grace Kelly' })
  const names = async (query: string) =>
    (await org.call('GET', `inbox/tickets?${query}`)).body.inboxes.map((each: typeof grace) => each.contact.name)
  assert.deepEqual(await names('search=hopp'), ['Grace Hopper'])
  assert.deepEqual(await names('search=GRACE'), ['Grace Hopper'])
  assert.deepEqual(await names('search=a'), ['Ada Lovelace', 'Grace Hopper'])
  assert.deepEqual(await names('search=202%20555-0771'), ['Grace Hopper'])
  assert.deepEqual(await names('search=%25'), [])
  assert.deepEqual(await names("search='"), [])
  assert.deepEqual(await names('search=t.contact_text'), [])
  assert.deepEqual(await names('search=grace&status=closed'), [])
  assert.deepEqual(await names(`search=a&contact_id=${grace.contact_id}&unread=false`), ['Grace Hopper'])
  assert.deepEqual(await names('search=a&limit=1&offset=1'), ['Grace Hopper'])
  const beyond = await org.call('GET', 'inbox/tickets?search=grace&offset=5')
  assert.deepEqual(beyond.body, { total: 1, page: 1, size: 0, inboxes: [] })
  await org.call('PATCH', `contacts/${grace.contact_id}`, { name: 'Rear Admiral' })
  assert.deepEqual(await names('search=hopp'), [])
  assert.deepEqual(await names('search=admiral'), ['Rear Admiral'])
})

test('a search ignores accents in names, and matches them exactly in messages', async () => {
  const org = await app.organization()
  const ticket = await newTicket(org.call, { name: 'José Núñez' })
  await newTicket(org.call, { name: 'Ada' })
  const scope = { organizationId: org.id, livemode: false }
  await app.database.inTenant(scope, async (tx) => {
    const channel = await tx.one(Type.Object({ id: Type.String() }))`select id from channels limit 1`
    await tx.run`insert into messages (id, ticket_id, contact_id, channel_id, direction, message_type, body, status, actor_type)
      values (${newId()}, ${ticket.id}, ${ticket.contact_id}, ${channel.id}, 'inbound', 'text', 'Hasta MAÑANA', 'delivered', 'user')`
  })
  const names = async (search: string) =>
    (await org.call('GET', `inbox/tickets?search=${encodeURIComponent(search)}`)).body.inboxes.map(
      (each: typeof ticket) => each.contact.name,
    )
  for (const search of ['jose', 'JOSÉ', 'nunez', 'núñez', 'mañana', 'hasta'])
    assert.deepEqual(await names(search), ['José Núñez'], search)
  await org.call('PATCH', `contacts/${ticket.contact_id}`, { name: 'Søren' })
  assert.deepEqual([await names('jose'), await names('soren')], [[], ['Søren']])
})

test('a search shows the newest message that matches, with the text around it', async () => {
  const org = await app.organization()
  const ticket = await newTicket(org.call, { name: 'Ada' })
  const [channel] = (await org.call('GET', 'channels')).body.data
  const write = (body: string, minutes: number) =>
    app.database.inTenant(
      { organizationId: org.id, livemode: false },
      (tx) => tx.run`
        insert into messages (id, ticket_id, contact_id, channel_id, direction, message_type, body, status, actor_type, created_at)
        values (${newId()}, ${ticket.id}, ${ticket.contact_id}, ${channel.id}, 'inbound', 'text', ${body}, 'delivered', 'system',
          now() - make_interval(mins => ${minutes}::integer))`,
    )
  await write('My ORDER is late', 30)
  await write(`${'word '.repeat(20)}where is the order ${'word '.repeat(40)}`, 20)
  await write('Thanks', 10)
  const matched = async (search: string) =>
    (await org.call('GET', `inbox/tickets?search=${encodeURIComponent(search)}`)).body.inboxes[0].matched_message
  const { excerpt, direction } = await matched('order')
  assert.equal(direction, 'inbound')
  assert.match(excerpt, /^….{0,30}where is the order word/)
  assert.equal([...excerpt].length, 121)
  assert.equal((await matched('my order')).excerpt, 'My ORDER is late')
  assert.equal(await matched('ada'), null)
  const [listed] = (await org.call('GET', 'inbox/tickets')).body.inboxes
  assert.ok(!('matched_message' in listed))
})

test('deleting a contact deletes its tickets and corrects the totals', async () => {
  const org = await app.organization()
  const ticket = await newTicket(org.call)
  await newTicket(org.call)
  await org.call('DELETE', `contacts/${ticket.contact_id}`)
  assert.equal((await org.call('GET', `inbox/tickets/${ticket.id}`)).status, 404)
  assert.equal((await org.call('GET', 'inbox/tickets')).body.total, 1)
  assert.equal((await org.call('GET', 'inbox/tickets?search=ada')).body.total, 1)
})

test('deleting contacts while tickets are opened, closed and assigned leaves exact totals', async () => {
  const org = await app.organization({ owner: 'races@acme.example' })
  const callers = [org.call, node.as(org.key)]
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const caller = callers[i % 2] as CallAs
      const ticket = await newTicket(caller)
      await Promise.all([
        caller('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' }),
        caller('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id: org.ownerId }),
        caller('POST', `inbox/tickets/${ticket.id}/read`),
        caller('POST', 'inbox/tickets', { contact_id: ticket.contact_id }),
        i % 3 === 0 && caller('DELETE', `contacts/${ticket.contact_id}`),
      ])
    }),
  )
  const Count = Type.Object({ n: Type.Integer() })
  for (const status of ['open', 'closed']) {
    const { n } = await app.database.forTenant({ organizationId: org.id, livemode: false }).one(Count)`
      select count(*) as n from tickets where status = ${status}`
    assert.equal((await org.call('GET', `inbox/tickets?status=${status}`)).body.total, n)
  }
})
