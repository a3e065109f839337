import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import { alignWords } from './align-words.ts'
import { cartesiaVersion } from './cartesia-version.ts'
import { type SpeakOptions, type SpeechError, sampleRateOf, type Voice } from './contract.ts'
import { refusal } from './hosted-request.ts'
import { createVoiceSocket, type Message } from './voice-socket.ts'

interface CartesiaOptions {
  /** `https://api.cartesia.ai`. */
  baseUrl: string
  apiKey: string
  model: string
  /** How long a socket that no sentence uses stays open. */
  idleMs?: number
}

const Timestamps = Type.Object({
  word_timestamps: Type.Object({ words: Type.Array(Type.String()), end: Type.Array(Type.Number()) }),
})

/** Cartesia's voices over one socket, which serves all sentences of a call, with the time of each word. */
export function createCartesiaVoice({ baseUrl, apiKey, model, idleMs = 60_000 }: CartesiaOptions): Voice {
  const socket = createVoiceSocket({
    provider: 'Cartesia',
    url: new URL(`${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/tts/websocket`),
    headers: { authorization: `Bearer ${apiKey}`, 'cartesia-version': cartesiaVersion },
    idleMs,
    contextOf: ({ context_id }) => context_id,
    errorOf,
  })

  async function* speak(text: string, { encoding, voice, language, onWord, signal }: SpeakOptions) {
    signal.throwIfAborted()
    // The vendor refuses a text without words.
    if (!/[\p{L}\p{N}]/u.test(text)) return
    const context_id = randomUUID()
    const align = onWord && alignWords(text, onWord)
    let isOver = false
    const arrivals = socket.listen(context_id, signal)
    try {
      const request = {
        model_id: model,
        transcript: text,
        voice: { mode: 'id', id: voice },
        language: language.split('-')[0],
        context_id,
        output_format: {
          container: 'raw',
          encoding: encoding === 'mulaw-8000' ? 'pcm_mulaw' : 'pcm_s16le',
          sample_rate: sampleRateOf[encoding],
        },
        add_timestamps: align !== undefined,
        continue: false,
      }
      socket.send(context_id, [request])
      for await (const message of arrivals) {
        const error = errorOf(message)
        if (error) {
          isOver = true
          throw error
        }
        if (message.type === 'chunk' && typeof message.data === 'string') yield Buffer.from(message.data, 'base64')
        if (message.type === 'timestamps' && align && !faultIn(Timestamps, message)) {
          const { words, end } = message.word_timestamps as { words: string[]; end: number[] }
          for (const [i, word] of words.entries()) align(word, end[i] as number)
        }
        if (message.type === 'done') {
          isOver = true
          return
        }
      }
    } finally {
      // Without a cancellation, Cartesia would continue and charge for it.
      socket.release(context_id, isOver ? [] : [{ context_id, cancel: true }])
    }
  }

  return { provider: 'cartesia', model, speak }
}

/** Its own words may contain what was to be said. */
const errorOf = ({ type, status_code: status }: Message): SpeechError | undefined =>
  type === 'error' ? refusal('Cartesia', Number(status) || 500) : undefined
