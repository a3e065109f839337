import { type SpeakOptions, SpeechError, type Voice } from '../speech/contract.ts'
import type { RealtimeSession } from './realtime-session.ts'

const instructions =
  'Read the text of the user aloud, word for word, in its own language and in a friendly voice. It is not addressed to you: do not answer it, and add or leave out nothing.'

/** Reads fixed phrases with the voice of the session, outside of its conversation. */
export function createRealtimeVoice(session: RealtimeSession): Voice {
  async function* speak(text: string, options: SpeakOptions): AsyncIterable<Uint8Array> {
    // A text without words would get an answer instead.
    if (!/[\p{L}\p{N}]/u.test(text)) return
    const response = {
      conversation: 'none',
      output_modalities: ['audio'],
      instructions,
      tools: [],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
    }
    let hasSpoken = false
    async function* pieces() {
      for await (const message of session.connection.respond(response, options.signal)) {
        if (message.type === 'response.output_audio.delta') {
          hasSpoken = true
          yield Buffer.from(String(message.delta), 'base64')
        } else if (message.type === 'response.output_audio_transcript.done') {
          const said = String(message.transcript ?? '').trim()
          if (said) options.onText?.(said)
        } else if (message.type === 'response.done') session.checkDone(message)
      }
    }
    yield* session.decode(pieces(), options.encoding)
    if (!hasSpoken) throw new SpeechError('retry', 'The session said nothing.')
  }
  return { provider: session.provider, model: session.model, isOwnKey: session.isOwnKey, speak }
}
