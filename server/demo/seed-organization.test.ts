import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../testing/app.ts'
import { until } from '../testing/process.ts'
import { seedOrganization } from './seed-organization.ts'

test('the newest demo conversations can be answered, with a reply, a quote and a reaction', async () => {
  const app = await sharedTestApp()
  await app.listen()
  const { id, call } = await app.organization()
  assert.equal(await seedOrganization(app.database, id), true)
  const { inboxes } = (await call('GET', 'inbox/tickets?status=open&limit=2')).body
  for (const ticket of inboxes) {
    const messages = async () => (await call('GET', `inbox/messages/${ticket.id}`)).body.messages
    const last = (await messages()).findLast(({ direction }: { direction: string }) => direction === 'inbound')
    for (const context of [{}, { context_message_id: last.chat_message_id }]) {
      const sent = await call('POST', `inbox/messages/${ticket.id}`, { body: 'Good morning', ...context })
      assert.equal(sent.status, 201, sent.text)
      await until(async () =>
        (await messages()).some(
          (each: { id: string; status: string }) => each.id === sent.body.id && each.status === 'read',
        ),
      )
    }
    const reacted = await call('POST', `inbox/messages/${ticket.id}/${last.id}/reaction`, { emoji: '👍' })
    assert.ok(reacted.status < 300, reacted.text)
  }
  assert.equal(inboxes.length, 2)
})

test('the demo has an agent, its calls and a report', async () => {
  const app = await sharedTestApp()
  const { id, call } = await app.organization()
  await seedOrganization(app.database, id)
  const [agent] = (await call('GET', 'agents')).body.data
  assert.equal(agent.name, 'Receptionist')
  const calls = (await call('GET', 'calls?limit=1')).body
  assert.equal(calls.total_count, 40)
  const read = await call('GET', `calls/${calls.data[0].id}`)
  assert.equal(read.status, 200)
  const from = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10)
  const until = new Date().toISOString().slice(0, 10)
  const conversations = (await call('GET', `reports/conversations?from=${from}&until=${until}`)).body.totals
  assert.ok(conversations.opened > 0 && conversations.messages_received > 0)
  assert.ok((await call('GET', 'reports/calls')).body.totals.completed > 0)
})
