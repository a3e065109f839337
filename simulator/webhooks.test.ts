import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../server/testing/process.ts'
import { startTestSimulator, type TestSimulator } from '../server/testing/simulator.ts'
import { createMemoryStore } from './store.ts'

const hello = (more: object = {}) => ({
  type: 'template',
  template: {
    name: 'hello',
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
  },
  ...more,
})
async function sendMany(simulator: TestSimulator, count: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) => simulator.send(`+1415556${1000 + i}`, hello())),
  )
  return answers.map(({ status, text, body }) => {
    assert.equal(status, 200, text)
    return body.messages[0].id
  })
}
const fast = { throughput: 100_000 }

const simulator = await startTestSimulator()
await simulator.template('hello')

test('many updates travel together, up to the configured size', async () => {
  const busy = await startTestSimulator()
  await busy.template('hello')
  await busy.control('PATCH', 'knobs', { ...fast, batch_wait_ms: 1_000 })
  const ids = await sendMany(busy, 40)
  await until(async () => ids.every((id) => busy.listener.statuses(id).length === 3))
  const posts = new Set(busy.listener.updates.map(({ post }) => post))
  assert.ok(posts.size < 20, `${posts.size} posts for 120 statuses`)
  await busy.control('PATCH', 'knobs', { batch_size: 1 })
  const [single] = await sendMany(busy, 1)
  await until(async () => busy.listener.statuses(single as string).length === 3)
  const own = busy.listener.updates.filter(({ value }) => value.id === single).map(({ post }) => post)
  assert.equal(new Set(own).size, 3)
})

test('statuses can arrive twice, in reverse, late or never', async () => {
  const cruel = await startTestSimulator()
  await cruel.template('hello')
  const turn = (knobs: object) => cruel.control('PATCH', 'knobs', { ...fast, ...knobs })
  const told = async (count: number) => {
    const [id] = (await sendMany(cruel, 1)) as [string]
    await until(async () => cruel.listener.statuses(id).length >= count)
    return cruel.listener.updates.filter(({ value }) => value.id === id)
  }
  await turn({ duplicates: 2 })
  const twice = await told(9)
  assert.equal(twice.filter(({ value }) => value.status === 'read').length, 3)
  await turn({ duplicates: 0, order: 'reversed' })
  assert.deepEqual(
    (await told(3)).map(({ value }) => value.status),
    ['read', 'delivered', 'sent'],
  )
  await turn({ order: 'in_order', skip_delivered: true })
  assert.deepEqual(
    (await told(2)).map(({ value }) => value.status),
    ['sent', 'read'],
  )
  await turn({ skip_delivered: false, webhooks: false })
  const [held] = (await sendMany(cruel, 1)) as [string]
  await until(async () => (await cruel.control('GET', 'pending')).body.webhooks === 3)
  assert.deepEqual(cruel.listener.statuses(held), [])
  await turn({ webhooks: true })
  await until(async () => cruel.listener.statuses(held).length === 3)
  await turn({ delay_ms: 150 })
  const begun = performance.now()
  await told(3)
  assert.ok(performance.now() - begun >= 145)
  await cruel.control('DELETE', 'knobs')
  assert.equal((await cruel.control('GET', 'knobs')).body.delay_ms, 0)
})

test('shuffled statuses all arrive', async () => {
  const mixed = await startTestSimulator()
  await mixed.template('hello')
  await mixed.control('PATCH', 'knobs', { ...fast, order: 'shuffled', batch_size: 3, batch_wait_ms: 20 })
  const ids = await sendMany(mixed, 20)
  await until(async () => ids.every((id) => mixed.listener.statuses(id).length === 3))
  for (const id of ids) assert.deepEqual(mixed.listener.statuses(id).sort(), ['delivered', 'read', 'sent'])
  assert.notEqual(ids.filter((id) => mixed.listener.statuses(id).join() === 'sent,delivered,read').length, 20)
})

test('a message held for quality is reported when it is released', async () => {
  const careful = await startTestSimulator()
  await careful.template('hello')
  await careful.control('PATCH', 'knobs', { held_for_quality: true })
  const answer = await careful.send('+14155550177', hello())
  assert.equal(answer.body.messages[0].message_status, 'held_for_quality_assessment')
  const { id } = answer.body.messages[0]
  assert.deepEqual(careful.listener.statuses(id), [])
  await careful.control('PATCH', 'knobs', { held_for_quality: false })
  await until(async () => careful.listener.statuses(id).length === 3)
})

test('a webhook that is not answered with 200 is posted again', async () => {
  const stubborn = await startTestSimulator()
  stubborn.listener.answerWith(500)
  const id = await stubborn.writeFrom('+14155550177')
  await until(async () => (await stubborn.control('GET', 'pending')).body.webhooks === 1)
  stubborn.listener.answerWith(202)
  stubborn.listener.answerWith(200)
  await stubborn.listener.hear(({ value }) => value.id === id)
})

test('any webhook payload can be sent', async () => {
  const value = { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } }
  await simulator.control('POST', 'webhooks', {
    phone_number_id: simulator.phoneNumberId,
    field: 'account_update',
    value,
  })
  const heard = await simulator.listener.hear(({ field }) => field === 'account_update')
  assert.deepEqual(heard.value, value)
})

test('webhooks pending at the end are sent by the next simulator', async () => {
  const store = createMemoryStore()
  const first = await startTestSimulator({ store, speed: 0.001 })
  await first.control(
    'POST',
    `templates/${(await first.graph('POST', `${first.account}/message_templates`, { name: 'hello', language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hi.' }] })).body.id}/events`,
    { event: 'approve' },
  )
  first.listener.answerWith(500)
  const inboundId = await first.writeFrom('+14155550177')
  const sent = await first.send('+14155550177', { type: 'text', text: { body: 'later' } })
  await first.close()
  first.listener.answerWith(200)
  await startTestSimulator({ store, speed: 0 })
  await first.listener.hear(({ value }) => value.id === inboundId)
  assert.equal(sent.status, 200)
  assert.deepEqual(await store.list('pending'), [])
})

test('outages refuse, fail, hang or drop the answer', async () => {
  const broken = await startTestSimulator()
  await broken.template('hello')
  const outage = (given: object) => broken.control('POST', 'outage', given)
  await outage({ kind: 'refuse', requests: 1, on: 'messages' })
  await assert.rejects(broken.send('+14155550177', hello()))
  await outage({ kind: 'error', requests: 1 })
  assert.equal((await broken.send('+14155550177', hello())).status, 503)
  assert.equal((await broken.control('GET', 'ledger')).body.accepted, 0)
  await outage({ kind: 'lost_answer', requests: 1 })
  await assert.rejects(broken.send('+14155550177', hello({ biz_opaque_callback_data: 'lost' })))
  assert.equal((await broken.control('GET', 'ledger?callback_data=lost')).body.accepted, 1)
  await outage({ kind: 'timeout', requests: 1, on: 'templates' })
  assert.equal((await broken.send('+14155550177', hello())).status, 200)
  const hanging = fetch(`${broken.url}/v19.0/${broken.account}/message_templates`, {
    headers: { authorization: `Bearer ${broken.token}` },
    signal: AbortSignal.timeout(2_000),
  })
  await assert.rejects(hanging, { name: 'TimeoutError' })
  assert.equal((await broken.graph('GET', `${broken.account}/message_templates`)).status, 200)
  await outage({ kind: 'error', for_ms: 50 })
  await until(async () => (await broken.send('+14155550177', hello())).status === 200)
  await broken.control('PATCH', 'knobs', { error_rate: 1, error_code: 131016 })
  const failing = await broken.send('+14155550177', hello())
  assert.deepEqual([failing.status, failing.body.error.code], [500, 131016])
})

test('the control API is for this machine, and another site’s page cannot use it', async () => {
  const { url } = simulator
  const asForm = await fetch(`${url}/simulator/knobs`, { method: 'PATCH', body: '{"duplicates":3}' })
  assert.equal(asForm.status, 415)
  const { request } = await import('node:http')
  const status = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      const { port } = new URL(url)
      request({ port, host: '127.0.0.1', path: '/simulator/knobs', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).end()
    })
  assert.equal(await status({ host: 'evil.example.com' }), 403)
  assert.equal(await status({ host: 'localhost' }), 200)
  const guarded = await startTestSimulator({ controlToken: 'turn it' })
  const there = (token: string) =>
    new Promise((resolve) => {
      const { port } = new URL(guarded.url)
      const headers = { host: 'sim.internal', authorization: `Bearer ${token}` }
      request({ port, host: '127.0.0.1', path: '/simulator/knobs', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).end()
    })
  assert.deepEqual([await there('turn it'), await there('turn'), await there('')], [200, 403, 403])
})

test('the customer page is served, and nothing else', async () => {
  const page = await fetch(`${simulator.url}/`)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /text\/html/)
  for (const path of ['/../store.ts', '/constructor', '/simulator.ts', '/v19.0'])
    assert.equal((await fetch(simulator.url + path)).status, 404, path)
})

test('the transcript shows both sides and the outcome of each message', async () => {
  const person = '+14155550188'
  const wrote = await simulator.writeFrom(person, 'anybody there?')
  const { id } = (await simulator.send(person, { type: 'text', text: { body: 'yes' } })).body.messages[0]
  await simulator.graph('POST', `${simulator.phoneNumberId}/messages`, {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: wrote,
  })
  await until(async () => simulator.listener.statuses(id).length === 3)
  const { data } = (await simulator.control('GET', 'transcript')).body
  const shown = data.filter((entry: { person: string }) => entry.person === '14155550188')
  assert.deepEqual(
    shown.map(({ direction, text, status }: Record<string, string>) => [direction, text, status]).sort(),
    [
      ['from_customer', 'anybody there?', 'read'],
      ['to_customer', 'yes', 'read'],
    ],
  )
  const { seq } = data.at(-1)
  assert.deepEqual((await simulator.control('GET', `transcript?after=${seq}`)).body.data, [])
})
