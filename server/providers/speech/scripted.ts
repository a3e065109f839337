import { fromSamples } from './audio.ts'
import { bytesPerMs, type Encoding, sampleRateOf, type Transcriber, type Voice } from './contract.ts'

/** The substitute where the speech packages are missing: calls run, and report that nothing was recognized. */

/** Recognizes nothing: the turn's text is what the simulated caller reports to be saying. */
export function createScriptedTranscriber(): Transcriber {
  return {
    provider: 'scripted',
    model: 'none',
    source: 'scripted',
    open: () => ({ write() {}, pause: () => undefined, finish: async () => '', discard() {}, close() {} }),
  }
}

const msPerCharacter = 60
/** Whole periods of the tone, so that syllables join without a click. */
const syllableMs = 180
const hertz = 150

function syllable(encoding: Encoding): Uint8Array {
  const rate = sampleRateOf[encoding]
  const samples = Int16Array.from({ length: (rate * syllableMs) / 1000 }, (_, i) => {
    const swell = Math.sin((Math.PI * i * 1000) / rate / syllableMs)
    return Math.round(4_000 * swell * Math.sin((2 * Math.PI * hertz * i) / rate))
  })
  return fromSamples(samples, encoding)
}

/** A hum in the rhythm of speech, about as long as the words would take. */
export function createHummingVoice(): Voice {
  const hums: Record<Encoding, Uint8Array> = {
    'mulaw-8000': syllable('mulaw-8000'),
    'pcm16-16000': syllable('pcm16-16000'),
  }
  return {
    provider: 'scripted',
    model: 'hum',
    async *speak(text, { encoding, signal }) {
      signal.throwIfAborted()
      const audio = Buffer.alloc(text.trim().length * msPerCharacter * bytesPerMs[encoding], hums[encoding])
      if (audio.length > 0) yield audio
    },
  }
}
