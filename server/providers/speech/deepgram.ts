import Type, { type Static } from 'typebox'
import { WebSocket } from 'ws'
import { faultIn } from '../../platform/check-schema.ts'
import { guardListeners, guardTimer } from '../../platform/guard-listeners.ts'
import {
  SpeechError,
  sampleRateOf,
  type Transcriber,
  type Transcription,
  type TranscriptionOptions,
} from './contract.ts'

interface DeepgramOptions {
  /** `https://api.deepgram.com`. */
  baseUrl: string
  apiKey: string
  model: string
}

const Results = Type.Object({
  is_final: Type.Boolean(),
  from_finalize: Type.Optional(Type.Boolean()),
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

/** A request for the transcript of all audio until then. `endsTurn`: the next transcript starts after it. */
interface Finalization extends PromiseWithResolvers<string> {
  endsTurn: boolean
  isOver: boolean
}

/** Deepgram closes a socket that receives nothing for ten seconds. */
const keepAliveMs = 4_000
const connectMs = 5_000
const finalizeMs = 2_500
/** Audio that waits for a connection; more than one turn of it is useless. */
const mostWaiting = 1 << 20

/** Deepgram's streaming recognition: one socket per call, opened with its first words. */
export function createDeepgram({ baseUrl, apiKey, model }: DeepgramOptions): Transcriber {
  return {
    provider: 'deepgram',
    model,
    source: 'recognised',
    open: (options) => openStream(addressOf(baseUrl, model, options), apiKey, options),
  }
}

function addressOf(baseUrl: string, model: string, { encoding, language, onLanguage }: TranscriptionOptions): URL {
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
  return url
}

function openStream(url: URL, apiKey: string, { onPartial, onLanguage, signal }: TranscriptionOptions): Transcription {
  let socket: WebSocket | undefined
  let keepAlive: NodeJS.Timeout | undefined
  let waiting: (Uint8Array | string)[] = []
  let waitingBytes = 0
  let written = false
  let finals: string[] = []
  let interim = ''
  /** Deepgram answers each one in order. */
  let finishing: Finalization[] = []
  /** Requested at a pause; undefined once the speaker has gone on. */
  let atPause: Finalization | undefined

  function connect(): WebSocket {
    const opening = new WebSocket(url, { headers: { authorization: `Token ${apiKey}` }, handshakeTimeout: connectMs })
    guardListeners(opening, (error) =>
      lose(opening, new SpeechError('retry', 'Deepgram sent what cannot be read.', error)),
    )
    opening.on('open', () => {
      for (const message of waiting.splice(0)) opening.send(message)
      waitingBytes = 0
    })
    opening.on('message', (data, isBinary) => {
      if (!isBinary && opening === socket) hear(String(data))
    })
    // The status line may contain the key's owner, so none of it is passed on.
    opening.on('unexpected-response', (_request, response) => {
      const refused = response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 400
      response.destroy()
      lose(opening, new SpeechError(refused ? 'fail' : 'retry', `Deepgram answered ${response.statusCode}.`))
    })
    opening.on('error', () => lose(opening, new SpeechError('retry', 'The connection to Deepgram failed.')))
    opening.on('close', () => lose(opening, new SpeechError('retry', 'Deepgram closed the connection.')))
    const stayOpen = guardTimer(opening, () => {
      if (opening.readyState === WebSocket.OPEN) opening.send('{"type":"KeepAlive"}')
    })
    keepAlive = setInterval(stayOpen, keepAliveMs)
    return opening
  }

  function lose(lost: WebSocket, error: SpeechError): void {
    lost.terminate()
    if (lost !== socket) return
    socket = undefined
    clearInterval(keepAlive)
    waiting = []
    waitingBytes = 0
    refuse(error)
  }

  function refuse(error: SpeechError): void {
    atPause = undefined
    for (const { reject } of finishing.splice(0)) reject(error)
  }

  const heardSoFar = () => [...finals, interim].filter(Boolean).join(' ')

  function startTurn(): void {
    finals = []
    interim = ''
  }

  /** Asks for the rest of the transcript; without an answer, what arrived until then is used. */
  function finalize(endsTurn: boolean): Finalization {
    const asked: Finalization = { ...Promise.withResolvers<string>(), endsTurn, isOver: false }
    const late = setTimeout(() => settle(asked), finalizeMs)
    asked.promise.catch(() => {}).finally(() => clearTimeout(late))
    finishing.push(asked)
    send('{"type":"Finalize"}')
    return asked
  }

  function settle(asked: Finalization | undefined): void {
    if (!asked) return
    finishing = finishing.filter((other) => other !== asked)
    asked.isOver = true
    asked.resolve(heardSoFar())
    if (asked.endsTurn) startTurn()
  }

  /** The transcript of the turn that ends here. Nothing was written since a pause, so its transcript is complete. */
  function endTurn(): Promise<string> {
    const asked = atPause ?? finalize(true)
    atPause = undefined
    written = false
    asked.endsTurn = true
    if (asked.isOver) startTurn()
    return asked.promise
  }

  function hear(text: string): void {
    const message = parsed(text)
    if (message?.type !== 'Results' || faultIn(Results, message)) return
    const { is_final, from_finalize, channel } = message as unknown as Results
    const transcript = channel.alternatives[0]?.transcript.trim() ?? ''
    if (is_final && transcript) finals.push(transcript)
    const [spoken] = channel.alternatives[0]?.languages ?? []
    if (is_final && transcript && spoken) onLanguage?.(spoken)
    interim = is_final ? '' : transcript
    if (from_finalize) settle(finishing[0])
    else if (written && transcript) onPartial(heardSoFar())
  }

  function send(message: Uint8Array | string): void {
    if (signal.aborted) return
    socket ??= connect()
    if (socket.readyState === WebSocket.OPEN) socket.send(message)
    else {
      waitingBytes += message.length
      if (waitingBytes < mostWaiting) waiting.push(message)
    }
  }

  function close(): void {
    const closing = socket
    socket = undefined
    clearInterval(keepAlive)
    refuse(new SpeechError('retry', 'The transcription was closed.'))
    if (closing?.readyState === WebSocket.OPEN) closing.send('{"type":"CloseStream"}', () => closing.close())
    else closing?.terminate()
  }
  signal.addEventListener('abort', close, { once: true })

  return {
    write(frame) {
      written = true
      atPause = undefined
      send(frame)
    },
    pause() {
      if (!written || !socket) return undefined
      atPause = finalize(false)
      return atPause.promise
    },
    async finish(finishSignal) {
      finishSignal.throwIfAborted()
      if (!written) return ''
      if (!socket) {
        written = false
        throw new SpeechError('retry', 'The connection to Deepgram was lost.')
      }
      const text = endTurn()
      const { promise: withdrawn, reject } = Promise.withResolvers<never>()
      const withdraw = () => reject(finishSignal.reason)
      finishSignal.addEventListener('abort', withdraw, { once: true })
      try {
        return await Promise.race([text, withdrawn])
      } finally {
        finishSignal.removeEventListener('abort', withdraw)
        text.catch(() => {})
      }
    },
    discard() {
      // Results for the discarded audio go into a text that is dropped.
      if (written) endTurn().catch(() => {})
    },
    close,
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
