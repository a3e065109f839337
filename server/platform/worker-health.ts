import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createServer } from './http-module.ts'

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
    const remoteAddress = socket.remoteAddress ?? ''
    const answered = await server
      .inject({ method: 'GET', url: path, headers, remoteAddress })
      .catch((error) => (error.code === 'FST_ERR_REOPENED_CLOSE_SERVER' ? undefined : Promise.reject(error)))
    if (answered) response.writeHead(answered.statusCode, answered.headers).end(answered.rawPayload)
    // The server has closed, and the worker finishes its jobs.
    else response.writeHead(path === '/healthz' ? 200 : 503).end('{"status":"draining","checks":{}}')
  }
  const own = createServer((request, response) => {
    answer(request, response).catch((error) => {
      server.log.error({ err: error }, 'worker health: request failed')
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => own.once('error', reject).listen(port, host, resolve))
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(own.address() as AddressInfo).port}`,
    close() {
      own.close()
      own.closeAllConnections()
    },
  }
}
