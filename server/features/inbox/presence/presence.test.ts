import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { person, type TestPerson } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { openStream } from '../../../testing/streams.ts'

const { app, newOrganization } = await startChatApp()
const url = await app.listen()

test('members of the organization learn who is here, on every node, and no one else does', async () => {
  const [org, other] = [await newOrganization(), await newOrganization()]
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'read_only')]
  const stranger = await person(app, other.id, 'member')
  const clerk = await person(app, org.id, 'member')
  const role = ok(await org.call('POST', 'roles', { name: 'Clerk', scopes: ['contacts:read'] }), 201)
  ok(await org.call('PATCH', `members/${clerk.id}`, { role: role.id }))
  const node = await app.node()
  const elsewhere = await node.listen()
  const listen = ({ token }: TestPerson, at = elsewhere, mode = 'live') =>
    openStream(`${at}/api/v1/stream?hints=true&type=call.ended`, {
      ...{ authorization: `Bearer ${token}`, 'x-mode': mode },
    })
  const streams = await Promise.all([
    listen(ben),
    listen(ana, url),
    listen(stranger),
    listen(clerk),
    listen(ben, elsewhere, 'test'),
  ])
  const [bens, anas, ...others] = streams
  const { ticketId } = await org.receives({ from: newCustomer() })
  const announce = (state: string) => ana.call('POST', `inbox/tickets/${ticketId}/presence`, { state })
  for (const state of ['viewing', 'typing', 'left']) {
    assert.deepEqual(ok(await announce(state)), { state })
    const heard = () => bens?.events.filter(({ data }) => data.type === 'presence.changed').at(-1)?.data
    await until(async () => heard()?.data.object.state === state)
    assert.deepEqual(heard(), {
      type: 'presence.changed',
      organization_id: org.id,
      livemode: true,
      data: { object: { ticket_id: ticketId, member_id: ana.id, state } },
    })
  }
  const seen = (stream: (typeof streams)[number] | undefined) =>
    stream?.events.filter(({ data }) => data.type === 'presence.changed').length
  await until(async () => seen(anas) === 3)
  assert.deepEqual(others.map(seen), [0, 0, 0])
  // A hint has no id, so that a client resumes after its last event.
  assert.equal(bens?.events[0]?.id, undefined)
  for (const stream of streams) stream.close()
})

test('only people announce themselves, in tickets that they may read', async () => {
  const org = await newOrganization()
  const ana = await person(app, org.id, 'member')
  const { ticketId } = await org.receives({ from: newCustomer() })
  const announce = (id: string, body: unknown, call = ana.call) => call('POST', `inbox/tickets/${id}/presence`, body)
  assert.equal((await announce(ticketId, { state: 'viewing' }, org.call)).status, 403)
  assert.equal((await announce(ticketId, { state: 'asleep' })).status, 422)
  assert.equal((await announce(ticketId, {})).status, 422)
  assert.equal((await announce(newId(), { state: 'viewing' })).status, 404)
  const stranger = await person(app, (await newOrganization()).id, 'member')
  assert.equal((await announce(ticketId, { state: 'viewing' }, stranger.call)).status, 404)
})
