import { encodeStream } from '../speech/audio.ts'
import { type Encoding, SpeechError } from '../speech/contract.ts'
import { keyTermPrompt } from '../speech/key-term-prompt.ts'
import {
  createRealtimeConnection,
  type Message,
  type RealtimeConnection,
  type RealtimeLimits,
} from './realtime-connection.ts'
import { createRealtimeConversation, type RealtimeConversation } from './realtime-conversation.ts'
import { countUnreported, type UnreportedTokens } from './realtime-usage.ts'

/** The provider's only rate for PCM. */
export const pcmRate = 24_000

interface SessionOptions {
  /** `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | undefined
  model: string
  transcriberModel: string
  voice: string
  isOwnKey: boolean
  limits: RealtimeLimits
  /** Why no session can be opened, if that is known beforehand. */
  fault?: SpeechError | undefined
}

interface OpenOptions {
  encoding: Encoding
  language: string
  keyTerms?: string[] | undefined
  /** Given if the provider is to detect the language. */
  onLanguage?: unknown
  /** Aborted when the call is over. */
  signal: AbortSignal
}

/** One call's session: what its transcriber, its voice and its model share. */
export interface RealtimeSession extends Pick<SessionOptions, 'model' | 'transcriberModel' | 'isOwnKey' | 'limits'> {
  readonly provider: 'openai'
  connection: RealtimeConnection
  conversation: RealtimeConversation
  tokens: UnreportedTokens
  /** Only the first call counts. */
  open(options: OpenOptions): void
  encoding(): Encoding
  listen(listener: (message: Message) => void): void
  onLost(listener: (error: SpeechError) => void): void
  /** The session's audio in the encoding of the call. */
  decode(pieces: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array>
  /** Throws `SpeechError` if a response failed. */
  checkDone(message: Message): void
}

export function createRealtimeSession(options: SessionOptions): RealtimeSession {
  const { model, transcriberModel, isOwnKey, limits } = options
  const listeners: ((message: Message) => void)[] = []
  const lossListeners: ((error: SpeechError) => void)[] = []
  const tokens = countUnreported()
  let opened: Encoding | undefined
  const connection = createRealtimeConnection({
    ...options,
    onMessage(message) {
      for (const listener of listeners) listener(message)
    },
    onDone: tokens.used,
    onLost(error) {
      for (const listener of lossListeners) listener(error)
    },
  })
  if (options.fault) connection.lose(options.fault)

  return {
    provider: 'openai',
    model,
    transcriberModel,
    isOwnKey,
    limits,
    connection,
    conversation: createRealtimeConversation(connection.send),
    tokens,
    encoding: () => opened ?? 'mulaw-8000',
    listen: (listener) => void listeners.push(listener),
    onLost: (listener) => void lossListeners.push(listener),
    open({ encoding, language, keyTerms, onLanguage, signal }) {
      if (opened) return
      opened = encoding
      const format = encoding === 'mulaw-8000' ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: pcmRate }
      const prompt = keyTermPrompt(transcriberModel, keyTerms)
      const transcription = {
        model: transcriberModel,
        ...(prompt && { prompt }),
        ...(onLanguage === undefined && { language: language.split('-')[0] }),
      }
      connection.open({
        type: 'realtime',
        output_modalities: ['audio'],
        audio: {
          // Turns are detected here, by the same rules for every provider.
          input: { format, transcription, turn_detection: null },
          output: { format, voice: options.voice },
        },
      })
      const close = async () => {
        // The end of a response that was cancelled by the end of the call tells what it cost.
        await connection.idle()
        connection.lose(new SpeechError('retry', 'The call is over.'))
      }
      signal.addEventListener('abort', close, { once: true })
    },
    decode: (pieces, encoding) => (encoding === 'mulaw-8000' ? pieces : encodeStream(pieces, pcmRate, encoding)),
    checkDone({ response }) {
      const { status, status_details } = (response ?? {}) as {
        status?: string
        status_details?: { reason?: string; error?: { code?: string; type?: string } | null } | null
      }
      if (status === 'completed' || status === 'cancelled') return
      // An answer that became too long has been heard.
      if (status === 'incomplete' && status_details?.reason === 'max_output_tokens') return
      const cause = status_details?.error?.code ?? status_details?.reason ?? status
      throw new SpeechError('retry', `OpenAI Realtime failed to answer (${cause}).`)
    },
  }
}
