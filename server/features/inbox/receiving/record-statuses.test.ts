import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { startTestApp } from '../../../testing/app.ts'
import { connectChannel, deliver, payloadOf, post, processed, statusesOf, statusOf } from '../../../testing/hooks.ts'
import { outboundMessages } from '../../../testing/outbound.ts'
import { until } from '../../../testing/process.ts'
import { findMessages, putReactions } from '../messages/message-queries.ts'

const app = await startTestApp()
const acme = await app.organization()
const scope = { organizationId: acme.id, livemode: false }
const channel = await connectChannel(acme)
const contact = (await acme.call('POST', 'contacts', { phone_number: '+15550100002', name: 'Ines' })).body

const sent = async (options: Partial<Parameters<typeof outboundMessages>[2]> = {}) =>
  outboundMessages(app, scope, { contactId: contact.id, channelId: channel.id, ...options })
const one = async (options = {}) => (await sent(options))[0] as { id: string; chatMessageId: string }

const Stored = Type.Object({
  status: Type.String(),
  error: Type.Unsafe<{ code: string; message: string } | null>({}),
  chat_message_id: Type.String(),
  is_accepted: Type.Boolean(),
})
const read = (id: string) =>
  app.database.forTenant(scope).one(Stored)`
    select status, error, chat_message_id, accepted_at is not null as is_accepted from messages where id = ${id}`
const Told = Type.Object({ type: Type.String() })
const eventsOf = async (id: string) =>
  (
    await app.database.forTenant(scope).all(Told)`
      select type from events where data -> 'object' ->> 'id' = ${id} order by id`
  ).map(({ type }) => type)

const failure = (code = 131026) => ({
  errors: [
    { code, title: 'Message undeliverable', message: 'Message undeliverable', error_data: { details: 'Not on it' } },
  ],
})
const say = (...statuses: object[]) => deliver(app, channel, statusesOf(channel, statuses))

test('a message goes from sent to delivered to read, with one event for each change', async () => {
  const { id, chatMessageId } = await one()
  for (const status of ['sent', 'delivered', 'delivered', 'read', 'read', 'delivered', 'sent'])
    await say(statusOf(chatMessageId, status))
  assert.equal((await read(id)).status, 'read')
  assert.deepEqual(await eventsOf(id), ['message.delivered', 'message.read'])
})

test('a status event carries the message as the API returns it', async () => {
  const { id, chatMessageId } = await one()
  const feedback = { rating: 'down', reason: null, member_id: null, rated_at: '2026-11-17T09:00:00.000Z' }
  await app.database.inTenant(scope, async (tx) => {
    await tx.run`
      insert into message_media (id, message_id, state, mime_type, file_name)
      values (${newId()}, ${id}, 'stored', 'image/png', 'a.png')`
    await tx.run`update messages set feedback = ${JSON.stringify(feedback)}::jsonb where id = ${id}`
    await putReactions(tx, [{ messageId: id, sender: '+1', emoji: '👍', at: new Date().toISOString() }])
  })
  await say(statusOf(chatMessageId, 'delivered'))
  const address = 'http://127.0.0.1:3000/api/v1/inbox/media/'
  const [message] = await findMessages(app.database.forTenant(scope), [id], address)
  assert.equal(message?.status, 'delivered')
  assert.deepEqual(message?.feedback, feedback)
  const { data } = (await acme.call('GET', 'events?type=message.delivered&limit=1')).body
  assert.deepEqual(data[0].data, { object: message })
})

test('statuses in any order lead to the same outcome', async () => {
  const words = ['sent', 'failed', 'delivered', 'read']
  const permutations = (list: string[]): string[][] =>
    list.length < 2
      ? [list]
      : list.flatMap((first) => permutations(list.filter((each) => each !== first)).map((rest) => [first, ...rest]))
  const orders = permutations(words)
  assert.equal(orders.length, 24)
  const messages = await sent({ count: 24 })
  // The first status of every order, then the second, each in its own webhook.
  for (let step = 0; step < words.length; step++)
    await say(
      ...orders.map((order, i) =>
        statusOf(
          messages[i]?.chatMessageId as string,
          order[step] as string,
          order[step] === 'failed' ? failure() : {},
        ),
      ),
    )
  const together = await sent({ count: 24 })
  await say(
    ...orders.flatMap((order, i) =>
      order.map((word) => statusOf(together[i]?.chatMessageId as string, word, word === 'failed' ? failure() : {})),
    ),
  )
  for (const [i, { id }] of [...messages, ...together].entries()) {
    const { status, error } = await read(id)
    assert.deepEqual({ status, error }, { status: 'read', error: null }, orders[i % 24]?.join())
    const events = await eventsOf(id)
    assert.deepEqual(
      events.filter((type) => type !== 'message.failed'),
      ['message.delivered', 'message.read'],
      orders[i % 24]?.join(),
    )
    assert.equal(new Set(events).size, events.length, 'no change has two events')
  }
})

test('a failure has its reason and one event, and is replaced if the message was delivered after all', async () => {
  const { id, chatMessageId } = await one()
  await say(statusOf(chatMessageId, 'failed', failure()))
  await say(statusOf(chatMessageId, 'failed', failure()))
  await say(statusOf(chatMessageId, 'sent'))
  assert.deepEqual(
    { ...(await read(id)), chat_message_id: '' },
    { status: 'failed', error: { code: '131026', message: 'Not on it' }, chat_message_id: '', is_accepted: true },
  )
  assert.deepEqual(await eventsOf(id), ['message.failed'])
  await say(statusOf(chatMessageId, 'delivered'))
  assert.deepEqual(
    { ...(await read(id)), chat_message_id: '' },
    { status: 'delivered', error: null, chat_message_id: '', is_accepted: true },
  )
})

test('a voice message that was played counts as read', async () => {
  const { id, chatMessageId } = await one()
  await say(statusOf(chatMessageId, 'played'))
  assert.equal((await read(id)).status, 'read')
  // The platform sent no `delivered` status, but the message was delivered.
  assert.deepEqual(await eventsOf(id), ['message.delivered', 'message.read'])
  const { data } = (await acme.call('GET', 'events?type=message.delivered&limit=1')).body
  assert.deepEqual([data[0].data.object.id, data[0].data.object.status], [id, 'delivered'])
})

test('a status corrects a message whose outcome was unknown because the response was lost', async () => {
  const unknown = { code: 'unknown', message: 'Nobody can say' }
  const lost = await one({ accepted: false, error: unknown })
  const waiting = await one({ accepted: false })
  const refused = await one({ accepted: false })
  await say(
    statusOf(lost.chatMessageId, 'sent', { biz_opaque_callback_data: lost.id }),
    statusOf(waiting.chatMessageId, 'read', { biz_opaque_callback_data: waiting.id.toUpperCase() }),
    statusOf(refused.chatMessageId, 'failed', { biz_opaque_callback_data: refused.id, ...failure() }),
  )
  assert.deepEqual(await read(lost.id), {
    status: 'sent',
    error: null,
    chat_message_id: lost.chatMessageId,
    is_accepted: true,
  })
  assert.deepEqual(await eventsOf(lost.id), ['message.sent'])
  assert.deepEqual(await read(waiting.id), {
    status: 'read',
    error: null,
    chat_message_id: waiting.chatMessageId,
    is_accepted: true,
  })
  assert.deepEqual(await eventsOf(waiting.id), ['message.sent', 'message.delivered', 'message.read'])
  const { data } = (await acme.call('GET', 'events?type=message.delivered&limit=1')).body
  assert.deepEqual([data[0].data.object.id, data[0].data.object.status], [waiting.id, 'delivered'])
  assert.deepEqual(await read(refused.id), {
    status: 'failed',
    error: { code: '131026', message: 'Not on it' },
    chat_message_id: refused.chatMessageId,
    is_accepted: false,
  })
  const { activities } = (await acme.call('GET', `contacts/${contact.id}/activities?type=message_outbound`)).body
  assert.deepEqual(
    activities.map(({ payload }: { payload: { message_id: string } }) => payload.message_id).sort(),
    [lost.id, waiting.id].sort(),
  )
})

test('a status that arrives before its message is known is applied later', async () => {
  const { id, chatMessageId } = await one({ accepted: false })
  // Without our callback id: other platforms may not return it.
  await say(statusOf(chatMessageId, 'delivered'))
  assert.equal((await read(id)).status, 'sent')
  await app.database.inTenant(
    scope,
    (tx) => tx.run`update messages set chat_message_id = ${chatMessageId}, accepted_at = now() where id = ${id}`,
  )
  await until(async () => (await read(id)).status === 'delivered')
  assert.deepEqual(await eventsOf(id), ['message.delivered'])
  const Count = Type.Object({ n: Type.Integer() })
  const left = () => app.database.forSystem().one(Count)`select count(*)::int as n from early_updates`
  await until(async () => (await left()).n === 0)
})

test('a status without a message is given up after some minutes and affects nothing else', async () => {
  await say(statusOf('wamid.SOMEBODY.ELSES', 'delivered'))
  const Row = Type.Object({ attempts: Type.Integer(), wait_ms: Type.Number() })
  const rows = () =>
    app.database.forSystem().all(Row)`
      select attempts, extract(epoch from due_at - now())::float8 * 1000 as wait_ms from early_updates`
  // The service looks again by itself too, if this takes longer than its first waits.
  const waits: number[] = []
  for (let [row] = await rows(); row; [row] = await rows()) {
    const { attempts, wait_ms } = row
    waits[attempts] = Math.ceil(wait_ms / 1000)
    await app.database.forSystem().run`update early_updates set due_at = now() - interval '1 second'`
    await until(async () => (await rows()).every((next) => next.attempts > attempts && next.wait_ms > 0))
  }
  assert.equal(waits.length, 5)
  assert.ok((waits[4] as number) > 200, 'the last look is minutes after the first')
})

test('a status of another channel or of an inbound message changes nothing', async () => {
  const other = await connectChannel(acme, { app_secret: channel.appSecret })
  const { id, chatMessageId } = await one()
  await deliver(app, channel, statusesOf(other, [statusOf(chatMessageId, 'read', { biz_opaque_callback_data: id })]))
  assert.equal((await read(id)).status, 'sent')
  const globex = await app.organization()
  const theirs = await connectChannel(globex)
  await deliver(app, theirs, statusesOf(theirs, [statusOf(chatMessageId, 'read', { biz_opaque_callback_data: id })]))
  await deliver(app, theirs, statusesOf(channel, [statusOf(chatMessageId, 'read', { biz_opaque_callback_data: id })]))
  assert.equal((await read(id)).status, 'sent')
  await app.database.inTenant(
    scope,
    (tx) => tx.run`update messages set direction = 'inbound', status = 'delivered' where id = ${id}`,
  )
  await say(statusOf(chatMessageId, 'read', { biz_opaque_callback_data: id }))
  assert.equal((await read(id)).status, 'delivered')
  await app.database.forSystem().run`delete from early_updates`
})

test('a contact who stopped marketing at the platform is opted out, once', async () => {
  const person = (await acme.call('POST', 'contacts', { phone_number: '+15550100077' })).body
  const messages = await sent({ contactId: person.id, count: 2 })
  for (const { chatMessageId } of messages) await say(statusOf(chatMessageId, 'failed', failure(131050)))
  assert.ok((await acme.call('GET', `contacts/${person.id}`)).body.opted_out_at)
  const { data } = (await acme.call('GET', 'events?type=contact.opted_out')).body
  assert.deepEqual(
    data.map(({ data }: { data: { object: { id: string; opt_out: object } } }) => [
      data.object.id,
      data.object.opt_out,
    ]),
    [[person.id, { source: 'platform', reason: '131050' }]],
  )
})

test('a thousand statuses, repeated by twenty webhooks on two nodes, each change one message once', async () => {
  const node = await app.node()
  const messages = await sent({ count: 500 })
  const statuses = messages.flatMap(({ chatMessageId }, i) => [
    statusOf(chatMessageId, 'delivered'),
    statusOf(chatMessageId, i % 2 ? 'read' : 'sent'),
  ])
  const shuffled = (seed: number) =>
    statuses.toSorted((a, b) => (a.id + a.status + seed).localeCompare(b.id + b.status) * (seed % 2 ? 1 : -1))
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      post(i % 2 ? app : node, channel, payloadOf(statusesOf(channel, shuffled(i)))),
    ),
  )
  await processed(app)
  const Tally = Type.Object({ status: Type.String(), n: Type.Integer() })
  const ids = messages.map(({ id }) => id)
  const tally = await app.database.forTenant(scope).all(Tally)`
    select status, count(*)::int as n from messages where id = any(${ids}::uuid[]) group by 1 order by 1`
  assert.deepEqual(tally, [
    { status: 'delivered', n: 250 },
    { status: 'read', n: 250 },
  ])
  const repeated = await app.database.forTenant(scope).all(Told)`
    select type from events where data -> 'object' ->> 'id' = any(${ids}::text[])
    group by type, data -> 'object' ->> 'id' having count(*) > 1`
  assert.deepEqual(repeated, [])
  const types = await app.database.forTenant(scope).all(Tally)`
    select type as status, count(*)::int as n from events
    where data -> 'object' ->> 'id' = any(${ids}::text[]) group by 1 order by 1`
  assert.deepEqual(types, [
    { status: 'message.delivered', n: 500 },
    { status: 'message.read', n: 250 },
  ])
  await node.close()
})
