import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../server/testing/app.ts'
import { until } from '../server/testing/process.ts'
import { startTestSimulator } from '../server/testing/simulator.ts'
import { createKnobs } from './knobs.ts'
import { createLimits } from './limits.ts'
import type { Refusal } from './refusals.ts'

const simulator = await startTestSimulator()
const { graph, control, send, listener, phoneNumberId } = simulator
await control('PATCH', 'knobs', { throughput: 100_000 })

let people = 0
const newCustomer = () => `+1415555${String(7000 + ++people)}`
const text = (body: string, more: object = {}) => ({ type: 'text', text: { body }, ...more })
const hello = (...values: string[]) => ({
  type: 'template',
  template: {
    name: 'hello',
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters: values.map((value) => ({ type: 'text', text: value })) }],
  },
})
const templateId = await simulator.template('hello')
const codeOf = async (answer: Promise<{ body: { error?: { code: number } } }>) => (await answer).body.error?.code
const toldOf = async (id: string, count: number) => {
  await until(async () => listener.statuses(id).length >= count)
  return listener.statuses(id)
}

test('a template message is accepted, sent, delivered and read, and returns its callback data', async () => {
  const answer = await send('+1 (415) 555-0100', { ...hello('Ada'), biz_opaque_callback_data: 'delivery ü/7' })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['facebook-api-version'], 'v19.0')
  const { messaging_product, contacts, messages } = answer.body
  assert.equal(messaging_product, 'whatsapp')
  assert.deepEqual(contacts, [{ input: '+1 (415) 555-0100', wa_id: '14155550100' }])
  assert.match(messages[0].id, /^wamid\./)
  assert.equal(messages[0].message_status, 'accepted')
  assert.deepEqual(await toldOf(messages[0].id, 3), ['sent', 'delivered', 'read'])
  const updates = listener.updates.filter(({ value }) => value.id === messages[0].id)
  for (const { value, account } of updates) {
    assert.equal(account, simulator.account)
    assert.equal(value.biz_opaque_callback_data, 'delivery ü/7')
    assert.equal(value.recipient_id, '14155550100')
    assert.match(value.timestamp, /^\d{10}$/)
    assert.deepEqual(value.around.metadata, { display_phone_number: '18005550199', phone_number_id: phoneNumberId })
    assert.equal(value.conversation.origin.type, 'utility')
  }
  const [sent, delivered] = updates
  assert.ok(sent?.value.conversation.expiration_timestamp)
  assert.equal(delivered?.value.conversation.expiration_timestamp, undefined)
  assert.deepEqual(sent?.value.pricing, { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' })
  assert.equal(delivered?.value.pricing, undefined)
  const raw = listener.bodies.find((body) => body.includes(messages[0].id)) as string
  assert.ok(raw.includes('delivery \\u00fc\\/7'), raw)
})

test('newer versions leave out conversations', async () => {
  const answer = await fetch(`${simulator.url}/v24.0/${phoneNumberId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to: newCustomer(), ...hello('Ada') }),
  })
  const { messages } = (await answer.json()) as { messages: { id: string }[] }
  const id = messages[0]?.id as string
  await toldOf(id, 3)
  assert.ok(listener.updates.filter(({ value }) => value.id === id).every(({ value }) => !value.conversation))
})

test('only the registered token opens a number, and another owner’s object looks like none', async () => {
  const message = { messaging_product: 'whatsapp', to: newCustomer(), ...hello('Ada') }
  for (const token of ['wrong', '']) {
    const answer = await graph('POST', `${phoneNumberId}/messages`, message, token)
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 190)
    assert.equal(answer.body.error.type, 'OAuthException')
  }
  assert.equal((await graph('GET', '%zz')).body.error.error_subcode, 33)
  const elsewhere = await graph('POST', '999/messages', message)
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code, elsewhere.body.error.error_subcode], [400, 100, 33])
  await control('PUT', 'numbers/777', {
    business_account_id: '888',
    display_phone_number: '+15550001111',
    access_token: 'another token',
    app_secret: simulator.appSecret,
    callback_url: listener.url,
  })
  assert.equal((await graph('GET', templateId, undefined, 'another token')).body.error.error_subcode, 33)
  assert.equal((await graph('GET', `${simulator.account}/message_templates`, undefined, 'another token')).status, 401)
  assert.equal((await graph('POST', `${phoneNumberId}/messages`, message, 'another token')).status, 401)
  assert.deepEqual((await graph('GET', '888/message_templates', undefined, 'another token')).body.data, [])
})

test('two owners may use the same ids without seeing each other', async () => {
  const facts = {
    business_account_id: 'shared',
    display_phone_number: '+15550001112',
    app_secret: simulator.appSecret,
    callback_url: listener.url,
  }
  await control('PUT', 'numbers/shared', { ...facts, owner: 'one', access_token: 'one' })
  await control('PUT', 'numbers/shared', { ...facts, owner: 'two', access_token: 'two' })
  const draft = { name: 'mine', language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hi.' }] }
  const { body: made } = await graph('POST', 'shared/message_templates', draft, 'one')
  assert.deepEqual((await graph('GET', 'shared/message_templates', undefined, 'two')).body.data, [])
  assert.equal((await graph('GET', made.id, undefined, 'two')).status, 400)
  assert.equal((await graph('POST', 'shared/message_templates', draft, 'two')).status, 200)
  const message = {
    messaging_product: 'whatsapp',
    to: newCustomer(),
    type: 'template',
    template: { name: 'mine', language: { code: 'en_US' } },
  }
  assert.equal((await graph('POST', 'shared/messages', message, 'two')).status, 200)
})

test('a replaced token is invalid', async () => {
  const facts = {
    business_account_id: '1',
    display_phone_number: '+15550001113',
    app_secret: simulator.appSecret,
    callback_url: listener.url,
  }
  await control('PUT', 'numbers/rotating', { ...facts, access_token: 'before' })
  assert.equal((await graph('GET', 'rotating', undefined, 'before')).body.display_phone_number, '+15550001113')
  await control('PUT', 'numbers/rotating', { ...facts, access_token: 'after' })
  assert.equal((await graph('GET', 'rotating', undefined, 'before')).status, 401)
  assert.equal((await graph('GET', 'rotating', undefined, 'after')).status, 200)
  await control('DELETE', 'numbers/rotating')
  assert.equal((await graph('GET', 'rotating', undefined, 'after')).status, 400)
})

test('invalid messages are refused with the platform’s code', async () => {
  const person = newCustomer()
  await simulator.writeFrom(person)
  const cases: [why: string, message: object, code: number][] = [
    ['no product', { messaging_product: undefined, ...text('hi') }, 100],
    ['no recipient', { to: undefined, ...text('hi') }, 100],
    ['a recipient that is none', { to: 'nobody', ...text('hi') }, 131009],
    ['itself', { to: '+18005550199', ...hello('Ada') }, 131021],
    ['no such type', { type: 'dance', dance: {} }, 131051],
    ['a type without its part', { type: 'text' }, 131008],
    ['a part that is no object', { type: 'text', text: 'hi' }, 131009],
    ['no words', text(''), 131008],
    ['too many words', text('a'.repeat(4097)), 100],
    ['words that are none', { type: 'text', text: { body: 7 } }, 131009],
    ['no picture', { type: 'image', image: {} }, 131008],
    ['a picture from two places', { type: 'image', image: { id: '1', link: 'https://a.test/b.png' } }, 131009],
    ['a picture from nowhere', { type: 'image', image: { link: 'nowhere' } }, 131009],
    ['a picture that is not there', { type: 'image', image: { id: '123' } }, 100],
    ['a long caption', { type: 'image', image: { link: 'https://a.test/b', caption: 'a'.repeat(1025) } }, 100],
    ['audio with a caption', { type: 'audio', audio: { link: 'https://a.test/b', caption: 'no' } }, 131009],
    ['a reaction to nothing', { type: 'reaction', reaction: { emoji: '👍' } }, 131008],
    ['a reaction to a stranger', { type: 'reaction', reaction: { message_id: 'wamid.eA==', emoji: '👍' } }, 131009],
    ['an answer to a stranger', text('hi', { context: { message_id: 'wamid.nonsense' } }), 131009],
    ['a place that is nowhere', { type: 'location', location: {} }, 131008],
    [
      'four buttons',
      { type: 'interactive', interactive: { type: 'button', action: { buttons: [1, 2, 3, 4] } } },
      131009,
    ],
    ['long callback data', text('hi', { biz_opaque_callback_data: 'a'.repeat(513) }), 100],
  ]
  for (const [why, message, code] of cases) {
    const answer = await send(person, message)
    assert.equal(answer.body.error?.code, code, `${why}: ${answer.text}`)
    assert.equal(answer.status, 400, why)
    assert.ok(answer.body.error.fbtrace_id)
  }
  assert.equal((await graph('POST', `${phoneNumberId}/messages`, '{"messaging')).body.error.code, 100)
  assert.equal((await graph('POST', `${phoneNumberId}/messages`, '[]')).body.error.code, 100)
})

test('every message type can be sent to a person who wrote within a day', async () => {
  const person = newCustomer()
  const wrote = await simulator.writeFrom(person)
  const link = 'https://files.example.test/a'
  const button = { type: 'reply', reply: { id: 'yes', title: 'Yes' } }
  const messages: object[] = [
    text('Hello', { context: { message_id: wrote } }),
    { type: 'image', image: { link, caption: 'look' } },
    { type: 'video', video: { link } },
    { type: 'document', document: { link, filename: 'a.pdf', caption: 'read' } },
    { type: 'audio', audio: { link } },
    { type: 'sticker', sticker: { link } },
    { type: 'reaction', reaction: { message_id: wrote, emoji: '' } },
    { type: 'location', location: { latitude: 1, longitude: 2 } },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Ada' } }] },
    { type: 'interactive', interactive: { type: 'button', body: { text: 'Well?' }, action: { buttons: [button] } } },
    {
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Which?' },
        action: { button: 'Show', sections: [{ rows: [{ id: '1', title: 'One' }] }] },
      },
    },
  ]
  for (const message of messages) {
    const answer = ok(await send(person, message))
    assert.equal(answer.messages[0].message_status, undefined)
  }
  const free = (await send(person, text('again'))).body.messages[0].id
  await toldOf(free, 3)
  const sent = listener.updates.find(({ value }) => value.id === free && value.status === 'sent')
  assert.deepEqual(sent?.value.pricing, {
    billable: false,
    pricing_model: 'PMP',
    category: 'service',
    type: 'free_customer_service',
  })
})

test('a person who has been silent for a day gets templates only', async () => {
  const person = newCustomer()
  assert.equal(await codeOf(send(person, text('hi'))), 131047)
  assert.equal((await send(person, hello('Ada'))).status, 200)
  await simulator.writeFrom(person)
  assert.equal((await send(person, text('hi'))).status, 200)
  await control('POST', 'windows/shut', { phone_number_id: phoneNumberId, person })
  assert.equal(await codeOf(send(person, text('hi'))), 131047)
})

test('a template is sent only if it is approved and its parameters fit', async () => {
  const person = newCustomer()
  const url = 'https://a.test/{{1}}'
  await simulator.template('rich', {
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
      { type: 'BODY', text: 'Hello {{1}}, we are open today.', example: { body_text: [['Ada']] } },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'Look', url, example: [url] },
        ],
      },
    ],
  })
  await simulator.template('reject_me')
  const body = { type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }
  const image = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.test/a.png' } }] }
  const link = { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'x' }] }
  const template = (name: string, language = 'en_US', components: object[] = []) => ({
    type: 'template',
    template: { name, language: { code: language }, components },
  })
  const cases: [why: string, message: object, code: number, status?: number][] = [
    ['unknown', template('nothing'), 132001, 404],
    ['another language', template('hello', 'es_ES', [body]), 132001, 404],
    ['rejected', template('reject_me', 'en_US', [body]), 132001, 404],
    ['too few', hello(), 132000],
    ['too many', hello('a', 'b'), 132000],
    ['an empty value', hello(''), 131008],
    ['a new line', hello('a\nb'), 100],
    ['a tab', hello('a\tb'), 100],
    ['five spaces', hello('a     b'), 100],
    ['too long a text', hello('a'.repeat(1024)), 132005],
    ['no picture', template('rich', 'en_US', [body, link]), 132012],
    ['no link', template('rich', 'en_US', [body, image]), 131008],
  ]
  for (const [why, message, code, status = 400] of cases) {
    const answer = await send(person, message)
    assert.deepEqual([answer.status, answer.body.error?.code], [status, code], `${why}: ${answer.text}`)
  }
  assert.equal((await send(person, hello('a    b'))).status, 200)
  assert.equal((await send(person, template('rich', 'en_US', [body, image, link]))).status, 200)

  const paused = await simulator.template('soon_paused', { components: [{ type: 'BODY', text: 'Hi.' }] })
  await control('POST', `templates/${paused}/events`, { event: 'pause' })
  assert.equal(await codeOf(send(person, template('soon_paused'))), 132015)
  await control('POST', `templates/${paused}/events`, { event: 'disable' })
  assert.equal(await codeOf(send(person, template('soon_paused'))), 132016)
  await graph('DELETE', `${simulator.account}/message_templates?name=reject_me`)
  assert.equal(await codeOf(send(person, template('reject_me', 'en_US', [body]))), 132001)
})

test('only an inbound message can be marked as read', async () => {
  const id = await simulator.writeFrom(newCustomer())
  const markRead = (messageId: string) =>
    graph('POST', `${phoneNumberId}/messages`, { messaging_product: 'whatsapp', status: 'read', message_id: messageId })
  assert.deepEqual((await markRead(id)).body, { success: true })
  assert.equal((await markRead(`${id.slice(0, -6)}AAAA==`)).body.error.code, 131009)
  assert.equal((await markRead('wamid.unknown')).body.error.code, 131009)
  const sent = (await send(newCustomer(), hello('Ada'))).body.messages[0].id
  assert.equal((await markRead(sent)).body.error.code, 131009)
})

test('people without a phone number are reached by user id', async () => {
  const user = 'US.13491208655302741918'
  await control('POST', 'inbound', {
    phone_number_id: phoneNumberId,
    user_id: user,
    name: 'Ines',
    message: { type: 'text', text: { body: 'hi' } },
  })
  const answer = await graph('POST', `${phoneNumberId}/messages`, {
    messaging_product: 'whatsapp',
    recipient: user,
    ...text('hello'),
  })
  assert.deepEqual(answer.body.contacts, [{ input: user, user_id: user }])
  const { id } = answer.body.messages[0]
  await toldOf(id, 3)
  const { value } = listener.updates.find((update) => update.value.id === id) as { value: Record<string, unknown> }
  assert.equal(value.recipient_user_id, user)
  assert.equal(value.recipient_id, undefined)
})

test('the platform may know a person by another number than the given one', async () => {
  const known = async (to: string) => (await send(to, hello('Ada'))).body.contacts[0].wa_id
  assert.equal(await known('+5511987654321'), '551187654321')
  assert.equal(await known('+525512345678'), '5215512345678')
  assert.equal(await known('+4915112345678'), '4915112345678')
})

test('a number that sends too fast is refused, and may continue a second later', async () => {
  await control('PATCH', `knobs?phone_number_id=${phoneNumberId}`, { throughput: 5 })
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(newCustomer(), hello('Ada'))))
  const refused = answers.filter(({ status }) => status !== 200)
  assert.ok(refused.length >= 4, `${refused.length} of 40 were refused`)
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.error.code], [400, 130429])
    assert.equal(headers['retry-after'], undefined)
  }
  await until(async () => (await send(newCustomer(), hello('Ada'))).status === 200)
  // Inbound messages count as well.
  await Promise.all(Array.from({ length: 100 }, () => simulator.writeFrom(newCustomer())))
  assert.equal(await codeOf(send(newCustomer(), hello('Ada'))), 130429)
  await control('PATCH', `knobs?phone_number_id=${phoneNumberId}`, { throughput: 100_000 })
  await until(async () => (await send(newCustomer(), hello('Ada'))).status === 200)
})

test('a number with one message per second need not be exact to the millisecond', async () => {
  const { body: number } = await control('GET', `numbers/${phoneNumberId}`)
  const limits = createLimits()
  const knobs = { ...createKnobs().of(), throughput: 1 }
  const codes = [0, 0, 0, 999, 1000, 1000].map((at) => {
    try {
      return limits.takeThroughput(number, knobs, at)
    } catch (refusal) {
      return (refusal as Refusal).code
    }
  })
  assert.deepEqual(codes, [undefined, undefined, 130429, 130429, undefined, 130429])
  const slow = await startTestSimulator()
  await slow.template('hello')
  await slow.control('PATCH', 'knobs', { throughput: 0 })
  assert.equal(await codeOf(slow.send(newCustomer(), hello('Ada'))), 130429)
})

test('the registered rate is the limit unless a knob changes it', async () => {
  const slow = await startTestSimulator()
  await slow.control('PUT', `numbers/${slow.phoneNumberId}`, {
    business_account_id: slow.account,
    display_phone_number: '+18005550199',
    access_token: slow.token,
    app_secret: slow.appSecret,
    callback_url: slow.listener.url,
    messages_per_second: 3,
  })
  await slow.template('hello')
  const codes = await Promise.all(Array.from({ length: 30 }, () => codeOf(slow.send(newCustomer(), hello('Ada')))))
  assert.ok(codes.includes(130429), String(codes))
})

test('one person gets 45 at once and then one per six seconds, others are unaffected', async () => {
  const person = newCustomer()
  const begunAt = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, () => send(person, hello('Ada'))))
  const refused = answers.filter(({ status }) => status !== 200)
  const more = Math.ceil((performance.now() - begunAt) / 6_000)
  assert.ok(refused.length <= 15 && refused.length >= 15 - more, `${refused.length} of 60 were refused`)
  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [400, 131056])
  assert.equal((await send(newCustomer(), hello('Ada'))).status, 200)
  await control('PATCH', 'knobs', { pair_limit: false })
  assert.equal((await send(person, hello('Ada'))).status, 200)
  await control('PATCH', 'knobs', { pair_limit: true })
})

test('the ledger counts how often each message was accepted', async () => {
  await control('DELETE', 'ledger')
  const person = newCustomer()
  const first = await send(person, { ...hello('Ada'), biz_opaque_callback_data: 'once' })
  await send(person, { ...hello('Ada'), biz_opaque_callback_data: 'twice' })
  const second = await send(person, { ...hello('Ada'), biz_opaque_callback_data: 'twice' })
  await send(person, { ...hello(), biz_opaque_callback_data: 'refused' })
  const { body: ledger } = await control('GET', 'ledger')
  assert.deepEqual([ledger.accepted, ledger.distinct, ledger.repeated], [3, 2, 1])
  const [once] = ledger.entries
  assert.equal(once.ids[0], first.body.messages[0].id)
  assert.deepEqual([once.callback_data, once.template, once.type, once.accepted], ['once', 'hello', 'template', 1])
  const { body: repeated } = await control('GET', 'ledger?repeated=true')
  assert.deepEqual(
    repeated.entries.map(({ callback_data }: { callback_data: string }) => callback_data),
    ['twice'],
  )
  assert.equal(repeated.entries[0].ids[1], second.body.messages[0].id)
  assert.equal((await control('GET', `ledger?to=${person.slice(1)}&limit=1`)).body.entries.length, 1)
  assert.equal((await control('GET', 'ledger?callback_data=refused')).body.accepted, 0)
})

test('people beyond the messaging limit of the day are refused, unless they wrote', async () => {
  const own = await startTestSimulator()
  await own.template('hello')
  await own.control('POST', 'health', { messaging_limit: 'TIER_50' })
  const people = Array.from({ length: 52 }, newCustomer)
  const code = async (to: string) => codeOf(own.send(to, hello('Ada')))
  for (const to of people.slice(0, 50)) assert.equal(await code(to), undefined)
  const [last, writer] = people.slice(50) as [string, string]
  assert.equal(await code(last), 131048)
  assert.equal(await code(people[0] as string), undefined)
  await own.control('POST', 'inbound', { from: writer, message: text('hi') })
  assert.equal(await code(writer), undefined)
  await own.control('POST', 'health', { messaging_limit: 'TIER_250' })
  assert.equal(await code(last), undefined)
})

test('a number that the Business app uses too sends 20 messages per second', async () => {
  await control('POST', 'business-app', {
    field: 'smb_app_state_sync',
    value: { state_sync: [{ contact: { full_name: 'Ines', phone_number: '12025550142' } }] },
  })
  const { body: number } = await control('GET', `numbers/${phoneNumberId}`)
  assert.equal(number.is_on_biz_app, true)
  const limits = createLimits()
  const knobs = createKnobs().of()
  const taken = (at: number) => {
    for (let n = 0; ; n++)
      try {
        limits.takeThroughput(number, knobs, at)
      } catch (refusal) {
        assert.equal((refusal as Refusal).code, 130429)
        return n
      }
  }
  assert.deepEqual([taken(0), taken(1000), taken(1500)], [20, 20, 10])
})
