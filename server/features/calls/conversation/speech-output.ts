import { createFramer, silence } from '../../../providers/speech/audio.ts'
import { frameBytes, frameMs } from '../../../providers/speech/contract.ts'
import { untilAborted } from './abortable.ts'
import type { CallMedia } from './contract.ts'
import { playedText } from './played-text.ts'

/**
 * Speaks one sentence after another, a frame a beat, and knows from the line's marks what was really played. While one
 * sentence plays, the next is being made.
 */
export interface SpeechOutput {
  /** Begins a new utterance; the one before must be over. */
  begin(): void
  say(text: string): void
  /** Nothing more comes: `onDone` follows when all was played. */
  end(): void
  /** Sends the frame of this beat, if there is something to say, and gives it for the recording. */
  tick(): Uint8Array | undefined
  played(mark: string): void
  /** Stops at once, and can go on from where the far end had heard it. */
  hold(): void
  resume(): void
  /** Stops for good. */
  cut(): void
  /** What of this utterance was heard so far. */
  text(): string
  /** Whether something is playing, held or still to come. */
  isBusy(): boolean
  isHeld(): boolean
  /** Whether any of the utterance was sent. */
  hasBegun(): boolean
}

export interface SpeechOutputOptions {
  media: CallMedia
  speak(text: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** How long the voice may leave one waiting for audio. */
  timeoutMs: number
  onFirstAudio(): void
  /** All of the utterance was played. */
  onDone(): void
  onError(error: unknown): void
  /** A sentence was made, for the bill and for the confidence that the voice works. */
  onSynthesized(characters: number, audioMs: number): void
}

interface Sentence {
  text: string
  frames: Uint8Array[]
  /** `failed`: the voice failed, and nobody knows how long it would have been. */
  state: 'queued' | 'synthesizing' | 'ready' | 'failed'
  sent: number
  /** How much of it the far end was asked about. */
  marked: number
  played: number
}

/** As often as this the far end tells how far it has come. */
const markEvery = 15
/** Where a far end never answers marks: what was sent at the pace of speech has been played by then. */
const markTimeoutTicks = 2_000 / frameMs
/** Audio is made this far ahead: enough to cover the next sentence's making, little enough to waste. */
const aheadMs = 4_000
/** Slower than anybody speaks: for sentences whose length is not known. */
const slowMsPerCharacter = 100

export function createSpeechOutput({ media, ...options }: SpeechOutputOptions): SpeechOutput {
  const whole = frameBytes(media.encoding)
  let sentences: Sentence[] = []
  let done = true
  let ended = true
  let held = false
  let begun = false
  /** Marks of what was thrown away come back too: only those of this number count. */
  let generation = 0
  let ticksWithoutMark = 0
  let sendIndex = 0
  let synthesis = new AbortController()

  function synthesizeNext(): void {
    const next = sentences.find(({ state }) => state === 'queued')
    if (!next || sentences.some(({ state }) => state === 'synthesizing')) return
    const unsent = sentences.reduce((sum, { frames, sent }) => sum + frames.length - sent, 0)
    if (unsent * frameMs < aheadMs) void synthesize(next, synthesis.signal)
  }

  async function synthesize(sentence: Sentence, signal: AbortSignal): Promise<void> {
    sentence.state = 'synthesizing'
    const framesOf = createFramer(media.encoding)
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(new Error('The voice took too long.')), options.timeoutMs)
    let bytes = 0
    try {
      const either = AbortSignal.any([signal, timeout.signal])
      for await (const piece of untilAborted(either, options.speak(sentence.text, either))) {
        timer.refresh()
        bytes += piece.length
        sentence.frames.push(...framesOf(piece))
      }
      const rest = (whole - (bytes % whole)) % whole
      sentence.frames.push(...framesOf(silence(media.encoding, rest)))
      sentence.state = 'ready'
      options.onSynthesized(sentence.text.length, sentence.frames.length * frameMs)
    } catch (error) {
      sentence.state = 'failed'
      if (!signal.aborted) options.onError(error)
    } finally {
      clearTimeout(timer)
    }
    if (!signal.aborted) synthesizeNext()
  }

  /** The sentence that this beat's frame belongs to; those before it were sent whole. */
  function current(): Sentence | undefined {
    for (let sentence = sentences[sendIndex]; sentence; sentence = sentences[++sendIndex]) {
      const { state, sent, frames } = sentence
      if (state === 'queued' || state === 'synthesizing' || sent < frames.length) return sentence
      if (sentence.marked < sent) requestMark(sentence)
    }
    return undefined
  }

  /** The far end tells when it has played what was sent until here. */
  function requestMark(sentence: Sentence): void {
    sentence.marked = sentence.sent
    media.mark(`${generation}:${sendIndex}:${sentence.sent}`)
    synthesizeNext()
  }

  function finishIfPlayed(): void {
    const owed = sentences.some(({ played, frames }) => played < frames.length)
    if (owed && ++ticksWithoutMark < markTimeoutTicks) return
    for (const sentence of sentences) sentence.played = sentence.frames.length
    done = true
    options.onDone()
  }

  return {
    begin() {
      generation++
      synthesis.abort()
      synthesis = new AbortController()
      sentences = []
      done = ended = held = begun = false
      ticksWithoutMark = sendIndex = 0
    },
    say(text) {
      if (done) return
      sentences.push({ text, frames: [], state: 'queued', sent: 0, marked: 0, played: 0 })
      synthesizeNext()
    },
    end() {
      ended = true
    },
    tick() {
      if (done || held) return undefined
      const sentence = current()
      if (!sentence) {
        if (ended) finishIfPlayed()
        return undefined
      }
      const frame = sentence.frames[sentence.sent]
      if (!frame) return undefined
      if (!begun) {
        begun = true
        options.onFirstAudio()
      }
      media.send(frame)
      sentence.sent++
      if (sentence.sent % markEvery === 0) requestMark(sentence)
      return frame
    },
    played(mark) {
      const [of, index, count] = mark.split(':').map(Number)
      const sentence = sentences[index as number]
      if (of !== generation || !sentence || count === undefined || !(count <= sentence.sent)) return
      for (const before of sentences.slice(0, index)) before.played = before.frames.length
      sentence.played = Math.max(sentence.played, count)
      ticksWithoutMark = 0
    },
    hold() {
      if (done || held) return
      held = true
      generation++
      media.clear()
      for (const sentence of sentences) sentence.sent = sentence.marked = sentence.played
      sendIndex = 0
    },
    resume() {
      held = false
    },
    cut() {
      if (done) return
      generation++
      synthesis.abort()
      if (!held) media.clear()
      done = ended = true
      held = false
    },
    text: () =>
      sentences
        .map(({ text, frames, state, played }) => {
          const known = frames.length * frameMs
          const total = state === 'ready' ? known : Math.max(known + 1, text.length * slowMsPerCharacter)
          return playedText(text, played * frameMs, total)
        })
        .filter((text) => text !== '')
        .join(' '),
    isBusy: () => !done,
    isHeld: () => held,
    hasBegun: () => begun,
  }
}
