import { createServer, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after } from 'node:test'

export interface ToolRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** What agents' tools call. Its path says how it answers. */
export async function startToolServer() {
  const requests: ToolRequest[] = []
  const server = createServer(async (request, response) => {
    const url = request.url ?? ''
    requests.push({ method: request.method ?? '', url, headers: request.headers, body: await readText(request) })
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.startsWith('/never')) return
    if (url.startsWith('/moved')) return response.writeHead(302, { location: '/orders/1' }).end()
    if (url.startsWith('/fails')) return json(500, { error: 'out of order' })
    if (url.startsWith('/echo')) return json(200, { you_sent: request.headers.authorization })
    if (url.startsWith('/huge'))
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(3_000_000))
    if (url.startsWith('/long'))
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('y'.repeat(40_000))
    json(200, { status: 'shipped', due_on: 'Monday' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${port}`, requests }
}
