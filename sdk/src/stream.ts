import { ConnectionError } from './errors.ts'
import type { Event } from './generated/types.ts'
import type { Options } from './options.ts'
import { isWorthRepeating, pause, pauseAfter } from './transport.ts'

export interface StreamOptions extends Options {
  /** Resume after this event: the `id` of the last one you processed. */
  lastEventId?: string | undefined
  /** The service sends a heartbeat every few seconds; after this long without one the stream reconnects. */
  idleTimeoutMs?: number | undefined
  /**
   * Called once a stream without `lastEventId` has its position: it returns every later event. What you read before may
   * be out of date.
   */
  onStart?: (() => void) | undefined
}

/**
 * Events as they happen, for `for await`. When the connection breaks the stream reconnects by itself and resumes after
 * the last event, or at its start if there was none yet.
 */
export interface EventStream extends AsyncIterable<Event> {
  /** Where another stream would resume: after the last event returned, or where this one began. */
  readonly lastEventId: string | undefined
}

/** Opens the stream after an event; the response body is still to be read. */
type OpenStream = (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>

const defaultIdleTimeoutMs = 60_000

export function createEventStream(
  open: OpenStream,
  {
    lastEventId,
    signal,
    idleTimeoutMs = defaultIdleTimeoutMs,
    maxRetries = Number.POSITIVE_INFINITY,
    onStart,
  }: StreamOptions,
  retryDelayMs: number | undefined,
): EventStream {
  let last = lastEventId
  let firstPauseMs = retryDelayMs

  async function* listenOnce(line: AbortController): AsyncGenerator<Event> {
    const headers: Record<string, string> = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) }
    const response = await open(headers, signal ? AbortSignal.any([signal, line.signal]) : line.signal)
    for await (const { id, data, retryMs } of messagesIn(response, idleTimeoutMs)) {
      firstPauseMs = retryDelayMs ?? retryMs ?? firstPauseMs
      if (id !== undefined && last === undefined) onStart?.()
      // A message without data only updates the position.
      if (data !== '' && (id === undefined || id !== last)) {
        if (id !== undefined) last = id
        yield JSON.parse(data)
      } else if (id !== undefined) last = id
    }
  }

  async function* events(): AsyncGenerator<Event> {
    for (let failures = 0; ; ) {
      const line = new AbortController()
      let problem: unknown
      try {
        for await (const event of listenOnce(line)) {
          failures = 0
          yield event
        }
      } catch (error) {
        signal?.throwIfAborted()
        problem = error
        if (failures >= maxRetries || !isWorthRepeating(error, 'safe')) throw error
      } finally {
        // Also runs when the consumer leaves the loop.
        line.abort()
      }
      await pause(pauseAfter(problem, failures++, firstPauseMs), signal)
    }
  }

  return {
    get lastEventId() {
      return last
    },
    [Symbol.asyncIterator]: events,
  }
}

interface Message {
  id: string | undefined
  data: string
  /** The reconnect delay that the service asks for. */
  retryMs: number | undefined
}

/** The messages of a text/event-stream. Throws when the connection breaks or is silent for too long. */
async function* messagesIn(response: Response, idleTimeoutMs: number): AsyncGenerator<Message> {
  if (!response.body) return
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let text = ''
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), idleTimeoutMs)
      if (done) return
      // A trailing carriage return may be the first half of a line break: the rest comes with the next chunk.
      const whole = text + value
      const held = whole.endsWith('\r') ? '\r' : ''
      const blocks = whole
        .slice(0, whole.length - held.length)
        .replace(/\r\n?/g, '\n')
        .split('\n\n')
      text = (blocks.pop() as string) + held
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function messageOf(block: string): Message {
  let id: string | undefined
  let retryMs: number | undefined
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (field === 'id') id = value
    else if (field === 'data') data.push(value)
    else if (field === 'retry' && /^\d{1,6}$/.test(value)) retryMs = Number(value)
  }
  return { id, data: data.join('\n'), retryMs }
}

function inTime<T>(read: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ConnectionError(`the stream was silent for ${ms} ms`)), ms)
    const broken = (error: unknown) => reject(new ConnectionError('the stream broke off', { cause: error }))
    read.then(resolve, broken).finally(() => clearTimeout(timer))
  })
}
