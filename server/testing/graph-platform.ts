import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'

/** A request that the platform received. */
export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: Buffer
  /** The body as JSON, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests freely
  json: any
}

/** The response: JSON, text, bytes, or a handler of the test. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string; bytes?: Buffer }
  | ((asked: Asked, response: ServerResponse) => void)

export const hang: Answer = () => {}
export const reset: Answer = (_, response) => response.socket?.resetAndDestroy()
/** Begins a successful response and resets the connection. */
export const breakOff: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
  response.write('{"messages":[{"id":"wamid.', () => response.socket?.resetAndDestroy())
}

interface GraphPlatform {
  url: string
  asked: Asked[]
  /** Sets the responses to the next requests, in order; the last one repeats. Clears the recorded requests. */
  answers(...answers: Answer[]): void
}

/** A server in place of the chat platform that returns exactly what the test sets, without any logic. */
export async function startGraphPlatform(): Promise<GraphPlatform> {
  let answers: Answer[] = []
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return // The client closed the connection.
    }
    const url = new URL(request.url ?? '/', 'http://platform')
    const body = Buffer.concat(chunks)
    const isJson = request.headers['content-type'] === 'application/json'
    const received = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body,
      json: isJson ? JSON.parse(body.toString()) : undefined,
    }
    asked.push(received)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer) return response.writeHead(500).end('the test gave no answer')
    if (typeof answer === 'function') return answer(received, response)
    const { status = 200, headers = {}, json, text, bytes } = answer
    response.writeHead(status, { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers })
    response.end(bytes ?? text ?? (json === undefined ? '' : JSON.stringify(json)))
  })
  const { url } = await listenLocally(server)
  return {
    url,
    asked,
    answers(...given) {
      answers = given
      asked.length = 0
    },
  }
}
