import { untilAborted } from '../../../platform/abortable.ts'
import { createFramer, halve, silence } from '../../../providers/speech/audio.ts'
import { frameBytes, frameMs, type SpokenAnswer, type SpokenWord } from '../../../providers/speech/contract.ts'
import type { CallMedia } from './contract.ts'
import { asWritten, playedText } from './played-text.ts'
import type { SpokenText } from './spoken/signs-to-words.ts'

/**
 * Speaks sentences at one frame per tick and tracks, by marks of the far end, how much was actually played. The next
 * sentence is synthesized while the current one plays.
 *
 * An utterance is: `begin`, any number of `say`, `end`; then `onDone` once all of it was played, unless `cut` stops it.
 */
export interface SpeechOutput {
  /** Starts a new utterance. The previous one must be done or cut. */
  begin(): void
  /** A text for the voice, or speech of a model that speaks itself. */
  say(words: string | SpokenAnswer): void
  /** No more sentences follow; `onDone` is called once all audio was played. */
  end(): void
  /** Sends the frame of this tick, if any, and returns it for the recording. */
  tick(): Uint8Array | undefined
  markReturned(mark: string): void
  /** Speaks more quietly (-18 dB): the caller may want the turn. `resume` restores the level. */
  lower(): void
  /** Pauses immediately and discards unplayed audio. `resume` continues from the last frame known to be played. */
  pause(): void
  resume(): void
  /** Stops the utterance for good. */
  cut(): void
  /** The text of this utterance that was played so far. */
  playedText(): string
  /** The sentences of this utterance that have started to play, in full. */
  startedText(): string
  /** Whether the utterance is playing, paused or has audio to come. */
  isBusy(): boolean
  isPaused(): boolean
  /** Whether any audio of the utterance was sent. */
  hasStarted(): boolean
}

/** Synthesizes a sentence. */
export type Speak = (
  text: string,
  options: {
    signal: AbortSignal
    /** The text as the voice gets it. */
    onSpoken(spoken: SpokenText): void
    /** When a word is spoken, if the voice tells. */
    onWord(word: SpokenWord): void
    /** What is really said, if the voice says it in other words. */
    onText(text: string): void
  },
) => AsyncIterable<Uint8Array>

interface SpeechOutputOptions {
  media: CallMedia
  speak: Speak
  /** Longest wait for the next piece of audio from the voice. */
  timeoutMs: number
  onFirstAudio(): void
  /** The whole utterance was played. */
  onDone(): void
  onError(error: unknown): void
  /** A sentence was synthesized completely. Used for billing and to reset the count of voice failures. */
  onSynthesized(characters: number, audioMs: number): void
}

interface Sentence {
  text(): string
  /** Set for speech of a model. */
  speech: SpokenAnswer | undefined
  frames: Uint8Array[]
  /** The text as the voice got it, if that differs. */
  spoken?: SpokenText | undefined
  /** When its words are spoken, if the voice tells. */
  words: SpokenWord[]
  /** `failed`: the voice broke off, so the full length is unknown. */
  state: 'queued' | 'synthesizing' | 'ready' | 'failed'
  /** Frames that were sent, that the last mark covers, and that were played. A pause sets all to the last. */
  sent: number
  marked: number
  played: number
}

/** Frames between two marks: 300 ms. */
const markEvery = 15
/** For a far end that returns no marks: 2 s after the last frame, all audio counts as played. */
const markTimeoutTicks = 2_000 / frameMs
/** Synthesis pauses at this much unsent audio: enough to cover the next sentence, little to discard on barge-in. */
const aheadMs = 4_000
/** The level falls and rises by 6 dB per frame, which is too fast to be noticed and too slow to click. */
const loweredBy = 3
/** Slower than any voice: upper bound for the length of a sentence that was not synthesized completely. */
const slowMsPerCharacter = 100

export function createSpeechOutput({ media, ...options }: SpeechOutputOptions): SpeechOutput {
  const bytesPerFrame = frameBytes(media.encoding)
  /** Of the current utterance. */
  let sentences: Sentence[] = []
  /** All of it was played, or it was cut. */
  let done = true
  /** No more sentences follow. */
  let ended = true
  let paused = false
  /** Some of its audio was sent. */
  let started = false
  let isLowered = false
  /** How often the level is halved now. */
  let halvings = 0
  /** Discarded audio returns its marks too. Only marks of the current generation count. */
  let generation = 0
  let ticksWithoutMark = 0
  /** The sentence that is being sent. */
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
      for await (const piece of untilAborted(either, audioOf(sentence, either))) {
        timer.refresh()
        bytes += piece.length
        sentence.frames.push(...framesOf(piece))
      }
      const rest = (bytesPerFrame - (bytes % bytesPerFrame)) % bytesPerFrame
      sentence.frames.push(...framesOf(silence(media.encoding, rest)))
      sentence.state = 'ready'
      // A model's own speech is paid for by its tokens.
      options.onSynthesized(sentence.speech ? 0 : sentence.text().length, sentence.frames.length * frameMs)
    } catch (error) {
      sentence.state = 'failed'
      if (!signal.aborted) options.onError(error)
    } finally {
      clearTimeout(timer)
    }
    if (!signal.aborted) synthesizeNext()
  }

  const audioOf = (sentence: Sentence, signal: AbortSignal): AsyncIterable<Uint8Array> =>
    sentence.speech?.audio ??
    options.speak(sentence.text(), {
      signal,
      onSpoken(spoken) {
        sentence.spoken = spoken
      },
      onWord: (word) => sentence.words.push(word),
      onText(text) {
        sentence.text = () => text
        sentence.spoken = undefined
      },
    })

  /** Tells models how much of their speech was heard, once it is known. */
  function reportHeard(): void {
    for (const { speech, played } of sentences) speech?.heard(played * frameMs)
  }

  /** Moves on to the sentence to send the next frame of, past those that were sent completely or failed. */
  function advance(): Sentence | undefined {
    for (let sentence = sentences[sendIndex]; sentence; sentence = sentences[++sendIndex]) {
      const { state, sent, frames } = sentence
      if (state === 'queued' || state === 'synthesizing' || sent < frames.length) return sentence
      if (sentence.marked < sent) requestMark(sentence)
    }
    return undefined
  }

  /** Asks the far end to report when it has played everything sent so far. */
  function requestMark(sentence: Sentence): void {
    sentence.marked = sentence.sent
    media.mark(`${generation}:${sendIndex}:${sentence.sent}`)
    synthesizeNext()
  }

  /** Everything was sent: ends the utterance once it was played, or once the far end has been silent for too long. */
  function finishIfPlayed(): void {
    const isPlaying = sentences.some(({ played, frames }) => played < frames.length)
    if (isPlaying && ++ticksWithoutMark < markTimeoutTicks) return
    for (const sentence of sentences) sentence.played = sentence.frames.length
    done = true
    reportHeard()
    options.onDone()
  }

  /** The frame at the current level, which moves towards the wanted one. */
  function atLevel(frame: Uint8Array): Uint8Array {
    if (isLowered && halvings < loweredBy) halvings++
    else if (!isLowered && halvings > 0) halvings--
    let sent = frame
    for (let i = 0; i < halvings; i++) sent = halve(sent, media.encoding)
    return sent
  }

  return {
    begin() {
      generation++
      synthesis.abort()
      synthesis = new AbortController()
      sentences = []
      done = ended = paused = started = isLowered = false
      ticksWithoutMark = sendIndex = halvings = 0
    },
    say(words) {
      if (done) return
      const speech = typeof words === 'string' ? undefined : words
      const text = typeof words === 'string' ? () => words : words.text
      sentences.push({ text, speech, frames: [], words: [], state: 'queued', sent: 0, marked: 0, played: 0 })
      synthesizeNext()
    },
    end() {
      ended = true
    },
    tick() {
      if (done || paused) return undefined
      const sentence = advance()
      if (!sentence) {
        if (ended) finishIfPlayed()
        return undefined
      }
      const frame = sentence.frames[sentence.sent]
      if (!frame) return undefined
      if (!started) {
        started = true
        options.onFirstAudio()
      }
      const sent = atLevel(frame)
      media.send(sent)
      sentence.sent++
      if (sentence.sent % markEvery === 0) requestMark(sentence)
      return sent
    },
    markReturned(mark) {
      const [of, index, count] = mark.split(':').map(Number)
      const sentence = sentences[index as number]
      if (of !== generation || !sentence || count === undefined || !(count <= sentence.sent)) return
      for (const before of sentences.slice(0, index)) before.played = before.frames.length
      sentence.played = Math.max(sentence.played, count)
      ticksWithoutMark = 0
    },
    lower() {
      isLowered = true
    },
    pause() {
      if (done || paused) return
      paused = true
      generation++
      media.clear()
      for (const sentence of sentences) sentence.sent = sentence.marked = sentence.played
      sendIndex = 0
    },
    resume() {
      paused = isLowered = false
    },
    cut() {
      if (done) return
      generation++
      synthesis.abort()
      if (!paused) media.clear()
      done = ended = true
      paused = false
      reportHeard()
    },
    playedText: () =>
      sentences
        .map((sentence) => {
          const { frames, words, state, played } = sentence
          const text = sentence.text().trim()
          const spoken = sentence.spoken ?? asWritten(text)
          const known = frames.length * frameMs
          const total = state === 'ready' ? known : Math.max(known + 1, spoken.text.length * slowMsPerCharacter)
          return playedText(text, played * frameMs, total, words, spoken)
        })
        .filter((text) => text !== '')
        .join(' '),
    startedText: () =>
      sentences
        .filter(({ sent, played }) => sent > 0 || played > 0)
        .map(({ text }) => text())
        .join(' '),
    isBusy: () => !done,
    isPaused: () => paused,
    hasStarted: () => started,
  }
}
