import { bytesPerMs, type Encoding, type Transcription, type TranscriptionOptions } from './contract.ts'

/** Turns a piece of audio into text in one request. */
type Recognise = (audio: Uint8Array, options: RecogniseOptions) => Promise<string>

export interface RecogniseOptions extends Pick<TranscriptionOptions, 'language' | 'keyTerms' | 'onLanguage'> {
  encoding: Encoding
  urgent: boolean
  signal: AbortSignal
}

interface SegmentOptions {
  /** Also recognize at pauses, so that the text is ready when the pause turns out to be the end. */
  eager: boolean
  /** How often to recognize while the caller is speaking; 0 for never. */
  partialEveryMs: number
}

/**
 * A stream of turns for a recognizer that takes whole segments: it collects audio and recognizes at pauses and at the
 * end.
 */
export function transcribeSegments(
  recognise: Recognise,
  { encoding, language, keyTerms, onPartial, onLanguage, signal }: TranscriptionOptions,
  { eager, partialEveryMs }: SegmentOptions,
): Transcription {
  const format = { encoding, language, keyTerms, ...(onLanguage && { onLanguage }) }
  let pieces: Uint8Array[] = []
  let bytes = 0
  let askedAt = 0
  let early: { bytes: number; text: Promise<string>; abort: AbortController } | undefined

  function ask(urgent: boolean): Promise<string> {
    early?.abort.abort()
    const abort = new AbortController()
    const either = AbortSignal.any([signal, abort.signal])
    const text = recognise(Buffer.concat(pieces, bytes), { ...format, urgent, signal: either })
    const asked = { bytes, text, abort }
    early = asked
    askedAt = bytes
    text.then(
      (result) => {
        if (asked === early && result) onPartial(result)
      },
      // The error is reported by `finish`, which tries again.
      () => {},
    )
    return text
  }

  function forget(): void {
    early = undefined
    pieces = []
    bytes = askedAt = 0
  }

  function discard(): void {
    early?.abort.abort()
    forget()
  }

  return {
    write(frame) {
      pieces.push(frame)
      bytes += frame.length
      // Each text starts at the beginning of the turn, so intervals grow with the turn's length.
      const due = Math.max(partialEveryMs * bytesPerMs[encoding], bytes / 3)
      if (partialEveryMs > 0 && bytes - askedAt >= due) void ask(false)
    },
    pause() {
      return eager && bytes > 0 ? ask(true) : undefined
    },
    async finish(finishSignal) {
      finishSignal.throwIfAborted()
      if (bytes === 0) return ''
      const audio = Buffer.concat(pieces, bytes)
      const ready = early?.bytes === bytes ? early : undefined
      if (ready) {
        forget()
        const withdraw = () => ready.abort.abort(finishSignal.reason)
        finishSignal.addEventListener('abort', withdraw, { once: true })
        const text = await ready.text.catch(() => undefined)
        finishSignal.removeEventListener('abort', withdraw)
        if (text !== undefined) return text
      } else discard()
      const either = AbortSignal.any([signal, finishSignal])
      return recognise(audio, { ...format, urgent: true, signal: either })
    },
    discard,
    close: discard,
  }
}
