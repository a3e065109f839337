import { ConnectionError } from './errors.ts'
import type { Event } from './generated/types.ts'
import type { Options } from './options.ts'
import { isWorthRepeating, pause, pauseAfter } from './transport.ts'

export interface StreamOptions extends Options {
  /** Go on behind this event: the `id` of the last one that was dealt with. */
  lastEventId?: string | undefined
  /** The service shows every few seconds that it is there; after this long without a sign it is called again. */
  idleTimeoutMs?: number | undefined
}

/**
 * Events as they happen, for `for await`. When the line breaks it calls again by itself and goes on behind the last
 * event, or where it began if there was none yet.
 */
export interface EventStream extends AsyncIterable<Event> {
  /** Where another stream would go on: behind the event that was last handed out, or where this one began. */
  readonly lastEventId: string | undefined
}

/** Opens the stream behind an event; the answer's body is still to be read. */
export type OpenStream = (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>

const defaultIdleTimeoutMs = 60_000

export function createEventStream(
  open: OpenStream,
  { lastEventId, signal, idleTimeoutMs = defaultIdleTimeoutMs, maxRetries = Number.POSITIVE_INFINITY }: StreamOptions,
  retryDelayMs: number | undefined,
): EventStream {
  let last = lastEventId
  let firstPauseMs = retryDelayMs

  async function* listenOnce(line: AbortController): AsyncGenerator<Event> {
    const headers: Record<string, string> = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) }
    const response = await open(headers, signal ? AbortSignal.any([signal, line.signal]) : line.signal)
    for await (const { id, data, retryMs } of messagesIn(response, idleTimeoutMs)) {
      firstPauseMs = retryDelayMs ?? retryMs ?? firstPauseMs
      // What carries no data only says how far it has come.
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
        // Also when whoever listens has heard enough.
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
  /** How long the service wants us to stay away when the line breaks. */
  retryMs: number | undefined
}

/** The messages of a text/event-stream. A line that breaks, or is silent for too long, is no answer. */
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
      // A carriage return at the end may be half of a line's end: its other half comes next.
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
