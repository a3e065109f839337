import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../testing/app.ts'
import { until } from '../testing/process.ts'
import { seedDocuments } from './seed-documents.ts'
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
      const sent = ok(await call('POST', `inbox/messages/${ticket.id}`, { body: 'Good morning', ...context }), 201)
      await until(async () =>
        (await messages()).some(
          (each: { id: string; status: string }) => each.id === sent.id && each.status === 'read',
        ),
      )
    }
    const reacted = await call('POST', `inbox/messages/${ticket.id}/${last.id}/reaction`, { emoji: '👍' })
    assert.ok(reacted.status < 300, reacted.text)
  }
  assert.equal(inboxes.length, 2)
})

test('the demo has agents, calls, a template, a campaign, documents and a report that agree', async () => {
  const app = await sharedTestApp()
  const { id, call } = await app.organization()
  await seedOrganization(app.database, id)
  await seedDocuments(app, id)
  const agents = (await call('GET', 'agents')).body.data
  assert.deepEqual(agents.map(({ name }: { name: string }) => name).sort(), ['Juniper Assistant', 'Receptionist'])
  const [channel] = (await call('GET', 'channels')).body.data
  assert.equal(channel.agent_id, agents.find(({ name }: { name: string }) => name === 'Juniper Assistant').id)
  const receptionist = agents.find(({ name }: { name: string }) => name === 'Receptionist').id
  const asks = async (message: string) => (await call('POST', `agents/${receptionist}/chat`, { message })).body.action
  assert.equal(await asks('Thanks!'), null)
  assert.equal(await asks('Thank you, can I pay with a credit card?'), null)
  assert.equal((await asks('Do you sell toothbrushes?')).type, 'handoff')
  const calls = (await call('GET', 'calls?limit=1')).body
  assert.equal(calls.total_count, 40)
  ok(await call('GET', `calls/${calls.data[0].id}`))
  const { inboxes: ofAi } = (await call('GET', 'inbox/tickets?queue=ai')).body
  assert.ok(ofAi.length > 0)
  assert.ok(ofAi.every(({ waiting_since }: { waiting_since: string | null }) => waiting_since === null))
  const from = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10)
  const today = new Date().toISOString().slice(0, 10)
  const report = await call('GET', `reports/conversations?from=${from}&until=${today}`)
  const { totals: conversations, handoff_reasons } = report.body
  assert.ok(conversations.opened > 0 && conversations.messages_received > 0)
  assert.ok(conversations.contained > 0 && conversations.contained < conversations.answered_by_ai)
  const handedOff = handoff_reasons.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  assert.ok(handedOff > 0 && handedOff < conversations.opened, `${handedOff} of ${conversations.opened}`)
  assert.ok(conversations.rated_good > conversations.rated_bad)
  assert.ok((await call('GET', 'reports/calls')).body.totals.completed > 0)

  const [campaign] = (await call('GET', 'campaigns')).body.data
  assert.deepEqual([campaign.status, campaign.failed_count > 0], ['completed', true])
  assert.equal((await call('GET', `campaigns/${campaign.id}/deliveries?limit=1`)).status, 200)
  // The platform has the templates too: one can be sent, and the list still has both after it was synchronized.
  const templates = async () => (await call('GET', 'templates')).body.items
  const [template] = await templates()
  const [contact] = (await call('GET', 'contacts?limit=1')).body.data
  const { phone_number } = contact
  const sent = await call('POST', `templates/${template.id}/test-send`, {
    phone_number,
    template_variables: { 1: 'Ada' },
  })
  assert.ok(sent.status < 300, sent.text)
  assert.equal((await templates()).length, 2)
  const { documents } = (await call('GET', 'knowledge-base')).body
  assert.deepEqual(documents.map(({ file_name }: { file_name: string }) => file_name).sort(), [
    'prices.txt',
    'visiting-us.txt',
  ])
})
