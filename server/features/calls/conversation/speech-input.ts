import { createFramer, silence } from '../../../providers/speech/audio.ts'
import { type Encoding, frameMs, type Transcription, type VoiceDetector } from '../../../providers/speech/contract.ts'

/** Listens to the caller: where speech begins, pauses and ends. Counts in frames, that is in the call's own time. */
export interface SpeechInput {
  receive(bytes: Uint8Array): void
  /** On every beat: where no frames arrive, time passes in silence. */
  tick(): void
  /** How long the caller has been speaking, pauses included; 0 while silent. */
  speakingMs(): number
  close(): void
}

export interface SpeechInputOptions {
  encoding: Encoding
  detector: VoiceDetector
  transcription: Transcription
  /** How long a pause ends a turn, and how long one that seems unfinished. */
  endpointingMs: { min: number; max: number }
  /** What the turn sounds like so far. */
  partialText(): string
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
const minSpeechMs = 100
const maxTurnMs = 30_000
/** Frames that come faster than anybody can speak are a fault of the far end. */
const maxAheadMs = 5_000
const starvedMs = 100

export function createSpeechInput(options: SpeechInputOptions): SpeechInput {
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

  function processFrame(frame: Uint8Array): void {
    const voiced = detector.isSpeech(frame)
    recent = ((recent << 1) | (voiced ? 1 : 0)) & lastFive
    if (state === 'silent') {
      preRoll.push(frame)
      if (preRoll.length * frameMs > preRollMs) preRoll.shift()
      if (voiced && bitsIn(recent) >= onsetFrames) startTurn()
      return
    }
    turnMs += frameMs
    if (voiced) continueTurn(frame)
    else handleSilence(frame)
  }

  function startTurn(): void {
    state = 'speaking'
    voicedMs = onsetFrames * frameMs
    turnMs = voicedMs
    silentMs = 0
    for (const frame of preRoll.splice(0)) transcription.write(frame)
    options.onSpeechStart()
  }

  function continueTurn(frame: Uint8Array): void {
    state = 'speaking'
    silentMs = 0
    voicedMs += frameMs
    for (const held of pending.splice(0)) transcription.write(held)
    transcription.write(frame)
    options.onSpeech(voicedMs)
    if (turnMs >= maxTurnMs) endTurn()
  }

  function handleSilence(frame: Uint8Array): void {
    silentMs += frameMs
    if (state === 'paused') pending.push(frame)
    else transcription.write(frame)
    if (voicedMs < minSpeechMs && silentMs >= pauseMs) {
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
    if (silentMs >= max || (silentMs >= min && !seemsUnfinished(options.partialText()))) endTurn()
  }

  function endTurn(): void {
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
    receive(bytes) {
      if (closed) return
      for (const frame of framesOf(bytes)) {
        if (aheadMs > maxAheadMs) return
        aheadMs += frameMs
        sinceFrameMs = 0
        options.onFrame(frame)
        processFrame(frame)
      }
    },
    tick() {
      // A little more than comes in, so that a burst after a stall is forgotten in time.
      aheadMs = Math.max(0, aheadMs - 1.1 * frameMs)
      sinceFrameMs += frameMs
      if (sinceFrameMs > starvedMs && !closed) processFrame(quiet)
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
