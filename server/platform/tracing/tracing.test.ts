import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'
import { createReceptionist, ended } from '../../testing/calls.ts'
import { campaigner } from '../../testing/campaigns.ts'
import { connectChannel, messagesTo, payloadOf, signatureOf, textFrom } from '../../testing/hooks.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { type CollectedSpan, startCollector } from '../../testing/otlp-collector.ts'
import { until } from '../../testing/process.ts'
import { makeWebhook, receiver } from '../../testing/webhook-receivers.ts'
import { createLog } from '../log.ts'

const collector = await startCollector()
const llm = await startLlmServer()
const lines: Record<string, unknown>[] = []
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
const app = await startTestApp({
  log,
  settings: {
    ...llm.settings,
    OUTBOUND_ALLOW: ['127.0.0.1'],
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: 20,
    OTEL_METRIC_EXPORT_INTERVAL: 100,
  },
  prepare: ({ server }) => {
    server.get('/log-a-line', (request, reply) => {
      request.log.info({ answer: 42 }, 'test: line, with details')
      reply.send({})
    })
  },
})
await app.listen()
const acme = await app.organization()
const [channel] = (await acme.call('GET', 'channels')).body.data

function newTrace() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } }
}

/** Waits until the trace has these spans, each the child of the one before it. */
async function untilChain(traceId: string, ...names: RegExp[]): Promise<CollectedSpan[]> {
  const find = () =>
    names.reduce<CollectedSpan[][]>(
      (chains, name, i) =>
        chains.flatMap((chain) =>
          collector
            .trace(traceId)
            .filter((span) => name.test(span.name) && (i === 0 || span.parentSpanId === chain.at(-1)?.spanId))
            .map((span) => [...chain, span]),
        ),
      [[]],
    )[0]
  await until(async () => find() !== undefined).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(collector.trace(traceId), undefined, 1)}`)
  })
  return find() as CollectedSpan[]
}

test('one trace spans the request, its transaction, the job and the request to the provider', async () => {
  const { traceId, spanId, headers } = newTrace()
  const template = {
    channel_id: channel.id,
    name: 'traced',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'The doors open at nine.' }],
  }
  assert.equal((await acme.call('POST', 'templates', template, headers)).status, 201)
  const [request, transaction, job, provider] = await untilChain(
    traceId,
    /^POST \/api\/v1\/templates$/,
    /^transaction$/,
    /^job templates\.register$/,
    /^POST 127\.0\.0\.1:/,
  )
  assert.equal(request?.parentSpanId, spanId)
  assert.deepEqual([request?.kind, transaction?.kind, job?.kind, provider?.kind], [2, 3, 5, 3])
  assert.equal(request?.attributes['http.response.status_code'], '201')
  assert.equal(request?.attributes['http.route'], '/api/v1/templates')
  assert.equal(transaction?.attributes['db.system.name'], 'postgresql')
  assert.equal(provider?.attributes['http.response.status_code'], '200')
})

test('a webhook carries the trace of the request that caused its event', async () => {
  const endpoint = await receiver()
  await makeWebhook(acme.call, endpoint.url, ['contact.created'])
  const { traceId, headers } = newTrace()
  await acme.call('POST', 'contacts', { phone_number: '+14155550170', name: 'Ada' }, headers)
  await until(async () => endpoint.received.length === 1)
  const [, , delivery] = await untilChain(traceId, /^POST /, /^transaction$/, /^webhook delivery$/)
  assert.equal(endpoint.received[0]?.headers.traceparent, `00-${traceId}-${delivery?.spanId}-01`)
})

test('a request to a model has the attributes of the GenAI conventions, and neither prompt nor answer', async () => {
  const live = await app.organization({ mode: 'live' })
  const agent = {
    name: 'Clara',
    agent_config: { llm_model: 'gpt-5-mini', system_prompt: 'Secretive' },
  }
  const { body } = await live.call('POST', 'agents', agent)
  const { traceId, headers } = newTrace()
  llm.next.push({ say: ['Whispered', ' words'] })
  await live.call('POST', `agents/${body.id}/chat`, { message: 'Overheard question' }, headers)
  const [, model, http] = await untilChain(traceId, /^POST .*chat$/, /^chat gpt-5-mini$/, /^POST 127\.0\.0\.1:/)
  assert.deepEqual(
    Object.fromEntries(Object.entries(model?.attributes ?? {}).filter(([name]) => name.startsWith('gen_ai.'))),
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.request.max_tokens': '2000',
      'gen_ai.response.model': 'gpt-5-mini-2026',
      'gen_ai.usage.input_tokens': '12',
      'gen_ai.usage.output_tokens': '7',
    },
  )
  assert.equal(http?.kind, 3)
  const failed = newTrace()
  llm.next.push({ status: 401 })
  await live.call('POST', `agents/${body.id}/chat`, { message: 'Overheard question' }, failed.headers)
  const [, refused] = await untilChain(failed.traceId, /^POST .*chat$/, /^chat /)
  assert.deepEqual([refused?.isError, refused?.attributes['error.type']], [true, 'refused'])
  assert.ok(!collector.bodies.some((sent) => /Whispered|Overheard|Secretive/.test(sent)))
})

test('an inbound webhook is traced from its request through its transaction to what follows from it', async () => {
  const channel = await connectChannel(acme)
  const body = JSON.stringify(payloadOf(messagesTo(channel, [textFrom('14155550181', 'Hello')])))
  const endpoint = await receiver()
  await makeWebhook(acme.call, endpoint.url, ['message.received'])
  const { traceId, headers } = newTrace()
  const signature = { 'x-hub-signature-256': signatureOf(channel.appSecret, body) }
  assert.equal((await app.call('POST', channel.hook, body, { ...headers, ...signature })).status, 200)
  const [, processing] = await untilChain(
    traceId,
    /^POST \/hooks\/chat/,
    /^inbound webhook$/,
    /^transaction$/,
    /^webhook delivery$/,
  )
  assert.equal(processing?.kind, 5)
})

test('each message of a campaign is a trace with the request to the provider', async () => {
  const own = await campaigner(app)
  const { id } = await own.send(await own.contacts(2))
  await own.until(id, ({ status }) => status === 'completed')
  const messages = () => collector.spans.filter(({ attributes }) => attributes['frontdesk.campaign_id'] === id)
  await until(async () => messages().length === 2)
  for (const { traceId } of messages()) await untilChain(traceId, /^campaign message$/, /^POST 127\.0\.0\.1:/)
  assert.equal(new Set(messages().map(({ traceId }) => traceId)).size, 2)
})

test('a call continues the trace of its request when it is dialed', async () => {
  const agent_id = await createReceptionist(acme)
  const { traceId, headers } = newTrace()
  const { body } = await acme.call('POST', 'calls', { agent_id, to_number: '+14155550112' }, headers)
  await ended(acme, body.id)
  await untilChain(traceId, /^POST /, /^transaction$/, /^dial$/, /^POST 127\.0\.0\.1:/)
})

test('a caller that does not record is respected, and a malformed traceparent is ignored', async () => {
  const { traceId, spanId } = newTrace()
  await acme.call('GET', 'contacts', undefined, { traceparent: `00-${traceId}-${spanId}-00` })
  await acme.call('GET', 'contacts', undefined, { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` })
  const { headers, traceId: last } = newTrace()
  await acme.call('GET', 'contacts', undefined, headers)
  await untilChain(last, /^GET/)
  assert.deepEqual(collector.trace(traceId), [])
  assert.deepEqual(collector.trace('0'.repeat(32)), [])
})

test('a caller cannot have more recorded than the share that is configured, unless callers are trusted', async () => {
  const settings = { OTEL_TRACES_SAMPLER_ARG: 0, ROLE: 'api' } as const
  const strict = await app.node(settings)
  const trusting = await app.node({ ...settings, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' })
  const [forced, trusted] = [newTrace(), newTrace()]
  await strict.as(acme.key)('GET', 'contacts', undefined, forced.headers)
  await trusting.as(acme.key)('GET', 'contacts', undefined, trusted.headers)
  await until(async () => collector.trace(trusted.traceId).length > 0)
  // A node that closes has sent all of its spans.
  await Promise.all([strict.close(), trusting.close()])
  assert.deepEqual(collector.trace(forced.traceId), [])
})

test('log lines of a request carry its trace and the name of their event', async () => {
  const { traceId, headers } = newTrace()
  await app.call('GET', '/log-a-line', undefined, headers)
  const line = lines.find(({ msg }) => msg === 'test: line, with details')
  assert.deepEqual([line?.trace_id, line?.event, line?.answer], [traceId, 'test.line', 42])
})

test('the collector gets the same metrics as a scrape', async () => {
  const durations = () => collector.metrics.get('frontdesk_http_request_duration_seconds')?.histogram?.dataPoints ?? []
  // A node that has just started has served no request.
  await until(async () => durations().length > 0)
  const [series] = durations()
  assert.equal(series?.bucketCounts.length, (series?.explicitBounds.length ?? 0) + 1)
  assert.equal(String(series?.bucketCounts.reduce((sum, n) => sum + Number(n), 0)), series?.count)
  assert.ok(collector.metrics.get('frontdesk_database_connections')?.gauge)
  assert.ok(collector.metrics.get('frontdesk_queue_processed_total')?.sum)
})

test('the last spans are sent when a node closes', async () => {
  const node = await app.node({ OTEL_BSP_SCHEDULE_DELAY: 600_000, ROLE: 'api' })
  const { traceId, headers } = newTrace()
  await node.as(acme.key)('GET', 'contacts', undefined, headers)
  assert.deepEqual(collector.trace(traceId), [])
  await node.close()
  assert.ok(collector.trace(traceId).length > 0)
})
