import Type, { type Static } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { parseJson } from '../../platform/parse-json.ts'
import { alignCharacters } from './align-words.ts'
import { type SpeakOptions, SpeechError, type Voice } from './contract.ts'
import { createElevenLabsSockets, NoAudioError } from './elevenlabs-socket.ts'
import { Refusal, streamAnswer } from './hosted-request.ts'

interface ElevenLabsOptions {
  http: OutboundHttp
  /** `https://api.elevenlabs.io`. */
  baseUrl: string
  apiKey: string
  model: string
  /** How long a socket that no sentence uses stays open. */
  idleMs?: number
}

const timeLimitMs = 30_000
const longestAudio = 32 << 20
const longestLine = 8 << 20

const Chunk = Type.Object({
  audio_base64: Type.Optional(Type.String()),
  alignment: Type.Optional(
    Type.Union([
      Type.Object({
        characters: Type.Array(Type.String()),
        character_start_times_seconds: Type.Array(Type.Number()),
        character_end_times_seconds: Type.Array(Type.Number()),
      }),
      Type.Null(),
    ]),
  ),
})
type Chunk = Static<typeof Chunk>

/**
 * ElevenLabs' streaming speech, in the connection's own encoding: nothing is converted here. With `onWord`, as on calls, one
 * socket serves all sentences; a server or a model without it is asked by HTTP, which has the times of the words too.
 */
export function createElevenLabs({ http, baseUrl, apiKey, model, idleMs = 60_000 }: ElevenLabsOptions): Voice {
  const speakBySocket = createElevenLabsSockets({ baseUrl, apiKey, idleMs })
  let hasSocket = takesSocket(model)
  const formatOf = ({ encoding }: SpeakOptions) => (encoding === 'mulaw-8000' ? 'ulaw_8000' : 'pcm_16000')
  // Only some models take a language; the multilingual ones detect it from the text.
  const languageOf = ({ language }: SpeakOptions): { language_code?: string } =>
    takesLanguage(model) ? { language_code: language.split('-')[0] as string } : {}

  const request = (path: 'stream' | 'stream/with-timestamps', text: string, options: SpeakOptions) => {
    const { voice, signal } = options
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v1/text-to-speech/${encodeURIComponent(voice)}/${path}`)
    url.searchParams.set('output_format', formatOf(options))
    return streamAnswer(http, 'ElevenLabs', {
      url,
      method: 'POST',
      headers: { 'xi-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ text, model_id: model, ...languageOf(options) }),
      timeLimitMs,
      maxBytes: longestAudio,
      signal,
    })
  }

  async function* speakByHttp(text: string, options: SpeakOptions): AsyncIterable<Uint8Array> {
    try {
      return yield* readTimed(request('stream/with-timestamps', text, options), text, options)
    } catch (error) {
      // Compatible servers may only have the other one, which refuses an unknown voice as well.
      if (!(error instanceof Refusal && error.status === 404)) throw error
    }
    yield* request('stream', text, options)
  }

  async function* speak(text: string, options: SpeakOptions): AsyncIterable<Uint8Array> {
    options.signal.throwIfAborted()
    if (!options.onWord) return yield* request('stream', text, options)
    // The socket sends nothing for a text without words.
    if (!/[\p{L}\p{N}]/u.test(text)) return
    if (hasSocket)
      try {
        const query = { model_id: model, output_format: formatOf(options), ...languageOf(options) }
        return yield* speakBySocket(text, query, options)
      } catch (error) {
        if (!(error instanceof NoAudioError) || isAboutAccount(error.cause)) throw error
        // An answer by HTTP says what is wrong with the request, which an error of the socket does not.
        if (error.isUnproven) hasSocket = false
      }
    yield* speakByHttp(text, options)
  }

  return { provider: 'elevenlabs', model, speak }
}

/** Refused by HTTP as well: the key, the limits or an outage, but not a missing socket. */
const isAboutAccount = (cause: unknown): boolean =>
  cause instanceof Refusal && (cause.verdict === 'retry' || [401, 402, 403].includes(cause.status))

/** One JSON object per line, with audio and the time of each character. */
async function* readTimed(
  pieces: AsyncIterable<Uint8Array>,
  text: string,
  { onWord = () => {} }: SpeakOptions,
): AsyncIterable<Uint8Array> {
  const align = alignCharacters(text, onWord)
  const decoder = new TextDecoder()
  let line = ''

  function* read(json: string): Generator<Uint8Array> {
    if (json.trim() === '') return
    const { audio_base64, alignment } = chunkIn(json)
    if (alignment) {
      const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment
      align.add(characters, starts, ends)
    }
    if (audio_base64) yield Buffer.from(audio_base64, 'base64')
  }

  for await (const piece of pieces) {
    line += decoder.decode(piece, { stream: true })
    if (line.length > longestLine) throw unreadable()
    const lines = line.split('\n')
    line = lines.pop() as string
    for (const complete of lines) yield* read(complete)
  }
  yield* read(line)
  align.end()
}

function chunkIn(json: string): Chunk {
  const chunk = parseJson(json)
  if (faultIn(Chunk, chunk)) throw unreadable()
  return chunk as Chunk
}

const unreadable = () => new SpeechError('fail', 'ElevenLabs answered something else than speech.')

const takesLanguage = (model: string): boolean => /_(?:turbo|flash)_v2_5$/.test(model)
/** The provider says that its newest models have no multi-context socket. */
const takesSocket = (model: string): boolean => !/^eleven_v3/.test(model)
