import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner } from '../../../testing/campaigns.ts'

const app = await startTestApp()
await app.listen()

/** Sends a campaign and tells by which API the simulator accepted its message. */
async function sentAsMarketing(org: Campaigner): Promise<boolean[]> {
  const { id } = await org.send(await org.contacts(1))
  const { status } = await org.until(id, (campaign) => campaign.status === 'completed')
  assert.equal(status, 'completed')
  return sent(org)
}
async function sent(org: Campaigner): Promise<boolean[]> {
  const { body } = await app.control('GET', `ledger?phone_number_id=${org.channelId}`)
  return body.entries.map(({ is_marketing }: { is_marketing: boolean }) => is_marketing)
}
/** Sends the template in a conversation and as a test. */
async function sendSingly({ call, contacts, templateId: template_id }: Campaigner): Promise<void> {
  const [contact_id] = await contacts(1)
  const { id } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
  ok(await call('POST', `inbox/messages/${id}`, { template_id }), 201)
  const { phone_number } = ok(await call('GET', `contacts/${contact_id}`))
  ok(await call('POST', `templates/${template_id}/test-send`, { phone_number }), 201)
}
const turnOn = async (org: Campaigner, more: object = {}) => {
  const answer = await org.call('PATCH', `channels/${org.channelId}`, { marketing_messages: true, ...more })
  assert.deepEqual([answer.status, answer.body.marketing_messages], [200, true])
}

test('marketing templates of campaigns go by the Marketing Messages API if the channel says so', async () => {
  const org = await campaigner(app)
  assert.deepEqual(await sentAsMarketing(org), [false])
  await turnOn(org)
  assert.deepEqual(await sentAsMarketing(org), [false, true])
  assert.equal((await org.call('PATCH', `channels/${org.channelId}`, { marketing_messages: 1 })).status, 422)
})

test('templates in conversations and tests go by the same API as campaigns', async () => {
  const org = await campaigner(app)
  await sendSingly(org)
  await turnOn(org)
  await sendSingly(org)
  assert.deepEqual(await sent(org), [false, false, true, true])
  const utility = await campaigner(app, { category: 'UTILITY' })
  await turnOn(utility)
  await sendSingly(utility)
  assert.deepEqual(await sent(utility), [false, false])
})

test('a marketing template that quotes a message uses the same API, without the quote', async () => {
  const org = await campaigner(app)
  const { call, contacts, templateId: template_id } = org
  await turnOn(org)
  const [contact_id] = await contacts(1)
  const { id } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
  const { chat_message_id } = ok(await call('POST', `inbox/messages/${id}`, { template_id }), 201)
  const quoting = { template_id, context_message_id: chat_message_id }
  const reply = ok(await call('POST', `inbox/messages/${id}`, quoting), 201)
  assert.equal(reply.context_message_id, chat_message_id)
  assert.deepEqual(await sent(org), [true, true])
})

test('other templates, and numbers in coexistence, use the ordinary API', async () => {
  const utility = await campaigner(app, { category: 'UTILITY' })
  await turnOn(utility)
  assert.deepEqual(await sentAsMarketing(utility), [false])
  const shared = await campaigner(app)
  await turnOn(shared, { coexistence: true })
  assert.deepEqual(await sentAsMarketing(shared), [false])
})

test('a refusal of the Marketing Messages API counts as of the ordinary one', async () => {
  const org = await campaigner(app)
  await turnOn(org)
  const { id } = await org.send(await org.contacts(['0102']))
  await org.until(id, ({ status, failed_count }) => status === 'completed' && failed_count === 1)
  const [delivery] = await org.deliveries(id)
  assert.equal(delivery?.status, 'failed')
})
