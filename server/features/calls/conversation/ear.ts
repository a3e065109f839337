import { createFramer, silence } from '../../../providers/speech/audio.ts'
import { type Encoding, frameMs, type Transcription, type VoiceDetector } from '../../../providers/speech/contract.ts'

/** Listens to the caller: where speech begins, pauses and ends. Counts in frames, that is in the call's own time. */
export interface Ear {
  hear(bytes: Uint8Array): void
  /** On every beat: where no frames arrive, time passes in silence. */
  beat(): void
  /** How long the caller has been speaking, pauses included; 0 while silent. */
  speakingMs(): number
  close(): void
}

export interface EarOptions {
  encoding: Encoding
  detector: VoiceDetector
  transcription: Transcription
  /** How long a pause ends a turn, and how long one that seems unfinished. */
  endpointingMs: { min: number; max: number }
  /** What the turn sounds like so far. */
  heardSoFar(): string
  /** Every whole frame that comes in, as the recording needs it. */
  onFrame(frame: Uint8Array): void
  onSpeechStart(): void
  /** Called on each further frame of speech with how much of it was voiced. */
  onSpeech(voicedMs: number): void
  /** The turn is over; `pausedMs` ago it was, or the turn grew too long and was cut. */
  onTurnEnd(pausedMs: number): void
  /** It was too short to be speech. */
  onNoise(): void
}

const preRollMs = 300
/** So many of the last five frames must be voiced before it counts as speech. */
const onsetFrames = 3
const lastFive = 0b11111
const pauseMs = 200
/** A click or a knock, not a word. */
const shortestMs = 100
const longestTurnMs = 30_000
/** Frames that come faster than anybody can speak are a fault of the far end. */
const mostAheadMs = 5_000
const starvedMs = 100

export function createEar(options: EarOptions): Ear {
  const { encoding, detector, transcription } = options
  const framesOf = createFramer(encoding)
  const quiet = silence(encoding)
  const preRoll: Uint8Array[] = []
  /** Frames of a pause, which belong to the turn only if it goes on. */
  let pending: Uint8Array[] = []
  /** Of the last frames, a bit each that was voiced. */
  let recent = 0
  let state: 'silent' | 'speaking' | 'paused' = 'silent'
  let turnMs = 0
  let voicedMs = 0
  let silentMs = 0
  let aheadMs = 0
  let sinceFrameMs = 0
  let closed = false

  function listen(frame: Uint8Array): void {
    const voiced = detector.isSpeech(frame)
    recent = ((recent << 1) | (voiced ? 1 : 0)) & lastFive
    if (state === 'silent') {
      preRoll.push(frame)
      if (preRoll.length * frameMs > preRollMs) preRoll.shift()
      if (voiced && bitsIn(recent) >= onsetFrames) begin()
      return
    }
    turnMs += frameMs
    if (voiced) goOn(frame)
    else wait(frame)
  }

  function begin(): void {
    state = 'speaking'
    voicedMs = onsetFrames * frameMs
    turnMs = voicedMs
    silentMs = 0
    for (const frame of preRoll.splice(0)) transcription.write(frame)
    options.onSpeechStart()
  }

  function goOn(frame: Uint8Array): void {
    state = 'speaking'
    silentMs = 0
    voicedMs += frameMs
    for (const held of pending.splice(0)) transcription.write(held)
    transcription.write(frame)
    options.onSpeech(voicedMs)
    if (turnMs >= longestTurnMs) end()
  }

  function wait(frame: Uint8Array): void {
    silentMs += frameMs
    if (state === 'paused') pending.push(frame)
    else transcription.write(frame)
    if (voicedMs < shortestMs && silentMs >= pauseMs) {
      transcription.discard()
      reset()
      options.onNoise()
      return
    }
    const { min, max } = options.endpointingMs
    if (state === 'speaking' && silentMs >= Math.min(pauseMs, min)) {
      state = 'paused'
      transcription.pause()
    }
    if (silentMs >= max || (silentMs >= min && !seemsUnfinished(options.heardSoFar()))) end()
  }

  function end(): void {
    const paused = silentMs
    reset()
    options.onTurnEnd(paused)
  }

  function reset(): void {
    state = 'silent'
    pending = []
    recent = 0
    turnMs = voicedMs = silentMs = 0
  }

  return {
    hear(bytes) {
      if (closed) return
      for (const frame of framesOf(bytes)) {
        if (aheadMs > mostAheadMs) return
        aheadMs += frameMs
        sinceFrameMs = 0
        options.onFrame(frame)
        listen(frame)
      }
    },
    beat() {
      // A little more than comes in, so that a burst after a stall is forgotten in time.
      aheadMs = Math.max(0, aheadMs - 1.1 * frameMs)
      sinceFrameMs += frameMs
      if (sinceFrameMs > starvedMs && !closed) listen(quiet)
    },
    speakingMs: () => turnMs,
    close() {
      closed = true
      detector.close()
    },
  }
}

function bitsIn(value: number): number {
  let count = 0
  for (let rest = value; rest > 0; rest >>= 1) count += rest & 1
  return count
}

const openEnding = /(?:[,;–—-]|\b(?:and|or|but|so|because|the|a|an|to|of|for|with|my|your|is|are|was|um+|uh+|er+))$/i

/** A turn that breaks off in the middle of a phrase probably goes on. */
export const seemsUnfinished = (text: string): boolean => openEnding.test(text.trim().replace(/(?:\.{2,}|…)$/, ','))
