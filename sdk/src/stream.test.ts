import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { listenLocally } from '../../server/testing/listen-locally.ts'
import { AuthenticationError, ConnectionError, type EventStream, type StreamOptions } from './index.ts'
import { createEventStream } from './stream.ts'
import { createTransport } from './transport.ts'

type Visit = (request: IncomingMessage, response: ServerResponse) => void

/** A service that answers each stream request as the test says; after those it stays silent. */
async function streamOf(
  visits: Visit[],
  options: StreamOptions = {},
): Promise<{ stream: EventStream; calls: string[] }> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(String(request.headers['last-event-id'] ?? 'from now on'))
    visits.shift()?.(request, response)
  })
  const { url: baseUrl } = await listenLocally(server)
  const transport = createTransport({ baseUrl, apiKey: 'x' })
  const stream = createEventStream(
    (headers, signal) =>
      transport.send({
        operation: { method: 'GET', repeat: 'safe' },
        path: '/stream',
        options: { headers, signal, maxRetries: 0 },
        read: async (response) => response,
      }),
    options,
    1,
  )
  return { stream, calls }
}

const opening = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const event = (id: number, more: object = {}) =>
  `id: ${id}\nevent: ping\ndata: ${JSON.stringify({ id: `${id}`, ...more })}\n\n`
const says =
  (...pieces: (string | Uint8Array)[]): Visit =>
  (_, response) => {
    opening(response)
    for (const piece of pieces) response.write(piece)
  }
const hangsUpAfter =
  (...pieces: string[]): Visit =>
  (_, response) => {
    opening(response)
    response.write(pieces.join(''), () => response.socket?.resetAndDestroy())
  }
const answers =
  (status: number): Visit =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"detail":"no"}')
  }

async function take(stream: EventStream, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of stream) if (ids.push(id) === count) break
  return ids
}

test('events arrive as they were sent, however they are chunked', async () => {
  const text = `: hello\n\n${event(1, { type: 'Grüße 👋' })}:\n\nid: 2\r\ndata: {"id":\r\ndata: "2"}\r\n\r\nretry: 5\n\nid:3\ndata:{"id":"3"}\n\n`
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const pieces: Uint8Array[] = []
    for (let i = 0; i < bytes.length; i += size) pieces.push(bytes.slice(i, i + size))
    const { stream } = await streamOf([says(...pieces)])
    const met: string[] = []
    for await (const { id, type } of stream) if (met.push(`${id} ${type ?? ''}`) === 3) break
    assert.deepEqual(met, ['1 Grüße 👋', '2 ', '3 '])
    assert.equal(stream.lastEventId, '3')
  }
})

test('a broken connection is reopened after the last event, and no event is delivered twice', async () => {
  const { stream, calls } = await streamOf([
    hangsUpAfter(event(1), event(2), 'id: 3\ndata: {"id"'),
    (_, response) => opening(response).end(event(3)),
    answers(503),
    // A service that repeats the event that was named.
    says(event(3), event(4)),
  ])
  assert.deepEqual(await take(stream, 4), ['1', '2', '3', '4'])
  assert.deepEqual(calls, ['from now on', '2', '3', '3'])
})

test('an id without data moves the resume position', async () => {
  const { stream, calls } = await streamOf([hangsUpAfter(event(1), 'id: 9\ndata:\n\n'), says(event(10))])
  assert.deepEqual(await take(stream, 2), ['1', '10'])
  assert.deepEqual(calls, ['from now on', '9'])
})

test('a stream resumes after an event named by the caller', async () => {
  let starts = 0
  const { stream, calls } = await streamOf([says(event(8))], { lastEventId: '7', onStart: () => starts++ })
  assert.deepEqual(await take(stream, 1), ['8'])
  assert.deepEqual(calls, ['7'])
  assert.equal(starts, 0)
})

test('a stream tells once that it has its position', async () => {
  const met: string[] = []
  const { stream } = await streamOf([hangsUpAfter('id: 9\ndata:\n\n', event(10)), says(event(11))], {
    onStart: () => met.push('start'),
  })
  for await (const { id } of stream) if (met.push(id) === 3) break
  assert.deepEqual(met, ['start', '10', '11'])
})

test('an expired credential ends the stream', async () => {
  const { stream } = await streamOf([hangsUpAfter(event(1)), answers(401)])
  await assert.rejects(take(stream, 2), AuthenticationError)
})

test('a connection without heartbeats is closed and reopened', async () => {
  // On a busy machine the time may pass before the first event arrives: then the client asks for it again.
  const visit: Visit = (request, response) =>
    says(event(request.headers['last-event-id'] === undefined ? 1 : 2))(request, response)
  const { stream, calls } = await streamOf(Array(100).fill(visit), { idleTimeoutMs: 200 })
  assert.deepEqual(await take(stream, 2), ['1', '2'])
  assert.deepEqual([...new Set(calls)], ['from now on', '1'])
})

test('a service that stays unreachable ends the stream with an error when retries are limited', async () => {
  const { stream, calls } = await streamOf([answers(500), answers(500), answers(500)], { maxRetries: 2 })
  await assert.rejects(take(stream, 1), /500 no/)
  assert.equal(calls.length, 3)
  const none = await streamOf([(request) => request.socket.resetAndDestroy()], { maxRetries: 0 })
  await assert.rejects(take(none.stream, 1), ConnectionError)
})

test('leaving the loop closes the connection, and so does an abort', async () => {
  const hungUp: Promise<unknown>[] = []
  const noting: Visit = (request, response) => {
    hungUp.push(once(request.socket, 'close'))
    says(event(1))(request, response)
  }
  const { stream } = await streamOf([noting])
  await take(stream, 1)
  await hungUp[0]

  const controller = new AbortController()
  const reason = new Error('the caller left')
  const aborted = await streamOf([noting], { signal: controller.signal })
  await assert.rejects(async () => {
    for await (const _ of aborted.stream) controller.abort(reason)
  }, reason)
  await hungUp[1]
})
