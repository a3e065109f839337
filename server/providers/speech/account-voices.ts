import { createHash } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { parseJson } from '../../platform/parse-json.ts'
import { cartesiaVersion } from './cartesia-version.ts'
import { SpeechError } from './contract.ts'
import { explained, refusal } from './hosted-request.ts'
import { type OfferedVoice, voices } from './voices.ts'

/** The voices that an account at a provider has: its library, clones and all. Throws `SpeechError`. */

interface Account {
  http: OutboundHttp
  baseUrl: string
  apiKey: string
  /** The time limit for all pages. */
  signal: AbortSignal
}

const timeLimitMs = 10_000
const pageSize = 100
/** A list to choose from; longer ones are cut. */
const mostPages = 10

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const ElevenLabsPage = Type.Object({
  voices: Type.Array(
    Type.Object({
      voice_id: Type.String(),
      name: Type.String(),
      description: optionalText,
      preview_url: optionalText,
      labels: Type.Optional(Type.Unknown()),
    }),
  ),
  has_more: Type.Optional(Type.Boolean()),
  next_page_token: optionalText,
})

export async function listElevenLabsVoices(account: Account): Promise<OfferedVoice[]> {
  const headers = { 'xi-api-key': account.apiKey }
  const found: OfferedVoice[] = []
  let token: string | null | undefined
  for (let page = 1; page <= mostPages; page++) {
    const path = `/v2/voices?page_size=${pageSize}${token ? `&next_page_token=${encodeURIComponent(token)}` : ''}`
    const answer = await read('ElevenLabs', account, path, headers, ElevenLabsPage)
    for (const { voice_id, name, description, preview_url, labels } of answer.voices) {
      const language = (labels as { language?: unknown } | null | undefined)?.language
      const spoken = typeof language === 'string' && language !== '' ? language : 'multilingual'
      found.push(accountVoice('elevenlabs', voice_id, name, spoken, description, preview_url))
    }
    token = answer.next_page_token
    if (!answer.has_more || !token) break
  }
  return found
}

const CartesiaPage = Type.Object({
  data: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), language: optionalText, description: optionalText }),
  ),
  has_more: Type.Optional(Type.Boolean()),
})

export async function listCartesiaVoices(account: Account): Promise<OfferedVoice[]> {
  const headers = { authorization: `Bearer ${account.apiKey}`, 'cartesia-version': cartesiaVersion }
  const found: OfferedVoice[] = []
  for (let page = 1; page <= mostPages; page++) {
    const last = found.at(-1)?.voice
    const path = `/voices?limit=${pageSize}${last ? `&starting_after=${encodeURIComponent(last)}` : ''}`
    const { data, has_more } = await read('Cartesia', account, path, headers, CartesiaPage)
    for (const { id, name, language, description } of data)
      found.push(accountVoice('cartesia', id, name, language || 'multilingual', description))
    if (!has_more || data.length === 0) break
  }
  return found
}

/** A voice that is also on offer under a fixed id keeps that id. */
function accountVoice(
  provider: OfferedVoice['provider'],
  voice: string,
  name: string,
  language: string,
  description?: string | null,
  previewUrl?: string | null,
): OfferedVoice {
  const fixed = voices.find((each) => each.provider === provider && each.voice === voice)
  const isPlayable = previewUrl && /^https:\/\//.test(previewUrl)
  return {
    id: fixed?.id ?? idOf(provider, voice),
    name,
    provider,
    language,
    voice,
    ...(description && { description: description.slice(0, 1000).toWellFormed() }),
    ...(isPlayable && { previewUrl }),
  }
}

/** The same for the same voice, on every node. */
function idOf(provider: string, voice: string): string {
  const bytes = createHash('sha256').update(`voice ${provider} ${voice}`).digest().subarray(0, 16)
  // Version 8, variant 1: an id of our own making.
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

async function read<S extends TSchema>(
  name: string,
  { http, baseUrl, signal }: Account,
  path: string,
  headers: Record<string, string>,
  schema: S,
): Promise<Static<S>> {
  const url = baseUrl.replace(/\/+$/, '') + path
  const { status, body } = await http
    .fetch({ url, method: 'GET', headers, timeLimitMs, maxBytes: 16 << 20, signal })
    .catch((error) => {
      throw signal.aborted ? new SpeechError('retry', `${name} took too long.`, error) : explained(name, error, signal)
    })
  if (status !== 200) throw refusal(name, status)
  const answer = parseJson(body)
  if (faultIn(schema, answer)) throw new SpeechError('fail', `${name} answered something else than a list of voices.`)
  return answer as Static<S>
}
