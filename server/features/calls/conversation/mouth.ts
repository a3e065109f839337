import { createFramer, silence } from '../../../providers/speech/audio.ts'
import { frameBytes, frameMs } from '../../../providers/speech/contract.ts'
import type { Line } from './contract.ts'
import { playedText } from './played-text.ts'
import { until } from './until.ts'

/**
 * Speaks one sentence after another, a frame a beat, and knows from the line's marks what was really played. While one
 * sentence plays, the next is being made.
 */
export interface Mouth {
  /** Begins a new utterance; the one before must be over. */
  begin(): void
  say(text: string): void
  /** Nothing more comes: `onDone` follows when all was played. */
  end(): void
  /** Sends the frame of this beat, if there is something to say, and gives it for the recording. */
  beat(): Uint8Array | undefined
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

export interface MouthOptions {
  line: Line
  speak(text: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** How long the voice may leave one waiting for audio. */
  timeoutMs: number
  onFirstAudio(): void
  /** All of the utterance was played. */
  onDone(): void
  onFault(error: unknown): void
  /** A sentence was made, for the bill and for the confidence that the voice works. */
  onMade(characters: number, audioMs: number): void
}

interface Sentence {
  text: string
  frames: Uint8Array[]
  /** `broken`: the voice failed, and nobody knows how long it would have been. */
  state: 'waiting' | 'making' | 'made' | 'broken'
  sent: number
  /** How much of it the far end was asked about. */
  marked: number
  played: number
}

/** As often as this the far end tells how far it has come. */
const markEvery = 15
/** Where a far end never answers marks: what was sent at the pace of speech has been played by then. */
const markPatience = 2_000 / frameMs
/** Audio is made this far ahead: enough to cover the next sentence's making, little enough to waste. */
const aheadMs = 4_000
/** Slower than anybody speaks: for sentences whose length is not known. */
const slowMsPerCharacter = 100

export function createMouth({ line, ...options }: MouthOptions): Mouth {
  const whole = frameBytes(line.encoding)
  let sentences: Sentence[] = []
  let done = true
  let ended = true
  let held = false
  let begun = false
  /** Marks of what was thrown away come back too: only those of this number count. */
  let generation = 0
  let waited = 0
  let at = 0
  let making = new AbortController()

  function pump(): void {
    const next = sentences.find(({ state }) => state === 'waiting')
    if (!next || sentences.some(({ state }) => state === 'making')) return
    const unsent = sentences.reduce((sum, { frames, sent }) => sum + frames.length - sent, 0)
    if (unsent * frameMs < aheadMs) void make(next, making.signal)
  }

  async function make(sentence: Sentence, signal: AbortSignal): Promise<void> {
    sentence.state = 'making'
    const framesOf = createFramer(line.encoding)
    const impatient = new AbortController()
    const late = setTimeout(() => impatient.abort(new Error('The voice took too long.')), options.timeoutMs)
    let bytes = 0
    try {
      const either = AbortSignal.any([signal, impatient.signal])
      for await (const piece of until(either, options.speak(sentence.text, either))) {
        late.refresh()
        bytes += piece.length
        sentence.frames.push(...framesOf(piece))
      }
      const rest = (whole - (bytes % whole)) % whole
      sentence.frames.push(...framesOf(silence(line.encoding, rest)))
      sentence.state = 'made'
      options.onMade(sentence.text.length, sentence.frames.length * frameMs)
    } catch (error) {
      sentence.state = 'broken'
      if (!signal.aborted) options.onFault(error)
    } finally {
      clearTimeout(late)
    }
    if (!signal.aborted) pump()
  }

  /** The sentence that this beat's frame belongs to; those before it were sent whole. */
  function current(): Sentence | undefined {
    for (let sentence = sentences[at]; sentence; sentence = sentences[++at]) {
      const { state, sent, frames } = sentence
      if (state === 'waiting' || state === 'making' || sent < frames.length) return sentence
      if (sentence.marked < sent) ask(sentence)
    }
    return undefined
  }

  /** The far end tells when it has played what was sent until here. */
  function ask(sentence: Sentence): void {
    sentence.marked = sentence.sent
    line.mark(`${generation}:${at}:${sentence.sent}`)
    pump()
  }

  function finishIfPlayed(): void {
    const owed = sentences.some(({ played, frames }) => played < frames.length)
    if (owed && ++waited < markPatience) return
    for (const sentence of sentences) sentence.played = sentence.frames.length
    done = true
    options.onDone()
  }

  return {
    begin() {
      generation++
      making.abort()
      making = new AbortController()
      sentences = []
      done = ended = held = begun = false
      waited = at = 0
    },
    say(text) {
      if (done) return
      sentences.push({ text, frames: [], state: 'waiting', sent: 0, marked: 0, played: 0 })
      pump()
    },
    end() {
      ended = true
    },
    beat() {
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
      line.send(frame)
      sentence.sent++
      if (sentence.sent % markEvery === 0) ask(sentence)
      return frame
    },
    played(mark) {
      const [of, index, count] = mark.split(':').map(Number)
      const sentence = sentences[index as number]
      if (of !== generation || !sentence || count === undefined || !(count <= sentence.sent)) return
      for (const before of sentences.slice(0, index)) before.played = before.frames.length
      sentence.played = Math.max(sentence.played, count)
      waited = 0
    },
    hold() {
      if (done || held) return
      held = true
      generation++
      line.clear()
      for (const sentence of sentences) sentence.sent = sentence.marked = sentence.played
      at = 0
    },
    resume() {
      held = false
    },
    cut() {
      if (done) return
      generation++
      making.abort()
      if (!held) line.clear()
      done = ended = true
      held = false
    },
    text: () =>
      sentences
        .map(({ text, frames, state, played }) => {
          const known = frames.length * frameMs
          const total = state === 'made' ? known : Math.max(known + 1, text.length * slowMsPerCharacter)
          return playedText(text, played * frameMs, total)
        })
        .filter((text) => text !== '')
        .join(' '),
    isBusy: () => !done,
    isHeld: () => held,
    hasBegun: () => begun,
  }
}
