import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { handling, listenLocally } from './listen-locally.ts'

interface EmbeddingRequest {
  authorization: string | undefined
  model: string
  input: string[]
}

type Answer = { status: number; body?: string; headers?: Record<string, string> } | 'never'

export const dimensions = 64

/** Deterministic vectors; texts that share words are close to each other. */
function bagOfWords(text: string): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/\w+/g) ?? ['']) {
    const hash = createHash('md5').update(word).digest()
    const place = (hash[0] as number) % dimensions
    vector[place] = (vector[place] as number) + ((hash[1] as number) % 2 ? 1 : -1)
  }
  // Longer than one: the client has to normalize the vectors.
  return vector.map((value) => value * 3 + 0.01)
}

/** An OpenAI-compatible embedding server: responses in `next` are sent first, one per request. */
export async function startEmbeddingServer(
  embed: (texts: string[]) => Promise<number[][]> = async (texts) => texts.map(bagOfWords),
) {
  const requests: EmbeddingRequest[] = []
  const next: Answer[] = []
  async function answer(request: IncomingMessage): Promise<Answer> {
    const { model, input } = JSON.parse(await readText(request))
    requests.push({ authorization: request.headers.authorization, model, input })
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') return { status: 404 }
    const planned = next.shift()
    if (planned) return planned
    // Shuffled: clients must go by the index.
    const data = (await embed(input)).map((embedding, index) => ({ index, embedding })).reverse()
    return { status: 200, body: JSON.stringify({ object: 'list', model, data }) }
  }
  const server = createServer(
    handling(async (request, response) => {
      const given = await answer(request)
      if (given === 'never') return
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers }).end(given.body ?? '{}')
    }),
  )
  const { url } = await listenLocally(server)
  return {
    baseUrl: `${url}/v1`,
    requests,
    next,
  }
}
