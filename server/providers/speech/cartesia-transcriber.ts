import Type, { type Static } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import { cartesiaVersion } from './cartesia-version.ts'
import { sampleRateOf, type Transcriber, type TranscriptionOptions } from './contract.ts'
import { refusal } from './hosted-request.ts'
import { type Heard, transcribeOverSocket } from './socket-transcription.ts'

interface CartesiaOptions {
  /** `https://api.cartesia.ai`. */
  baseUrl: string
  apiKey: string
  model: string
}

const Transcript = Type.Object({ text: Type.String(), is_final: Type.Boolean() })
type Transcript = Static<typeof Transcript>

/** Cartesia's recognition with manual finalization, since turns are detected here. It detects no languages. */
export function createCartesiaTranscriber({ baseUrl, apiKey, model }: CartesiaOptions): Transcriber {
  return {
    provider: 'cartesia',
    model,
    source: 'recognised',
    open: (options) =>
      transcribeOverSocket(
        {
          name: 'Cartesia',
          url: addressOf(baseUrl, model, options),
          headers: { authorization: `Bearer ${apiKey}`, 'cartesia-version': cartesiaVersion },
          finalize: 'finalize',
          close: 'close',
          read,
          // Texts are pieces of the transcript with their own spaces.
          separator: '',
        },
        options,
      ),
  }
}

function addressOf(baseUrl: string, model: string, options: TranscriptionOptions): URL {
  const { encoding, language, keyTerms = [] } = options
  const url = new URL(`${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/stt/websocket`)
  const parameters = {
    model,
    language: language.split('-')[0] as string,
    encoding: encoding === 'mulaw-8000' ? 'pcm_mulaw' : 'pcm_s16le',
    sample_rate: String(sampleRateOf[encoding]),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  // Documented for the newer models.
  if (!/whisper/.test(model)) for (const term of keyTerms) url.searchParams.append('keyterm', term)
  return url
}

function read(message: Record<string, unknown>): Heard | undefined {
  if (message.type === 'error') throw refusal('Cartesia', Number(message.status_code) || 500)
  if (message.type === 'flush_done') return { text: '', isFinal: true, isFinalized: true }
  if (message.type !== 'transcript' || faultIn(Transcript, message)) return undefined
  const { text, is_final } = message as unknown as Transcript
  return { text, isFinal: is_final, isFinalized: false }
}
