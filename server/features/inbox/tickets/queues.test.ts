import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { type ChatOrganization, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { queues } from './schema.ts'

const { app, platform, newOrganization } = await startChatApp({ settings: { AGENT_REPLY_DELAY_MS: 50 } })
let owners = 0
const newOrg = () => newOrganization(`queues${++owners}@acme.example`)

const counts = async ({ call }: ChatOrganization) => ok(await call('GET', 'inbox/queues'))
const ticketOf = async ({ call }: ChatOrganization, id: string) => ok(await call('GET', `inbox/tickets/${id}`))

/** The ids in each queue. Every queue is counted as it is listed. */
async function listed(org: ChatOrganization) {
  const figures = await counts(org)
  const ids: Record<string, string[]> = {}
  for (const queue of queues) {
    const { inboxes, total } = ok(await org.call('GET', `inbox/tickets?queue=${queue}`))
    ids[queue] = inboxes.map(({ id }: { id: string }) => id)
    assert.deepEqual([total, figures[queue] ?? 0], [inboxes.length, inboxes.length], queue)
  }
  return ids
}

async function giveAgent(org: ChatOrganization, members: object = {}) {
  const call_settings = { rules: [], fallback: 'One moment.' }
  const agent = { name: 'Desk', agent_type: 'static', agent_config: { call_settings }, ...members }
  const { id } = ok(await org.call('POST', 'agents', agent), 201)
  ok(await org.call('PATCH', `channels/${org.channelId}`, { agent_id: id }))
  return id as string
}

test('a customer waits until a person answers, and every queue says so', async () => {
  const org = await newOrg()
  const { ticketId } = await org.receives({ from: newCustomer() })
  assert.deepEqual(await listed(org), {
    mine: [],
    unassigned: [ticketId],
    needs_person: [ticketId],
    ai: [],
    all: [ticketId],
    snoozed: [],
  })
  assert.equal((await counts(org)).ai, null, 'no agent answers a channel')
  const waiting = await ticketOf(org, ticketId)
  assert.ok(waiting.waiting_since)
  assert.equal(waiting.answered_by, 'person', 'the contact is handled by AI, but there is no agent')

  platform.next.push(refusal(131026))
  assert.equal((await org.call('POST', `inbox/messages/${ticketId}`, { body: 'Yes' })).status, 502)
  assert.deepEqual((await listed(org)).needs_person, [ticketId], 'an answer that was not sent is none')

  ok(await org.call('POST', `inbox/messages/${ticketId}`, { body: 'Yes' }), 201)
  ok(await org.call('PATCH', `inbox/tickets/${ticketId}`, { assignee_id: org.ownerId }))
  const after = await listed(org)
  assert.deepEqual([after.mine, after.unassigned, after.needs_person], [[ticketId], [], []])
  assert.equal((await ticketOf(org, ticketId)).waiting_since, null)
})

test('the AI queue has conversations that an active agent answers, and no others', async () => {
  const org = await newOrg()
  const agent = await giveAgent(org, { is_active: 'inactive' })
  const { ticketId, contactId } = await org.receives({ from: newCustomer() })
  assert.deepEqual([(await counts(org)).ai, (await listed(org)).needs_person], [null, [ticketId]])

  ok(await org.call('PATCH', `agents/${agent}`, { is_active: 'active' }))
  const active = await listed(org)
  assert.deepEqual([active.ai, active.unassigned, active.needs_person], [[ticketId], [], []])
  assert.equal((await ticketOf(org, ticketId)).answered_by, 'ai')

  // The agent answers the next message; then no contact waits.
  const from = newCustomer()
  const other = await org.receives({ from })
  await until(async () => (await ticketOf(org, other.ticketId)).waiting_since === null)
  assert.equal((await listed(org)).ai?.length, 2)

  // A contact that the agent hands off waits for a person, although the agent had the last word.
  ok(await org.call('POST', `contacts/${other.contactId}/handoff`, { to: 'human', reason: 'Asked for a person' }))
  const handed = await listed(org)
  assert.deepEqual([handed.ai, handed.needs_person], [[ticketId], [other.ticketId]])
  ok(await org.call('POST', `contacts/${other.contactId}/handoff`, { to: 'ai' }))
  assert.equal((await listed(org)).ai?.length, 2)

  // A reply takes over, and is an answer.
  ok(await org.call('POST', `inbox/messages/${ticketId}`, { body: 'It is me now' }), 201)
  const taken = await listed(org)
  assert.deepEqual([taken.ai, taken.needs_person], [[other.ticketId], []])
  assert.equal(ok(await org.call('GET', `contacts/${contactId}`)).ai_handling, false)
})

test('closing ends the wait, and a removed agent leaves no one behind', async () => {
  const org = await newOrg()
  const agent = await giveAgent(org)
  const { ticketId } = await org.receives({ from: newCustomer() })
  await until(async () => (await ticketOf(org, ticketId)).waiting_since === null)
  ok(await org.call('DELETE', `agents/${agent}`))
  await org.receives({ from: (await ticketOf(org, ticketId)).contact.phone_number })
  assert.deepEqual((await listed(org)).needs_person, [ticketId])
  ok(await org.call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' }))
  assert.deepEqual(Object.values(await listed(org)).flat(), [])
  assert.equal((await ticketOf(org, ticketId)).waiting_since, null)
})

test('queues combine with other filters and with searches', async () => {
  const org = await newOrg()
  const member = await person(app, org.id, 'member')
  const from = newCustomer()
  const { ticketId } = await org.receives({ from, body: 'About the invoice' })
  const other = await org.receives({ from: newCustomer(), body: 'About the garden' })
  ok(await org.call('PATCH', `inbox/tickets/${other.ticketId}`, { assignee_id: member.id, priority: 'urgent' }))
  const ids = async (query: string) => {
    const { inboxes, total } = ok(await org.call('GET', `inbox/tickets?${query}`))
    assert.equal(total, inboxes.length, query)
    return inboxes.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await ids('queue=needs_person&search=invoice'), [ticketId])
  assert.deepEqual(await ids('queue=unassigned&search=about'), [ticketId])
  assert.deepEqual(await ids('queue=needs_person&search=about&priority=urgent'), [other.ticketId])
  assert.deepEqual(await ids('queue=ai&search=about'), [])
  assert.deepEqual(await ids('queue=snoozed&search=about'), [])
  assert.deepEqual(await ids(`queue=needs_person&assignee_id=${member.id}`), [other.ticketId])
  assert.deepEqual(await ids('queue=all&unread=true&priority=normal'), [ticketId])
  assert.deepEqual(await ids('queue=all&sort=waiting_since'), [ticketId, other.ticketId])
  assert.deepEqual(await ids('queue=all&sort=priority'), [other.ticketId, ticketId])
  // Each member has their own queue.
  const own = await member.call('GET', 'inbox/queues', undefined, { 'x-mode': 'live' })
  assert.deepEqual([ok(own).mine, (await counts(org)).mine], [1, 0])
})

test('filters that exclude each other are refused with their location', async () => {
  const org = await newOrg()
  for (const [query, name] of [
    ['queue=later', 'queue'],
    ['queue=all&status=closed', 'queue'],
    [`queue=mine&assignee_id=${org.channelId}`, 'assignee_id'],
    ['sort=name', 'sort'],
    ['sort=priority', 'sort'],
    ['sort=waiting_since&status=closed', 'sort'],
    ['sort=priority&status=open&search=a', 'sort'],
    ['priority=highest', 'priority'],
    ['tag=', 'tag'],
  ]) {
    const answer = await org.call('GET', `inbox/tickets?${query}`)
    assert.deepEqual([answer.status, answer.body.detail[0]?.loc], [422, ['query', name]], query)
  }
})

test('counting a queue reads the index of open tickets alone', async () => {
  const org = await newOrg()
  const { contactId } = await org.receives({ from: newCustomer() })
  await app.database.inTenant(
    org.scope,
    (tx) => tx.run`
      insert into tickets (id, contact_id, channel_id, status)
      select new_id(), ${contactId}, ${org.channelId}, case when n % 100 = 0 then 'open' else 'closed' end
      from generate_series(1, 20000) n`,
  )
  const owner = await connectOwner(app)
  await owner.query('vacuum analyze tickets')
  const plan = await app.database.forTenant(org.scope).all(Type.Object({ 'QUERY PLAN': Type.String() }))`
    explain select count(*) filter (where waiting_since is not null and snoozed_until is null and assignee_id is null),
      count(*) filter (where ai_handling and channel_id is not null) from tickets where status = 'open'`
  assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /tickets_open/)
  assert.equal((await counts(org)).all, 201)
})
