import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { until } from '../../../testing/process.ts'
import { sendScheduledJob } from '../jobs.ts'

const { app, platform, newOrganization } = await startChatApp()
await app.listen()

const ticketsOf = async ({ call }: Awaited<ReturnType<typeof newOrganization>>, contactId: string) =>
  ok(await call('GET', `inbox/tickets?contact_id=${contactId}`)).inboxes
const blocksOf = (user: string) => platform.blocks.filter((each) => each.user === user).map(({ method }) => method)

/** `receives` looks for the stored message, which a blocked contact's is not. */
const isDropped = (receiving: Promise<unknown>) => assert.rejects(receiving, TypeError)

test('messages of a blocked contact are dropped until it is unblocked, here and on the platform', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  const { ticketId, contactId } = await org.receives({ from })
  const blocked = ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: true }))
  assert.notEqual(blocked.blocked_at, null)
  assert.deepEqual(ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: true })), blocked)
  await until(async () => blocksOf(from).includes('POST'))
  ok(await org.call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' }))
  await isDropped(org.receives({ from, body: 'Answer me' }))
  const [closed, ...others] = await ticketsOf(org, contactId)
  assert.deepEqual([closed.status, closed.unread_count, others], ['closed', 1, []])
  assert.equal(ok(await org.call('GET', `inbox/messages/${ticketId}`)).total, 1)

  const refused = await org.call('POST', `inbox/messages/${ticketId}`, { body: 'No' })
  assert.deepEqual([refused.status, refused.body.detail], [409, 'This contact is blocked: unblock it to send messages'])
  assert.equal(ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: false })).blocked_at, null)
  await until(async () => blocksOf(from).at(-1) === 'DELETE')
  const again = await org.receives({ from, body: 'Hello again' })
  assert.notEqual(again.ticketId, ticketId)
  const types = ok(await org.call('GET', 'events?limit=100')).data.map(({ type }: { type: string }) => type)
  assert.deepEqual(
    types.filter((type: string) => type.startsWith('contact.') && type.endsWith('blocked')),
    ['contact.unblocked', 'contact.blocked'],
  )
  const { data } = ok(await org.call('GET', `audit-log?object_id=${contactId}`))
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['contact.updated', 'contact.updated'],
  )
})

test('a blocked contact can still opt out, and its next message blocks it on the platform again', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  const { contactId } = await org.receives({ from })
  // The platform blocks only people who wrote within the last 24 hours.
  platform.nextBlocks.push(refusal(139100))
  ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: true }))
  await until(async () => platform.nextBlocks.length === 0)
  await isDropped(org.receives({ from, body: 'STOP' }))
  await until(async () => blocksOf(from).includes('POST'))
  assert.notEqual(ok(await org.call('GET', `contacts/${contactId}`)).opted_out_at, null)
})

test('a scheduled message to a contact who was blocked meanwhile fails with the reason, and can be sent again', async () => {
  const org = await newOrganization()
  const { ticketId, contactId } = await org.receives({ from: newCustomer() })
  const scheduled = { body: 'Later', send_at: new Date(Date.now() + 3_600_000).toISOString() }
  const { id } = ok(await org.call('POST', `inbox/tickets/${ticketId}/scheduled-messages`, scheduled), 201)
  ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: true }))
  // Its time comes.
  await app.database.inTenant(org.scope, async (tx) => {
    await tx.run`update scheduled_messages set send_at = now() - interval '1 second' where id = ${id}`
    await tx.enqueue(sendScheduledJob, { ...org.scope, scheduledMessageId: id })
  })
  const read = async () => ok(await org.call('GET', `inbox/scheduled-messages/${id}`))
  await until(async () => (await read()).status === 'failed')
  assert.equal((await read()).error.message, 'This contact is blocked: unblock it to send messages')
  assert.equal(ok(await org.call('GET', `inbox/messages/${ticketId}`)).total, 1)
  ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: false }))
  ok(await org.call('POST', `inbox/scheduled-messages/${id}/retry`))
  await until(async () => (await read()).status === 'sent')
})

test('an unblocked contact is taken off the platform’s list once the token works again', async () => {
  const org = await newOrganization()
  const from = newCustomer()
  const { contactId } = await org.receives({ from })
  ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: true }))
  await until(async () => blocksOf(from).includes('POST'))
  platform.nextBlocks.push(refusal(190))
  ok(await org.call('PATCH', `contacts/${contactId}`, { blocked: false }))
  await until(async () => blocksOf(from).at(-1) === 'DELETE')
  assert.equal(platform.nextBlocks.length, 0)
})

for (const which of ['remaining', 'merged'] as const)
  test(`if the ${which} contact of two is blocked, one blocked contact remains, with all its numbers`, async () => {
    const org = await newOrganization()
    const [number, otherNumber] = [newCustomer(), newCustomer()]
    const one = await org.receives({ from: number })
    const other = await org.receives({ from: otherNumber })
    const blocked = which === 'merged' ? other.contactId : one.contactId
    ok(await org.call('PATCH', `contacts/${blocked}`, { blocked: true }))
    const merged = ok(await org.call('POST', `contacts/${one.contactId}/merge`, { contact_id: other.contactId }))
    assert.notEqual(merged.blocked_at, null)
    for (const user of [number, otherNumber]) await until(async () => blocksOf(user).at(-1) === 'POST')
    const events = ok(await org.call('GET', 'events?type=contact.blocked')).data
    assert.deepEqual(
      events.map(({ data }: { data: { object: { id: string } } }) => data.object.id),
      which === 'merged' ? [one.contactId, other.contactId] : [one.contactId],
    )
    ok(await org.call('PATCH', `contacts/${one.contactId}`, { blocked: false }))
    for (const user of [number, otherNumber]) await until(async () => blocksOf(user).at(-1) === 'DELETE')
  })

test('the simulator keeps a block list and passes nothing on from blocked people', async () => {
  const org = await app.organization()
  const from = newCustomer()
  const writes = async (text: string) => ok(await org.call('POST', 'simulator/messages', { from, text }), 202)
  await writes('First')
  const ticket = async () => ok(await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).inboxes[0]
  await until(async () => (await ticket()) !== undefined)
  const { contact_id, id } = await ticket()
  ok(await org.call('PATCH', `contacts/${contact_id}`, { blocked: true }))
  const isListed = async () => {
    const { rows } = await app.database.pools.system.query(
      'select from simulator_records where kind = $1 and id like $2',
      ['blocked', `%${from.slice(1)}`],
    )
    return rows.length > 0
  }
  await until(isListed)
  await writes('Second')
  ok(await org.call('PATCH', `contacts/${contact_id}`, { blocked: false }))
  await until(async () => !(await isListed()))
  await writes('Third')
  const bodies = async () =>
    ok(await org.call('GET', `inbox/messages/${id}`)).messages.map(({ body }: { body: string }) => body)
  await until(async () => (await bodies()).length === 2)
  assert.deepEqual(await bodies(), ['First', 'Third'])
})

test('a block is a change of the contact: it needs its scope, an existing contact and a boolean', async () => {
  const org = await newOrganization()
  const { contactId } = await org.receives({ from: newCustomer() })
  const reader = app.as((await app.key(org.id, { mode: 'live', scopes: ['contacts:read'] })).secret)
  assert.equal((await reader('PATCH', `contacts/${contactId}`, { blocked: true })).status, 403)
  assert.equal((await org.call('PATCH', `contacts/${contactId}`, { blocked: 'yes' })).status, 422)
  const other = await newOrganization()
  assert.equal((await other.call('PATCH', `contacts/${contactId}`, { blocked: true })).status, 404)
})
