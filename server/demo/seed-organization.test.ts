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
