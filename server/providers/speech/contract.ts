/** The encoding on a connection: the telephone network's or a browser's. Always mono. */
export type Encoding = 'mulaw-8000' | 'pcm16-16000'

/** Audio moves in frames of this length. */
export const frameMs = 20

export const sampleRateOf: Record<Encoding, number> = { 'mulaw-8000': 8000, 'pcm16-16000': 16000 }

export const bytesPerMs: Record<Encoding, number> = { 'mulaw-8000': 8, 'pcm16-16000': 32 }

export const frameBytes = (encoding: Encoding): number => bytesPerMs[encoding] * frameMs

/** `retry`: the same request may succeed later; `fail`: a setting or the installation has to change first. */
export class SpeechError extends Error {
  readonly verdict: 'retry' | 'fail'
  constructor(verdict: 'retry' | 'fail', message: string, cause?: unknown) {
    super(message, { cause })
    this.verdict = verdict
  }
}

/** A recognizer fell silent in the middle of a turn. */
export class StalledError extends SpeechError {
  /** What it had recognized of the turn until then. */
  readonly heard: string
  constructor(message: string, heard: string) {
    super('retry', message)
    this.heard = heard
  }
}

/** Speech to text. */
export interface Transcriber {
  /** The value of an agent's `transcriber.provider`. */
  readonly provider: string
  readonly model: string
  /** Whether an account of the organization pays for it. */
  readonly isOwnKey?: boolean
  /** Whether its texts come from the sound, or from a script that is known beforehand. */
  readonly source: 'recognised' | 'scripted'
  open(options: TranscriptionOptions): Transcription
}

export interface TranscriptionOptions {
  encoding: Encoding
  /** BCP 47, such as `en-US`. */
  language: string
  /** The transcript of the current turn so far; each one replaces the one before. */
  onPartial(text: string): void
  /** Names and terms to expect, the most important first; at most 800 bytes together. */
  keyTerms?: string[] | undefined
  /** Given if the provider is to detect the language; called with the detected one (BCP 47), if the provider can. */
  onLanguage?(language: string): void
  signal: AbortSignal
}

/** One call's stream of speech: frames of a turn, `finish`, frames of the next turn, … */
export interface Transcription {
  /** Frames of speech and of the pauses within it, starting a little before speech was detected. */
  write(frame: Uint8Array): void
  /**
   * The speaker paused and may continue: start slow work early. No `write` follows unless the speaker continues. Returns
   * what `finish` would return now, if the provider can tell without being paid twice.
   */
  pause(): Promise<string> | undefined
  /** The turn is over: what was said since the last `finish`, possibly nothing. Throws `SpeechError`. */
  finish(signal: AbortSignal): Promise<string>
  /** The frames since the last `finish` were not a turn. */
  discard(): void
  close(): void
}

/** Text to speech. */
export interface Voice {
  /** The value of an agent's `voice_settings.provider`. */
  readonly provider: string
  readonly model: string
  /** Whether an account of the organization pays for it. */
  readonly isOwnKey?: boolean
  /** Audio in the requested encoding, in chunks of any length, as they become ready. Throws `SpeechError`. */
  speak(text: string, options: SpeakOptions): AsyncIterable<Uint8Array>
}

export interface SpeakOptions {
  encoding: Encoding
  /** The provider's own name of the voice. */
  voice: string
  language: string
  /** Called for each word, in order, if the provider tells when it is spoken. May come before or after its audio. */
  onWord?: ((word: SpokenWord) => void) | undefined
  /** Called with what is really said, if the provider may say it in other words. */
  onText?: ((text: string) => void) | undefined
  signal: AbortSignal
}

/** Speech of a model that speaks itself. */
export interface SpokenAnswer {
  /** In the encoding of the call. Throws `SpeechError` if it breaks off. */
  audio: AsyncIterable<Uint8Array>
  /** What it says, as far as the model has told. */
  text(): string
  /** Called once, when it was played or cut: how much of it the caller has heard. */
  heard(ms: number): void
}

/** The text up to the character `end` has been spoken after `endMs` of the audio. */
export interface SpokenWord {
  end: number
  endMs: number
}

/** Classifies each frame as speech or not. */
export interface VoiceActivity {
  open(encoding: Encoding): Promise<VoiceDetector>
}

export interface VoiceDetector {
  /** How long it still reports speech after the end of a sound. */
  readonly overhangMs?: number
  isSpeech(frame: Uint8Array): boolean
  close(): void
}
