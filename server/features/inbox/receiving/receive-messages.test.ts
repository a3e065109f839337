import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { startTestApp, type TestOrganization } from '../../../testing/app.ts'
import {
  connectChannel,
  deliver,
  freshId,
  messageFrom,
  messagesTo,
  payloadOf,
  post,
  processed,
  secondsAgo,
  textFrom,
  valueFor,
} from '../../../testing/hooks.ts'
import type { Message } from '../messages/schema.ts'

const app = await startTestApp()
const acme = await app.organization()
const channel = await connectChannel(acme)

const contactBy = async (org: TestOrganization, number: string) =>
  (await org.call('GET', `contacts?search=${encodeURIComponent(number)}`)).body.data[0]
const ticketsOf = async (org: TestOrganization, contactId: string) =>
  (await org.call('GET', `inbox/tickets?contact_id=${contactId}`)).body.inboxes
const messagesIn = async (org: TestOrganization, ticketId: string) =>
  (await org.call('GET', `inbox/messages/${ticketId}`)).body.messages
const eventsOf = async (org: TestOrganization, type: string) =>
  (await org.call('GET', `events?type=${type}&limit=100`)).body.data
const allOf = async (number: string) => {
  const contact = await contactBy(acme, number)
  const [ticket] = await ticketsOf(acme, contact.id)
  return { contact, ticket, messages: await messagesIn(acme, ticket.id) }
}

test('a message creates contact, ticket, message, activity and events in one transaction', async () => {
  const org = await app.organization()
  const mine = await connectChannel(org)
  const said = textFrom('15550100002', 'Is it open today?', { timestamp: secondsAgo(60) })
  await deliver(app, mine, messagesTo(mine, [said], 'Ines'))
  const contact = await contactBy(org, '15550100002')
  assert.equal(contact.phone_number, '+15550100002')
  assert.equal(contact.name, 'Ines')
  assert.equal(contact.stage, 'new')
  assert.equal(contact.whatsapp_user_id, null)
  const [ticket, ...more] = await ticketsOf(org, contact.id)
  assert.equal(more.length, 0)
  const at = new Date(Number(said.timestamp) * 1000)
  assert.equal(ticket.status, 'open')
  assert.equal(ticket.chat_phone_number_id, mine.id)
  assert.equal(ticket.unread_count, 1)
  assert.equal(ticket.last_message_at, at.toISOString())
  assert.equal(ticket.window_expires_at, new Date(at.getTime() + 24 * 3600 * 1000).toISOString())
  const [message] = await messagesIn(org, ticket.id)
  assert.deepEqual(
    {
      inbox_id: message.inbox_id,
      contact_id: message.contact_id,
      chat_message_id: message.chat_message_id,
      direction: message.direction,
      message_type: message.message_type,
      body: message.body,
      status: message.status,
      media_url: message.media_url,
      context_message_id: message.context_message_id,
      reactions: message.reactions,
      payload: message.payload,
      actor_type: message.actor_type,
      created_at: message.created_at,
    },
    {
      inbox_id: ticket.id,
      contact_id: contact.id,
      chat_message_id: said.id,
      direction: 'inbound',
      message_type: 'text',
      body: 'Is it open today?',
      status: 'delivered',
      media_url: null,
      context_message_id: null,
      reactions: null,
      payload: null,
      actor_type: 'system',
      created_at: at.toISOString(),
    },
  )
  const { activities } = (await org.call('GET', `contacts/${contact.id}/activities`)).body
  assert.deepEqual(
    activities.map(({ type, actor_type, payload }: Record<string, unknown>) => [type, actor_type, payload]),
    [
      ['message_inbound', 'system', { message_id: message.id, preview: 'Is it open today?' }],
      ['contact_created', 'system', {}],
    ],
  )
  const { data } = (await org.call('GET', 'events')).body
  const emitted = data.filter(({ type }: { type: string }) => !type.startsWith('channel.'))
  assert.deepEqual(emitted.map(({ type }: { type: string }) => type).reverse(), [
    'contact.created',
    'ticket.opened',
    'message.received',
  ])
  const { object } = emitted.find(({ type }: { type: string }) => type === 'message.received').data
  assert.deepEqual(object, message)
})

test('a message that the platform repeats is stored once', async () => {
  const node = await app.node()
  const said = textFrom('15550100102', 'only once')
  const payload = payloadOf(messagesTo(channel, [said, said]), messagesTo(channel, [said]))
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => post(i % 2 ? app : node, channel, payload)))
  assert.ok(answers.every(({ status }) => status === 200))
  await processed(app)
  await post(app, channel, payload)
  await processed(app)
  const { contact, ticket, messages } = await allOf('15550100102')
  assert.equal(messages.length, 1)
  assert.equal(ticket.unread_count, 1)
  const { total } = (await acme.call('GET', `contacts/${contact.id}/activities?type=message_inbound`)).body
  assert.equal(total, 1)
  const received = await eventsOf(acme, 'message.received')
  assert.equal(
    received.filter(({ data }: never) => (data as { object: { id: string } }).object.id === messages[0].id).length,
    1,
  )
  await node.close()
})

test('a webhook with a thousand messages of four hundred people is stored completely and in order', async () => {
  const org = await app.organization()
  const mine = await connectChannel(org)
  const list = Array.from({ length: 1000 }, (_, i) => textFrom(`1555030${1000 + (i % 400)}`, `message ${i}`))
  await deliver(app, mine, messagesTo(mine, list))
  const { total_count } = (await org.call('GET', 'contacts')).body
  assert.equal(total_count, 400)
  const tickets = (await org.call('GET', 'inbox/tickets')).body
  assert.equal(tickets.total, 400)
  const contact = await contactBy(org, '15550301000')
  const [ticket] = await ticketsOf(org, contact.id)
  assert.equal(ticket.unread_count, 3)
  const bodies = (await messagesIn(org, ticket.id)).map(({ body }: { body: string }) => body)
  assert.deepEqual(bodies, ['message 0', 'message 400', 'message 800'])
})

test('the most recently active open ticket is used, and a closed one stays closed', async () => {
  const from = '15550100104'
  await deliver(app, channel, messagesTo(channel, [textFrom(from, 'first')]))
  const { contact, ticket } = await allOf(from)
  await acme.call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' })
  await deliver(app, channel, messagesTo(channel, [textFrom(from, 'second')]))
  const [open, closed] = (await ticketsOf(acme, contact.id)).sort((a: { status: string }) =>
    a.status === 'open' ? -1 : 1,
  )
  assert.equal(closed.id, ticket.id)
  assert.equal(closed.status, 'closed')
  assert.notEqual(open.id, ticket.id)
  await acme.call('PATCH', `inbox/tickets/${ticket.id}`, { status: 'open' })
  await deliver(app, channel, messagesTo(channel, [textFrom(from, 'third')]))
  const bodies = async (id: string) => (await messagesIn(acme, id)).map(({ body }: { body: string }) => body)
  assert.deepEqual(await bodies(ticket.id), ['first', 'third'])
  assert.deepEqual(await bodies(open.id), ['second'])
})

test('every message type is stored, as text if it has no columns of its own', async () => {
  const org = await app.organization()
  const mine = await connectChannel(org)
  const reply = (id: string) => ({ context: { from: '15550100009', id } })
  const kinds: [Record<string, unknown>, Record<string, unknown>][] = [
    [
      { type: 'image', image: { id: '900800', mime_type: 'image/jpeg', sha256: 'aGFzaA==', caption: 'label' } },
      { message_type: 'image', body: 'label', media_mime_type: 'image/jpeg', payload: null },
    ],
    [
      { type: 'document', document: { id: '900801', mime_type: 'application/pdf', filename: 'invoice.pdf' } },
      { message_type: 'document', body: '', media_filename: 'invoice.pdf' },
    ],
    [
      { type: 'audio', audio: { id: '900802', mime_type: 'audio/ogg; codecs=opus', voice: true } },
      { message_type: 'audio', body: '', payload: { voice: true } },
    ],
    [
      { type: 'video', video: { id: '900803', mime_type: 'video/mp4', caption: 'see' } },
      { message_type: 'video', body: 'see' },
    ],
    [
      { type: 'sticker', sticker: { id: '900804', mime_type: 'image/webp' } },
      { message_type: 'image', payload: { type: 'sticker' } },
    ],
    [
      { type: 'button', ...reply('wamid.A'), button: { payload: 'REMIND', text: 'Remind me later' } },
      {
        message_type: 'text',
        body: 'Remind me later',
        context_message_id: 'wamid.A',
        payload: { type: 'button', button: { payload: 'REMIND', text: 'Remind me later' } },
      },
    ],
    [
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
      { message_type: 'text', body: 'Yes' },
    ],
    [
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: 's2', title: '10:30', description: 'We' } },
      },
      { message_type: 'text', body: '10:30' },
    ],
    [
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{}' } },
      },
      { message_type: 'text', body: 'Sent' },
    ],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: {
            name: 'flow',
            body: 'Sent',
            response_json:
              '{"flow_token":"visit-7","day_of_visit":"Monday","guests":2,"extras":["Tea","Cake"],"more":{}}',
          },
        },
      },
      { message_type: 'text', body: 'day of visit: Monday, guests: 2, extras: Tea / Cake' },
    ],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'call_permission_reply',
          call_permission_reply: { response: 'accept', response_source: 'user_action' },
        },
      },
      { message_type: 'text', body: 'Calls allowed' },
    ],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'call_permission_reply',
          call_permission_reply: { response: 'reject', response_source: 'user_action' },
        },
      },
      { message_type: 'text', body: 'Calls declined' },
    ],
    [
      { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Depot', address: 'Main St' } },
      { message_type: 'text', body: '📍 Depot, Main St' },
    ],
    [{ type: 'location', location: { latitude: 52.5, longitude: 13.4 } }, { body: '📍 52.5, 13.4' }],
    [
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ada' }, phones: [{ phone: '+1' }] }] },
      { message_type: 'text', body: '👤 Ada' },
    ],
    [
      {
        type: 'order',
        order: {
          text: 'please',
          product_items: [
            { product_retailer_id: 'A1', quantity: 2, item_price: 12.5, currency: 'USD' },
            { product_retailer_id: 'B7', quantity: '3' },
            {},
          ],
        },
      },
      { body: '🛒 2 × A1, 3 × B7, 1 × item (please)' },
    ],
    [
      { type: 'order', order: { text: '', product_items: [{ product_retailer_id: 'A1', quantity: 4 }] } },
      { body: '🛒 4 × A1' },
    ],
    [
      { type: 'unsupported', errors: [{ code: 131051, title: 'Unsupported' }] },
      { body: '[unsupported]', payload: { type: 'unsupported', errors: [{ code: 131051, title: 'Unsupported' }] } },
    ],
    [
      { type: 'hologram', hologram: { depth: 3 } },
      { message_type: 'text', body: '[hologram]', payload: { type: 'hologram', hologram: { depth: 3 } } },
    ],
    [
      { type: 'text', text: { body: 'from an ad' }, referral: { source_id: '1' }, context: { forwarded: true } },
      { body: 'from an ad', payload: { referral: { source_id: '1' }, forwarded: true } },
    ],
    [{ type: 'text', text: { body: 'NUL \u0000 and \ud800 half' } }, { body: 'NUL  and \ufffd half' }],
  ]
  await deliver(
    app,
    mine,
    messagesTo(
      mine,
      kinds.map(([message]) => messageFrom('15550100105', message)),
    ),
  )
  const contact = await contactBy(org, '15550100105')
  const [ticket] = await ticketsOf(org, contact.id)
  const messages = await messagesIn(org, ticket.id)
  assert.equal(messages.length, kinds.length)
  for (const [i, [, expected]] of kinds.entries())
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(messages[i][name], value, `${JSON.stringify(kinds[i]?.[0])}: ${name}`)
  assert.equal(messages.filter(({ media_url }: { media_url: string | null }) => media_url !== null).length, 5)
  const Job = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forSystem().one(Job)`
    select count(*)::int as n from pgboss.job where name = 'inbox.fetch-media' and data ->> 'organizationId' = ${org.id}`
  assert.equal(n, 5)
})

test('the profile name is used only if the contact has no name', async () => {
  const created = (await acme.call('POST', 'contacts', { phone_number: '+15550100106', name: 'Ada' })).body
  const nameless = (await acme.call('POST', 'contacts', { phone_number: '+15550100107' })).body
  await deliver(app, channel, messagesTo(channel, [messageFrom('15550100106'), messageFrom('15550100107')], 'Profile'))
  assert.equal((await acme.call('GET', `contacts/${created.id}`)).body.name, 'Ada')
  assert.equal((await acme.call('GET', `contacts/${nameless.id}`)).body.name, 'Profile')
  const updated = (await eventsOf(acme, 'contact.updated')).filter(
    ({ data }: never) => (data as { object: { id: string } }).object.id === nameless.id,
  )
  assert.deepEqual(
    updated.map(({ data }: never) => (data as { previous: object }).previous),
    [{ name: '' }],
  )
})

test('a sender without a number is identified by chat account, and gets the number when it becomes known', async () => {
  const userId = 'US.13491208655302741918'
  const contacts = [{ profile: { name: 'Zoe', username: '@zoe' }, user_id: userId }]
  await deliver(app, channel, valueFor(channel, { contacts, messages: [messageFrom(undefined)] }))
  await deliver(
    app,
    channel,
    valueFor(channel, { contacts, messages: [messageFrom(undefined, { from_user_id: userId })] }),
  )
  const contact = await contactBy(acme, 'Zoe')
  assert.equal(contact.phone_number, '')
  assert.equal(contact.whatsapp_user_id, userId)
  const [ticket] = await ticketsOf(acme, contact.id)
  assert.equal(ticket.unread_count, 2)
  const both = [{ profile: { name: 'Zoe' }, user_id: userId, wa_id: '15550100108' }]
  await deliver(app, channel, valueFor(channel, { contacts: both, messages: [messageFrom('15550100108')] }))
  const known = (await acme.call('GET', `contacts/${contact.id}`)).body
  assert.equal(known.phone_number, '+15550100108')
  assert.equal(known.whatsapp_user_id, userId)
  assert.equal((await ticketsOf(acme, contact.id))[0].unread_count, 3)

  const byNumber = (await acme.call('POST', 'contacts', { phone_number: '+15550100109' })).body
  const linked = [{ profile: { name: 'Yan' }, user_id: 'DE.77', wa_id: '15550100109' }]
  await deliver(app, channel, valueFor(channel, { contacts: linked, messages: [messageFrom('15550100109')] }))
  await deliver(
    app,
    channel,
    valueFor(channel, {
      contacts: [{ profile: { name: 'Yan' }, user_id: 'DE.77' }],
      messages: [messageFrom(undefined)],
    }),
  )
  const after = (await acme.call('GET', `contacts/${byNumber.id}`)).body
  assert.equal(after.whatsapp_user_id, 'DE.77')
  assert.equal((await ticketsOf(acme, byNumber.id))[0].unread_count, 2)
})

test('if number and chat account belong to two contacts, they are merged into the older one', async () => {
  await deliver(
    app,
    channel,
    valueFor(channel, {
      contacts: [{ profile: { name: 'Account only' }, user_id: 'FR.1' }],
      messages: [messageFrom(undefined)],
    }),
  )
  const byNumber = (await acme.call('POST', 'contacts', { phone_number: '+15550100110', name: 'By number' })).body
  const byAccount = await contactBy(acme, 'Account only')
  const contacts = [{ profile: { name: 'x' }, user_id: 'FR.1', wa_id: '15550100110' }]
  await deliver(app, channel, valueFor(channel, { contacts, messages: [messageFrom('15550100110')] }))
  const [ticket, ...more] = await ticketsOf(acme, byAccount.id)
  assert.equal(more.length, 0)
  assert.equal((await messagesIn(acme, ticket.id)).length, 2)
  const { body } = await acme.call('GET', `contacts/${byAccount.id}`)
  assert.deepEqual([body.phone_number, body.whatsapp_user_id], ['+15550100110', 'FR.1'])
  assert.equal((await acme.call('GET', `contacts/${byNumber.id}`)).body.merged_into, byAccount.id)
})

test('a Brazilian or Mexican number is one contact, with or without the digit that the platform drops or adds', async () => {
  const brazilian = (await acme.call('POST', 'contacts', { phone_number: '+5511987654321' })).body
  const mexican = (await acme.call('POST', 'contacts', { phone_number: '+525512345678' })).body
  await deliver(app, channel, messagesTo(channel, [messageFrom('551187654321'), messageFrom('5215512345678')]))
  for (const { id } of [brazilian, mexican]) assert.equal((await ticketsOf(acme, id)).length, 1)
})

test('a reaction updates its message and is never stored as a message', async () => {
  const from = '15550100111'
  const said = textFrom(from, 'thank you')
  await deliver(app, channel, messagesTo(channel, [said]))
  const { ticket, messages } = await allOf(from)
  const react = (emoji: string | undefined, seconds: number) =>
    messagesTo(channel, [
      messageFrom(from, {
        type: 'reaction',
        timestamp: secondsAgo(seconds),
        reaction: { message_id: said.id, ...(emoji !== undefined && { emoji }) },
      }),
    ])
  const reactions = async () => (await messagesIn(acme, ticket.id))[0].reactions
  await deliver(app, channel, react('👍', 30))
  assert.deepEqual(await reactions(), { '+15550100111': '👍' })
  await deliver(app, channel, react('❤️', 20))
  await deliver(app, channel, react('😡', 25))
  assert.deepEqual(await reactions(), { '+15550100111': '❤️' })
  await deliver(app, channel, react(undefined, 10))
  assert.equal(await reactions(), null)
  await deliver(app, channel, react('😡', 15))
  assert.equal(await reactions(), null)
  // A duplicate changes nothing.
  await deliver(app, channel, react(undefined, 5))
  const { data } = (await acme.call('GET', 'events?type=message.updated')).body
  assert.deepEqual(
    data.map(({ data: { object, previous } }: { data: { object: Message; previous: object } }) => [
      object.id,
      object.reactions,
      previous,
    ]),
    [
      [messages[0].id, null, { reactions: { '+15550100111': '❤️' } }],
      [messages[0].id, { '+15550100111': '❤️' }, { reactions: { '+15550100111': '👍' } }],
      [messages[0].id, { '+15550100111': '👍' }, { reactions: null }],
    ],
  )
  assert.equal((await messagesIn(acme, ticket.id)).length, messages.length)
  assert.equal((await ticketsOf(acme, messages[0].contact_id))[0].unread_count, 1)
})

test('a reaction that arrives before its message is applied when the message arrives', async () => {
  const from = '15550100112'
  const said = textFrom(from, 'late')
  await deliver(
    app,
    channel,
    messagesTo(channel, [messageFrom(from, { type: 'reaction', reaction: { message_id: said.id, emoji: '🎉' } })]),
  )
  await deliver(app, channel, messagesTo(channel, [said]))
  const { until } = await import('../../../testing/process.ts')
  await until(async () => (await allOf(from)).messages[0].reactions?.['+15550100112'] === '🎉')
})

test('a message with a future or missing timestamp gets the current time', async () => {
  const from = '15550100113'
  const list = ['99999999999', 'x', '-5', '0', undefined].map((timestamp) => textFrom(from, 'when?', { timestamp }))
  await deliver(app, channel, messagesTo(channel, list))
  const { messages } = await allOf(from)
  for (const { created_at } of messages) assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000, created_at)
})

test('a contact that changes its number keeps its conversation, unless another account has that number', async () => {
  const move = (from: string, to: string, names = { type: 'user_changed_number', wa_id: to } as object) =>
    deliver(
      app,
      channel,
      messagesTo(channel, [messageFrom(from, { type: 'system', system: { body: 'changed', ...names } })]),
    )
  await deliver(
    app,
    channel,
    messagesTo(channel, [textFrom('15550100114', 'hi'), textFrom('15550100115', 'hi', { from_user_id: 'US.115' })]),
  )
  const [mover, other] = [await contactBy(acme, '15550100114'), await contactBy(acme, '15550100115')]
  await move('15550100114', '15550100115')
  assert.equal((await acme.call('GET', `contacts/${mover.id}`)).body.phone_number, '+15550100114')
  await move('15550100114', '15550100116')
  assert.equal((await acme.call('GET', `contacts/${mover.id}`)).body.phone_number, '+15550100116')
  await move('15550100115', '15550100117', { type: 'customer_changed_number', new_wa_id: '15550100117' })
  assert.equal((await acme.call('GET', `contacts/${other.id}`)).body.phone_number, '+15550100117')
  await deliver(app, channel, messagesTo(channel, [textFrom('15550100116', 'from the new number')]))
  const [ticket] = await ticketsOf(acme, mover.id)
  assert.equal((await messagesIn(acme, ticket.id)).length, 2)
})

test('parallel messages of one new person on several numbers create one contact and one ticket', async () => {
  const org = await app.organization()
  const node = await app.node()
  const numbers = await Promise.all(Array.from({ length: 3 }, () => connectChannel(org, { app_secret: 'one-app' })))
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const to = numbers[i % 3] as (typeof numbers)[0]
      return post(i % 2 ? app : node, to, payloadOf(messagesTo(to, [textFrom('15550100118', `n ${i}`)])))
    }),
  )
  await processed(app)
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 1)
  const tickets = (await org.call('GET', 'inbox/tickets')).body
  assert.equal(tickets.total, 1)
  assert.equal(tickets.inboxes[0].unread_count, 30)
  assert.equal((await org.call('GET', `inbox/messages/${tickets.inboxes[0].id}`)).body.total, 30)
  await node.close()
})

test('a contact that is deleted while it writes is either gone or complete', async () => {
  const from = '15550100119'
  await deliver(app, channel, messagesTo(channel, [textFrom(from, 'hi')]))
  for (let round = 0; round < 5; round++) {
    const contact = await contactBy(acme, from)
    await Promise.all([
      acme.call('DELETE', `contacts/${contact.id}`),
      post(app, channel, payloadOf(messagesTo(channel, [textFrom(from, `round ${round}`, { id: freshId() })]))),
    ])
    // Two workers could apply the messages in either order.
    await processed(app)
    await deliver(app, channel, messagesTo(channel, [textFrom(from, 'after')]))
    const { messages, ticket } = await allOf(from)
    assert.equal(ticket.unread_count, messages.length)
    assert.equal(messages.at(-1).body, 'after')
  }
  const Kept = Type.Object({ n: Type.Integer() })
  const { n } = await app.database
    .forSystem()
    .one(Kept)`select count(*)::int as n from kept_hooks where outcome = 'failed'`
  assert.equal(n, 0)
})
