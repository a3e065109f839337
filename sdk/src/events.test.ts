import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { startTestApp } from '../../server/testing/app.ts'
import { handling, listenLocally } from '../../server/testing/listen-locally.ts'
import { until } from '../../server/testing/process.ts'
import { startCuttableConnection } from '../testing/cuttable-connection.ts'
import { AuthenticationError, type api, createClient, verifyWebhook } from './index.ts'

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'], STREAM_HEARTBEAT_SECONDS: 0.2 } })
const address = await app.listen()
let numbers = 0
const nextNumber = () => `+1202555${String(1000 + numbers++)}`

test('a stream whose connection is cut repeatedly delivers every event once, in order', async () => {
  const { key } = await app.organization()
  const line = await startCuttableConnection(address)
  const client = createClient({ baseUrl: address, apiKey: key })
  const listener = createClient({ baseUrl: line.url, apiKey: key, retryDelayMs: 5 })
  const { id: first } = await client.contacts.create({ phone_number: nextNumber() })
  const [begin] = (await client.events.list({ limit: 1 })).data
  const heard: string[] = []
  const stream = listener.events.stream({ type: ['contact.created'] }, { lastEventId: begin?.id })
  const listening = (async () => {
    for await (const { data } of stream) if (heard.push(String(data.object.id)) === 12) return
  })()
  const made: string[] = []
  for (let i = 0; i < 12; i++) {
    if (i % 3 === 0) line.cut()
    made.push((await client.contacts.create({ phone_number: nextNumber() })).id)
    if (i % 4 === 0) await until(async () => heard.length > i)
  }
  await listening
  assert.deepEqual(heard, made)
  assert.ok(!heard.includes(first))
})

test('a connection cut before the first event loses no event', async () => {
  const { key } = await app.organization()
  const line = await startCuttableConnection(address)
  const client = createClient({ baseUrl: address, apiKey: key })
  let isAway = false
  const listener = createClient({
    ...{ baseUrl: line.url, apiKey: key, retryDelayMs: 5 },
    fetch: (...request) => (isAway ? Promise.reject(new TypeError('away')) : fetch(...request)),
  })
  const stream = listener.events.stream({ type: ['contact.created'] })
  const listening = (async () => {
    for await (const { data } of stream) return data.object.id
    return undefined
  })()
  await until(async () => stream.lastEventId !== undefined)
  isAway = true
  line.cut()
  const { id } = await client.contacts.create({ phone_number: nextNumber() })
  isAway = false
  assert.equal(await listening, id)
})

test('heartbeats keep an idle stream open, and it ends with its credential', async () => {
  const acme = await app.organization()
  const { id, secret } = await app.key(acme.id)
  const stream = createClient({ baseUrl: address, apiKey: secret, retryDelayMs: 5 }).events.stream(
    {},
    { idleTimeoutMs: 2000 },
  )
  const heard: api.Event[] = []
  const ended = assert.rejects(async () => {
    for await (const event of stream) heard.push(event)
  }, AuthenticationError)
  await until(async () => {
    await acme.call('POST', 'contacts', { phone_number: nextNumber() })
    return heard.length > 0
  })
  assert.equal(heard[0]?.organization_id, acme.id)
  await acme.call('DELETE', `keys/${id}`)
  await ended
})

test('a webhook is created, delivered and verified, and during a rotation either secret verifies it', async () => {
  const { key } = await app.organization()
  const client = createClient({ baseUrl: address, apiKey: key })
  const received: { body: Buffer; headers: IncomingHttpHeaders }[] = []
  const receiver = createServer(
    handling(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      received.push({ body: Buffer.concat(pieces), headers: request.headers })
      response.writeHead(204).end()
    }),
  )
  const { url } = await listenLocally(receiver)
  const webhook = await client.webhooks.create({ url: `${url}/`, events: ['contact.*'] })
  const contact = await client.contacts.create({ phone_number: nextNumber(), name: 'Ada' })
  /** The event of the newest delivery, once there are this many. */
  const delivered = async (count: number, secret: string | null) => {
    await until(async () => received.length >= count)
    return verifyWebhook({ ...(received[count - 1] as (typeof received)[0]), secret: secret as string })
  }
  const created = await delivered(1, webhook.secret)
  assert.deepEqual([created.type, created.data.object.id], ['contact.created', contact.id])
  const rotated = await client.webhooks.rotateSecret(webhook.id, { overlap_seconds: 3600 })
  // The worker may still sign with the former secret alone.
  let count = 1
  await until(async () => {
    await client.contacts.update(contact.id, { name: `Grace ${++count}` })
    assert.equal((await delivered(count, webhook.secret)).type, 'contact.updated')
    return String(received[count - 1]?.headers['webhook-signature']).includes(' ')
  })
  assert.equal((await delivered(count, rotated.secret)).type, 'contact.updated')
})
