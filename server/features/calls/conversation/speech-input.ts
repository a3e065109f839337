import { createFramer, silence } from '../../../providers/speech/audio.ts'
import { type Encoding, frameMs, type Transcription, type VoiceDetector } from '../../../providers/speech/contract.ts'
import { createCallerLevel } from './caller-level.ts'

/**
 * Detects turns in the caller's audio: speech onset, pauses and the end of the turn (endpointing). Feeds the speech to
 * the transcriber. Time is counted in frames, so it follows the call's clock.
 */
interface SpeechInput {
  receive(bytes: Uint8Array): void
  /**
   * Call on every tick. If no frames arrive for 100 ms, each tick counts as a frame of silence, except a missed one:
   * after a stall of this process the caller's frames still wait to be read.
   */
  tick(missed?: boolean): void
  /** The caller's turn has begun and is not over. */
  isSpeaking(): boolean
  /** Voiced time of the current turn, without what the detector added after the end of the sound. */
  voicedMs(): number
  /** The current turn turned out to continue the one before: this caller makes longer pauses than expected. */
  learnPause(): void
  close(): void
}

interface SpeechInputOptions {
  encoding: Encoding
  detector: VoiceDetector
  transcription: Transcription
  /** Endpointing: the turn ends after a pause of `requiredPauseMs`, which is between these. */
  endpointingMs: { min: number; max: number }
  requiredPauseMs(): number
  isAgentSpeaking(): boolean
  /** Called for every complete frame, for the recording. */
  onFrame(frame: Uint8Array): void
  onSpeechStart(): void
  /** The caller pauses and may go on. `isPaused` tells whether this pause still lasts. */
  onPause(isPaused: () => boolean): void
  /** Called for each voiced frame of a turn with the total that the detector took for speech. */
  onSpeech(detectedMs: number): void
  /**
   * The caller has spoken for so long that the part until now is to be transcribed. `onSpeechStart` follows if the caller
   * goes on, otherwise `onTurnEnd`.
   */
  onPartEnd(): void
  /** The turn ended `pausedMs` ago. */
  onTurnEnd(pausedMs: number, voicedMs: number): void
  /** The sound was too short to be speech. */
  onNoise(): void
}

const preRollMs = 300
/** Voiced frames among the last five that start a turn. */
const onsetFrames = 3
const lastFive = 0b11111
const pauseMs = 200
/** Shorter sounds are noise, such as a click or a knock. */
const minSpeechMs = 100
/** Recognizers take parts of at most this length. */
const maxPartMs = 30_000
/** A learned pause gets this margin, lengthens endpointing by at most `maxExtraMs`, and fades with each turn. */
const pauseMarginMs = 200
const maxExtraMs = 1_000
const extraFading = 0.8
/** Frames that arrive this far ahead of real time are dropped: the far end is faulty. */
const maxAheadMs = 5_000
const starvedMs = 100

export function createSpeechInput(options: SpeechInputOptions): SpeechInput {
  const { encoding, detector, transcription } = options
  const framesOf = createFramer(encoding)
  const quiet = silence(encoding)
  const level = createCallerLevel(encoding)
  const preRoll: Uint8Array[] = []
  /** Frames of the current pause. They are sent to the transcriber only if the turn continues. */
  let pending: Uint8Array[] = []
  /** Bit mask of the last five frames; 1 is voiced. */
  let recent = 0
  let state: 'silent' | 'speaking' | 'paused' = 'silent'
  /** Number of pauses so far: tells a pause from the next one. */
  let pauses = 0
  /** A part of a long turn has ended, and the turn may be over. */
  let mayGoOn = false
  /** Of the current turn: its length, how much of it the detector took for speech, and the silence since the last. */
  let turnMs = 0
  let detectedMs = 0
  let silentMs = 0
  /** Silence since the last speech of the turn before, and what it was when the current turn started. */
  let sinceTurnMs = 0
  let pauseBeforeMs = 0
  /** Endpointing takes this much longer, because the caller was cut off before. */
  let extraMs = 0
  /** How far the frames are ahead of real time. */
  let aheadMs = 0
  let sinceFrameMs = 0
  let closed = false

  function processFrame(frame: Uint8Array): void {
    const voiced = isCallerVoice(frame)
    recent = ((recent << 1) | (voiced ? 1 : 0)) & lastFive
    if (state === 'silent') {
      sinceTurnMs += frameMs
      preRoll.push(frame)
      if (preRoll.length * frameMs > preRollMs) preRoll.shift()
      if (voiced && bitsIn(recent) >= onsetFrames) startTurn()
      else if (mayGoOn && sinceTurnMs >= options.endpointingMs.min) {
        mayGoOn = false
        options.onTurnEnd(sinceTurnMs, 0)
      }
      return
    }
    turnMs += frameMs
    if (voiced) continueTurn(frame)
    else handleSilence(frame)
  }

  function isCallerVoice(frame: Uint8Array): boolean {
    if (detector.isSpeech(frame))
      return level.isCaller(frame, { inTurn: state !== 'silent', agentSpeaks: options.isAgentSpeaking() })
    level.pause()
    return false
  }

  function startTurn(): void {
    state = 'speaking'
    pauseBeforeMs = sinceTurnMs
    detectedMs = onsetFrames * frameMs
    turnMs = detectedMs
    silentMs = 0
    for (const frame of preRoll.splice(0)) transcription.write(frame)
    options.onSpeechStart()
  }

  function continueTurn(frame: Uint8Array): void {
    state = 'speaking'
    silentMs = 0
    detectedMs += frameMs
    for (const held of pending.splice(0)) transcription.write(held)
    transcription.write(frame)
    options.onSpeech(detectedMs)
    if (turnMs >= maxPartMs) endPart()
  }

  function handleSilence(frame: Uint8Array): void {
    silentMs += frameMs
    if (state === 'paused') pending.push(frame)
    else transcription.write(frame)
    if (detectedMs < minSpeechMs && silentMs >= pauseMs) {
      transcription.discard()
      reset()
      options.onNoise()
      return
    }
    const { min, max } = options.endpointingMs
    if (state === 'speaking' && silentMs >= Math.min(pauseMs, min)) {
      state = 'paused'
      const pause = ++pauses
      options.onPause(() => state === 'paused' && pause === pauses)
    }
    if (silentMs >= Math.min(max, options.requiredPauseMs() + extraMs)) endTurn()
  }

  function endTurn(): void {
    const [paused, voiced] = [silentMs, voicedMs()]
    sinceTurnMs = paused
    mayGoOn = false
    extraMs = Math.round(extraMs * extraFading)
    reset()
    options.onTurnEnd(paused, voiced)
  }

  /** What follows has to be as loud as the start of a turn: a second person could prolong the turn without end. */
  function endPart(): void {
    sinceTurnMs = 0
    reset()
    mayGoOn = true
    options.onPartEnd()
  }

  /** Without what the detector added after the end of the sound. */
  const voicedMs = () => (silentMs > 0 ? Math.max(0, detectedMs - (detector.overhangMs ?? 0)) : detectedMs)

  function reset(): void {
    state = 'silent'
    pending = []
    recent = 0
    turnMs = detectedMs = silentMs = 0
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
    tick(missed = false) {
      // Slightly more than one frame, so that the surplus of a burst after a stall decays.
      aheadMs = Math.max(0, aheadMs - 1.1 * frameMs)
      if (missed) return
      sinceFrameMs += frameMs
      if (sinceFrameMs > starvedMs && !closed) processFrame(quiet)
    },
    isSpeaking: () => state !== 'silent' || mayGoOn,
    voicedMs,
    learnPause() {
      // A caller who waited this long waited for an answer.
      if (pauseBeforeMs > options.endpointingMs.max) return
      const wanted = pauseBeforeMs + pauseMarginMs - options.endpointingMs.min
      extraMs = Math.min(maxExtraMs, Math.max(extraMs, wanted))
    },
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
