import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import {
  connectChannel,
  deliver,
  freshId,
  messageFrom,
  messagesTo,
  secondsAgo,
  textFrom,
} from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'
import type { Message } from '../messages/schema.ts'

/** Contacts edit and delete their messages, in both formats that the platform uses for it. */

const app = await startTestApp()
const acme = await app.organization()
const channel = await connectChannel(acme)

let people = 0
const newCustomer = () => `1555014${1000 + ++people}`
const hear = (...messages: { from?: string }[]) => deliver(app, channel, messagesTo(channel, messages))

const edit = (from: string, id: string | undefined, message: object | undefined, more: object = {}) =>
  messageFrom(from, { type: 'edit', edit: { original_message_id: id, message }, timestamp: secondsAgo(3), ...more })
const textEdit = (from: string, id: string | undefined, body: string, more: object = {}) =>
  edit(from, id, { context: { id: 'wamid.CONTEXT' }, type: 'text', text: { body } }, more)
const revoke = (from: string, id: string, more: object = {}) =>
  messageFrom(from, { type: 'revoke', revoke: { original_message_id: id }, timestamp: secondsAgo(2), ...more })
const unsupported = (from: string, type: string, more: object = {}) =>
  messageFrom(from, {
    type: 'unsupported',
    errors: [{ code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' } }],
    unsupported: { type },
    ...more,
  })

async function thread(from: string): Promise<Message[]> {
  const contact = (await acme.call('GET', `contacts?search=${from}`)).body.data[0]
  if (!contact) return []
  const [ticket] = (await acme.call('GET', `inbox/tickets?contact_id=${contact.id}`)).body.inboxes
  return (await acme.call('GET', `inbox/messages/${ticket.id}`)).body.messages
}
const bodies = async (from: string) => (await thread(from)).map(({ body }) => body)
const updates = async () => (await acme.call('GET', 'events?type=message.updated&limit=100')).body.data
const only = async (from: string): Promise<Message> => {
  const [message, ...more] = await thread(from)
  assert.deepEqual(more, [])
  return message as Message
}
/** Runs the retry of early updates now instead of in some seconds. */
const lookAgain = () => app.database.forSystem().run`update early_updates set due_at = now() - interval '1 second'`

test('a blocked contact can delete its messages and opt out, but write and react no more', async () => {
  const from = newCustomer()
  const said = textFrom(from, 'Hello')
  await hear(said)
  const { id } = (await acme.call('GET', `contacts?search=${from}`)).body.data[0]
  assert.equal((await acme.call('PATCH', `contacts/${id}`, { blocked: true })).status, 200)
  const before = (await updates()).length
  const reaction = messageFrom(from, { type: 'reaction', reaction: { message_id: said.id, emoji: '😡' } })
  await hear(textEdit(from, said.id, 'An insult'), reaction, textEdit(from, freshId(), 'Another'))
  await lookAgain()
  assert.deepEqual([(await only(from)).body, (await only(from)).reactions], ['Hello', null])
  assert.equal((await updates()).length, before)
  await hear(textEdit(from, said.id, 'STOP'))
  assert.notEqual((await acme.call('GET', `contacts/${id}`)).body.opted_out_at, null)
  await hear(revoke(from, said.id as string))
  assert.equal((await only(from)).revoked, true)
})

test('an edit changes the message, keeps the previous text and emits an event', async () => {
  const from = newCustomer()
  const said = textFrom(from, 'Is it opne today?')
  await hear(said)
  const before = await only(from)
  assert.deepEqual(
    [before.edited_at, before.edit_history, before.edit_text_missing, before.revoked, before.revoked_at],
    [null, [], false, false, null],
  )
  const first = textEdit(from, said.id, 'Is it open today?')
  await hear(first)
  const message = await only(from)
  assert.equal(message.body, 'Is it open today?')
  assert.equal(message.edited_at, new Date(Number(first.timestamp) * 1000).toISOString())
  assert.deepEqual(message.edit_history, [{ body: 'Is it opne today?', written_at: before.created_at }])
  const [event] = await updates()
  assert.equal(event.data.object.id, message.id)
  assert.deepEqual(event.data.previous, {
    body: 'Is it opne today?',
    edited_at: null,
    edit_history: [],
  })
  const [ticket] = (await acme.call('GET', `inbox/tickets?search=${from}`)).body.inboxes
  assert.equal(ticket.last_message.preview, 'Is it open today?')
  assert.equal(ticket.unread_count, 1)
})

test('duplicate, out-of-order and concurrent edits lead to the same result', async () => {
  const from = newCustomer()
  const said = textFrom(from, 'one', { timestamp: secondsAgo(60) })
  const two = textEdit(from, said.id, 'two', { timestamp: secondsAgo(50) })
  const three = textEdit(from, said.id, 'three', { timestamp: secondsAgo(40) })
  await hear(said, three)
  await hear(two)
  await hear(three, two, three)
  const message = await only(from)
  assert.equal(message.body, 'three')
  assert.deepEqual(
    message.edit_history.map(({ body }) => body),
    ['one', 'two'],
  )
  const before = (await updates()).length
  await hear(two, three)
  assert.equal((await updates()).length, before)
})

test('the caption of a file can be edited, and the file stays', async () => {
  const from = newCustomer()
  const image = { id: '900800', mime_type: 'image/jpeg', caption: 'lable' }
  const said = messageFrom(from, { type: 'image', image })
  await hear(said, edit(from, said.id, { type: 'image', image: { ...image, caption: 'label' } }))
  const message = await only(from)
  assert.deepEqual([message.message_type, message.body], ['image', 'label'])
  assert.ok(message.media_url)
})

test('a deletion marks the message, and later edits do not restore it', async () => {
  const from = newCustomer()
  const said = textFrom(from, 'my card number is')
  const gone = revoke(from, said.id)
  await hear(said, textEdit(from, said.id, 'never mind'), gone)
  await hear(gone, textEdit(from, said.id, 'really, never mind', { timestamp: secondsAgo(1) }))
  const message = await only(from)
  assert.equal(message.revoked, true)
  assert.equal(message.revoked_at, new Date(Number(gone.timestamp) * 1000).toISOString())
  assert.equal(message.body, 'really, never mind')
  const [ticket] = (await acme.call('GET', `inbox/tickets?search=${from}`)).body.inboxes
  assert.equal(ticket.last_message.preview, 'Message deleted')
})

test('an edit that arrives before its message is applied when the message arrives', async () => {
  const from = newCustomer()
  const id = freshId()
  await hear(textEdit(from, id, 'after'))
  assert.deepEqual(await thread(from), [])
  await hear(textFrom(from, 'before', { id }))
  await lookAgain()
  await until(async () => (await only(from)).body === 'after')
  assert.equal((await only(from)).edit_history[0]?.body, 'before')
})

test('an edit of a message that never arrives is stored as a message in the end, a deletion is not', async () => {
  const from = newCustomer()
  const id = freshId()
  await hear(textEdit(from, id, 'what I meant'), revoke(from, freshId()))
  await until(async () => {
    await lookAgain()
    return (await thread(from)).length > 0
  })
  const message = await only(from)
  assert.deepEqual([message.body, message.chat_message_id], ['what I meant', id])
  // If the original arrives after all, it counts as a duplicate and the edited text stays.
  await hear(textFrom(from, 'what I wrote', { id }))
  assert.equal((await only(from)).body, 'what I meant')
})

test('an edit cannot change the message of another contact', async () => {
  const [owner, other] = [newCustomer(), newCustomer()]
  const said = textFrom(owner, 'mine')
  await hear(said, textFrom(other, 'hello'))
  await hear(textEdit(other, said.id, 'stolen'), revoke(other, said.id), revoke(newCustomer(), said.id))
  const message = await only(owner)
  assert.deepEqual([message.body, message.edited_at, message.revoked], ['mine', null, false])
  assert.deepEqual(await bodies(other), ['hello'])
})

test('an edit in the format without message types is applied if only one message can be meant', async () => {
  const from = newCustomer()
  await hear(textFrom(from, 'one'))
  await hear(unsupported(from, 'edit'))
  const edited = await only(from)
  assert.deepEqual([edited.body, edited.edit_text_missing, edited.edit_history], ['one', true, []])
  assert.ok(edited.edited_at)
  // If it names the message and the new text, it is applied like the other format.
  await hear(
    unsupported(from, 'edit', {
      edit: { original_message_id: edited.chat_message_id, message: { type: 'text', text: { body: 'two' } } },
    }),
  )
  const known = await only(from)
  assert.deepEqual([known.body, known.edit_text_missing], ['two', false])
  await hear(unsupported(from, 'revoke'))
  assert.equal((await only(from)).revoked, true)
})

test('an ambiguous edit changes no message and is shown as an edit of an unknown message', async () => {
  const from = newCustomer()
  await hear(textFrom(from, 'one'), textFrom(from, 'two'))
  const ambiguous = unsupported(from, 'edit')
  await hear(ambiguous, unsupported(from, 'revoke'))
  await hear(ambiguous)
  const messages = await thread(from)
  assert.equal(messages.length, 3)
  assert.ok(messages.every(({ edited_at, revoked }) => edited_at === null && !revoked))
  assert.match(messages[2]?.body ?? '', /edited a message/)
  assert.deepEqual(messages[2]?.payload?.edit, { type: 'edit' })
})

test('other unsupported messages are stored as before', async () => {
  const from = newCustomer()
  await hear(unsupported(from, 'poll_creation'))
  assert.equal((await only(from)).body, '[unsupported]')
})

test('STOP opts out, also if a message is edited to it', async () => {
  const from = newCustomer()
  const said = textFrom(from, 'hello')
  await hear(said, textEdit(from, said.id, 'STOP'))
  const contact = (await acme.call('GET', `contacts?search=${from}`)).body.data[0]
  assert.ok(contact.opted_out_at)
})

test('malformed edits are ignored without an error', async () => {
  const from = newCustomer()
  const odd = [
    { type: 'edit' },
    { type: 'edit', edit: 5 },
    { type: 'edit', edit: { original_message_id: {}, message: [] } },
    { type: 'revoke', revoke: null },
    { type: 'unsupported', unsupported: 'edit' },
  ].map((message) => messageFrom(from, message))
  await hear(textFrom(from, 'still here'))
  await hear(...odd)
  const messages = await thread(from)
  assert.equal(messages[0]?.body, 'still here')
})
