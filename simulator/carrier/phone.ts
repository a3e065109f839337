import { WebSocket } from 'ws'
import { guardListeners, guardTimer } from '../../server/platform/guard-listeners.ts'
import { createKeyDetector } from './key-detector.ts'

/** The person's telephone: the carrier's end of a media stream, in real time. */
export interface Phone {
  /** Plays these mu-law bytes after what is already playing; resolves when all of it has been sent. */
  say(audio: Uint8Array): Promise<void>
  press(digits: string): void
  /** Announces the text that is about to be spoken: only a simulated caller can. */
  tellScript(text: string): void
  /** Called every 20 ms with what the person hears, and whether it is audio of the agent. */
  onHear(listener: (frame: Uint8Array, isAgent: boolean) => void): void
  /** The person hangs up. */
  hangUp(): void
  /** Stops sending without closing the stream. */
  vanish(): void
  /** Resolves once the stream is over: because the person hung up, or because the service closed it. */
  readonly over: Promise<'hung_up' | 'closed'>
}

const frameMs = 20
const frameBytes = 160
const silence = Buffer.alloc(frameBytes, 0xff)
/** If the clock is behind by more than this, it is reset instead of catching up. */
const mostBehindMs = 200

type Queued = { audio: Buffer } | { mark: string }

interface PhoneOptions {
  url: string
  accountSid: string
  callSid: string
  streamSid: string
  parameters: Record<string, string>
  /** Signs the upgrade request as the carrier does. */
  signature: string
  /** Called for each key whose tones the service plays. */
  onKey?(key: string): void
  /** Called when audio of the service arrives, before it is played. */
  onAudio?(): void
}

export async function pickUp({
  url,
  accountSid,
  callSid,
  streamSid,
  parameters,
  signature,
  onKey = () => {},
  onAudio = () => {},
}: PhoneOptions): Promise<Phone> {
  const socket = new WebSocket(url, {
    headers: { 'x-twilio-signature': signature },
    perMessageDeflate: false,
    handshakeTimeout: 5_000,
    maxPayload: 1024 * 1024,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => socket.terminate())
  guardListeners(socket, () => socket.terminate())

  const detectKeys = createKeyDetector(onKey)
  const over = Promise.withResolvers<'hung_up' | 'closed'>()
  let heard: (frame: Uint8Array, isAgent: boolean) => void = () => {}
  let sequence = 1
  let chunk = 0
  let speaking: { audio: Uint8Array; at: number; done: () => void }[] = []
  let queue: Queued[] = []
  let hasVanished = false
  let isOver = false

  const tell = (event: string, rest: object) => {
    if (socket.readyState === socket.OPEN)
      socket.send(JSON.stringify({ event, sequenceNumber: String(sequence++), streamSid, ...rest }))
  }
  socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }))
  tell('start', {
    start: {
      streamSid,
      accountSid,
      callSid,
      tracks: ['inbound'],
      customParameters: parameters,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    },
  })

  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString())
    if (message.event === 'media') {
      queue.push({ audio: Buffer.from(message.media.payload, 'base64') })
      onAudio()
    } else if (message.event === 'mark') queue.push({ mark: message.mark.name })
    else if (message.event === 'clear') {
      const cleared = queue
      queue = []
      for (const item of cleared) if ('mark' in item) tell('mark', { mark: { name: item.mark } })
    }
  })

  /** Audio of the service in pieces of 20 ms; marks are returned once the audio before them has been played. */
  function play(): { frame: Buffer; isAgent: boolean } {
    const pieces: Buffer[] = []
    let bytes = 0
    while (queue.length > 0 && (bytes < frameBytes || 'mark' in (queue[0] as Queued))) {
      const item = queue[0] as Queued
      if ('mark' in item) {
        queue.shift()
        tell('mark', { mark: { name: item.mark } })
        continue
      }
      const wanted = frameBytes - bytes
      pieces.push(item.audio.subarray(0, wanted))
      bytes += Math.min(wanted, item.audio.length)
      if (item.audio.length > wanted) item.audio = item.audio.subarray(wanted)
      else queue.shift()
    }
    if (bytes === 0) return { frame: silence, isAgent: false }
    return { frame: Buffer.concat([...pieces, silence.subarray(bytes)]), isAgent: true }
  }

  function speak(): Buffer {
    const now = speaking[0]
    if (!now) return silence
    const piece = Buffer.from(now.audio.subarray(now.at, now.at + frameBytes))
    now.at += frameBytes
    if (now.at >= now.audio.length) {
      speaking.shift()
      now.done()
    }
    return piece.length === frameBytes ? piece : Buffer.concat([piece, silence.subarray(piece.length)])
  }

  const began = performance.now()
  let next = began
  const tick = () => {
    if (isOver) return
    if (!hasVanished) {
      tell('media', {
        media: {
          track: 'inbound',
          chunk: String(++chunk),
          timestamp: String(chunk * frameMs),
          payload: speak().toString('base64'),
        },
      })
      const { frame, isAgent } = play()
      detectKeys(frame)
      heard(frame, isAgent)
    }
    const now = performance.now()
    next = now - next > mostBehindMs ? now : next + frameMs
    timer = setTimeout(guardedTick, Math.max(0, next - performance.now()))
  }
  const guardedTick = guardTimer(socket, tick)
  let timer = setTimeout(guardedTick, 0)

  const end = (why: 'hung_up' | 'closed') => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    for (const { done } of speaking) done()
    speaking = []
    over.resolve(why)
  }
  socket.on('close', () => end('closed'))

  return {
    over: over.promise,
    say: (audio) =>
      isOver || audio.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => speaking.push({ audio, at: 0, done: resolve })),
    press(digits) {
      for (const digit of digits) tell('dtmf', { dtmf: { track: 'inbound_track', digit } })
    },
    tellScript: (text) => tell('script', { script: { text } }),
    onHear(listener) {
      heard = listener
    },
    hangUp() {
      if (isOver) return
      tell('stop', { stop: { accountSid, callSid } })
      end('hung_up')
      socket.close(1000)
    },
    vanish() {
      hasVanished = true
      for (const { done } of speaking) done()
      speaking = []
    },
  }
}
