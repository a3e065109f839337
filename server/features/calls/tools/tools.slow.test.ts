import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { ended } from '../../../testing/calls.ts'
import { startChatPlatform } from '../../../testing/chat-platform.ts'
import { newChannel } from '../../../testing/conversations.ts'
import { startLivePhones, type VoiceOrganization } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'

/** Live phone calls. The caller presses keys, each entry is a turn, and the model calls a tool. */
const llm = await startLlmServer()
llm.always.answer = { say: ['Certainly.'] }
const platform = await startChatPlatform()
const { app, newOrganization } = await startLivePhones({ ...llm.settings, GRAPH_API_BASE_URL: platform.url })

const call_settings = { send_messages: true, press_keys: true }
let numbers = 0

/** An organization with a chat channel, too. */
async function newDesk(settings: object = {}) {
  const org = await newOrganization({ agent_config: { call_settings: { ...call_settings, ...settings } } })
  const channelId = await newChannel(org, `+1415555${String(3000 + ++numbers)}`, platform.token)
  return { ...org, chatChannelId: channelId }
}
type Desk = Awaited<ReturnType<typeof newDesk>>
type Ring = Awaited<ReturnType<VoiceOrganization['ring']>>

/** The contact wrote on the chat channel just now, which opens the window. */
async function opensWindow({ id, chatChannelId }: Desk, contactId: string) {
  await app.database.forSystem().run`
    insert into chat_windows (organization_id, livemode, contact_id, channel_id, last_inbound_at)
    values (${id}, true, ${contactId}, ${chatChannelId}, now())`
}
const contactOf = async (org: Desk, ring: Ring) => ok(await org.call('GET', `calls/${ring.id}`)).contact_id as string

/** How often the agent has spoken so far. */
async function spoken(org: Desk, ring: Ring): Promise<number> {
  const { segments } = ok(await org.call('GET', `calls/${ring.id}/transcript`))
  return segments.filter(({ segment }: { segment: { speaker: string } }) => segment.speaker === 'agent').length
}

/** The model calls the tools in the next turn, one request each, and speaks; returns what it was told about them. */
async function uses(org: Desk, ring: Ring, name: string, ...given: object[]): Promise<string[]> {
  llm.next.push(...given.map((each) => ({ call: [{ name, arguments: JSON.stringify(each) }] })))
  const [asked, before] = [llm.requests.length, await spoken(org, ring)]
  ring.phone.press('1#')
  // The turn is over once its words were played: a key before that would repeat it.
  await until(async () => (await spoken(org, ring)) > before)
  return given.map((_, index) => llm.requests[asked + 1 + index]?.body.messages.at(-1).content)
}
const sentTo = (ring: Ring) => platform.sent.filter(({ to }) => String(to).endsWith(ring.from.slice(1)))

test('the agent sends messages during the call, and the contact gets them', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  await opensWindow(org, await contactOf(org, ring))
  const text = 'https://desk.example.com/book'
  assert.deepEqual(await uses(org, ring, 'send_message', { text }), [`Sent: ${text}`])
  assert.equal(sentTo(ring).length, 1)
  assert.deepEqual(await uses(org, ring, 'send_message', { text: 'Another one' }), ['Sent: Another one'])
  ring.phone.hangUp()
  const call = await ended(org, ring.id)
  const [ticket] = ok(await org.call('GET', `inbox/tickets?contact_id=${call.contact_id}`)).inboxes
  const { messages } = ok(await org.call('GET', `inbox/messages/${ticket.id}`))
  assert.deepEqual(
    messages.map(({ body, actor_type }: { body: string; actor_type: string }) => `${actor_type}: ${body}`).sort(),
    ['ai: Another one', `ai: ${text}`],
  )
  const used = call.analysis.tool_calls as { name: string; is_error: boolean }[]
  assert.deepEqual(
    used.map(({ name, is_error }) => `${name} ${is_error}`),
    ['send_message false', 'send_message false'],
  )
})

test('a turn that sends twice, at once or one after the other, sends once', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  await opensWindow(org, await contactOf(org, ring))
  const call = { name: 'send_message', arguments: '{"text":"Hello"}' }
  llm.next.push({ call: [call, call] })
  assert.match((await uses(org, ring, 'send_message', { text: 'Hello' }, {})).join(), /It was sent already/)
  assert.equal(sentTo(ring).length, 1)
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('outside of the window only a template is sent; a contact who opted out gets nothing', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  const contactId = await contactOf(org, ring)
  const [closed] = await uses(org, ring, 'send_message', { text: 'Hello' })
  assert.match(closed ?? '', /within the last 24 hours.*There is none to send/)
  assert.equal(ok(await org.call('GET', `inbox/tickets?contact_id=${contactId}`)).total, 0, 'no empty ticket is left')
  await opensWindow(org, contactId)
  ok(await org.call('PATCH', `contacts/${contactId}`, { opted_out: true }))
  assert.match((await uses(org, ring, 'send_message', { text: 'Hello' })).join(), /opted out/)
  assert.equal(sentTo(ring).length, 0)
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('a template that is named but not there, and a message without content, are explained to the model', async () => {
  const org = await newDesk({ message_templates: [{ name: 'appointment_link', language: 'en_US' }] })
  const ring = await org.ring()
  const [text, template, nothing] = await uses(
    org,
    ring,
    'send_message',
    { text: 'Hi' },
    { template: 'appointment_link' },
    {},
  )
  assert.match(text ?? '', /Send one of these instead: appointment_link/)
  assert.match(template ?? '', /does not exist any more/)
  assert.match(nothing ?? '', /either a text or a template/)
  ring.phone.hangUp()
  await ended(org, ring.id)
})

/** An approved template of a business account, stored after the ones before. */
async function storeTemplate({ id, chatChannelId }: Desk, businessAccountId: string, text: string) {
  await app.database.inTenant(
    { organizationId: id, livemode: true },
    (tx) => tx.run`
      insert into templates (id, channel_id, account_id, business_account_id, remote_template_id, name, language, category,
        status, platform_status, registration, next_attempt_at, components)
      values (${newId()}, ${chatChannelId}, ${businessAccountId}, ${businessAccountId}, ${newId()}, 'appointment_link',
        'en_US', 'UTILITY', 'APPROVED', 'APPROVED', 'registered', null, ${JSON.stringify([{ type: 'BODY', text }])}::jsonb)`,
  )
}

test('the template is the one of the channel’s business account; a refusal leaves no empty ticket', async () => {
  const org = await newDesk({ message_templates: [{ name: 'appointment_link', language: 'en_US' }] })
  await storeTemplate(org, '700100200300400', 'Your link: {{1}}')
  await storeTemplate(org, '700100200300401', 'A template of another account')
  const ring = await org.ring()
  const contactId = await contactOf(org, ring)
  const [refused] = await uses(org, ring, 'send_message', { template: 'appointment_link' })
  assert.match(refused ?? '', /1: This variable has no value/)
  assert.equal(ok(await org.call('GET', `inbox/tickets?contact_id=${contactId}`)).total, 0)
  const variables = { '1': 'https://desk.example.com/book' }
  const [sent] = await uses(org, ring, 'send_message', { template: 'appointment_link', variables })
  assert.equal(sent, 'Sent: Your link: https://desk.example.com/book')
  assert.equal(sentTo(ring).length, 1)
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('a window on another channel than that of the open ticket does not count', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  const contactId = await contactOf(org, ring)
  const other = await newChannel(org, `+1415555${String(3000 + ++numbers)}`, platform.token)
  const { id: ticketId } = ok(await org.call('POST', 'inbox/tickets', { contact_id: contactId }), 201)
  await app.database.forSystem().run`update tickets set channel_id = ${other} where id = ${ticketId}`
  await opensWindow(org, contactId)
  const [closed] = await uses(org, ring, 'send_message', { text: 'Hello' })
  assert.match(closed ?? '', /within the last 24 hours/)
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('the agent presses keys: the other side hears their tones, once for a turn', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  const told = await uses(org, ring, 'press_keys', { keys: 'A' }, { keys: '12w*0#' }, { keys: '9' })
  assert.match(told[0] ?? '', /Keys are up to 32/)
  assert.equal(told[1], 'Pressed 12w*0#')
  assert.match(told[2] ?? '', /already/)
  await until(async () => ring.keys() === '12*0#')
  await uses(org, ring, 'press_keys', { keys: '9' })
  await until(async () => ring.keys() === '12*0#9')
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('an interruption stops the keys: what the other side heard is what the model is told', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  const before = await spoken(org, ring)
  const call = { name: 'press_keys', arguments: '{"keys":"12345678901234567890"}' }
  llm.next.push({ call: [call] }, { call: [call] }, { call: [{ ...call, arguments: '{"keys":"#"}' }] })
  const asked = llm.requests.length
  ring.phone.press('1#')
  await until(async () => ring.keys().length >= 2)
  // The caller presses a key: the turn is repeated with both entries.
  ring.phone.press('2#')
  await until(async () => (await spoken(org, ring)) > before)
  const told = llm.requests.slice(asked).map(({ body }) => body.messages.at(-1).content as string)
  const [, played = ''] = /Only (\d+) of 12345678901234567890 was pressed/.exec(told.join('\n')) ?? []
  assert.ok(played.length >= 1, told.join('\n'))
  await until(async () => ring.keys().endsWith('#'))
  const heard = ring.keys().slice(0, -1)
  // The key that was playing may or may not have been heard, and on a busy machine the phone lags behind by a key.
  const [shorter, longer] = heard.length < played.length ? [heard, played] : [played, heard]
  assert.ok(shorter === longer || shorter === longer.slice(0, -1), `${heard} was heard, ${played} was told`)
  ring.phone.hangUp()
  await ended(org, ring.id)
})

test('tools of a call are not offered unless the agent may use them', async () => {
  const org = await newDesk({ send_messages: false, press_keys: false })
  const ring = await org.ring()
  const asked = llm.requests.length
  ring.phone.press('1#')
  await until(async () => llm.requests.length > asked)
  const names = llm.requests[asked]?.body.tools.map(({ function: { name } }: { function: { name: string } }) => name)
  assert.deepEqual(names, ['hand_off_to_person', 'end_call'])
  ring.phone.hangUp()
  await ended(org, ring.id)
})
