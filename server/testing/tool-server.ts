import { createServer, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { handling, listenLocally } from './listen-locally.ts'

interface ToolRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** The server that agents' tools call. Its path selects the response. */
export async function startToolServer() {
  const requests: ToolRequest[] = []
  const server = createServer(
    handling(async (request, response) => {
      const url = request.url ?? ''
      requests.push({ method: request.method ?? '', url, headers: request.headers, body: await readText(request) })
      const answer = answerOf(url, request.headers.authorization)
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body)
    }),
  )
  const { url } = await listenLocally(server)
  return { url, requests }
}

/** No response for `/never`. */
function answerOf(url: string, authorization: string | undefined) {
  const json = (status: number, value: object) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
  const text = (body: string) => ({ status: 200, headers: { 'content-type': 'text/plain' }, body })
  if (url.startsWith('/never')) return undefined
  if (url.startsWith('/moved')) return { status: 302, headers: { location: '/orders/1' }, body: '' }
  if (url.startsWith('/fails')) return json(500, { error: 'out of order' })
  if (url.startsWith('/echo')) return json(200, { you_sent: authorization })
  if (url.startsWith('/huge')) return text('x'.repeat(3_000_000))
  if (url.startsWith('/long')) return text('y'.repeat(40_000))
  return json(200, { status: 'shipped', due_on: 'Monday' })
}
