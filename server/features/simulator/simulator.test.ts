import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, type Reply, sharedTestApp, type TestOrganization } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await app.organization()
const globex = await app.organization()

let people = 0
const newCustomer = () => `+1415555${String(8000 + ++people)}`
const write = (body: object, organization: TestOrganization = acme) =>
  organization.call('POST', 'simulator/messages', body)

/** The conversation of a message, once it has arrived. */
async function arrived(organization: TestOrganization, chatMessageId: string) {
  let found: { ticket: Reply['body']; message: Reply['body'] } | undefined
  await until(async () => {
    const { body } = await organization.call('GET', 'inbox/tickets?limit=100')
    for (const ticket of body.inboxes) {
      const { body: history } = await organization.call('GET', `inbox/messages/${ticket.id}`)
      const message = history.messages.find((each: Reply['body']) => each.chat_message_id === chatMessageId)
      if (message) found = { ticket, message }
    }
    return found !== undefined
  })
  return found as { ticket: Reply['body']; message: Reply['body'] }
}
const createTemplate = async (name: string, more: object = {}) => {
  const [channel] = (await acme.call('GET', 'channels')).body.data
  const created = ok(
    await acme.call('POST', 'templates', {
      channel_id: channel.id,
      name,
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello {{1}}, we are open today.' }],
      ...more,
    }),
    201,
  )
  return created.id as string
}
const untilTemplate = async (id: string, fits: (template: Reply['body']) => boolean) => {
  let template: Reply['body']
  await until(async () => {
    template = (await acme.call('GET', `templates/${id}`)).body
    return fits(template)
  })
  return template
}

test('a customer writes, gets a reply, and the reply is delivered and read', async () => {
  const from = newCustomer()
  const answer = ok(await write({ from, name: 'Ines', text: 'hi' }), 202)
  const { ticket, message } = await arrived(acme, answer.chat_message_id)
  assert.equal(message.body, 'hi')
  assert.equal(message.direction, 'inbound')
  assert.equal(ticket.contact.name, 'Ines')
  assert.equal(ticket.contact.phone_number, from)
  ok(await acme.call('POST', `inbox/messages/${ticket.id}`, { message_type: 'text', body: 'Hello Ines' }), 201)
  await until(async () => {
    const { body } = await acme.call('GET', `inbox/messages/${ticket.id}?order=desc`)
    return body.messages[0].status === 'read'
  })
})

test('a file that a customer sends arrives with its bytes', async () => {
  const media = { base64: Buffer.from('hello').toString('base64'), mime_type: 'text/plain', filename: 'hello.txt' }
  const { body } = await write({ from: newCustomer(), type: 'document', text: 'see', media })
  await until(async () => (await arrived(acme, body.chat_message_id)).message.media_url !== null)
  const { message } = await arrived(acme, body.chat_message_id)
  assert.deepEqual([message.message_type, message.body, message.media_filename], ['document', 'see', 'hello.txt'])
  await until(async () => {
    const { pathname } = new URL(message.media_url, 'http://x')
    const file = await acme.call('GET', pathname)
    return file.status === 200 && file.text === 'hello'
  })
})

test('other message types arrive too, also from senders without a number', async () => {
  const from = newCustomer()
  const { body: first } = await write({ from, text: 'hi' })
  await arrived(acme, first.chat_message_id)
  const { body: button } = await write({ from, type: 'button', text: 'Remind me' })
  assert.equal((await arrived(acme, button.chat_message_id)).message.body, 'Remind me')
  const { body: unknown } = await write({ from, type: 'hologram', message: { hologram: { depth: 3 } } })
  assert.ok(await arrived(acme, unknown.chat_message_id))
  const { body: nameless } = await write({ user_id: 'US.77', name: 'Nobody', text: 'hello' })
  assert.equal((await arrived(acme, nameless.chat_message_id)).ticket.contact.phone_number, '')
})

test('a customer shows a number later, changes it and the account, and stays one contact that opted out', async () => {
  const org = await app.organization()
  const [first, second] = [newCustomer(), newCustomer()]
  const only = async (fits: (contact: Reply['body']) => boolean) => {
    let contact: Reply['body']
    await until(async () => {
      const { body } = await org.call('GET', 'contacts')
      assert.ok(body.total_count <= 1)
      contact = body.data[0]
      return contact !== undefined && fits(contact)
    })
    return contact
  }
  const send = async (body: object) => assert.equal((await write(body, org)).status, 202)
  await send({ user_id: 'US.1', username: 'ines.k', text: 'hello', message: { referral: { source_id: 'ad' } } })
  const { id } = await only(({ username, phone_number }) => username === 'ines.k' && phone_number === '')
  await send({ user_id: 'US.1', from: first, text: 'STOP' })
  await only(({ phone_number, opted_out_at }) => phone_number === first && opted_out_at !== null)
  const wa_id = second.slice(1)
  await send({ type: 'user_changed_number', from: first, user_id: 'US.1', message: { wa_id, user_id: 'US.2' } })
  await only(({ phone_number, whatsapp_user_id }) => phone_number === second && whatsapp_user_id === 'US.2')
  await send({ type: 'user_changed_user_id', user_id: 'US.2', message: { user_id: 'US.3' } })
  await only(({ whatsapp_user_id }) => whatsapp_user_id === 'US.3')
  await send({ type: 'user_id_update', user_id: 'US.3', message: { user_id: 'US.4' } })
  await only(({ whatsapp_user_id }) => whatsapp_user_id === 'US.4')
  await send({ from: second, user_id: 'US.4', text: 'here I am' })
  const contact = await only(({ last_activity_at }) => last_activity_at !== null)
  assert.equal(contact.id, id)
  assert.ok(contact.opted_out_at)
  const { identities } = (await org.call('GET', `contacts/${id}`)).body
  assert.deepEqual(
    identities.filter(({ until: end }: Reply['body']) => end === null).map(({ value }: Reply['body']) => value),
    [second, 'ines.k', 'US.4'],
  )
  // Answers reach the new number.
  const [ticket] = (await org.call('GET', `inbox/tickets?contact_id=${id}`)).body.inboxes
  ok(await org.call('POST', `inbox/messages/${ticket.id}`, { body: 'welcome back' }), 201)
})

test('missing or invalid members are rejected', async () => {
  const loc = (answer: Reply) => answer.body.detail[0].loc
  assert.deepEqual(loc(await write({ text: 'hi' })), ['body', 'from'])
  const badNumber = await write({ from: 'nobody', text: 'hi' })
  assert.equal(badNumber.status, 422)
  assert.deepEqual(loc(badNumber), ['body', 'from'])
  assert.deepEqual(loc(await write({ from: newCustomer(), type: 'No Type!' })), ['body', 'type'])
  assert.equal((await write({ from: newCustomer(), channel_id: newId() })).status, 404)
  const [channel] = (await globex.call('GET', 'channels')).body.data
  assert.equal((await write({ from: newCustomer(), channel_id: channel.id })).status, 404)
  const empty = await app.organization()
  const [own] = (await empty.call('GET', 'channels')).body.data
  await empty.call('DELETE', `channels/${own.id}`)
  assert.equal((await write({ from: newCustomer(), text: 'hi' }, empty)).status, 404)
})

test('the simulator requires test mode and the scope to write in the inbox', async () => {
  const live = await app.key(acme.id, { mode: 'live' })
  const refused = await app.as(live.secret)('POST', 'simulator/messages', { from: newCustomer(), text: 'hi' })
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, /test/)
  const event = await app.as(live.secret)('POST', `simulator/templates/${newId()}/events`, { event: 'approve' })
  assert.equal(event.status, 409)
  const reader = await app.key(acme.id, { scopes: ['inbox:read'] })
  assert.equal((await app.as(reader.secret)('POST', 'simulator/messages', { from: newCustomer() })).status, 403)
  assert.equal((await app.as(reader.secret)('POST', `simulator/templates/${newId()}/events`, {})).status, 403)
  assert.equal((await app.call('POST', 'simulator/messages', { from: newCustomer() })).status, 401)
})

test('a repeated Idempotency-Key sends one message', async () => {
  const from = newCustomer()
  const headers = { 'idempotency-key': 'hi once' }
  const first = await acme.call('POST', 'simulator/messages', { from, text: 'hi' }, headers)
  const again = await acme.call('POST', 'simulator/messages', { from, text: 'hi' }, headers)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers['idempotent-replayed'], 'true')
})

test('a template is reviewed by the simulator and follows its later changes there', async () => {
  const id = await createTemplate('simulated_hello')
  const approved = await untilTemplate(id, ({ status }) => status === 'APPROVED')
  assert.match(approved.remote_template_id, /^\d{18,}$/)
  const change = (event: object) => acme.call('POST', `simulator/templates/${id}/events`, event)
  assert.equal((await change({ event: 'quality', score: 'YELLOW' })).status, 202)
  await untilTemplate(id, ({ quality_score }) => quality_score === 'YELLOW')
  await change({ event: 'quality', score: 'RED' })
  await untilTemplate(id, ({ platform_status }) => platform_status === 'PAUSED')
  await change({ event: 'unpause' })
  await untilTemplate(id, ({ platform_status }) => platform_status === 'APPROVED')
  await change({ event: 'recategorize', category: 'MARKETING' })
  await untilTemplate(id, ({ category }) => category === 'MARKETING')
  assert.equal((await change({ event: 'dance' })).status, 422)
  assert.equal((await acme.call('POST', `simulator/templates/${newId()}/events`, { event: 'approve' })).status, 404)
  assert.equal((await globex.call('POST', `simulator/templates/${id}/events`, { event: 'reject' })).status, 404)
})

test('a template that the simulator rejects is rejected with the reason', async () => {
  const id = await createTemplate('please_reject_scam')
  const { rejected_reason } = await untilTemplate(id, ({ status }) => status === 'REJECTED')
  assert.match(rejected_reason, /SCAM/)
})

test('organizations that use the same platform ids are separate in the simulator', async () => {
  const chat = {
    phone_number_id: '106540352242922',
    business_account_id: '102290129340398',
    access_token: 'token',
    app_secret: '0123456789abcdef',
    verify_token: 'verify',
  }
  const channels = new Map<TestOrganization, string>()
  for (const organization of [acme, globex]) {
    const created = ok(await organization.call('POST', 'channels', { phone_number: '+14155550123', chat }), 201)
    channels.set(organization, created.id)
  }
  const from = newCustomer()
  const { body } = await write({ from, text: 'only for globex', channel_id: channels.get(globex) }, globex)
  await arrived(globex, body.chat_message_id)
  const { body: contacts } = await acme.call('GET', `contacts?search=${encodeURIComponent(from)}`)
  assert.equal(contacts.total_count, 0)
})
