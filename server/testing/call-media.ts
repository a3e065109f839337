import type { CallMedia } from '../features/calls/conversation/contract.ts'
import { createFramer, silence } from '../providers/speech/audio.ts'
import { type Encoding, frameMs } from '../providers/speech/contract.ts'

/**
 * A far end for tests with a real clock and real audio: it plays the frames it receives and sends the audio it is
 * given.
 */
export interface FarEnd {
  media: CallMedia
  /** Queues audio to send; resolves when it was sent completely. */
  say(audio: Uint8Array, script?: string): Promise<void>
  press(digits: string): void
  machine(result: { beep: boolean }): void
  hangUp(why?: 'hung_up' | 'lost'): void
  /** Everything played so far, including silence. */
  heard(): Buffer
  /** What was played of the agent: without the gaps that a busy machine leaves. */
  spoken(): Buffer
  /** Milliseconds on the call's clock. */
  now(): number
  /** When audio was last played, when each frame arrived, and when `clear` was called. */
  lastPlayedAt(): number
  arrivals: number[]
  clears: number[]
  hungUp: Promise<void>
  isHungUp(): boolean
  stop(): void
}

export interface FarEndOptions {
  encoding?: Encoding
  /** Factor by which the call runs faster than real time. */
  speed?: number
  /** Whether it returns marks. */
  marks?: boolean
  /** Whether it sends the script of what it says. */
  scripted?: boolean
  /** How to split a frame for sending; by default it is sent whole. */
  pieces?: (frame: Uint8Array) => Uint8Array[]
}

export function createFarEnd({
  encoding = 'mulaw-8000',
  speed = 1,
  marks = true,
  scripted = false,
  pieces = (frame) => [frame],
}: FarEndOptions = {}): FarEnd {
  const listeners = {
    frame(_: Uint8Array) {},
    digit(_: string) {},
    mark(_: string) {},
    close(_: 'hung_up' | 'lost') {},
    machine(_: { beep: boolean }) {},
    script(_: string) {},
  }
  const listen = <K extends keyof typeof listeners>(to: K) => {
    return (listener: (typeof listeners)[K]) => {
      listeners[to] = listener
    }
  }
  const quiet = silence(encoding)
  const speech: { frame: Uint8Array; script?: string; done?: () => void }[] = []
  let queue: (Uint8Array | { mark: string })[] = []
  const played: Uint8Array[] = []
  const spoken: Uint8Array[] = []
  const began = performance.now()
  const now = () => (performance.now() - began) * speed
  let ticks = 0
  let lastPlayedAt = 0
  let over = false
  const hangup = Promise.withResolvers<void>()
  const arrivals: number[] = []
  const clears: number[] = []

  function tick(): void {
    const next = speech.shift()
    if (next?.script) listeners.script(next.script)
    for (const piece of pieces(next?.frame ?? quiet)) listeners.frame(piece)
    next?.done?.()
    let frame: Uint8Array | undefined
    while (queue.length > 0 && !frame) {
      const item = queue.shift()
      if (item instanceof Uint8Array) frame = item
      else if (item && marks) listeners.mark(item.mark)
    }
    while (queue[0] && !(queue[0] instanceof Uint8Array)) {
      const { mark } = queue.shift() as { mark: string }
      if (marks) listeners.mark(mark)
    }
    if (frame) {
      lastPlayedAt = now()
      spoken.push(frame)
    }
    played.push(frame ?? quiet)
  }
  const timer = setInterval(() => {
    while (!over && now() >= (ticks + 1) * frameMs) {
      ticks++
      tick()
    }
  }, 2)

  function stop(): void {
    over = true
    clearInterval(timer)
  }

  return {
    media: {
      encoding,
      onFrame: listen('frame'),
      onDigit: listen('digit'),
      onMark: listen('mark'),
      onClose: listen('close'),
      onMachine: listen('machine'),
      ...(scripted && { onScript: listen('script') }),
      send(frame) {
        if (over) return
        arrivals.push(now())
        queue.push(frame)
      },
      mark(name) {
        if (!over) queue.push({ mark: name })
      },
      clear() {
        clears.push(now())
        const thrown = queue
        queue = []
        for (const item of thrown) if (!(item instanceof Uint8Array) && marks) listeners.mark(item.mark)
      },
      hangUp() {
        stop()
        hangup.resolve()
      },
    },
    say(audio, script) {
      const said = Promise.withResolvers<void>()
      const frames = createFramer(encoding)(audio)
      for (const [i, frame] of frames.entries())
        speech.push({
          frame,
          ...(i === 0 && script && { script }),
          ...(i === frames.length - 1 && { done: said.resolve }),
        })
      return said.promise
    },
    press(digits) {
      for (const digit of digits) listeners.digit(digit)
    },
    machine: (result) => listeners.machine(result),
    hangUp(why = 'hung_up') {
      stop()
      listeners.close(why)
    },
    heard: () => Buffer.concat(played),
    spoken: () => Buffer.concat(spoken),
    now,
    lastPlayedAt: () => lastPlayedAt,
    arrivals,
    clears,
    hungUp: hangup.promise,
    isHungUp: () => over,
    stop,
  }
}
