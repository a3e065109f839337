import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { campaigner } from '../../../testing/campaigns.ts'
import { assertAccepted } from '../../../testing/conversations.ts'
import { until } from '../../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await campaigner(app)
const { call, templateId } = acme
const contactOf = async (members: object = {}) => {
  const [id] = await acme.contacts(1, { name: 'Ada Lovelace', ...members })
  return ok(await call('GET', `contacts/${id}`))
}
const send = (body: object, id = templateId) => call('POST', `templates/${id}/test-send`, body)

test('a test goes to a contact’s number, into its conversation, and into no campaign', async () => {
  const { id, phone_number } = await contactOf()
  const sent = ok(await send({ phone_number, template_variables: { '1': '{{contact.first_name|you}}' } }), 201)
  assert.deepEqual([sent.body, sent.contact_id], ['Hello Ada, we are open today.', id])
  assertAccepted(sent)
  assert.equal(sent.chat_phone_number_id, acme.channelId)
  const { messages } = ok(await call('GET', `inbox/messages/${sent.inbox_id}`))
  assert.deepEqual(
    messages.map((message: { id: string }) => message.id),
    [sent.id],
  )
  assert.equal(ok(await call('GET', `contacts/${id}`)).ai_handling, true)
  assert.deepEqual(ok(await call('GET', 'campaigns')).data, [])
})

test('a test needs a contact’s number, an approved template and every value', async () => {
  const { phone_number } = await contactOf({ name: '' })
  const missing = await send({ phone_number })
  assert.deepEqual([missing.status, missing.body.detail[0].loc], [422, ['body', 'template_variables', '1']])
  const stranger = await send({ phone_number: '+14155559999', template_variables: { '1': 'x' } })
  assert.deepEqual([stranger.status, stranger.body.code], [400, 'no_contact'])
  assert.match(stranger.body.detail, /No contact has the number/)
  assert.deepEqual((await send({ phone_number: 'mine' })).body.detail[0].loc, ['body', 'phone_number'])
  assert.equal((await send({ phone_number }, newId())).status, 404)
  assert.equal((await send({ phone_number, channel_id: newId(), template_variables: { '1': 'x' } })).status, 404)
  const rejected = await call('POST', 'templates', {
    channel_id: acme.channelId,
    name: 'reject_this_test',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello' }],
  })
  assert.equal((await send({ phone_number }, rejected.body.id)).status, 400)
})

test('a test of marketing to a contact who opted out is refused', async () => {
  const { id, phone_number } = await contactOf()
  ok(await call('PATCH', `contacts/${id}`, { opted_out: true }))
  assert.equal((await send({ phone_number })).status, 409)
})

test('replies fill in fields of the contact, and are refused where one has no value', async () => {
  const { id, phone_number } = await contactOf({ custom_fields: { plan: 'gold' } })
  await app.control('POST', 'inbound', {
    phone_number_id: acme.channelId,
    from: phone_number,
    message: { type: 'text', text: { body: 'Hi' } },
  })
  let ticketId = ''
  await until(async () => {
    const [ticket] = ok(await call('GET', `inbox/tickets?contact_id=${id}`)).inboxes
    ticketId = ticket?.id
    return ticket !== undefined
  })
  const reply = (body: string) => call('POST', `inbox/messages/${ticketId}`, { body })
  const sent = ok(
    await reply('Dear {{contact.first_name|you}},\n\nyour {{contact.custom_fields.plan}} plan {{1}}'),
    201,
  )
  assert.equal(sent.body, 'Dear Ada,\n\nyour gold plan {{1}}')
  // What is no field is text.
  assert.equal(ok(await reply('Hi {{contact.shoe_size|x}}'), 201).body, 'Hi {{contact.shoe_size|x}}')
  const refused = await reply('{{contact.custom_fields.age}}')
  assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'body']])
})
