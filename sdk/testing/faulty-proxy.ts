import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from '../../server/testing/listen-locally.ts'

/**
 * Faults between a client and the service: the connection breaks before or after the request was processed, half a
 * response arrives, none arrives, or another server answers.
 */
type Fault =
  | 'reset before'
  | 'reset after'
  | 'half an answer'
  | 'silence'
  | { status: number; headers?: Record<string, string>; body?: object | string }

interface SeenRequest {
  method: string
  url: string
  idempotencyKey: string | undefined
  at: number
  /** What the service answered, whether or not the client received it. */
  status?: number | undefined
}

interface FaultyProxy {
  url: string
  seen: SeenRequest[]
  /** Faults for the next requests, one each; later requests pass. */
  next(...faults: Fault[]): void
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: SeenRequest[] = []
  const planned: Fault[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const idempotencyKey = headers['idempotency-key'] as string | undefined
    const noted: SeenRequest = { method, url, idempotencyKey, at: performance.now() }
    seen.push(noted)
    const fault = planned.shift()
    if (fault === 'reset before') request.socket.resetAndDestroy()
    else if (typeof fault === 'object') {
      for await (const _ of request);
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      const { body = { detail: 'made up by the proxy' } } = fault
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    } else if (fault !== 'silence') noted.status = await pass(target, request, response, fault)
  })
  const { url } = await listenLocally(server)
  return { url, seen, next: (...faults) => void planned.push(...faults) }
}

function pass(target: string, request: IncomingMessage, response: ServerResponse, fault: Fault | undefined) {
  return new Promise<number | undefined>((resolve) => {
    const { host: _, ...headers } = request.headers
    const onward = forward(target + request.url, { method: request.method ?? 'GET', headers }, async (answer) => {
      const pieces: Buffer[] = []
      for await (const piece of answer) pieces.push(piece)
      const body = Buffer.concat(pieces)
      if (fault === 'reset after') request.socket.resetAndDestroy()
      else {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        if (fault === 'half an answer') {
          response.write(body.subarray(0, body.length / 2))
          setImmediate(() => request.socket.resetAndDestroy())
        } else response.end(body)
      }
      resolve(answer.statusCode)
    })
    onward.on('error', () => request.socket.resetAndDestroy())
    request.pipe(onward)
  })
}
