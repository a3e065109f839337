import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Type from 'typebox'
import { WebSocket } from 'ws'
import { faultIn } from '../../platform/check-schema.ts'
import { guardListeners } from '../../platform/guard-listeners.ts'
import { alignWords } from './align-words.ts'
import { createArrivals } from './arrivals.ts'
import { cartesiaVersion } from './cartesia-version.ts'
import { type SpeakOptions, SpeechError, sampleRateOf, type Voice } from './contract.ts'
import { refusal } from './hosted-request.ts'

interface CartesiaOptions {
  /** `https://api.cartesia.ai`. */
  baseUrl: string
  apiKey: string
  model: string
  /** How long a socket that no sentence uses stays open. A call that is over needs none. */
  idleMs?: number
}

type Message = Record<string, unknown>

const connectMs = 5_000

const Timestamps = Type.Object({
  word_timestamps: Type.Object({ words: Type.Array(Type.String()), end: Type.Array(Type.Number()) }),
})

/** Cartesia's voices over one socket, which serves all sentences of a call, with the time of each word. */
export function createCartesiaVoice({ baseUrl, apiKey, model, idleMs = 60_000 }: CartesiaOptions): Voice {
  const url = new URL(`${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/tts/websocket`)
  /** What arrives for each sentence. */
  const listeners = new Map<string, ReturnType<typeof createArrivals<Message>>>()
  let socket: WebSocket | undefined
  let idle: NodeJS.Timeout | undefined
  /** Under the web socket. While it is idle, it does not keep the process alive. */
  let connection: Socket | undefined

  function connect(): WebSocket {
    const opening = new WebSocket(url, {
      headers: { authorization: `Bearer ${apiKey}`, 'cartesia-version': cartesiaVersion },
      handshakeTimeout: connectMs,
    })
    guardListeners(opening, (error) =>
      lose(opening, new SpeechError('retry', 'Cartesia sent what cannot be read.', error)),
    )
    opening.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      listeners.get(String(message.context_id))?.push(message)
      // An error without a context concerns the connection.
      if (message.type === 'error' && !message.context_id) lose(opening, errorOf(message))
    })
    opening.on('upgrade', (response) => {
      connection = response.socket
      if (listeners.size === 0) connection.unref()
    })
    opening.on('unexpected-response', (_request, response) => {
      response.destroy()
      lose(opening, refusal('Cartesia', response.statusCode ?? 500))
    })
    opening.on('error', () => lose(opening, new SpeechError('retry', 'The connection to Cartesia failed.')))
    opening.on('close', () => lose(opening, new SpeechError('retry', 'Cartesia closed the connection.')))
    return opening
  }

  function lose(lost: WebSocket, error: SpeechError): void {
    lost.terminate()
    if (lost !== socket) return
    socket = undefined
    for (const arrivals of listeners.values()) arrivals.fail(error)
  }

  function send(message: Message & { context_id: string }): void {
    socket ??= connect()
    const to = socket
    if (to.readyState === WebSocket.OPEN) to.send(JSON.stringify(message))
    else
      to.once('open', () => {
        // Unless the sentence was aborted meanwhile.
        if (listeners.has(message.context_id)) to.send(JSON.stringify(message))
      })
  }

  /** The next sentence opens another socket, even while this one is closing. */
  function closeIdle(): void {
    const closing = socket
    socket = undefined
    closing?.close()
  }

  async function* speak(text: string, { encoding, voice, language, onWord, signal }: SpeakOptions) {
    signal.throwIfAborted()
    // The vendor refuses a text without words.
    if (!/[\p{L}\p{N}]/u.test(text)) return
    const context_id = randomUUID()
    const arrivals = createArrivals<Message>(signal)
    const align = onWord && alignWords(text, onWord)
    let isOver = false
    clearTimeout(idle)
    connection?.ref()
    listeners.set(context_id, arrivals)
    try {
      send({
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
      })
      for await (const message of arrivals) {
        if (message.type === 'error') {
          isOver = true
          throw errorOf(message)
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
      listeners.delete(context_id)
      // Otherwise Cartesia would go on, and charge for it.
      if (!isOver && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ context_id, cancel: true }))
      if (listeners.size === 0) {
        idle = setTimeout(closeIdle, idleMs).unref()
        connection?.unref()
      }
    }
  }

  return { provider: 'cartesia', model, speak }
}

/** Its own words may contain what was to be said. */
const errorOf = ({ status_code: status }: Message): SpeechError => refusal('Cartesia', Number(status) || 500)
