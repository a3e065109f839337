import Type, { type Static } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { alignWords } from './align-words.ts'
import { bytesPerMs, type SpeakOptions, SpeechError, type Voice } from './contract.ts'
import { Refusal, streamAnswer } from './hosted-request.ts'

interface ElevenLabsOptions {
  http: OutboundHttp
  /** `https://api.elevenlabs.io`. */
  baseUrl: string
  apiKey: string
  model: string
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

/** ElevenLabs' streaming speech, in the connection's own encoding: nothing is converted here. */
export function createElevenLabs({ http, baseUrl, apiKey, model }: ElevenLabsOptions): Voice {
  const request = (path: 'stream' | 'stream/with-timestamps', text: string, options: SpeakOptions) => {
    const { encoding, voice, language, signal } = options
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v1/text-to-speech/${encodeURIComponent(voice)}/${path}`)
    url.searchParams.set('output_format', encoding === 'mulaw-8000' ? 'ulaw_8000' : 'pcm_16000')
    return streamAnswer(http, 'ElevenLabs', {
      url,
      method: 'POST',
      headers: { 'xi-api-key': apiKey, 'content-type': 'application/json' },
      // Only some models take a language; the multilingual ones detect it from the text.
      body: JSON.stringify({
        text,
        model_id: model,
        ...(takesLanguage(model) && { language_code: language.split('-')[0] }),
      }),
      timeLimitMs,
      maxBytes: longestAudio,
      signal,
    })
  }

  async function* speak(text: string, options: SpeakOptions): AsyncIterable<Uint8Array> {
    if (options.onWord)
      try {
        return yield* readTimed(request('stream/with-timestamps', text, options), text, options)
      } catch (error) {
        // Compatible servers may only have the other one, which refuses an unknown voice as well.
        if (!(error instanceof Refusal && error.status === 404)) throw error
      }
    yield* request('stream', text, options)
  }

  return { provider: 'elevenlabs', model, speak }
}

/** One JSON object per line, with audio and the time of each character. */
async function* readTimed(
  pieces: AsyncIterable<Uint8Array>,
  text: string,
  { encoding, onWord = () => {} }: SpeakOptions,
): AsyncIterable<Uint8Array> {
  const align = alignWords(text, onWord)
  const decoder = new TextDecoder()
  let line = ''
  let word = { text: '', end: 0 }
  let audioSeconds = 0
  let lastEnd = 0
  const endWord = () => {
    align(word.text, word.end)
    word = { text: '', end: 0 }
  }

  function* read(json: string): Generator<Uint8Array> {
    if (json.trim() === '') return
    const { audio_base64, alignment } = chunkIn(json)
    const {
      characters = [],
      character_start_times_seconds: starts = [],
      character_end_times_seconds: ends = [],
    } = alignment ?? {}
    // Times count from the beginning of the sentence, or of the chunk if they would run backwards.
    const offset = (starts[0] ?? 0) < lastEnd - 0.05 ? audioSeconds : 0
    for (const [i, character] of characters.entries()) {
      if (/\s/.test(character)) endWord()
      else word = { text: word.text + character, end: offset + (ends[i] ?? 0) }
      lastEnd = offset + (ends[i] ?? 0)
    }
    if (!audio_base64) return
    const audio = Buffer.from(audio_base64, 'base64')
    audioSeconds += audio.length / bytesPerMs[encoding] / 1000
    yield audio
  }

  for await (const piece of pieces) {
    line += decoder.decode(piece, { stream: true })
    if (line.length > longestLine) throw unreadable()
    const lines = line.split('\n')
    line = lines.pop() as string
    for (const complete of lines) yield* read(complete)
  }
  yield* read(line)
  endWord()
}

function chunkIn(json: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(json)
    if (!faultIn(Chunk, chunk)) return chunk as Chunk
  } catch {
    // Thrown below.
  }
  throw unreadable()
}

const unreadable = () => new SpeechError('fail', 'ElevenLabs answered something else than speech.')

const takesLanguage = (model: string): boolean => /_(?:turbo|flash)_v2_5$/.test(model)
