import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { campaigner } from '../../../testing/campaigns.ts'
import { assertAccepted } from '../../../testing/conversations.ts'
import { until } from '../../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await campaigner(app, { category: 'UTILITY', text: 'Hello {{1}}, your order {{2}} is ready.' })
const { call, templateId } = acme

/** A contact who never wrote: only a template can be sent. */
async function newTicket(members: object = {}): Promise<string> {
  const [contact_id] = await acme.contacts(1, { name: 'Ada', ...members })
  return ok(await call('POST', 'inbox/tickets', { contact_id }), 201).id
}
const send = (ticketId: string, body: object, headers = {}) =>
  call('POST', `inbox/messages/${ticketId}`, { template_id: templateId, ...body }, headers)

test('a template is sent where a free-form message is refused, and stored with the text that the customer reads', async () => {
  const ticketId = await newTicket()
  assert.equal((await call('POST', `inbox/messages/${ticketId}`, { body: 'Hi' })).status, 409)
  const variables = { '1': 'dear {{contact.name}}', '2': ' 12\n34 ' }
  const sent = ok(await send(ticketId, { template_variables: variables }, { 'idempotency-key': 'once' }), 201)
  assert.deepEqual([sent.message_type, sent.body], ['text', 'Hello dear Ada, your order 12 34 is ready.'])
  assertAccepted(sent)
  assert.equal(sent.payload.template.language, 'en_US')
  assert.deepEqual(sent.payload.variables, { '1': 'dear Ada', '2': '12 34' })
  const again = ok(await send(ticketId, { template_variables: variables }, { 'idempotency-key': 'once' }), 201)
  assert.equal(again.id, sent.id)
  await until(async () => {
    const { messages, total } = ok(await call('GET', `inbox/messages/${ticketId}`))
    assert.equal(total, 1)
    return messages[0].status === 'read'
  })
  const { last_message } = ok(await call('GET', `inbox/tickets/${ticketId}`))
  assert.deepEqual([last_message.id, last_message.direction, last_message.preview], [sent.id, 'outbound', sent.body])
})

test('variables default to the contact’s values and are never blank', async () => {
  const ticketId = await newTicket({ custom_fields: { '2': 77 } })
  assert.equal(ok(await send(ticketId, {}), 201).body, 'Hello Ada, your order 77 is ready.')
  for (const template_variables of [
    { '2': ' ' },
    { '2': '{{contact.secret}}' },
    { '2': '{{contact.custom_fields.x}}' },
  ]) {
    const { status, body } = await send(ticketId, { template_variables })
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'template_variables', '2']])
  }
  assert.equal(ok(await call('GET', `inbox/messages/${ticketId}`)).total, 1)
})

test('an unknown or unsendable template, or one with a body, is rejected', async () => {
  const ticketId = await newTicket()
  assert.equal((await send(ticketId, { template_id: newId() })).status, 404)
  assert.deepEqual((await send(ticketId, { body: 'Hi' })).body.detail[0].loc, ['body', 'body'])
  assert.deepEqual((await send(ticketId, { media_url: 'https://example.com/a.png' })).body.detail[0].loc, [
    'body',
    'media_url',
  ])
  const alone = await call('POST', `inbox/messages/${ticketId}`, { body: 'Hi', template_variables: { '1': 'x' } })
  assert.deepEqual(alone.body.detail[0].loc, ['body', 'template_id'])
  const rejected = await call('POST', 'templates', {
    channel_id: acme.channelId,
    name: 'reject_me',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello' }],
  })
  assert.match((await send(ticketId, { template_id: rejected.body.id })).body.detail, /is not approved/)
})

test('a marketing template to a contact who opted out is refused', async () => {
  const template_id = await acme.template({
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hello, we are open.' }],
  })
  const ticketId = await newTicket()
  ok(await send(ticketId, { template_id }), 201)
  const { contact_id } = ok(await call('GET', `inbox/tickets/${ticketId}`))
  ok(await call('PATCH', `contacts/${contact_id}`, { opted_out: true }))
  assert.equal((await send(ticketId, { template_id })).status, 409)
  ok(await send(ticketId, { template_variables: { '2': '9' } }), 201)
})
