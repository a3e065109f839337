import type { WebSocket } from 'ws'
import { guardTimer } from '../../platform/guard-listeners.ts'
import { parseObject } from '../../platform/parse-json.ts'

/** The audio of a call, in both directions. Frames are 20 ms of mu-law at 8 kHz. */
interface MediaStream {
  readonly encoding: 'mulaw-8000'
  onFrame(listener: (frame: Uint8Array) => void): void
  onDigit(listener: (digit: string) => void): void
  onMark(listener: (name: string) => void): void
  onClose(listener: (why: 'hung_up' | 'lost') => void): void
  onScript(listener: (text: string) => void): void
  send(frame: Uint8Array): void
  mark(name: string): void
  clear(): void
  hangUp(): void
}

interface StartedStream {
  callId: string
  accountSid: string
  /** The parameters that we gave the carrier to return, including the ticket of the call. */
  parameters: Record<string, string>
  stream: MediaStream
}

/** The carrier sends a frame every 20 ms, also during silence: after 10 s without one the connection is lost. */
const silentForMs = 10_000
/** With this many unsent bytes, the carrier is no longer reading. */
const mostUnsentBytes = 1024 * 1024

interface Message {
  event?: string
  streamSid?: string
  start?: { callSid?: string; accountSid?: string; customParameters?: Record<string, string> }
  media?: { payload?: string }
  dtmf?: { digit?: string }
  mark?: { name?: string }
  script?: { text?: string }
}

/**
 * Waits for the carrier's `start` message. Rejects if it does not arrive within `withinMs` or another message comes
 * first.
 */
export function startStream(socket: WebSocket, withinMs: number): Promise<StartedStream> {
  return new Promise((resolve, reject) => {
    const give = (error: Error) => {
      clearTimeout(timer)
      socket.off('message', opening)
      reject(error)
    }
    const timer = setTimeout(() => give(new Error(`media stream: no start message within ${withinMs} ms`)), withinMs)
    const closed = () => give(new Error('media stream: closed before the start message'))
    socket.once('close', closed)
    const opening = (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? undefined : parseMessage(data)
      if (message?.event === 'connected') return
      const { streamSid, start } = message ?? {}
      if (message?.event !== 'start' || !streamSid || !start)
        return give(new Error('media stream: the first message is not a start message'))
      clearTimeout(timer)
      socket.off('message', opening)
      socket.off('close', closed)
      resolve({
        callId: start.callSid ?? '',
        accountSid: start.accountSid ?? '',
        parameters: start.customParameters ?? {},
        stream: openStream(socket, streamSid),
      })
    }
    socket.on('message', opening)
  })
}

function openStream(socket: WebSocket, streamSid: string): MediaStream {
  const frames = buffered<Uint8Array>()
  const digits = buffered<string>()
  const marks = buffered<string>()
  const scripts = buffered<string>()
  const closes = buffered<'hung_up' | 'lost'>()
  let isOver = false
  const end = (why: 'hung_up' | 'lost') => {
    if (isOver) return
    isOver = true
    clearInterval(watch)
    closes.give(why)
    socket.close(1000)
  }
  let lastHeard = performance.now()
  const endIfSilent = guardTimer(socket, () => {
    if (performance.now() - lastHeard > silentForMs) end('lost')
  })
  const watch = setInterval(endIfSilent, 1_000).unref()

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isOver || isBinary) return
    lastHeard = performance.now()
    const message = parseMessage(data)
    if (message?.event === 'media' && message.media?.payload) frames.give(Buffer.from(message.media.payload, 'base64'))
    else if (message?.event === 'dtmf' && message.dtmf?.digit) digits.give(message.dtmf.digit)
    else if (message?.event === 'mark' && message.mark?.name) marks.give(message.mark.name)
    else if (message?.event === 'script' && message.script?.text) scripts.give(message.script.text)
    else if (message?.event === 'stop') end('hung_up')
  })
  // The carrier sends `stop` before it closes; a connection that closes without it was lost.
  socket.on('close', () => end('lost'))

  const sendMessage = (message: object) => {
    if (isOver || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > mostUnsentBytes) return end('lost')
    socket.send(JSON.stringify({ ...message, streamSid }))
  }
  return {
    encoding: 'mulaw-8000',
    onFrame: frames.listen,
    onDigit: digits.listen,
    onMark: marks.listen,
    onScript: scripts.listen,
    onClose: closes.listen,
    send: (frame) =>
      sendMessage({
        event: 'media',
        media: { payload: Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('base64') },
      }),
    mark: (name) => sendMessage({ event: 'mark', mark: { name } }),
    clear: () => sendMessage({ event: 'clear' }),
    hangUp() {
      if (isOver) return
      isOver = true
      clearInterval(watch)
      socket.close(1000)
    },
  }
}

/** Buffers values until a listener is attached. */
function buffered<T>() {
  let listener: ((value: T) => void) | undefined
  let kept: T[] = []
  return {
    give(value: T) {
      if (listener) listener(value)
      else if (kept.length < 500) kept.push(value)
    },
    listen(given: (value: T) => void) {
      listener = given
      const missed = kept
      kept = []
      for (const value of missed) given(value)
    },
  }
}

const parseMessage = (data: Buffer) => parseObject(data) as Message | undefined
