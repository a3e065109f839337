import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { personalData } from '../../../app.ts'
import { newId } from '../../../platform/ids.ts'
import { ok, type Reply } from '../../../testing/app.ts'
import { type ChatOrganization, startChatApp } from '../../../testing/conversations.ts'
import { eventTypesOf } from '../../../testing/events-of.ts'
import { lockWaited } from '../../../testing/locks.ts'
import { until } from '../../../testing/process.ts'
import { mergeContacts } from '../../contacts/merging/merge-contacts.ts'
import { sendScheduledJob } from '../jobs.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()

let people = 0
const newCustomer = () => `+1202555${String(8000 + ++people)}`
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

const schedule = async (ticketId: string, body: object) =>
  ok(await acme.call('POST', `inbox/tickets/${ticketId}/scheduled-messages`, body), 201)
const read = async (id: string): Promise<Reply['body']> => ok(await acme.call('GET', `inbox/scheduled-messages/${id}`))
const sentTexts = () => platform.sent.map(({ text }) => text?.body)

/** Makes a scheduled message due, as if its time had come, and starts its job. */
async function comesDue({ scope }: ChatOrganization, id: string) {
  await app.database.inTenant(scope, async (tx) => {
    await tx.run`update scheduled_messages set send_at = now() - interval '1 second' where id = ${id}`
    await tx.enqueue(sendScheduledJob, { ...scope, scheduledMessageId: id })
  })
}

test('a message is sent at its time, and exists from then on', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const made = await schedule(ticketId, { body: 'Your order is ready', delay_seconds: 1 })
  assert.deepEqual(
    [made.status, made.inbox_id, made.message.body, made.message_id, made.error],
    ['scheduled', ticketId, 'Your order is ready', null, null],
  )
  await until(async () => (await read(made.id)).status === 'sent')
  const { message_id } = await read(made.id)
  await until(async () => sentTexts().includes('Your order is ready'))
  const { messages } = ok(await acme.call('GET', `inbox/messages/${ticketId}`))
  assert.deepEqual([messages.length, messages[1].id, messages[1].actor_type], [2, message_id, 'user'])
  assert.deepEqual(await eventTypesOf(acme.call, made.id), ['scheduled_message.created', 'scheduled_message.sent'])
})

test('it can be read, listed, changed and cancelled until it is sent', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const first = await schedule(ticketId, { body: 'One', send_at: inAnHour() })
  const second = await schedule(ticketId, { body: 'Two', send_at: inAnHour() })
  assert.equal(ok(await acme.call('GET', `inbox/messages/${ticketId}`)).total, 1, 'not a message before its time')
  const list = async (query = '') => ok(await acme.call('GET', `inbox/tickets/${ticketId}/scheduled-messages${query}`))
  const { data, total_count, has_more } = await list('?limit=1')
  assert.deepEqual([data[0].id, total_count, has_more], [second.id, 2, true])
  const send_at = new Date(Date.now() + 7_200_000).toISOString()
  const changed = ok(await acme.call('PATCH', `inbox/scheduled-messages/${first.id}`, { body: 'Uno', send_at }))
  assert.deepEqual([changed.message.body, changed.send_at], ['Uno', send_at])
  const sooner = inAnHour()
  const moved = ok(await acme.call('PATCH', `inbox/scheduled-messages/${first.id}`, { send_at: sooner }))
  assert.deepEqual([moved.message.body, moved.send_at], ['Uno', sooner])
  const cancelled = ok(await acme.call('POST', `inbox/scheduled-messages/${second.id}/cancel`))
  assert.equal(cancelled.status, 'cancelled')
  assert.equal((await list('?status=scheduled')).total_count, 1)
  // Neither the time that it had, nor a job that comes late, sends it.
  await comesDue(acme, second.id)
  await comesDue(acme, first.id)
  await until(async () => sentTexts().includes('Uno'))
  assert.ok(!sentTexts().includes('Two'))
  for (const [method, path, body] of [
    ['PATCH', '', { body: 'Late' }],
    ['POST', '/cancel', undefined],
    ['POST', '/retry', undefined],
  ] as const)
    assert.equal((await acme.call(method, `inbox/scheduled-messages/${first.id}${path}`, body)).status, 409)
})

test('a window that has closed by then fails it with the reason', async () => {
  const { ticketId, contactId } = await acme.receives({ from: newCustomer() })
  const made = await schedule(ticketId, { body: 'Too late', send_at: inAnHour() })
  await app.database.inTenant(
    acme.scope,
    (tx) =>
      tx.run`update chat_windows set last_inbound_at = now() - interval '25 hours' where contact_id = ${contactId}`,
  )
  await comesDue(acme, made.id)
  await until(async () => (await read(made.id)).status === 'failed')
  const failed = await read(made.id)
  assert.equal(failed.error.code, '409')
  assert.match(failed.error.message, /24 hours/)
  assert.ok(!sentTexts().includes('Too late'))
  const events = ok(await acme.call('GET', 'events?type=scheduled_message.failed')).data
  assert.deepEqual(
    events.map(({ data }: Reply['body']) => data.object.id),
    [made.id],
  )
})

test('one that failed is sent by a retry, or discarded', async () => {
  const { ticketId, contactId } = await acme.receives({ from: newCustomer() })
  const [retried, discarded] = [
    await schedule(ticketId, { body: 'Second chance', send_at: inAnHour() }),
    await schedule(ticketId, { body: 'Never mind', send_at: inAnHour() }),
  ]
  const moveWindow = (hours: number) =>
    app.database.inTenant(
      acme.scope,
      (tx) => tx.run`
        update chat_windows set last_inbound_at = now() - make_interval(hours => ${hours}::integer)
        where contact_id = ${contactId}`,
    )
  const untilFailed = (id: string) => until(async () => (await read(id)).status === 'failed')
  const act = (id: string, verb: string) => acme.call('POST', `inbox/scheduled-messages/${id}/${verb}`)
  await moveWindow(25)
  for (const { id } of [retried, discarded]) {
    assert.equal((await act(id, 'retry')).status, 409, 'it has not failed yet')
    await comesDue(acme, id)
    await untilFailed(id)
  }
  const again = ok(await act(retried.id, 'retry'))
  assert.deepEqual([again.status, again.error], ['scheduled', null])
  await untilFailed(retried.id)
  const edit = await acme.call('PATCH', `inbox/scheduled-messages/${retried.id}`, { body: 'Edited' })
  assert.equal(edit.status, 409, edit.text)
  await moveWindow(1)
  ok(await act(retried.id, 'retry'))
  await until(async () => (await read(retried.id)).status === 'sent')
  await until(async () => sentTexts().includes('Second chance'))
  assert.equal((await act(retried.id, 'retry')).status, 409)

  const gone = ok(await act(discarded.id, 'cancel'))
  assert.deepEqual([gone.status, gone.error.code], ['cancelled', '409'])
  assert.equal((await act(discarded.id, 'retry')).status, 409)
  assert.equal((await act(newId(), 'retry')).status, 404)
  assert.ok(!sentTexts().includes('Never mind'))
})

test('it follows its contact into the ticket that remains when contacts are merged', async () => {
  const [one, other] = [
    await acme.receives({ from: newCustomer() }),
    await acme.receives({ from: newCustomer(), body: 'Me again' }),
  ]
  const made = await schedule(other.ticketId, { body: 'To one person', send_at: inAnHour() })
  assert.equal(made.contact_id, other.contactId)
  ok(await acme.call('POST', `contacts/${one.contactId}/merge`, { contact_id: other.contactId }))
  const moved = await read(made.id)
  assert.deepEqual([moved.inbox_id, moved.contact_id], [one.ticketId, one.contactId])
  await comesDue(acme, made.id)
  await until(async () => sentTexts().includes('To one person'))
  assert.equal(ok(await acme.call('GET', `inbox/messages/${one.ticketId}`)).total, 3)
  assert.equal(ok(await acme.call('GET', `inbox/messages/${other.ticketId}`)).total, 0)
})

test('it is sent in the ticket that remains if the merge happens while it is sent', async () => {
  const [one, other] = [await acme.receives({ from: newCustomer() }), await acme.receives({ from: newCustomer() })]
  const made = await schedule(other.ticketId, { body: 'To the remaining one', send_at: inAnHour() })
  const pair = { from: other.contactId, into: one.contactId }
  const [locked, awaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const merging = app.database.inTenant(acme.scope, async (tx) => {
    await tx.run`select from contacts where id = ${other.contactId} for update`
    locked.resolve()
    await awaited.promise
    await mergeContacts(tx, pair, { actor: { type: 'system', id: null }, tables: personalData })
  })
  await locked.promise
  await comesDue(acme, made.id)
  await lockWaited(app)
  awaited.resolve()
  await merging
  await until(async () => sentTexts().includes('To the remaining one'))
  const { messages } = ok(await acme.call('GET', `inbox/messages/${one.ticketId}`))
  assert.deepEqual([messages.length, messages[2].body], [3, 'To the remaining one'])
  assert.equal(ok(await acme.call('GET', `inbox/messages/${other.ticketId}`)).total, 0)
  assert.equal((await read(made.id)).status, 'sent')
})

test('a suspended organization sends nothing', async () => {
  const globex = await newOrganization()
  const { ticketId } = await globex.receives({ from: newCustomer() })
  const path = `inbox/tickets/${ticketId}/scheduled-messages`
  const { id } = ok(await globex.call('POST', path, { body: 'Suspended', send_at: inAnHour() }), 201)
  const setSuspended = (at: string | null) =>
    app.database.forSystem().run`update organizations set suspended_at = ${at} where id = ${globex.id}`
  await setSuspended(new Date().toISOString())
  await comesDue(globex, id)
  const Row = Type.Object({ status: Type.String(), error: Type.Unsafe<{ message: string } | null>({}) })
  const stored = () => app.database.forTenant(globex.scope).one(Row)`
    select status, error from scheduled_messages where id = ${id}`
  await until(async () => (await stored()).status === 'failed')
  assert.equal((await stored()).error?.message, 'The organization is suspended')
  assert.ok(!sentTexts().includes('Suspended'))
})

test('two nodes and repeated jobs send it once', async () => {
  await app.node()
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const made = await schedule(ticketId, { body: 'Once', send_at: inAnHour() })
  await Promise.all(Array.from({ length: 6 }, () => comesDue(acme, made.id)))
  await until(async () => sentTexts().includes('Once'))
  // A later message of the same organization is sent after the jobs of this one.
  const last = await schedule(ticketId, { body: 'Last', delay_seconds: 1 })
  await until(async () => (await read(last.id)).status === 'sent')
  await until(async () => sentTexts().includes('Last'))
  assert.equal(sentTexts().filter((text) => text === 'Once').length, 1)
})

test('invalid input, unknown ids and missing scopes are refused', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const path = `inbox/tickets/${ticketId}/scheduled-messages`
  for (const [body, field] of [
    [{ body: 'x' }, 'send_at'],
    [{ body: 'x', send_at: inAnHour(), delay_seconds: 5 }, 'send_at'],
    [{ body: 'x', send_at: '2020-01-01T00:00:00Z' }, 'send_at'],
    [{ body: 'x', send_at: 'tomorrow' }, 'send_at'],
    [{ body: 'x', delay_seconds: 61 }, 'delay_seconds'],
    [{ body: ' ', delay_seconds: 5 }, 'body'],
  ] as const) {
    const answer = await acme.call('POST', path, body)
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', field]], JSON.stringify(body))
  }
  const { id } = await schedule(ticketId, { body: 'x', send_at: inAnHour() })
  const one = `inbox/scheduled-messages/${id}`
  assert.equal((await acme.call('PATCH', one, {})).status, 422)
  assert.equal((await acme.call('PATCH', one, { body: '' })).status, 422)
  assert.equal((await acme.call('GET', `${path}?status=late`)).status, 422)
  const stranger = await newOrganization()
  const operations = [
    ['POST', path, { body: 'x', delay_seconds: 5 }, 'inbox:read'],
    ['GET', path, undefined, 'inbox:write'],
    ['GET', one, undefined, 'inbox:write'],
    ['PATCH', one, { body: 'y' }, 'inbox:read'],
    ['POST', `${one}/cancel`, undefined, 'inbox:read'],
    ['POST', `${one}/retry`, undefined, 'inbox:read'],
  ] as const
  for (const [method, url, body, scope] of operations) {
    assert.equal((await app.call(method, url, body)).status, 401)
    const { secret } = await app.key(acme.id, { mode: 'live', scopes: [scope] })
    assert.equal((await app.as(secret)(method, url, body)).status, 403, `${method} ${url}`)
    assert.equal((await stranger.call(method, url, body)).status, 404)
    assert.equal((await acme.call(method, url.replace(/[0-9a-f-]{36}/, newId()), body)).status, 404)
  }
})
