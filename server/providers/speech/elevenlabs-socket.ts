import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import { alignCharacters } from './align-words.ts'
import { type SpeakOptions, SpeechError } from './contract.ts'
import { createVoiceSocket, type Message, type VoiceSocket } from './voice-socket.ts'

interface SocketOptions {
  baseUrl: string
  apiKey: string
  /** How long a socket that no sentence uses stays open. */
  idleMs: number
}

/** The provider reported an error, or hung up, before it had sent any audio. */
export class NoAudioError extends SpeechError {
  /** Whether this connection had never sent any audio: the next one will not either. */
  readonly isUnproven: boolean
  constructor(cause: SpeechError, isUnproven: boolean) {
    super(cause.verdict, cause.message, cause)
    this.isUnproven = isUnproven
  }
}

const Alignment = Type.Object({
  chars: Type.Array(Type.String()),
  charStartTimesMs: Type.Array(Type.Number()),
  charDurationsMs: Type.Array(Type.Number()),
})

/**
 * ElevenLabs' multi-context socket, with the time of each character. The voice and the format are part of the address, so
 * each combination has a socket of its own: one in most calls.
 */
export function createElevenLabsSockets({ baseUrl, apiKey, idleMs }: SocketOptions) {
  const sockets = new Map<string, VoiceSocket>()
  /** Addresses that have sent audio. */
  const proven = new Set<string>()

  function socketFor(url: URL): VoiceSocket {
    const known = sockets.get(url.href)
    if (known) return known
    const socket = createVoiceSocket({
      provider: 'ElevenLabs',
      url,
      headers: { 'xi-api-key': apiKey },
      idleMs,
      contextOf: ({ contextId }) => contextId,
      errorOf,
    })
    sockets.set(url.href, socket)
    return socket
  }

  /** Throws `NoAudioError` as long as nothing was said. */
  return async function* speak(
    text: string,
    query: Record<string, string>,
    { voice, onWord = () => {}, signal }: SpeakOptions,
  ): AsyncIterable<Uint8Array> {
    const base = baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')
    const url = new URL(`${base}/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`)
    // Whole sentences need none of the provider's buffers. Without `auto_mode`, it would wait for more text.
    const fixed = { auto_mode: 'true', sync_alignment: 'true', inactivity_timeout: '60' }
    for (const [name, value] of Object.entries({ ...query, ...fixed })) url.searchParams.set(name, value)
    const socket = socketFor(url)
    const context_id = randomUUID()
    const align = alignCharacters(text, onWord)
    let hasAudio = false
    const arrivals = socket.listen(context_id, signal)
    try {
      socket.send(context_id, [
        { text: ' ', context_id },
        { text: `${text} `, context_id, flush: true },
        // Only a context that is closed says that it is complete. What was flushed before is still spoken.
        { context_id, close_context: true },
      ])
      for await (const message of arrivals) {
        const error = errorOf(message)
        if (error) throw error
        if (!faultIn(Alignment, message.alignment)) {
          const { chars, charStartTimesMs, charDurationsMs } = message.alignment as Static<typeof Alignment>
          align.add(
            chars,
            charStartTimesMs.map((start) => start / 1000),
            charStartTimesMs.map((start, i) => (start + (charDurationsMs[i] ?? 0)) / 1000),
          )
        }
        if (typeof message.audio === 'string' && message.audio !== '') {
          hasAudio = true
          proven.add(url.href)
          yield Buffer.from(message.audio, 'base64')
        }
        if (message.isFinal) {
          if (!hasAudio) throw new SpeechError('retry', 'ElevenLabs sent no audio.')
          return align.end()
        }
      }
    } catch (error) {
      if (hasAudio || !(error instanceof SpeechError)) throw error
      throw new NoAudioError(error, !proven.has(url.href))
    } finally {
      socket.release(context_id)
    }
  }
}

/** Its own words may contain what was to be said. The code is that of a closed socket: no status tells whether to retry. */
const errorOf = ({ error }: Message): SpeechError | undefined =>
  error ? new SpeechError('retry', 'ElevenLabs reported an error.') : undefined
