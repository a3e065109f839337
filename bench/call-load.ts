import { WebSocket } from 'ws'
import { decodeMulaw } from '../server/providers/speech/mulaw.ts'
import { isAudible } from './audible.ts'

/**
 * The carrier's side of many calls, in a process of its own: sends a frame every 20 ms on each stream and measures when
 * frames come back. Takes its options as one JSON argument and prints the result as one line of JSON.
 */
export interface CallLoad {
  url: string
  /** Number of streams per path. */
  streams: { path: string; count: number; script?: string[] }[]
  /** Frames of the caller's speech, base64 each. Sent whenever the agent is silent. */
  speech: string[]
  warmUpMs: number
  measureMs: number
  /** Speak once while the agent is speaking (barge-in). */
  interrupts?: boolean
}

export interface CallLoadResult {
  p50: number
  p99: number
  frames: number
  /** Barge-in: from 500 ms of speech to the agent's last frame. */
  silencedMs: number[]
  /** Barge-in: from the caller's first audible frame to the agent's last one that is loud. */
  loweredMs: number[]
  /** From the last audible frame of each caller turn to the first audible frame of the answer. */
  answeredMs: number[]
  /** Caller turns without an answer when the caller spoke again. */
  unanswered: number
}

const frameMs = 20
/** The voice of the benchmark has peaks of 4,000; an eighth of it is not loud. */
const isLoud = (payload: string) => decodeMulaw(Buffer.from(payload, 'base64')).some((sample) => sample > 1_000)
const silence = Buffer.alloc(160, 0xff).toString('base64')
/** A larger gap is a pause in speech, not jitter. */
const pauseMs = 400
/** The frame that completes 500 ms of speech is sent this long after the first. */
const interruptionMs = 480

const load: CallLoad = JSON.parse(process.argv[2] as string)
const gaps: number[] = []
const silencedMs: number[] = []
const loweredMs: number[] = []
const answeredMs: number[] = []
let unanswered = 0
let measuring = false

interface Stream {
  tick(): void
  next: number
  close(): void
}

function open(path: string, script: string[] | undefined, number: number): Promise<Stream> {
  const socket = new WebSocket(`${load.url.replace('http', 'ws')}${path}`)
  let said: string[] = []
  let lastFrameAt = 0
  let chunk = 0
  let line = 0
  let speakingSince = 0
  let clearedAt = 0
  /** When the agent was last loud while the caller spoke. */
  let loudUntil = 0
  let interrupted = false
  /** When the caller's last audible frame was sent, until the agent answers. */
  let spokeUntil = 0
  const hesitates = (number % 20) * 100
  const send = (message: object) => socket.send(JSON.stringify(message))

  socket.on('message', (data) => {
    const now = performance.now()
    const message = JSON.parse(String(data))
    if (message.event === 'mark') send({ event: 'mark', streamSid: 'MZ', mark: message.mark })
    else if (message.event === 'clear') clearedAt ||= now
    else if (message.event === 'media') {
      if (measuring && lastFrameAt && now - lastFrameAt < pauseMs) gaps.push(Math.abs(now - lastFrameAt - frameMs))
      lastFrameAt = now
      if (load.interrupts && said.length > 0 && isLoud(message.media.payload)) loudUntil = now
      if (spokeUntil && said.length === 0 && isAudible(Buffer.from(message.media.payload, 'base64'))) {
        answeredMs.push(now - spokeUntil)
        spokeUntil = 0
      }
    }
  })

  function tick(now: number): void {
    // Each stream waits for a different time, so that callers do not speak simultaneously.
    const talks = load.interrupts ? measuring && !interrupted : lastFrameAt > 0 && now - lastFrameAt > 600 + hesitates
    if (said.length === 0 && load.speech.length > 0 && talks && (load.interrupts || now - speakingSince > 5_000)) {
      said = [...load.speech]
      speakingSince = now
      if (spokeUntil) unanswered++
      interrupted = true
      if (script) send({ event: 'script', streamSid: 'MZ', script: { text: script[line++ % script.length] } })
    }
    const payload = said.shift() ?? silence
    if (payload !== silence && isAudible(Buffer.from(payload, 'base64'))) spokeUntil = now
    send({ event: 'media', streamSid: 'MZ', media: { track: 'inbound', chunk: String(++chunk), payload } })
  }

  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => {
      send({ event: 'connected', protocol: 'Call', version: '1.0.0' })
      send({
        event: 'start',
        streamSid: 'MZ',
        start: { streamSid: 'MZ', callSid: 'CA', accountSid: 'AC', customParameters: {} },
      })
      const stream: Stream = {
        next: performance.now() + ((number * 7) % frameMs),
        tick: () => tick(performance.now()),
        close() {
          if (load.interrupts && speakingSince)
            silencedMs.push(
              clearedAt ? Math.max(clearedAt, lastFrameAt) - speakingSince - interruptionMs : Number.MAX_SAFE_INTEGER,
            )
          if (load.interrupts && loudUntil) loweredMs.push(loudUntil - speakingSince)
          socket.terminate()
        },
      }
      resolve(stream)
    })
  })
}

const streams: Stream[] = []
for (const { path, count, script } of load.streams)
  for (let i = 0; i < count; i += 50)
    streams.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - i) }, (_, j) => open(path, script, i + j)))),
    )
const timer = setInterval(() => {
  const now = performance.now()
  for (const stream of streams)
    while (stream.next <= now) {
      stream.next += frameMs
      stream.tick()
    }
}, 2)
await new Promise((resolve) => setTimeout(resolve, load.warmUpMs))
measuring = true
await new Promise((resolve) => setTimeout(resolve, load.measureMs))
measuring = false
clearInterval(timer)
for (const stream of streams) stream.close()
gaps.sort((a, b) => a - b)
const at = (share: number) =>
  gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? Number.MAX_SAFE_INTEGER
const result: CallLoadResult = {
  p50: at(0.5),
  p99: at(0.99),
  frames: gaps.length,
  silencedMs,
  loweredMs,
  answeredMs,
  unanswered,
}
console.log(JSON.stringify(result))
process.exit()
