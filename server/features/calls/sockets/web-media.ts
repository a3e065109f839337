import type { WebSocket } from 'ws'
import { guardTimer } from '../../../platform/guard-listeners.ts'
import type { CallMedia, ConversationEvent } from '../conversation/contract.ts'

/** 20 ms of PCM16 at 16 kHz. */
const frameBytes = 640
const bytesPerMs = 32
/** A browser that is this far behind no longer reads. */
const maxUnsentBytes = 1024 * 1024
/** Browsers send silence as frames, so no message for this long means that the connection is lost. */
const silenceTimeoutMs = 30_000
const maxHeldFrames = 250

interface WebMedia {
  media: CallMedia
  sendEvent(event: ConversationEvent): void
}

/**
 * Call media over a browser's WebSocket: binary frames are PCM16 little-endian at 16 kHz in both directions, text
 * frames are JSON. Browsers return no marks, so marks are answered by a timer at the time the audio must have been
 * played.
 */
export function openWebMedia(socket: WebSocket): WebMedia {
  let frameListener: ((frame: Uint8Array) => void) | undefined
  let digitListener: ((digit: string) => void) | undefined
  let markListener: ((name: string) => void) | undefined
  let closeListener: ((why: 'hung_up' | 'lost') => void) | undefined
  let closedWhy: 'hung_up' | 'lost' | undefined
  const held: Uint8Array[] = []
  let rest: Buffer = Buffer.alloc(0)
  let playedUntil = 0
  let marks: { name: string; timer: NodeJS.Timeout }[] = []
  let lastMessageAt = performance.now()

  const end = (why: 'hung_up' | 'lost') => {
    if (closedWhy) return
    closedWhy = why
    clearInterval(watch)
    for (const { timer } of marks) clearTimeout(timer)
    closeListener?.(why)
    socket.close(1000)
  }
  const endIfSilent = guardTimer(socket, () => {
    if (performance.now() - lastMessageAt > silenceTimeoutMs) end('lost')
  })
  const watch = setInterval(endIfSilent, 1_000).unref()

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    lastMessageAt = performance.now()
    if (!isBinary) return handleText(data)
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    while (rest.length >= frameBytes) {
      const frame = rest.subarray(0, frameBytes)
      rest = rest.subarray(frameBytes)
      if (frameListener) frameListener(frame)
      else if (held.length < maxHeldFrames) held.push(frame)
    }
  })
  // 1000, 1001 and 1005 are regular closes by the browser; anything else is a broken connection.
  socket.on('close', (code) => end(code === 1000 || code === 1001 || code === 1005 ? 'hung_up' : 'lost'))

  function handleText(data: Buffer): void {
    try {
      const message = JSON.parse(data.toString())
      if (message?.type === 'hangup') end('hung_up')
      else if (message?.type === 'digit' && /^[0-9*#]$/.test(message.digit)) digitListener?.(message.digit)
    } catch {
      // Ignore text that is not JSON.
    }
  }
  const sendText = (message: object) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }

  const media: CallMedia = {
    encoding: 'pcm16-16000',
    onFrame(listener) {
      frameListener = listener
      for (const frame of held.splice(0)) listener(frame)
    },
    onDigit(listener) {
      digitListener = listener
    },
    onMark(listener) {
      markListener = listener
    },
    onClose(listener) {
      closeListener = listener
      if (closedWhy) listener(closedWhy)
    },
    send(frame) {
      if (closedWhy || socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > maxUnsentBytes) return end('lost')
      playedUntil = Math.max(playedUntil, performance.now()) + frame.length / bytesPerMs
      socket.send(frame)
    },
    mark(name) {
      if (closedWhy) return
      const mark = {
        name,
        timer: setTimeout(
          guardTimer(socket, () => {
            marks = marks.filter((each) => each !== mark)
            markListener?.(name)
          }),
          Math.max(0, playedUntil - performance.now()),
        ),
      }
      marks.push(mark)
    },
    clear() {
      if (closedWhy) return
      playedUntil = 0
      sendText({ type: 'clear' })
      const cleared = marks
      marks = []
      for (const { name, timer } of cleared) {
        clearTimeout(timer)
        markListener?.(name)
      }
    },
    // Does not close the socket: the browser still receives `session.ended`, then attach-sockets.ts closes it.
    hangUp() {
      if (closedWhy) return
      closedWhy = 'hung_up'
      clearInterval(watch)
      for (const { timer } of marks) clearTimeout(timer)
    },
  }
  return { media, sendEvent: sendText }
}
