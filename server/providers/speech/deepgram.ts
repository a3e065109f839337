import Type, { type Static } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import { sampleRateOf, type Transcriber, type TranscriptionOptions } from './contract.ts'
import { type Heard, transcribeOverSocket } from './socket-transcription.ts'

interface DeepgramOptions {
  /** `https://api.deepgram.com`. */
  baseUrl: string
  apiKey: string
  model: string
}

const Results = Type.Object({
  is_final: Type.Boolean(),
  from_finalize: Type.Optional(Type.Boolean()),
  /** In seconds of the stream. */
  start: Type.Optional(Type.Number()),
  duration: Type.Optional(Type.Number()),
  channel: Type.Object({
    alternatives: Type.Array(
      Type.Object({
        transcript: Type.String(),
        /** Only with `language=multi`: the languages of the words, the most frequent first. */
        languages: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  }),
})
type Results = Static<typeof Results>

/** Deepgram closes a socket that receives nothing for ten seconds. */
const keepAliveMs = 4_000

/**
 * Deepgram's streaming recognition: one socket per call, opened with its first words. It may leave a `Finalize`
 * unanswered if little audio is left, so answers are matched by their position in the audio.
 */
export function createDeepgram({ baseUrl, apiKey, model }: DeepgramOptions): Transcriber {
  return {
    provider: 'deepgram',
    model,
    source: 'recognised',
    open: (options) =>
      transcribeOverSocket(
        {
          name: 'Deepgram',
          url: addressOf(baseUrl, model, options),
          headers: { authorization: `Token ${apiKey}` },
          finalize: '{"type":"Finalize"}',
          close: '{"type":"CloseStream"}',
          keepAlive: { message: '{"type":"KeepAlive"}', everyMs: keepAliveMs },
          read,
          separator: ' ',
        },
        options,
      ),
  }
}

function addressOf(baseUrl: string, model: string, options: TranscriptionOptions): URL {
  const { encoding, language, onLanguage, keyTerms = [] } = options
  const url = new URL(`${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/v1/listen`)
  const parameters = {
    model,
    // Deepgram detects languages in a stream only with this value.
    language: onLanguage ? 'multi' : language,
    encoding: encoding === 'mulaw-8000' ? 'mulaw' : 'linear16',
    sample_rate: String(sampleRateOf[encoding]),
    channels: '1',
    interim_results: 'true',
    // Endpointing is decided here, by the same rules for every provider.
    endpointing: 'false',
    smart_format: 'true',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  // Other models refuse key terms.
  if (/^(?:nova-3|flux)/.test(model)) for (const term of keyTerms) url.searchParams.append('keyterm', term)
  return url
}

function read(message: Record<string, unknown>): Heard | undefined {
  if (message.type !== 'Results' || faultIn(Results, message)) return undefined
  const { is_final, from_finalize, start, duration, channel } = message as unknown as Results
  const [best] = channel.alternatives
  return {
    text: best?.transcript.trim() ?? '',
    isFinal: is_final,
    isFinalized: from_finalize ?? false,
    language: best?.languages?.[0],
    audioEnd: start === undefined || duration === undefined ? undefined : start + duration,
  }
}
