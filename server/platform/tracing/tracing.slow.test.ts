import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'
import { createReceptionist, ended } from '../../testing/calls.ts'
import { readMetrics } from '../../testing/metrics.ts'
import { startCollector } from '../../testing/otlp-collector.ts'
import { until } from '../../testing/process.ts'
import { createLog } from '../log.ts'

const collector = await startCollector()
const lines: { msg: string }[] = []
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: 50 }
const app = await startTestApp({ log, settings })
await app.listen()
const org = await app.organization()

test('a conversation continues the trace of the request that placed the call, and its turns are measured', async () => {
  const agent_id = await createReceptionist(org)
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const call = {
    agent_id,
    to_number: '+14155550142',
    metadata: { caller_script: ['What are your opening hours?', 'Goodbye.'] },
  }
  const { body } = await org.call('POST', 'calls', call, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  assert.equal((await ended(org, body.id)).status, 'completed')
  const find = (name: string) => collector.trace(traceId).find((span) => span.name === name)
  await until(async () => find('call') !== undefined)
  const conversation = find('call')
  assert.equal(conversation?.attributes['frontdesk.call_id'], body.id)
  assert.equal(conversation?.parentSpanId, find('dial')?.parentSpanId, 'both are children of the transaction')
  assert.ok(collector.trace(traceId).some(({ parentSpanId }) => parentSpanId === conversation?.spanId))
  const metrics = await readMetrics(app)
  for (const stage of ['endpointing', 'transcription', 'llm', 'voice', 'total'])
    assert.ok((metrics.get(`frontdesk_call_turn_seconds_count{stage="${stage}"}`) ?? 0) > 0, stage)
})

for (const [what, url] of [
  ['is not there', 'http://127.0.0.1:9'],
  ['never answers', (await startCollector(() => {})).url],
])
  test(`a collector that ${what} changes nothing for requests, and is logged once`, async () => {
    const before = lines.length
    const node = await app.node({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: 10, ROLE: 'api' })
    const call = node.as(org.key)
    // More spans than the queue holds.
    for (let sent = 0; sent < 1_500; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => call('GET', 'contacts')))
      assert.ok(answers.every(({ status }) => status === 200))
    }
    const dropped = (await readMetrics(node)).get('frontdesk_telemetry_spans_total{outcome="dropped"}') ?? 0
    assert.ok(dropped > 0, `${dropped} spans were dropped`)
    await node.close()
    const complaints = lines.slice(before).filter(({ msg }) => msg.startsWith('telemetry: '))
    assert.deepEqual(
      complaints.map(({ msg }) => msg),
      ['telemetry: export failed, trying again'],
    )
  })
