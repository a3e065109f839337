import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'
import type { Metrics } from '../metrics.ts'
import { createOutboundHttp } from '../outbound-fetch.ts'
import { encodeMetrics } from './encode-metrics.ts'
import { encodeSpans, type Origin } from './encode-spans.ts'
import type { FinishedSpan } from './trace.ts'

interface ExporterOptions extends Origin {
  /** Base address of the collector: `/v1/traces` and `/v1/metrics` are added. */
  endpoint: string
  headers: Record<string, string>
  sendsMetrics: boolean
  spansEveryMs: number
  metricsEveryMs: number
}

interface Exporter {
  /** Never waits: a span that finds the queue full is dropped and counted. */
  add(span: FinishedSpan): void
  /** Sends what is queued, if the collector answers soon. */
  close(): Promise<void>
}

/** About 2 MB of spans, as in the libraries of OpenTelemetry. */
const maxQueued = 2_048
const maxBatch = 512
const requestTimeoutMs = 10_000
/** At shutdown the last spans may take this long: supervisors send SIGKILL 10 s after SIGTERM. */
const closeTimeoutMs = 1_000

/** Sends spans and metrics to an OpenTelemetry collector, in the background. Requests never wait for it. */
export function startExporter(options: ExporterOptions, { metrics, log }: { metrics: Metrics; log: Log }): Exporter {
  // Connections of its own: the drain closes those of the service before the last spans are sent.
  const http = createOutboundHttp()
  const spans = metrics.counter('frontdesk_telemetry_spans_total', 'Spans that were sent to the collector or dropped', [
    'outcome',
  ])
  const queue: FinishedSpan[] = []
  const startedAt = Date.now()
  let isFailing = false

  /** Whether the batch is done with: accepted, or refused for good. Otherwise it may be sent again. */
  async function post(path: string, body: string, timeLimitMs: number): Promise<'accepted' | 'refused' | 'failed'> {
    try {
      const { status } = await http.fetch({
        url: options.endpoint.replace(/\/+$/, '') + path,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...options.headers },
        body,
        timeLimitMs,
        maxBytes: 64 * 1024,
        cutOff: true,
      })
      if (status < 300) return noteSuccess()
      noteFailure({ status })
      return status === 408 || status === 429 || status >= 500 ? 'failed' : 'refused'
    } catch (error) {
      noteFailure({ err: error })
      return 'failed'
    }
  }

  function noteSuccess(): 'accepted' {
    if (isFailing) log.info('telemetry: export recovered')
    isFailing = false
    return 'accepted'
  }

  /** Once per outage, not once per attempt. */
  function noteFailure(reason: object): void {
    if (!isFailing) log.warn({ ...reason, endpoint: options.endpoint }, 'telemetry: export failed, trying again')
    isFailing = true
  }

  async function sendSpans(timeLimitMs = requestTimeoutMs): Promise<number> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      const outcome = await post('/v1/traces', encodeSpans(batch, options), timeLimitMs)
      if (outcome === 'failed') break
      queue.splice(0, batch.length)
      spans.inc({ outcome: outcome === 'accepted' ? 'exported' : 'dropped' }, batch.length)
    }
    return options.spansEveryMs
  }

  async function sendMetrics(): Promise<number> {
    await metrics.read()
    const values = await metrics.registry.getMetricsAsJSON()
    await post('/v1/metrics', encodeMetrics(values as never, options, startedAt), requestTimeoutMs)
    return options.metricsEveryMs
  }

  const onFault = { fault: 'telemetry: encoding failed', afterFailureMs: 60_000 }
  const sendingSpans = startLoop(log, onFault, sendSpans)
  const sendingMetrics = options.sendsMetrics ? startLoop(log, onFault, sendMetrics) : undefined

  return {
    add(span) {
      if (queue.length >= maxQueued) spans.inc({ outcome: 'dropped' })
      // While the collector fails, it is tried at the interval alone.
      else if (queue.push(span) >= maxBatch && !isFailing) sendingSpans.wake()
    },
    async close() {
      // Ends requests that hang, so that the loops end.
      const hanging = setTimeout(() => void http.close(), closeTimeoutMs)
      await Promise.all([sendingSpans.close(), sendingMetrics?.close()])
      clearTimeout(hanging)
      if (!isFailing) await sendSpans(closeTimeoutMs)
      spans.inc({ outcome: 'dropped' }, queue.length)
      await http.close()
    },
  }
}
