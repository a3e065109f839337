import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { freePort, until } from '../../../testing/process.ts'
import {
  makeWebhook,
  receiver,
  seeDeliveries,
  seeWebhook,
  untilDelivery,
  verify,
} from '../../../testing/webhook-receivers.ts'

const retryDelays = ['0.2', '0.3', '0.4']
const settings = { OUTBOUND_ALLOW: ['127.0.0.1'], WEBHOOK_RETRY_SECONDS: retryDelays, WEBHOOK_CONCURRENCY: 24 }
const app = await startTestApp({ settings: { ...settings, WEBHOOK_TIMEOUT_SECONDS: 60 } })

let people = 0
const newContact = async (call: (typeof app)['call']) => {
  const answer = await call('POST', 'contacts', { phone_number: `+1415555${String(1000 + ++people)}`, name: 'Ada' })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('an event reaches the endpoints that subscribe to it, and the public library verifies it', async () => {
  const { id: organization_id, call } = await app.organization()
  const [wanting, other] = [await receiver(), await receiver()]
  const webhook = await makeWebhook(call, `${wanting.url}/in?x=1#part`, ['contact.*'])
  await makeWebhook(call, other.url, ['task.created', 'call.*'])
  const contact = await newContact(call)
  const task = (await call('POST', 'crm/tasks', { contact_id: contact.id, title: 'Call back' })).body
  await until(async () => wanting.received.length === 1 && other.received.length === 1)
  const [got] = wanting.received as [(typeof wanting.received)[0]]
  const [event] = (await call('GET', 'events?type=contact.created')).body.data
  assert.deepEqual(verify(webhook.secret, got), { ...event, timestamp: event.created_at })
  assert.deepEqual([got.event.organization_id, got.event.data.object], [organization_id, contact])
  assert.equal(got.path, '/in?x=1')
  assert.equal(got.headers['webhook-id'], event.id)
  assert.equal(got.headers['content-type'], 'application/json')
  assert.throws(() => verify(webhook.secret, { ...got, body: got.body.replace('Ada', 'Eve') }))
  assert.throws(() => verify(`whsec_${Buffer.from('another secret altogether').toString('base64')}`, got))
  assert.deepEqual(other.received[0]?.event.data.object, task)

  const delivery = await untilDelivery(call, webhook.id, event.id, ({ status }) => status === 'succeeded')
  const { attempted_at, created_at, duration_ms, request, ...rest } = delivery
  assert.deepEqual(rest, {
    id: event.id,
    webhook_id: webhook.id,
    organization_id,
    event_type: 'contact.created',
    status: 'succeeded',
    attempts: 1,
    next_attempt_at: null,
    response: { status: 200, body: 'ok' },
    error: null,
    history: [],
    livemode: false,
  })
  assert.equal(request?.body, got.body)
  assert.equal(request?.url, webhook.url)
  assert.equal(request?.headers['webhook-timestamp'], got.headers['webhook-timestamp'])
  assert.ok(attempted_at && attempted_at >= created_at.slice(0, 10) && duration_ms !== null)
})

test('each mode and each organization has its own endpoints', async () => {
  const org = await app.organization()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const stranger = await app.organization()
  const [tests, lives, strangers] = [await receiver(), await receiver(), await receiver()]
  await makeWebhook(org.call, tests.url)
  await makeWebhook(live, lives.url)
  await makeWebhook(stranger.call, strangers.url)
  const contact = await newContact(live)
  await until(async () => lives.received.length === 1)
  assert.deepEqual([lives.received[0]?.event.livemode, lives.received[0]?.event.data.object], [true, contact])
  await newContact(org.call)
  await until(async () => tests.received.length === 1)
  assert.deepEqual([tests.received.length, lives.received.length, strangers.received.length], [1, 1, 0])
})

test('a failed delivery is retried with the same id, on schedule, until it succeeds', async () => {
  const { call } = await app.organization()
  const flaky = await receiver((response, { id }) => {
    const attempts = flaky.received.filter((each) => each.id === id).length
    response.statusCode = attempts < 3 ? 500 : 204
    response.end(attempts < 3 ? 'out of order' : undefined)
  })
  const webhook = await makeWebhook(call, flaky.url)
  await newContact(call)
  await until(async () => flaky.received.length === 3)
  const [first, second, third] = flaky.received as [(typeof flaky.received)[0], never, never]
  const ids = new Set(flaky.received.map(({ id }) => id))
  assert.equal(ids.size, 1)
  for (const each of flaky.received) verify(webhook.secret, each)
  const waits = [(second as typeof first).at - first.at, (third as typeof first).at - (second as typeof first).at]
  for (const [i, wait] of waits.entries()) assert.ok(wait >= Number(retryDelays[i]) * 1000 - 5, `${wait} ms`)
  const delivery = await untilDelivery(call, webhook.id, first.id, ({ status }) => status === 'succeeded')
  assert.deepEqual([delivery.attempts, delivery.response], [3, { status: 204, body: '' }])
  assert.deepEqual(
    delivery.history.map(({ response_status, error }) => [response_status, error]),
    [
      [500, 'The endpoint returned status 500'],
      [500, 'The endpoint returned status 500'],
    ],
  )
  await until(async () => (await seeWebhook(call, webhook.id)).failing_since === null)
})

test('a delivery fails after its last retry; it can be retried by request, and missed events can be recovered', async () => {
  const { call } = await app.organization()
  const broken = await receiver((response) => void response.writeHead(503).end())
  const webhook = await makeWebhook(call, broken.url, ['contact.created'])
  const contact = await newContact(call)
  const [event] = (await call('GET', 'events')).body.data
  const failed = await untilDelivery(call, webhook.id, event.id, ({ status }) => status === 'failed')
  assert.deepEqual([failed.attempts, failed.next_attempt_at, failed.history.length], [4, null, 3])
  assert.ok((await seeWebhook(call, webhook.id)).failing_since)

  broken.answer = (response) => void response.end()
  const retried = await call('POST', `webhooks/${webhook.id}/deliveries/${event.id}/retry`)
  assert.deepEqual([retried.status, retried.body.status], [200, 'pending'])
  const done = await untilDelivery(call, webhook.id, event.id, ({ status }) => status === 'succeeded')
  assert.deepEqual([done.attempts, done.history.length], [5, 4])

  // A disabled endpoint receives nothing, and no deliveries are stored for it.
  await call('PATCH', `webhooks/${webhook.id}`, { status: 'disabled' })
  const missed = await newContact(call)
  for (const path of ['test', `deliveries/${event.id}/retry`]) {
    const refused = await call('POST', `webhooks/${webhook.id}/${path}`)
    assert.equal(refused.status, 409, refused.text)
  }
  assert.equal((await call('POST', `webhooks/${webhook.id}/recover`, { since: event.created_at })).status, 409)
  await call('PATCH', `webhooks/${webhook.id}`, { status: 'enabled' })
  const delivered = await newContact(call)
  const phones = () => broken.received.map(({ event: got }) => got.data.object.phone_number)
  await until(async () => phones().includes(delivered.phone_number))
  assert.ok(!phones().includes(missed.phone_number))

  const recovered = await call('POST', `webhooks/${webhook.id}/recover`, { since: event.created_at })
  assert.deepEqual([recovered.status, recovered.body], [200, { recovered: 1, has_more: false }], recovered.text)
  await until(async () => phones().includes(missed.phone_number))
  await until(async () => (await seeDeliveries(call, webhook.id, '&status=pending')).length === 0)
  assert.equal(phones().filter((phone) => phone === contact.phone_number).length, 5)
  const again = await call('POST', `webhooks/${webhook.id}/recover`, { since: '2020-01-01T00:00:00Z' })
  assert.deepEqual(again.body, { recovered: 0, has_more: false })
})

test('a ping reaches the tested endpoint whatever it subscribes to, and no other', async () => {
  const { call } = await app.organization()
  const [tested, other] = [await receiver(), await receiver()]
  const webhook = await makeWebhook(call, tested.url, ['call.ended'])
  await makeWebhook(call, other.url, ['*'])
  const { status, body } = await call('POST', `webhooks/${webhook.id}/test`)
  assert.deepEqual([status, body.status, body.event_type], [200, 'pending', 'ping'])
  await until(async () => tested.received.length === 1)
  const [got] = tested.received as [(typeof tested.received)[0]]
  assert.deepEqual([got.id, got.event.type, got.event.data.object.id], [body.id, 'ping', webhook.id])
  verify(webhook.secret, got)
  await newContact(call)
  await until(async () => other.received.length > 0)
  assert.deepEqual(
    other.received.map(({ event }) => event.type),
    ['contact.created'],
  )
})

test('after a rotation deliveries are signed with both secrets until the old one expires', async () => {
  const { call } = await app.organization()
  const endpoint = await receiver()
  const webhook = await makeWebhook(call, endpoint.url)
  /** The first of several test deliveries that has this number of signatures. */
  const signedTimes = async (signatures: number) => {
    const last = () => endpoint.received.at(-1) as (typeof endpoint.received)[0]
    await until(async () => {
      const before = endpoint.received.length
      await call('POST', `webhooks/${webhook.id}/test`)
      await until(async () => endpoint.received.length > before)
      return String(last().headers['webhook-signature']).split(' ').length === signatures
    })
    return last()
  }
  const rotated = await call('POST', `webhooks/${webhook.id}/rotate-secret`, { overlap_seconds: 3600 })
  assert.equal(rotated.status, 200, rotated.text)
  assert.match(rotated.body.secret, /^whsec_/)
  assert.ok(Date.parse(rotated.body.former_secret_expires_at) > Date.now() + 3_000_000)
  // The worker may still sign with the old secret alone. Once it has the new one there are two signatures, the newest
  // first.
  const both = await signedTimes(2)
  for (const secret of [webhook.secret, rotated.body.secret]) verify(secret, both)
  const [newest] = String(both.headers['webhook-signature']).split(' ')
  verify(rotated.body.secret, { ...both, headers: { ...both.headers, 'webhook-signature': newest as string } })

  const last = (await call('POST', `webhooks/${webhook.id}/rotate-secret`, { overlap_seconds: 0 })).body
  assert.equal(last.former_secret_expires_at, null)
  const alone = await signedTimes(1)
  verify(last.secret, alone)
  for (const secret of [webhook.secret, rotated.body.secret]) assert.throws(() => verify(secret, alone))
})

test('an endpoint that answers 410 is disabled at once, and other webhooks receive the event', async () => {
  const { call } = await app.organization()
  const [gone, watching] = [await receiver((response) => void response.writeHead(410).end()), await receiver()]
  const webhook = await makeWebhook(call, gone.url, ['contact.created'])
  await makeWebhook(call, watching.url, ['webhook.*'])
  await newContact(call)
  await until(async () => watching.received.length === 1)
  const seen = await seeWebhook(call, webhook.id)
  assert.deepEqual([seen.status, seen.disabled_reason], ['disabled', 'gone'])
  assert.ok(seen.disabled_at)
  const [{ event }] = watching.received as [(typeof watching.received)[0]]
  assert.deepEqual([event.type, event.data], ['webhook.disabled', { object: seen, previous: { status: 'enabled' } }])
  const [delivery] = await seeDeliveries(call, webhook.id)
  assert.deepEqual([delivery?.status, delivery?.response?.status], ['failed', 410])
  await newContact(call)
  await until(async () => (await call('GET', 'events?type=contact.created')).body.total_count === 2)
  assert.equal(gone.received.length, 1)
})

test('Retry-After pauses the whole endpoint, including later events', async () => {
  const { call } = await app.organization()
  const busy = await receiver((response) => void response.writeHead(429, { 'retry-after': '2' }).end())
  const webhook = await makeWebhook(call, busy.url)
  await newContact(call)
  await until(async () => busy.received.length === 1)
  const [{ id, at }] = busy.received as [(typeof busy.received)[0]]
  busy.answer = (response) => void response.end()
  // Until its response has arrived, other events are sent beside it.
  await untilDelivery(call, webhook.id, id, ({ attempts }) => attempts === 1)
  await newContact(call)
  await until(async () => busy.received.length === 3)
  for (const each of busy.received.slice(1)) assert.ok(each.at >= at + 1_990, `${each.at - at} ms`)
  await until(async () => (await seeDeliveries(call, webhook.id, '&status=succeeded')).length === 2)
})

test('redirects are not followed, and an endless response is cut off', async () => {
  const { call } = await app.organization()
  const inside = await receiver()
  const redirecting = await receiver((response) => void response.writeHead(302, { location: inside.url }).end())
  const endless = await receiver((response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('x'.repeat(20_000)), 5)
    response.once('close', () => clearInterval(timer))
  })
  const unreachable = `http://127.0.0.1:${await freePort()}/`
  const webhooks = [
    await makeWebhook(call, redirecting.url),
    await makeWebhook(call, endless.url),
    await makeWebhook(call, unreachable),
  ]
  await newContact(call)
  const [event] = (await call('GET', 'events')).body.data
  const ends = await Promise.all(
    webhooks.map(({ id }) => untilDelivery(call, id, event.id, ({ status }) => status !== 'pending')),
  )
  assert.deepEqual(
    ends.map(({ status, attempts, response, error }) => [status, attempts, response?.status ?? null, error]),
    [
      ['failed', 4, 302, 'The endpoint returned status 302'],
      ['succeeded', 1, 200, null],
      ['failed', 4, null, `${new URL(unreachable).host}: no connection could be made`],
    ],
  )
  assert.equal(ends[1]?.response?.body.length, 2000)
  assert.equal(inside.received.length, 0)
})

test('a silent endpoint times out', async () => {
  const impatient = await startTestApp({ settings: { ...settings, WEBHOOK_TIMEOUT_SECONDS: 2 } })
  const { call } = await impatient.organization()
  const silent = await receiver(() => {})
  const webhook = await makeWebhook(call, silent.url)
  const { id } = (await call('POST', `webhooks/${webhook.id}/test`)).body
  const { attempts, response, error } = await untilDelivery(call, webhook.id, id, ({ status }) => status === 'failed')
  const words = `${new URL(silent.url).host}: no complete answer within the time limit`
  assert.deepEqual([attempts, response, error], [4, null, words])
})

test('a dropped connection is one failed attempt, and the next one follows the schedule', async () => {
  const { call } = await app.organization()
  const dropping = await receiver((response) => {
    if (dropping.received.length === 1) response.socket?.destroy()
    else response.end()
  })
  const webhook = await makeWebhook(call, dropping.url)
  await newContact(call)
  await until(async () => (await seeDeliveries(call, webhook.id, '&status=succeeded')).length === 1)
  const [first, second] = dropping.received as [(typeof dropping.received)[0], (typeof dropping.received)[0]]
  const delivery = await untilDelivery(call, webhook.id, first.id, ({ status }) => status === 'succeeded')
  assert.deepEqual([delivery.attempts, dropping.received.length], [2, 2])
  assert.deepEqual(
    delivery.history.map(({ response_status, error }) => [response_status, error]),
    [[null, `${new URL(dropping.url).host}: the connection ended before the answer was complete`]],
  )
  assert.ok(second.at - first.at >= Number(retryDelays[0]) * 1000 - 5, `${second.at - first.at} ms`)
})

test('an internal address is refused when it is called, not only when it is saved', async () => {
  const { call } = await app.organization()
  const addresses = [
    'http://127.0.0.2/',
    'http://2130706434/',
    'http://[::ffff:7f00:2]/',
    'http://[::1]/',
    'http://10.0.0.1/',
  ]
  const webhooks = await Promise.all(addresses.map(() => makeWebhook(call, 'https://example.com/', ['task.created'])))
  for (const [i, { id }] of webhooks.entries())
    await app.database.forSystem().run`update webhooks set url = ${addresses[i]} where id = ${id}`
  const contact = await newContact(call)
  await call('POST', 'crm/tasks', { contact_id: contact.id, title: 'x' })
  const [event] = (await call('GET', 'events?type=task.created')).body.data
  for (const { id } of webhooks) {
    const { error } = await untilDelivery(call, id, event.id, ({ attempts }) => attempts > 0)
    assert.match(error ?? '', /an address of this machine or its network, which may not be called$/)
  }
})

test('a response is stored as text, whatever its bytes', async () => {
  const { call } = await app.organization()
  const odd = await receiver((response) => void response.end(Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x62])))
  const webhook = await makeWebhook(call, odd.url)
  await newContact(call)
  await until(async () => (await seeDeliveries(call, webhook.id, '&status=succeeded')).length === 1)
  const [delivery] = await seeDeliveries(call, webhook.id)
  assert.match(delivery?.response?.body ?? '', /^a[^\0]+b$/)
})

test('hanging endpoints do not take the slots of those that answer', async () => {
  const { call } = await app.organization()
  const hanging = await Promise.all(Array.from({ length: 12 }, () => receiver(() => {})))
  for (const { url } of hanging) await makeWebhook(call, url)
  for (let n = 0; n < 8; n++) await newContact(call)
  await until(async () => hanging.every(({ received }) => received.length > 0))
  // By now all but a few slots are taken, and none has been released.
  const well = await receiver()
  const webhook = await makeWebhook(call, well.url)
  await newContact(call)
  await until(async () => well.received.length === 1)
  const waiting = await Promise.all(
    (await call('GET', 'webhooks?limit=100')).body.data
      .filter(({ id }: { id: string }) => id !== webhook.id)
      .map(({ id }: { id: string }) => seeDeliveries(call, id, '&status=pending')),
  )
  assert.ok(waiting.some((deliveries) => deliveries.length > 0))
})

test('an endpoint that has failed for too long is disabled, and its pending deliveries continue once it is enabled again', async () => {
  const { call } = await app.organization()
  const broken = await receiver((response) => void response.writeHead(500).end())
  const webhook = await makeWebhook(call, broken.url, ['contact.created'])
  await app.database.forSystem().run`update endpoint_leases set failing_since = now() - interval '6 days'
    where webhook_id = ${webhook.id}`
  await newContact(call)
  await until(async () => (await seeWebhook(call, webhook.id)).status === 'disabled')
  const seen = await seeWebhook(call, webhook.id)
  assert.equal(seen.disabled_reason, 'failing')
  const [event] = (await call('GET', 'events?type=webhook.disabled')).body.data
  assert.equal(event.data.object.id, webhook.id)
  const [delivery] = await seeDeliveries(call, webhook.id)
  assert.equal(delivery?.status, 'pending')
  broken.answer = (response) => void response.end()
  await call('PATCH', `webhooks/${webhook.id}`, { status: 'enabled' })
  await until(async () => (await seeDeliveries(call, webhook.id, '&status=succeeded')).length === 1)
  await until(async () => (await seeWebhook(call, webhook.id)).failing_since === null)
})
