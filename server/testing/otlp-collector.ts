import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { handling, listenLocally } from './listen-locally.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string }
}

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Record<string, string>
  isError: boolean
}

interface CollectedMetric {
  name: string
  sum?: { dataPoints: unknown[] }
  gauge?: { dataPoints: unknown[] }
  histogram?: { dataPoints: { explicitBounds: number[]; bucketCounts: string[]; count: string }[] }
}

/** An OpenTelemetry collector over real HTTP that keeps what it receives. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => void response.end('{}'),
) {
  const spans: CollectedSpan[] = []
  const metrics = new Map<string, CollectedMetric>()
  const bodies: string[] = []
  const server = createServer(
    handling(async (request, response) => {
      const body = await text(request)
      bodies.push(body)
      const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body)
      for (const { scopeSpans } of resourceSpans)
        for (const { status, attributes, ...span } of scopeSpans[0].spans)
          spans.push({ ...span, attributes: plain(attributes), isError: status?.code === 2 })
      for (const { scopeMetrics } of resourceMetrics)
        for (const metric of scopeMetrics[0].metrics) metrics.set(metric.name, metric)
      answer(response)
    }),
  )
  const { url } = await listenLocally(server)
  return {
    url,
    spans,
    metrics,
    bodies,
    /** The spans of a trace. */
    trace: (traceId: string) => spans.filter((span) => span.traceId === traceId),
  }
}

const plain = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))
