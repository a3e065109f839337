import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/**
 * Traces: one span per request, transaction, job and outgoing request, in the terms of OpenTelemetry. Only the first
 * span of a process needs a tracer; everything below it finds its parent in the asynchronous context. Without a tracer
 * there is no parent, and the functions below do nothing.
 */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

export type Attributes = Record<string, string | number | boolean | undefined>

/** A span that has ended. Times are in milliseconds since 1970. */
export interface FinishedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: SpanKind
  startedAt: number
  endedAt: number
  attributes: Attributes
  isError: boolean
}

type Sink = (span: FinishedSpan) => void

interface Parent {
  traceId: string
  spanId: string | undefined
  isSampled: boolean
  sink: Sink
}

interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
}

const current = new AsyncLocalStorage<Span>()

export class Span {
  readonly traceId: string
  readonly spanId = randomBytes(8).toString('hex')
  private readonly parent: Parent
  private readonly name: string
  private readonly kind: SpanKind
  private readonly attributes: Attributes
  private readonly startedAt = Date.now()
  private readonly began = performance.now()
  private hasEnded = false

  constructor(parent: Parent, name: string, { kind = 'internal', attributes = {} }: SpanOptions) {
    this.traceId = parent.traceId
    this.parent = parent
    this.name = name
    this.kind = kind
    this.attributes = attributes
  }

  /** For the header `traceparent` of W3C Trace Context. */
  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-${this.parent.isSampled ? '01' : '00'}`
  }

  get isRecorded(): boolean {
    return this.parent.isSampled
  }

  /** Spans that the work starts are children of this one. */
  run<T>(work: () => T): T {
    return current.run(this, work)
  }

  /** A child that the caller ends. Undefined once this one has ended: what a request leaves running, such as a heartbeat, is no part of it. */
  child(name: string, options: SpanOptions): Span | undefined {
    if (this.hasEnded) return undefined
    const { isSampled, sink } = this.parent
    return new Span({ traceId: this.traceId, spanId: this.spanId, isSampled, sink }, name, options)
  }

  /** Ends it once; `errorType` names the kind of failure, never its message, which may quote what people said. */
  end(more: Attributes = {}, errorType?: string): void {
    if (this.hasEnded) return
    this.hasEnded = true
    if (!this.parent.isSampled) return
    const { traceId, spanId, name, kind, startedAt, parent } = this
    parent.sink({
      traceId,
      spanId,
      parentSpanId: parent.spanId,
      name,
      kind,
      startedAt,
      endedAt: startedAt + (performance.now() - this.began),
      attributes: { ...this.attributes, ...more, 'error.type': errorType },
      isError: errorType !== undefined,
    })
  }
}

/** The current trace, for a column, a job or a header. */
export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent

/** Members of every log line. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = current.getStore()
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}

/** Undefined where nothing is traced: `currentSpan()?.child(…)` then costs one lookup. */
export const currentSpan = (): Span | undefined => current.getStore()

/** Runs the work in a child of the current span. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = currentSpan()?.child(name, options)
  return span ? runAndEnd(span, work) : work()
}

/** Runs the work in the span, and ends all of them. */
async function runAndEnd<T>(span: Span, work: () => Promise<T>, ending = [span]): Promise<T> {
  try {
    const result = await span.run(work)
    for (const each of ending) each.end()
    return result
  } catch (error) {
    for (const each of ending) each.end({}, error instanceof Error ? error.constructor.name : 'unknown')
    throw error
  }
}

/** Reads the items with each step inside the span: a generator runs in the context of its reader. */
export async function* iterateIn<T>(span: Span, items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await span.run(() => iterator.next())
      if (step.done) return
      yield step.value
    }
  } finally {
    await iterator.return?.()
  }
}

interface RootOptions extends SpanOptions {
  /** A traceparent from a request, a job or a row: its trace is continued. Without one there is a new trace. */
  parent?: string | null | undefined
  /** The parent was given by a caller, who must not decide how much is recorded. */
  isFromCaller?: boolean
}

/** Starts the first span of this process in a trace. */
export interface Tracer {
  readonly isOn: boolean
  start(name: string, options: RootOptions): Span | undefined
  run<T>(name: string, options: RootOptions, work: () => Promise<T>): Promise<T>
  /** One piece of work for several traces: each gets a span, and what the work starts is below the first recorded one. */
  runForAll<T>(name: string, options: SpanOptions & { parents: (string | null)[] }, work: () => Promise<T>): Promise<T>
}

export const noTracer: Tracer = {
  isOn: false,
  start: () => undefined,
  run: (_name, _options, work) => work(),
  runForAll: (_name, _options, work) => work(),
}

interface Sampling {
  /** Share of new traces, and of traces that callers record, that are recorded. */
  ratio: number
  /** What callers record is recorded, whatever the ratio. */
  followsCallers: boolean
}

export function createTracer(sink: Sink, { ratio, followsCallers }: Sampling): Tracer {
  const start = (name: string, { parent: given, isFromCaller = false, ...options }: RootOptions): Span => {
    const known = parse(given)
    const parent = known ?? { traceId: randomBytes(16).toString('hex'), spanId: undefined, isSampled: true }
    const isDecided = known !== undefined && (!isFromCaller || followsCallers)
    const isSampled = parent.isSampled && (isDecided || Math.random() < ratio)
    return new Span({ ...parent, isSampled, sink }, name, options)
  }
  return {
    isOn: true,
    start,
    run: (name, options, work) => runAndEnd(start(name, options), work),
    runForAll(name, { parents, ...options }, work) {
      const spans = parents.map((parent) => start(name, { ...options, parent }))
      const first = spans.find(({ isRecorded }) => isRecorded) ?? spans[0]
      return first ? runAndEnd(first, work, spans) : work()
    },
  }
}

/** Undefined for anything that W3C Trace Context does not allow. */
function parse(traceparent: string | null | undefined): Omit<Parent, 'sink'> | undefined {
  const found = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/.exec(
    traceparent ?? '',
  )
  if (!found) return undefined
  const [, traceId = '', spanId = '', flags = ''] = found
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
