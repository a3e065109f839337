import { setTimeout as wait } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import { OutboundError, type OutboundHttp } from '../../platform/outbound-fetch.ts'
import { parseJson } from '../../platform/parse-json.ts'
import { type Embedder, EmbeddingError } from './contract.ts'

interface HostedEmbedderOptions {
  http: OutboundHttp
  /** Up to and including the version: `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey?: string | undefined
  /** The key that an organization has for this server, if it has one. */
  ownKeyOf?: (organizationId: string) => Promise<string | undefined>
  model: string
  dimensions: number
  timeLimitMs?: number
  /** Attempts per request, including the first. */
  attempts?: number
  /** Before the second attempt; it doubles with each further one. */
  backoffMs?: number
}

const Answer = Type.Object({
  data: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), embedding: Type.Array(Type.Number()) })),
})
type Answer = Static<typeof Answer>

/** Far below what these servers take in one request, and large enough that latency does not matter. */
const textsPerRequest = 96
const requestsAtOnce = 3
/** Common models read 8,192 tokens and refuse a longer text as a whole. */
const maxCharacters = 16_000
const maxWaitMs = 30_000

/** Any server that answers `POST {baseUrl}/embeddings` like OpenAI. */
export function createHostedEmbedder(options: HostedEmbedderOptions): Embedder {
  const { http, model, dimensions, timeLimitMs = 60_000, attempts = 4, backoffMs = 500 } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/embeddings`
  let closed = false

  async function embedBatch(
    texts: string[],
    apiKey: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const body = JSON.stringify({ model, input: texts.map(cut), encoding_format: 'float' })
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(body, apiKey, texts.length, signal)
      if (Array.isArray(outcome)) return outcome
      if (outcome.error.verdict === 'fail' || attempt >= attempts || closed) throw outcome.error
      await wait(Math.min(maxWaitMs, outcome.retryAfterMs ?? backoffMs * 2 ** (attempt - 1)), undefined, { signal })
    }
  }

  async function tryOnce(
    body: string,
    apiKey: string | undefined,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[] | Refusal> {
    try {
      const answer = await http.fetch({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
        body,
        timeLimitMs,
        maxBytes: 64 << 20,
        signal,
      })
      return answer.status === 200 ? read(answer.body, count) : refusal(answer.status, answer.headers)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof OutboundError)) throw error
      return { error: new EmbeddingError('retry', `The embedding server gave no answer: ${error.message}`, error) }
    }
  }

  function read(body: Buffer, count: number): Float32Array[] {
    const answer = parseJson(body)
    if (faultIn(Answer, answer) || (answer as Answer).data.length !== count)
      throw new EmbeddingError('fail', 'The embedding server answered with something other than embeddings.')
    const vectors = new Map<number, Float32Array>()
    for (const { index, embedding } of (answer as Answer).data) {
      if (embedding.length !== dimensions)
        throw new EmbeddingError(
          'fail',
          `${model} makes vectors of ${embedding.length} numbers, not ${dimensions} as the settings say.`,
        )
      vectors.set(index, unit(embedding))
    }
    return Array.from({ length: count }, (_, index) => {
      const vector = vectors.get(index)
      if (!vector) throw new EmbeddingError('fail', 'The embedding server left a text out of its answer.')
      return vector
    })
  }

  const embedWith = (keyOf: () => Promise<string | undefined>): Embedder => ({
    model,
    dimensions,
    async embed(texts, signal) {
      if (closed) throw new EmbeddingError('retry', 'The embedder was closed.')
      const apiKey = await keyOf()
      const vectors: Float32Array[] = new Array(texts.length)
      let next = 0
      const work = async () => {
        while (next < texts.length) {
          const start = next
          next += textsPerRequest
          const batch = await embedBatch(texts.slice(start, start + textsPerRequest), apiKey, signal)
          for (const [i, vector] of batch.entries()) vectors[start + i] = vector
        }
      }
      await Promise.all(Array.from({ length: requestsAtOnce }, work))
      return vectors
    },
    // The caller owns the connections.
    async close() {
      closed = true
    },
  })
  const { apiKey, ownKeyOf = async () => undefined } = options
  return {
    ...embedWith(async () => apiKey),
    forOrganization: (id) => embedWith(async () => (await ownKeyOf(id)) ?? apiKey),
  }
}

interface Refusal {
  error: EmbeddingError
  retryAfterMs?: number
}

/** The server's own words are left out: some servers repeat the key in them. */
function refusal(status: number, headers: Record<string, string>): Refusal {
  if (status === 401 || status === 403)
    return { error: new EmbeddingError('fail', 'The embedding server refused the API key.') }
  const transient = status === 408 || status === 409 || status === 429 || status >= 500
  const error = new EmbeddingError(transient ? 'retry' : 'fail', `The embedding server answered ${status}.`)
  const seconds = Number(headers['retry-after'])
  return seconds > 0 ? { error, retryAfterMs: seconds * 1000 } : { error }
}

/** Never between the halves of a surrogate pair. */
const cut = (text: string): string => (text.length > maxCharacters ? text.slice(0, maxCharacters).toWellFormed() : text)

function unit(values: number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}
