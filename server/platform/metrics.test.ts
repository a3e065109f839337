import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobKinds } from '../app.ts'
import { ok, startTestApp } from '../testing/app.ts'
import { createReceptionist, place } from '../testing/calls.ts'
import { campaigner } from '../testing/campaigns.ts'
import { connectOwner } from '../testing/connect-owner.ts'
import { startLlmServer } from '../testing/llm-server.ts'
import { readMetrics } from '../testing/metrics.ts'
import { until } from '../testing/process.ts'
import { makeWebhook, receiver } from '../testing/webhook-receivers.ts'

const llm = await startLlmServer()
const settings = { ...llm.settings, OUTBOUND_ALLOW: ['127.0.0.1'], WEBHOOK_RETRY_SECONDS: ['3600'] }
const app = await startTestApp({ settings })
await app.listen()
const org = await campaigner(app)

const untilMetric = (name: string, atLeast: number) =>
  until(async () => ((await readMetrics(app)).get(name) ?? 0) >= atLeast)

test('a worker counts what it processes, by queue and outcome', async () => {
  const [good, bad] = [await receiver(), await receiver((response) => void response.writeHead(500).end())]
  await makeWebhook(org.call, good.url, ['contact.created'])
  await makeWebhook(org.call, bad.url, ['contact.created'])
  const contacts = await org.contacts(2)
  await untilMetric('frontdesk_queue_processed_total{queue="webhook_deliveries",outcome="succeeded"}', 2)
  await untilMetric('frontdesk_queue_processed_total{queue="webhook_deliveries",outcome="failed"}', 1)
  await untilMetric('frontdesk_webhook_attempt_duration_seconds_count{status="2xx"}', 2)
  await untilMetric('frontdesk_webhook_attempt_duration_seconds_count{status="5xx"}', 1)
  await untilMetric('frontdesk_queue_processed_total{queue="events:webhooks",outcome="succeeded"}', 2)
  const { id } = await org.send(contacts)
  await org.until(id, ({ status }) => status === 'completed')
  await untilMetric('frontdesk_queue_processed_total{queue="campaign_deliveries",outcome="succeeded"}', 2)
  await untilMetric('frontdesk_queue_processed_total{queue="templates.register",outcome="succeeded"}', 1)
  assert.equal((await readMetrics(app)).get('frontdesk_campaigns{state="completed"}'), 1)
})

test('models are counted by provider and model, and a model that never answered is no label', async () => {
  const live = await app.organization({ mode: 'live' })
  const chat = async (llm_model: string) => {
    const agent = { name: llm_model, agent_config: { llm_provider: 'openai', llm_model } }
    const { body } = await live.call('POST', 'agents', agent)
    return live.call('POST', `agents/${body.id}/chat`, { message: 'Hello' })
  }
  assert.equal((await chat('gpt-5-mini')).status, 200)
  llm.next.push({ status: 404 })
  assert.equal((await chat('misspelt')).status, 502)
  const metrics = await readMetrics(app)
  const of = 'provider="openai",model="gpt-5-mini"'
  assert.equal(metrics.get(`frontdesk_model_requests_total{${of},outcome="succeeded"}`), 1)
  assert.equal(metrics.get('frontdesk_model_requests_total{provider="openai",model="other",outcome="refused"}'), 1)
  assert.equal(metrics.get(`frontdesk_model_tokens_total{${of},direction="input"}`), 12)
  assert.equal(metrics.get(`frontdesk_model_tokens_total{${of},direction="output"}`), 7)
  assert.equal(metrics.get(`frontdesk_model_cost_usd_total{${of}}`), (12 * 0.25 + 7 * 2) / 1_000_000)
  assert.equal(metrics.get(`frontdesk_model_first_token_seconds_count{${of}}`), 1)
  assert.ok(![...metrics.keys()].some((name) => name.includes('misspelt')))
})

test('without workers, queues show how many items wait and for how long', async () => {
  const api = await app.node({ ROLE: 'api' })
  const agent_id = await createReceptionist(org)
  await until(async () => (await readMetrics(api)).get('frontdesk_queue_waiting{queue="events:webhooks"}') === 0)
  await app.close()
  const call = api.as(org.key)
  ok(await call('POST', 'contacts', { phone_number: '+14155550177', name: 'Ada' }), 201)
  await place({ ...org, call }, { agent_id, to_number: '+14155550142' })
  let metrics = await readMetrics(api)
  const waits = (queue: string) => {
    const [n, seconds] = ['waiting', 'oldest_seconds'].map((of) =>
      metrics.get(`frontdesk_queue_${of}{queue="${queue}"}`),
    )
    return [n, seconds !== undefined && seconds > 0]
  }
  assert.deepEqual(waits('calls'), [1, true])
  // Contact and call have an event each. They wait once all older transactions, of other tests too, have ended.
  await until(async () => {
    metrics = await readMetrics(api)
    return waits('events:webhooks')[1] === true
  })
  assert.deepEqual(waits('inbound_webhooks'), [0, false])
  assert.deepEqual(waits('campaign_deliveries'), [0, false])
  // The two that failed are due again in an hour.
  assert.deepEqual(waits('webhook_deliveries'), [2, false])
  assert.equal(metrics.get('frontdesk_calls{state="queued"}'), 1)
  assert.equal(metrics.get('frontdesk_gauge_read_failures_total'), 0)
  // Every queue is one of ours: the job library's own is none that an operator knows.
  const known = new Set(['calls', 'inbound_webhooks', 'campaign_deliveries', 'webhook_deliveries'])
  for (const { name } of jobKinds) known.add(name)
  for (const sample of metrics.keys()) {
    const [, queue] = /^frontdesk_(?:jobs|queue_\w+)\{.*queue="(?!events:)([^"]+)"/.exec(sample) ?? []
    assert.ok(queue === undefined || known.has(queue), sample)
  }
})

test('a gauge that cannot be read is left out, and the rest of the scrape is answered', async () => {
  const node = await app.node({ ROLE: 'api' })
  const owner = await connectOwner(app)
  await owner.query('alter table kept_hooks rename to kept_hooks_elsewhere')
  const metrics = await readMetrics(node)
  assert.ok(!metrics.has('frontdesk_incoming_hooks{state="waiting"}'))
  assert.equal(metrics.get('frontdesk_gauge_read_failures_total'), 1)
  assert.equal(metrics.get('frontdesk_calls{state="queued"}'), 1)
  assert.ok(metrics.has('nodejs_eventloop_lag_p99_seconds'))
})
