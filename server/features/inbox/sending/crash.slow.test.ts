import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../../testing/process.ts'
import { sweepLostMessagesJob } from '../jobs.ts'
import { recordStatuses } from '../receiving/record-statuses.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()
const owner = await connectOwner(app)

test('a server killed after the platform accepted a reply never resends it, and a later status corrects the message', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const doomed = await startProcess(await temporaryFolder(), {
    ROLE: 'api',
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
  })
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${acme.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'once and never again',
    },
    body: JSON.stringify({ body: 'Did you get this?' }),
  }
  const path = `inbox/messages/${received.ticketId}`
  const sent = platform.sent.length
  // The platform accepts the message and the sending process is killed before it reads the response.
  platform.next.push(async () => {
    await doomed.stop('SIGKILL')
  })
  await assert.rejects(fetch(`${doomed.url}/api/v1/${path}`, request))
  assert.equal(platform.sent.length, sent + 1)
  const messageId = platform.sent.at(-1).biz_opaque_callback_data

  // A retry with the same key gets 409 because the outcome is unknown. The message exists and is still `sent`.
  const again = await acme.call(
    'POST',
    path,
    { body: 'Did you get this?' },
    { 'idempotency-key': 'once and never again' },
  )
  assert.equal(again.status, 409, again.text)
  assert.match(again.body.detail, /interrupted before its outcome was known/)
  const ours = async () =>
    (await acme.call('GET', path)).body.messages.find(({ id }: { id: string }) => id === messageId)
  assert.deepEqual([(await ours()).status, (await ours()).chat_message_id], ['sent', ''])

  await owner.query(`update messages set created_at = now() - interval '3 minutes' where id = $1`, [messageId])
  await app.database.inSystem((tx) => tx.enqueue(sweepLostMessagesJob, {}))
  await until(async () => (await ours()).status === 'failed')
  assert.equal((await ours()).error.code, 'unknown')
  assert.equal((await acme.call('GET', path)).body.total, 2)
  assert.equal(platform.sent.length, sent + 1)

  const status = { channelId: acme.channelId, chatMessageId: 'wamid.late', callbackId: messageId, error: null }
  await app.database.inTenant(acme.scope, (tx) =>
    recordStatuses(tx, [{ ...status, status: 'delivered', at: new Date().toISOString() }], { mediaAddress: '' }),
  )
  const { status: word, error, chat_message_id } = await ours()
  assert.deepEqual([word, error, chat_message_id], ['delivered', null, 'wamid.late'])
  const { activities } = (await acme.call('GET', `contacts/${received.contactId}/activities?type=message_outbound`))
    .body
  assert.equal(activities.length, 1)
})

test('a server that receives SIGTERM while the platform does not answer exits cleanly and reports an unknown outcome', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const leaving = await startProcess(await temporaryFolder(), {
    ROLE: 'api',
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
  })
  const silence = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<number | null>()
  platform.next.push(() => {
    stopped.resolve(leaving.stop('SIGTERM'))
    return silence.promise
  })
  const answer = await fetch(`${leaving.url}/api/v1/inbox/messages/${received.ticketId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ body: 'Anybody there?' }),
  })
  assert.equal(answer.status, 502)
  assert.equal(await stopped.promise, 0)
  silence.resolve()
  const { messages } = (await acme.call('GET', `inbox/messages/${received.ticketId}?order=desc`)).body
  assert.deepEqual([messages[0].status, messages[0].error.code], ['failed', 'unknown'])
})

test('a status that arrives before the platform’s response is not overwritten by it', async () => {
  const received = await acme.receives({ from: newCustomer() })
  const arrive = (chatMessageId: string) => async (body: { biz_opaque_callback_data: string }) => {
    const status = { channelId: acme.channelId, chatMessageId, callbackId: body.biz_opaque_callback_data, error: null }
    await app.database.inTenant(acme.scope, (tx) =>
      recordStatuses(tx, [{ ...status, status: 'read', at: new Date().toISOString() }], { mediaAddress: '' }),
    )
  }
  platform.next.push(arrive('wamid.early') as never)
  const answer = await acme.call('POST', `inbox/messages/${received.ticketId}`, { body: 'Quick' })
  assert.deepEqual([answer.status, answer.body.status], [201, 'read'], answer.text)
  const { activities } = (await acme.call('GET', `contacts/${received.contactId}/activities?type=message_outbound`))
    .body
  assert.equal(activities.length, 1)
  assert.equal((await eventsOf(acme.call, answer.body.id, 'message.sent')).length, 1)
})
