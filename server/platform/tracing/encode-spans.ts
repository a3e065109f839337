import type { Attributes, FinishedSpan, SpanKind } from './trace.ts'

/** OTLP over HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/ */
const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, consumer: 5 }
const errorStatus = 2

export interface Origin {
  /** Describes this process, such as `service.name`. */
  resource: Attributes
  version: string
}

export const encodeSpans = (spans: FinishedSpan[], { resource, version }: Origin): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'frontdesk', version }, spans: spans.map(encodeSpan) }],
      },
    ],
  })

const encodeSpan = ({ traceId, spanId, parentSpanId, name, kind, ...span }: FinishedSpan) => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind: kinds[kind],
  startTimeUnixNano: toNanoseconds(span.startedAt),
  endTimeUnixNano: toNanoseconds(span.endedAt),
  attributes: encodeAttributes(span.attributes),
  ...(span.isError && { status: { code: errorStatus } }),
})

export const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )

function encodeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** A float has too few digits for nanoseconds since 1970. */
export const toNanoseconds = (ms: number): string =>
  String(BigInt(Math.trunc(ms)) * 1_000_000n + BigInt(Math.round((ms % 1) * 1_000_000)))
