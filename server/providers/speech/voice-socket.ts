import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { guardListeners } from '../../platform/guard-listeners.ts'
import { type Arrivals, createArrivals } from './arrivals.ts'
import { SpeechError } from './contract.ts'
import { refusal } from './hosted-request.ts'

export type Message = Record<string, unknown>

interface VoiceSocketOptions {
  /** As error messages name it. */
  provider: string
  url: URL
  headers: Record<string, string>
  /** How long a socket that no sentence uses stays open. A call that is over needs none. */
  idleMs: number
  /** The sentence that a message belongs to; none if it concerns the connection. */
  contextOf(message: Message): unknown
  /** What went wrong, if the message reports an error. */
  errorOf(message: Message): SpeechError | undefined
}

/** One connection for all sentences of a call. It opens with the first one, and again after it was lost. */
export interface VoiceSocket {
  /** Starts a sentence: what arrives for it until `release`. */
  listen(id: string, signal: AbortSignal): AsyncIterable<Message>
  /** In order, once the socket is open; nothing if the sentence was released meanwhile. */
  send(id: string, messages: Message[]): void
  /** Ends a sentence. With messages, those are sent if the socket is open. */
  release(id: string, messages?: Message[]): void
}

const connectMs = 5_000
/** Audio of a long sentence in one message, in base64. */
const longestMessage = 16 << 20

export function createVoiceSocket(options: VoiceSocketOptions): VoiceSocket {
  const { provider, url, headers, idleMs, contextOf, errorOf } = options
  const listeners = new Map<string, Arrivals<Message>>()
  let socket: WebSocket | undefined
  let idle: NodeJS.Timeout | undefined
  /** Under the web socket. While it is idle, it does not keep the process alive. */
  let connection: Socket | undefined

  function connect(): WebSocket {
    const opening = new WebSocket(url, { headers, handshakeTimeout: connectMs, maxPayload: longestMessage })
    guardListeners(opening, (error) =>
      lose(opening, new SpeechError('retry', `${provider} sent what cannot be read.`, error)),
    )
    opening.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      const context = contextOf(message)
      if (context) return listeners.get(String(context))?.push(message)
      const error = errorOf(message)
      if (error) lose(opening, error)
    })
    opening.on('upgrade', (response) => {
      connection = response.socket
      if (listeners.size === 0) connection.unref()
    })
    opening.on('unexpected-response', (_request, response) => {
      response.destroy()
      lose(opening, refusal(provider, response.statusCode ?? 500))
    })
    opening.on('error', () => lose(opening, new SpeechError('retry', `The connection to ${provider} failed.`)))
    opening.on('close', () => lose(opening, new SpeechError('retry', `${provider} closed the connection.`)))
    return opening
  }

  function lose(lost: WebSocket, error: SpeechError): void {
    lost.terminate()
    if (lost !== socket) return
    socket = undefined
    for (const arrivals of listeners.values()) arrivals.fail(error)
  }

  /** The next sentence opens another socket, even while this one is closing. */
  function closeIdle(): void {
    const closing = socket
    socket = undefined
    closing?.close()
  }

  const sendAll = (to: WebSocket, messages: Message[]) => {
    for (const message of messages) to.send(JSON.stringify(message))
  }

  return {
    listen(id, signal) {
      const arrivals = createArrivals<Message>(signal)
      clearTimeout(idle)
      connection?.ref()
      listeners.set(id, arrivals)
      return arrivals
    },

    send(id, messages) {
      socket ??= connect()
      const to = socket
      if (to.readyState === WebSocket.OPEN) sendAll(to, messages)
      else
        to.once('open', () => {
          if (listeners.has(id)) sendAll(to, messages)
        })
    },

    release(id, messages = []) {
      listeners.delete(id)
      if (socket?.readyState === WebSocket.OPEN) sendAll(socket, messages)
      if (listeners.size > 0) return
      idle = setTimeout(closeIdle, idleMs).unref()
      connection?.unref()
    },
  }
}
