import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request as openRequest } from 'node:http'
import { after } from 'node:test'

interface TestStream {
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  events: { id: string; data: any }[]
  text(): string
  isOpen(): boolean
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  close(): void
}

/** Reads server-sent events over real HTTP like a browser. Resolves when the stream has begun. */
export async function openStream(url: string, headers: Record<string, string>): Promise<TestStream> {
  const request = openRequest(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false })
  request.on('error', () => {})
  after(() => request.destroy())
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.end()
  })
  assert.equal(response.statusCode, 200)
  let [text, unread, isOpen] = ['', '', true]
  const ended = Promise.withResolvers<void>()
  const stream: TestStream = {
    headers: response.headers,
    events: [],
    text: () => text,
    isOpen: () => isOpen,
    ended: ended.promise,
    close: () => request.destroy(),
  }
  const begun = Promise.withResolvers<void>()
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    unread += chunk
    for (let end = unread.indexOf('\n\n'); end >= 0; end = unread.indexOf('\n\n')) {
      const lines = unread.slice(0, end).split('\n')
      unread = unread.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (data !== undefined) stream.events.push({ id: field('id') as string, data: JSON.parse(data) })
      begun.resolve()
    }
  })
  response.once('end', () => ended.resolve())
  response.once('close', () => {
    isOpen = false
    ended.resolve()
    begun.resolve()
  })
  response.on('error', () => {})
  await begun.promise
  return stream
}
