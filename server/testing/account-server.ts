import { createServer, type IncomingMessage } from 'node:http'
import { listenLocally } from './listen-locally.ts'

interface AccountRequest {
  path: string
  headers: IncomingMessage['headers']
}

/** Stands in for the requests of each provider that a key is tested with. Answers in `next` are sent first. */
export async function startAccountServer() {
  const requests: AccountRequest[] = []
  const next: { status: number; body?: string }[] = []
  const server = createServer((request, response) => {
    requests.push({ path: request.url as string, headers: request.headers })
    const { status, body } = next.shift() ?? { status: 200 }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body ?? '{}')
  })
  const { url } = await listenLocally(server)
  return {
    url,
    requests,
    next,
    settings: {
      OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_BASE_URL: url,
      GOOGLE_BASE_URL: url,
      DEEPGRAM_BASE_URL: url,
      ELEVENLABS_BASE_URL: url,
      CARTESIA_BASE_URL: url,
    },
  }
}
