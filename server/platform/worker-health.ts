import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

const paths = new Set(['/healthz', '/readyz', '/metrics'])

export interface WorkerHealth {
  url: string
  close(): void
}

/**
 * A worker serves no requests of clients, but supervisors and Prometheus ask it too. Its own server answers these paths
 * alone, so that no API request or call reaches a worker.
 */
export async function serveWorkerHealth(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<WorkerHealth> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? ''
    if (request.method !== 'GET' || !paths.has(path))
      return void response.writeHead(404, { 'x-content-type-options': 'nosniff' }).end()
    const { headers, socket } = request
    const {
      statusCode,
      headers: own,
      rawPayload,
    } = await server.inject({
      method: 'GET',
      url: path,
      headers,
      remoteAddress: socket.remoteAddress ?? '',
    })
    response.writeHead(statusCode, own).end(rawPayload)
  }
  const own = createServer((request, response) => {
    answer(request, response).catch((error) => {
      server.log.error({ err: error }, 'worker health: request failed')
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => own.once('error', reject).listen(port, host, resolve))
  const address = own.address()
  if (!address || typeof address === 'string') throw new Error('the server of a worker has no address')
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close() {
      own.close()
      own.closeAllConnections()
    },
  }
}
