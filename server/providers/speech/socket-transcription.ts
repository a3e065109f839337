import { WebSocket } from 'ws'
import { abortable } from '../../platform/abortable.ts'
import { guardListeners, guardTimer } from '../../platform/guard-listeners.ts'
import { parseObject } from '../../platform/parse-json.ts'
import { bytesPerMs, SpeechError, StalledError, type Transcription, type TranscriptionOptions } from './contract.ts'

/** What a message of a recognizer says about the current turn. */
export interface Heard {
  /** Text after all final texts of the turn; empty if the message has none. */
  text: string
  isFinal: boolean
  /** Whether this answers `finalize`: the transcript of the turn is complete. */
  isFinalized: boolean
  language?: string | undefined
  /** Seconds of audio on this connection up to the end of this result, if the provider tells. */
  audioEnd?: number | undefined
}

/** How a provider's streaming recognition is spoken to. Its messages are JSON texts; audio is sent in binary frames. */
interface SocketProtocol {
  /** For error messages. */
  name: string
  url: URL
  headers: Record<string, string>
  /** Asks for the rest of the transcript. A provider without `audioEnd` answers each one in order. */
  finalize: string
  close: string
  keepAlive?: { message: string; everyMs: number }
  /** Undefined if the message is of no interest. Throws `SpeechError` if it reports a failure. */
  read(message: Record<string, unknown>): Heard | undefined
  /** Between the final texts of a turn. */
  separator: string
}

/** A request for the transcript of all audio until then. `endsTurn`: the next transcript starts after it. */
interface Finalization extends PromiseWithResolvers<string> {
  endsTurn: boolean
  isOver: boolean
  /** Seconds of audio written to the connection before it. */
  audioEnd: number
  /** No one waits for its transcript. */
  isDiscarded: boolean
}

const connectMs = 5_000
const finalizeMs = 2_500
/** Providers send results for every second of speech, if only empty ones. */
const hangsAfterS = 1.5
/** Audio that waits for a connection; more than one turn of it is useless. */
const mostWaiting = 1 << 20
/** Providers round times. */
const roundingS = 0.005
/** A result that ends later than this after a finalization is about later audio. Finalizations are further apart. */
const overrunS = 0.1

/** A streaming recognition over one socket per call, opened with its first words. */
export function transcribeOverSocket(
  protocol: SocketProtocol,
  { encoding, onPartial, onLanguage, signal }: TranscriptionOptions,
): Transcription {
  const { name, separator } = protocol
  let socket: WebSocket | undefined
  let keepAlive: NodeJS.Timeout | undefined
  let waiting: (Uint8Array | string)[] = []
  let waitingBytes = 0
  let written = false
  /** Whether the provider has sent any result since the socket was opened. */
  let hasAnswered = false
  /** Seconds of audio written to this socket when its last message arrived. */
  let answeredS = 0
  /** Seconds of audio written to this socket, up to the last settled finalization, and up to the current turn. */
  let audioS = 0
  let settledS = 0
  let turnStartS = 0
  /** Why the current turn is incomplete. Its remaining audio is dropped: the next turn opens another socket. */
  let lost: SpeechError | undefined
  let finals: string[] = []
  let interim = ''
  /** In the order of the audio. */
  let finishing: Finalization[] = []
  /** Requested at a pause; undefined once the speaker has continued. */
  let atPause: Finalization | undefined

  function connect(): WebSocket {
    hasAnswered = false
    audioS = answeredS = settledS = turnStartS = 0
    const opening = new WebSocket(protocol.url, { headers: protocol.headers, handshakeTimeout: connectMs })
    guardListeners(opening, (error) =>
      lose(opening, new SpeechError('retry', `${name} sent what cannot be read.`, error)),
    )
    opening.on('open', () => {
      for (const message of waiting.splice(0)) opening.send(message)
      waitingBytes = 0
    })
    opening.on('message', (data, isBinary) => {
      if (!isBinary && opening === socket) hear(opening, String(data))
    })
    // The status line may contain the key's owner, so none of it is passed on.
    opening.on('unexpected-response', (_request, response) => {
      const refused = response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 400
      response.destroy()
      lose(opening, new SpeechError(refused ? 'fail' : 'retry', `${name} answered ${response.statusCode}.`))
    })
    opening.on('error', () => lose(opening, new SpeechError('retry', `The connection to ${name} failed.`)))
    opening.on('close', () => lose(opening, new SpeechError('retry', `${name} closed the connection.`)))
    const { keepAlive: alive } = protocol
    const stayOpen = guardTimer(opening, () => {
      if (alive && opening.readyState === WebSocket.OPEN) opening.send(alive.message)
    })
    if (alive) keepAlive = setInterval(stayOpen, alive.everyMs)
    return opening
  }

  function lose(closed: WebSocket, error: SpeechError): void {
    closed.terminate()
    if (closed !== socket) return
    socket = undefined
    if (written) lost = error
    startTurn()
    clearInterval(keepAlive)
    waiting = []
    waitingBytes = 0
    refuse(error)
  }

  function refuse(error: SpeechError): void {
    atPause = undefined
    for (const { reject } of finishing.splice(0)) reject(error)
  }

  const heardSoFar = () => [...finals, interim].filter(Boolean).join(separator).replace(/\s+/g, ' ').trim()

  function startTurn(after?: Finalization): void {
    finals = []
    interim = ''
    if (after) turnStartS = after.audioEnd
  }

  /** Asks for the rest of the transcript. */
  function finalize(endsTurn: boolean): Finalization {
    send(protocol.finalize)
    const state = { endsTurn, isOver: false, isDiscarded: false, audioEnd: audioS }
    const asked: Finalization = { ...Promise.withResolvers<string>(), ...state }
    const late = setTimeout(() => giveUp(asked), finalizeMs)
    asked.promise.catch(() => {}).finally(() => clearTimeout(late))
    finishing.push(asked)
    return asked
  }

  /**
   * A provider that has answered on this socket may have nothing to say about a noise: what arrived until now is used.
   * One that has never answered, or is silent about more audio than a noise has, hangs.
   */
  function giveUp(asked: Finalization): void {
    const isWorking = hasAnswered && asked.audioEnd - answeredS < hangsAfterS
    if (!socket || asked.isDiscarded || (isWorking && socket.readyState === WebSocket.OPEN)) settle(asked)
    else lose(socket, new StalledError(`${name} took too long.`, heardSoFar()))
  }

  function settle(asked: Finalization): void {
    finishing = finishing.filter((other) => other !== asked)
    asked.isOver = true
    settledS = Math.max(settledS, asked.audioEnd)
    asked.resolve(heardSoFar())
    if (asked.endsTurn) startTurn(asked)
    // The speaker paused, so a word ended here.
    else finals.push(' ')
  }

  /** The transcript of the turn that ends here. Nothing was written since a pause, so its transcript is complete. */
  async function endTurn(isDiscarded: boolean): Promise<string> {
    written = false
    const failed = lost
    lost = undefined
    if (failed) throw failed
    const asked = atPause ?? finalize(true)
    atPause = undefined
    asked.endsTurn = true
    asked.isDiscarded = isDiscarded
    if (asked.isOver) startTurn(asked)
    return asked.promise
  }

  function hear(from: WebSocket, text: string): void {
    const message = parseObject(text)
    if (!message) return
    let heard: Heard | undefined
    try {
      heard = protocol.read(message)
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error
      lose(from, error)
    }
    if (!heard) return
    hasAnswered = true
    answeredS = audioS
    const { audioEnd } = heard
    if (audioEnd !== undefined) {
      // Audio is transcribed in order: finalizations before the end of this result get no answer any more.
      for (const asked of finishing.filter((each) => each.audioEnd < audioEnd - overrunS)) settle(asked)
      // The turn of this result was settled without it.
      if (audioEnd <= turnStartS + roundingS) return
    }
    if (heard.isFinal && heard.text) finals.push(heard.text)
    if (heard.isFinal && heard.text && heard.language) onLanguage?.(heard.language)
    interim = heard.isFinal ? '' : heard.text
    const answered = answeredBy(heard)
    for (const asked of answered) settle(asked)
    // The answer came after its turn was settled. Without positions, a new turn starts with the next `write`.
    if (heard.isFinalized && finishing.length === 0 && !written) startTurn()
    if (!heard.isFinalized && answered.length === 0 && written && heard.text) onPartial(heardSoFar())
  }

  /** The finalizations whose audio is transcribed with this result. */
  function answeredBy({ isFinal, isFinalized, audioEnd }: Heard): Finalization[] {
    if (audioEnd === undefined) return isFinalized ? finishing.slice(0, 1) : []
    if (!isFinal) return []
    const reached = finishing.filter((each) => each.audioEnd <= audioEnd + roundingS)
    const [next] = finishing
    if (reached.length > 0 || !isFinalized || !next) return reached
    // It ends a little early, or is a late answer to the one before.
    return next.audioEnd - audioEnd < audioEnd - settledS ? [next] : []
  }

  function send(message: Uint8Array | string): void {
    if (signal.aborted) return
    socket ??= connect()
    if (socket.readyState !== WebSocket.OPEN) {
      waitingBytes += message.length
      if (waitingBytes >= mostWaiting) return
      waiting.push(message)
    } else socket.send(message)
    if (typeof message !== 'string') audioS += message.length / bytesPerMs[encoding] / 1000
  }

  function close(): void {
    const closing = socket
    socket = undefined
    clearInterval(keepAlive)
    refuse(new SpeechError('retry', 'The transcription was closed.'))
    if (closing?.readyState === WebSocket.OPEN) closing.send(protocol.close, () => closing.close())
    else closing?.terminate()
  }
  signal.addEventListener('abort', close, { once: true })

  return {
    write(frame) {
      written = true
      atPause = undefined
      if (!lost) send(frame)
    },
    pause() {
      if (!written || !socket) return undefined
      atPause = finalize(false)
      return atPause.promise
    },
    async finish(finishSignal) {
      finishSignal.throwIfAborted()
      if (!written) return ''
      return abortable(finishSignal, endTurn(false))
    },
    discard() {
      // Results for the discarded audio go into a text that is dropped.
      if (written) endTurn(true).catch(() => {})
    },
    close,
  }
}
