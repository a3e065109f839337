import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { campaigner } from '../../../testing/campaigns.ts'
import {
  type ConnectedChannel,
  connectChannel,
  deliver,
  freshId,
  messagesTo,
  payloadOf,
  post,
  processed,
  secondsAgo,
  textFrom,
  valueFor,
} from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'
import { SimulatedAppEvent } from '../../simulator/schema.ts'

const Version = Type.Object({ version: Type.String() })

const app = await startTestApp()
await app.listen()

/** The number of the channel, as the platform names it in webhooks. */
const own = '15550100009'

const appEvent = ({ phoneNumberId, businessAccountId }: ConnectedChannel, field: string, value: object) => ({
  id: businessAccountId,
  changes: [
    {
      field,
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '+1 555-010-0009', phone_number_id: phoneNumberId },
        ...value,
      },
    },
  ],
})

const echoTo = (to: string, body: string, more: object = {}) => ({
  from: own,
  to,
  id: freshId(),
  timestamp: secondsAgo(2),
  type: 'text',
  text: { body },
  ...more,
})
const echoes = (channel: ConnectedChannel, ...message_echoes: object[]) =>
  appEvent(channel, 'smb_message_echoes', { message_echoes })

const said = (from: string, body: string, daysAgo: number, more: object = {}) => ({
  from,
  id: freshId(),
  timestamp: secondsAgo(daysAgo * 24 * 3600),
  type: 'text',
  text: { body },
  history_context: { status: from === own ? 'READ' : 'PENDING' },
  ...more,
})
const chunk = (channel: ConnectedChannel, phase: number, id: string, ...messages: object[]) =>
  appEvent(channel, 'history', {
    history: [{ metadata: { phase, chunk_order: 1, progress: 50 }, threads: [{ id, messages }] }],
  })
const synced = (channel: ConnectedChannel, ...state_sync: object[]) =>
  appEvent(channel, 'smb_app_state_sync', { state_sync })
const person = (phone_number: string, full_name: string, action = 'add', first_name = full_name.split(' ')[0]) => ({
  type: 'contact',
  contact: { full_name, first_name, phone_number },
  action,
  metadata: { timestamp: secondsAgo(60) },
})

async function connected() {
  const org = await app.organization()
  return { org, channel: await connectChannel(org) }
}
const contactsOf = async ({ call }: TestOrganization) => (await call('GET', 'contacts?limit=100')).body.data
const ticketsOf = async ({ call }: TestOrganization) => (await call('GET', 'inbox/tickets?limit=100')).body
const messagesIn = async ({ call }: TestOrganization, { id }: { id: string }) =>
  (await call('GET', `inbox/messages/${id}?limit=100`)).body
const bodies = ({ messages }: { messages: { body: string }[] }) => messages.map(({ body }) => body)
const eventsOf = async ({ call }: TestOrganization) =>
  (await call('GET', 'events?limit=100')).body.data.map(({ type }: { type: string }) => type).sort()

test('a message sent in the app is stored as a person’s, and hands the contact off from the AI', async () => {
  const { org, channel } = await connected()
  await deliver(app, channel, messagesTo(channel, [textFrom('15550100002', 'Are you open?')], 'Ines'))
  const echo = echoTo('15550100002', 'Until six.')
  await deliver(app, channel, echoes(channel, echo))
  // Repeated alone and among others.
  await deliver(app, channel, echoes(channel, echo))
  await deliver(app, channel, echoes(channel, echo, echo), echoes(channel, echo))
  const { inboxes, total } = await ticketsOf(org)
  const [ticket] = inboxes
  assert.deepEqual([total, ticket.status, ticket.unread_count, ticket.ai_handling], [1, 'open', 1, false])
  const thread = await messagesIn(org, ticket)
  assert.deepEqual([thread.total, bodies(thread)], [2, ['Are you open?', 'Until six.']])
  const { direction, status, actor_type, actor_id, chat_message_id } = thread.messages[1]
  assert.deepEqual(
    [direction, status, actor_type, actor_id, chat_message_id],
    ['outbound', 'sent', 'user', null, echo.id],
  )
  const { activities } = (await org.call('GET', `contacts/${ticket.contact_id}/activities`)).body
  const types = activities.map(({ type, actor_type }: { type: string; actor_type: string }) => [type, actor_type])
  assert.deepEqual(types.slice(0, 2).sort(), [
    ['handoff_to_human', 'user'],
    ['message_outbound', 'user'],
  ])
  assert.deepEqual(await eventsOf(org), [
    'channel.created',
    'contact.created',
    'contact.handoff',
    'contact.updated',
    'message.received',
    'message.sent',
    'ticket.opened',
  ])
  // A status of it moves it, as of any other message.
  await deliver(app, channel, {
    ...messagesTo(channel, []),
    changes: [
      {
        field: 'messages',
        value: {
          metadata: { phone_number_id: channel.phoneNumberId },
          statuses: [{ id: echo.id, status: 'read', timestamp: secondsAgo(1), recipient_id: '15550100002' }],
        },
      },
    ],
  })
  assert.equal((await messagesIn(org, ticket)).messages[1].status, 'read')
})

test('a first message to a stranger opens a conversation with nothing unread', async () => {
  const { org, channel } = await connected()
  const file = { type: 'image', text: undefined, image: { id: '900', mime_type: 'image/png', caption: 'Our menu' } }
  await deliver(app, channel, echoes(channel, echoTo('15550100003', '', file)))
  const { inboxes } = await ticketsOf(org)
  assert.deepEqual([inboxes[0].unread_count, inboxes[0].window_expires_at], [0, null])
  const [message] = (await messagesIn(org, inboxes[0])).messages
  assert.deepEqual([message.message_type, message.body, message.media_mime_type], ['image', 'Our menu', 'image/png'])
})

test('history becomes one closed conversation per contact, in order, however often and in whatever order it comes', async () => {
  const { org, channel } = await connected()
  const ada = '15550100004'
  await deliver(app, channel, messagesTo(channel, [textFrom(ada, 'Live')], 'Ada'))
  const before = await eventsOf(org)
  const [live] = (await ticketsOf(org)).inboxes
  const same = secondsAgo(3 * 24 * 3600)
  const recent = chunk(
    channel,
    0,
    ada,
    // Newest first, three of them within one second.
    said(own, 'fifth', 3, { timestamp: same, history_context: { from_me: true, status: 'DELIVERED' } }),
    said(ada, 'fourth', 3, { timestamp: same }),
    said(own, 'third', 3, { timestamp: same }),
    said(ada, 'second', 20),
  )
  const old = chunk(channel, 1, ada, said(ada, 'first', 90))
  const other = chunk(channel, 2, '15550100005', said(own, 'Hello Bob', 150, { history_context: { status: 'ERROR' } }))
  await deliver(app, channel, recent)
  await Promise.all([old, other, recent, old].map((each) => post(app, channel, payloadOf(each))))
  await deliver(app, channel, old, recent, other)

  const { inboxes, total } = await ticketsOf(org)
  assert.equal(total, 3)
  const [, copied, bob] = inboxes
  const thread = await messagesIn(org, copied)
  assert.deepEqual([thread.total, bodies(thread)], [5, ['first', 'second', 'third', 'fourth', 'fifth']])
  assert.deepEqual(
    thread.messages.map(({ direction, status }: { direction: string; status: string }) => `${direction} ${status}`),
    ['inbound read', 'inbound read', 'outbound read', 'inbound read', 'outbound delivered'],
  )
  assert.deepEqual(
    [copied.status, copied.unread_count, copied.contact_id, copied.last_message_at],
    ['closed', 0, live.contact_id, thread.messages.at(-1).created_at],
  )
  const [hello] = (await messagesIn(org, bob)).messages
  assert.deepEqual([bob.status, hello.direction, hello.status], ['closed', 'outbound', 'failed'])
  const { id, unread_count, last_message_at } = (await ticketsOf(org)).inboxes[0]
  assert.deepEqual([id, unread_count, last_message_at], [live.id, 1, live.last_message_at])
  for (const [query, n] of [
    ['status=open', 1],
    ['status=closed', 2],
    ['unread=true', 1],
  ])
    assert.equal((await org.call('GET', `inbox/tickets?${query}`)).body.total, n, String(query))
  // No event but that of Bob, who is new.
  assert.deepEqual(await eventsOf(org), [...before, 'contact.created'].sort())
  const days = (await org.call('GET', 'crm/dashboard/daily?days=7')).body.data
  assert.equal(days.at(-1).messages, 1)
  assert.equal(
    days.reduce((sum: number, { messages }: { messages: number }) => sum + messages, 0),
    4,
  )
})

test('a STOP in the history opts the contact out', async () => {
  const { org, channel } = await connected()
  await deliver(app, channel, chunk(channel, 0, '15550100006', said('15550100006', 'STOP', 30)))
  const [contact] = await contactsOf(org)
  assert.notEqual(contact.opted_out_at, null)
})

test('the file of a message of the business names no recipient, and is added to its placeholder', async () => {
  const { org, channel } = await connected()
  const placeholder = said(own, 'photo', 3, { type: 'media_placeholder', text: undefined })
  const image = { id: '907', mime_type: 'image/jpeg', caption: 'photo' }
  const file = appEvent(channel, 'history', { messages: [{ ...placeholder, type: 'image', image }] })
  // Without its placeholder it is no one's.
  await deliver(app, channel, file)
  assert.equal((await contactsOf(org)).length, 0)
  await deliver(app, channel, chunk(channel, 0, '15550100008', placeholder))
  await deliver(app, channel, file)
  await deliver(app, channel, file)
  const [ticket] = (await ticketsOf(org)).inboxes
  const { messages } = await messagesIn(org, ticket)
  assert.deepEqual(
    messages.map(({ direction, message_type, body }: Record<string, unknown>) => [direction, message_type, body]),
    [['outbound', 'image', 'photo']],
  )
})

test('the file of a copied message is added to it, whichever arrives first', async () => {
  const { org, channel } = await connected()
  const eve = '15550100007'
  const [one, two] = ['photo', 'invoice'].map((name, i) => ({
    placeholder: said(eve, name, 3 - i, { type: 'media_placeholder', text: undefined }),
    image: { id: `90${name.length}`, mime_type: 'image/jpeg', caption: name },
  }))
  const fileOf = ({ placeholder, image }: NonNullable<typeof one>) =>
    appEvent(channel, 'history', {
      messages: [{ ...placeholder, type: 'image', image }],
    })
  await deliver(app, channel, chunk(channel, 0, eve, one?.placeholder as object))
  const [ticket] = (await ticketsOf(org)).inboxes
  assert.deepEqual(bodies(await messagesIn(org, ticket)), ['[File in the WhatsApp Business app]'])
  await deliver(app, channel, fileOf(one as never), fileOf(two as never))
  await deliver(app, channel, fileOf(one as never), chunk(channel, 0, eve, two?.placeholder as object))
  const { total, messages } = await messagesIn(org, ticket)
  assert.equal(total, 2)
  assert.deepEqual(
    messages.map(({ message_type, body, media_mime_type }: Record<string, unknown>) => [
      message_type,
      body,
      media_mime_type,
    ]),
    [
      ['image', 'photo', 'image/jpeg'],
      ['image', 'invoice', 'image/jpeg'],
    ],
  )
})

/** A message from a number and an account, some seconds ago. */
const from = (channel: ConnectedChannel, number: string, user_id: string, body: string, seconds: number) =>
  valueFor(channel, {
    contacts: [{ profile: { name: 'Zoe' }, wa_id: number, user_id }],
    messages: [{ ...textFrom(number, body, { timestamp: secondsAgo(seconds) }), from_user_id: user_id }],
  })
const numberChange = (channel: ConnectedChannel, old: string, wa_id: string, seconds: number) =>
  valueFor(channel, {
    messages: [
      {
        from: old,
        id: freshId(),
        timestamp: secondsAgo(seconds),
        type: 'system',
        system: { type: 'user_changed_number', wa_id, body: 'changed' },
      },
    ],
  })

test('two contacts with copied conversations are merged into one conversation, by a member and by a message', async () => {
  const { org, channel } = await connected()
  await deliver(app, channel, chunk(channel, 0, '15550200001', said('15550200001', 'first', 4)))
  await deliver(app, channel, chunk(channel, 0, '15550200002', said('15550200002', 'second', 3)))
  await deliver(app, channel, chunk(channel, 0, 'US.999999999', said('US.999999999', 'third', 2)))
  const [account, two, one] = await contactsOf(org)
  assert.equal(account.whatsapp_user_id, 'US.999999999')
  ok(await org.call('POST', `contacts/${one.id}/merge`, { contact_id: two.id }))
  // Names the number of the one contact and the account of the other.
  await deliver(app, channel, from(channel, '15550200001', 'US.999999999', 'hello', 3))
  assert.equal((await contactsOf(org)).length, 1)
  const threads = async () => {
    const { inboxes } = await ticketsOf(org)
    const all: string[][] = await Promise.all(
      inboxes.map(async (ticket: { id: string }) => bodies(await messagesIn(org, ticket))),
    )
    return all.filter(({ length }) => length > 0).sort()
  }
  assert.deepEqual(await threads(), [['first', 'second', 'third'], ['hello']])
  // A later chunk goes to the same conversation.
  await deliver(app, channel, chunk(channel, 1, '15550200001', said('15550200001', 'fourth', 1)))
  assert.deepEqual(await threads(), [['first', 'second', 'third', 'fourth'], ['hello']])
})

test('a late message and echoes use the number that the person had at that time', async () => {
  const { org, channel } = await connected()
  const phoneNumber = async (id: string) => (await org.call('GET', `contacts/${id}`)).body.phone_number
  await deliver(app, channel, from(channel, '15550200011', 'US.111111111', 'hi', 300))
  const [{ id }] = await contactsOf(org)
  await deliver(app, channel, numberChange(channel, '15550200011', '15550200012', 200))
  // Written before the change: to the same person, whose number stays.
  const earlier = { timestamp: secondsAgo(250) }
  await deliver(app, channel, echoes(channel, echoTo('15550200011', 'by number', earlier)))
  const byAccount = echoTo('15550200011', 'by account', { ...earlier, to_user_id: 'US.111111111' })
  await deliver(app, channel, echoes(channel, byAccount))
  assert.deepEqual([(await contactsOf(org)).length, await phoneNumber(id)], [1, '+15550200012'])
  // Another contact has the old number now.
  const { body: other } = await org.call('POST', 'contacts', { phone_number: '+15550200011', name: 'Other' })
  await deliver(app, channel, from(channel, '15550200011', 'US.111111111', 'late', 250))
  assert.deepEqual([await phoneNumber(other.id), await phoneNumber(id)], ['+15550200011', '+15550200012'])
})

test('the address book of the app adds contacts once and keeps names that contacts have', async () => {
  const { org, channel } = await connected()
  const made = await org.call('POST', 'contacts', { phone_number: '+15550100010', name: 'Known here' })
  const book = synced(channel, person('15550100010', 'Known there'), person('+1 555 010 0011', 'Grace Hopper'))
  await deliver(app, channel, book)
  await deliver(app, channel, book, synced(channel, person('15550100011', 'Grace Hopper', 'remove')))
  const contacts = await contactsOf(org)
  assert.deepEqual(
    contacts.map(({ phone_number, name }: { phone_number: string; name: string }) => [phone_number, name]),
    [
      ['+15550100011', 'Grace Hopper'],
      ['+15550100010', 'Known here'],
    ],
  )
  assert.equal(contacts[1].updated_at, made.body.updated_at)
  assert.equal((await ticketsOf(org)).total, 0)
})

test('the address book of the app tells first names that are not the first word of the name', async () => {
  const { org, channel } = await connected()
  await org.call('POST', 'contacts', { phone_number: '+15550100014', name: 'Known here' })
  const book = synced(
    channel,
    person('15550100014', 'Lovelace, Ada', 'add', 'Ada'),
    person('15550100015', 'Lovelace, Ada', 'add', 'Ada'),
    person('15550100015', 'Lovelace, Ada', 'add', 'Ada'),
    person('15550100016', 'Grace Hopper'),
    { type: 'contact', action: 'add', contact: { first_name: 'Ines', phone_number: '15550100017' } },
  )
  await deliver(app, channel, book)
  const before = await contactsOf(org)
  const names = before.map(({ phone_number, name, first_name }: Record<string, string>) => [
    phone_number,
    name,
    first_name,
  ])
  assert.deepEqual(names.sort(), [
    ['+15550100014', 'Known here', null],
    ['+15550100015', 'Lovelace, Ada', 'Ada'],
    ['+15550100016', 'Grace Hopper', null],
    ['+15550100017', 'Ines', null],
  ])
  await deliver(app, channel, book)
  assert.deepEqual(await contactsOf(org), before)
})

test('the first names of a whole address book are written together, with one event each', async () => {
  const { org, channel } = await connected()
  const numbers = Array.from({ length: 40 }, (_, i) => `1555030${1000 + i}`)
  const people = numbers.map((number, i) => person(number, `Lovelace, Ada ${i}`, 'add', `Ada ${i}`))
  await deliver(app, channel, synced(channel, ...people), synced(channel, ...people))
  const named = new Map<string, string>(
    (await contactsOf(org)).map((each: Record<string, string>) => [each.phone_number, each.first_name]),
  )
  for (const [i, number] of numbers.entries()) assert.equal(named.get(`+${number}`), `Ada ${i}`)
  const { data } = (await org.call('GET', 'events?type=contact.updated&limit=100')).body
  assert.equal(data.length, 40)
  for (const event of data) assert.deepEqual(event.data.previous, { first_name: null })
  // One transaction, one statement: every row has the same version.
  const versions = await app.database.forSystem().all(Version)`
    select distinct (xmin::text || ' ' || cmin::text) as version from contacts where organization_id = ${org.id} and first_name is not null`
  assert.equal(versions.length, 1)
})

test('a number in coexistence sends 20 messages per second', async () => {
  const { org, channel } = await connected()
  const shown = async () => (await org.call('GET', `channels/${channel.id}`)).body
  assert.equal((await shown()).coexistence, false)
  await deliver(app, channel, synced(channel, person('15550100012', 'Ada')))
  const { coexistence, messages_per_second } = await shown()
  assert.deepEqual([coexistence, messages_per_second], [true, 80])
  const off = await org.call('PATCH', `channels/${channel.id}`, { coexistence: false })
  assert.deepEqual([off.status, off.body.coexistence], [200, false])
  assert.equal((await org.call('PATCH', `channels/${channel.id}`, { coexistence: 'yes' })).status, 422)
})

test('webhooks about the app that cannot be read are set aside and change nothing', async () => {
  const { org, channel } = await connected()
  const nonsense = [
    echoes(channel, { id: freshId(), type: 'text', text: { body: 'to no one' } }, { to: '15550100013' }, 7 as never),
    echoes(channel, echoTo('15550100013', '', { type: 'revoke', revoke: { original_message_id: 'x' } })),
    appEvent(channel, 'smb_message_echoes', { message_echoes: 'none' }),
    appEvent(channel, 'history', { history: [{ errors: [{ code: 2593109, title: 'declined' }] }] }),
    appEvent(channel, 'history', { history: [{ threads: [{ id: '', messages: [said('x', 'y', 1)] }] }, null] }),
    appEvent(channel, 'smb_app_state_sync', { state_sync: [{ type: 'contact', contact: { full_name: 'No number' } }] }),
  ]
  for (const each of nonsense) assert.equal((await post(app, channel, payloadOf(each))).status, 200)
  await processed(app)
  assert.deepEqual([(await contactsOf(org)).length, (await ticketsOf(org)).total], [0, 0])
})

test('a campaign on a number in coexistence is planned with that rate', async () => {
  const org = await campaigner(app)
  const [contact] = await org.contacts(1)
  const rate = async () =>
    (
      await org.call('POST', 'campaigns/preflight', {
        name: 'News',
        chat_phone_number_id: org.channelId,
        template_id: org.templateId,
        audience_type: 'manual',
        audience_contact_ids: [contact],
      })
    ).body.messages_per_second
  assert.equal(await rate(), 1000)
  await org.call('PATCH', `channels/${org.channelId}`, { coexistence: true })
  assert.equal(await rate(), 20)
  await org.call('PATCH', `channels/${org.channelId}`, { messages_per_second: 5 })
  assert.equal(await rate(), 5)
})

test('contacts and chats of the app are requested once each', async () => {
  const org = await app.organization()
  const channelId = (await org.call('GET', 'channels')).body.data[0].id
  const request = (data: string, { call = org.call, id = channelId } = {}) =>
    call('POST', `channels/${id}/app-data`, { data })
  const asked = await request('contacts')
  assert.deepEqual([asked.status, typeof asked.body.request_id], [202, 'string'])
  await until(async () => (await contactsOf(org)).some(({ name }: { name: string }) => name === 'Ines Duarte'))
  assert.equal((await request('history')).status, 202)
  await until(async () => (await ticketsOf(org)).total === 1)
  const { inboxes } = await ticketsOf(org)
  assert.equal(inboxes[0].status, 'closed')
  assert.deepEqual(bodies(await messagesIn(org, inboxes[0])), ['Do you repair bikes?', 'We do.'])
  const again = await request('contacts')
  assert.deepEqual([again.status, again.body.upstream.code], [502, 4])
  assert.match(again.body.detail, /^WhatsApp did not take the request for contacts: /)
  assert.equal((await request('messages')).status, 422)
  assert.equal((await request('history', { id: org.id })).status, 404)
  const live = await app.organization({ mode: 'live' })
  const { body: bare } = await live.call('POST', 'channels', { phone_number: '+15550100099' })
  assert.equal((await request('history', { call: live.call, id: bare.id })).status, 409)
  const { secret } = await app.key(org.id, { scopes: ['campaigns:manage'] })
  assert.equal((await request('history', { call: app.as(secret) })).status, 403)
})

test('the simulator acts as the app, with each example of the API reference', async () => {
  const org = await app.organization()
  const tell = (body: object, call = org.call) => call('POST', 'simulator/business-app', body)
  const { examples } = SimulatedAppEvent as unknown as { examples: object[] }
  for (const example of examples) {
    ok(await tell(example), 202)
  }
  await until(async () => (await ticketsOf(org)).total === 2)
  const { inboxes } = await ticketsOf(org)
  assert.deepEqual(
    inboxes.map(({ status }: { status: string }) => status),
    ['open', 'closed'],
  )
  assert.deepEqual(bodies(await messagesIn(org, inboxes[0])), ['Yes, until six.'])
  assert.deepEqual(bodies(await messagesIn(org, inboxes[1])), ['Do you repair bikes?', 'We do.'])
  await until(async () => (await contactsOf(org)).some(({ name }: { name: string }) => name === 'Ines Duarte'))
  assert.equal((await tell({ field: 'messages', value: {} })).status, 422)
  assert.equal((await tell({ field: 'history', value: {}, channel_id: org.id })).status, 404)
  const live = await app.organization({ mode: 'live' })
  assert.equal((await tell({ field: 'history', value: {} }, live.call)).status, 409)
  const { secret } = await app.key(org.id, { scopes: ['inbox:read'] })
  assert.equal((await tell(examples[0] as object, app.as(secret))).status, 403)
})
