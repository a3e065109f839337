import { fromSamples } from './audio.ts'
import { sampleRateOf, type Transcriber, type Voice } from './contract.ts'

/** What stands in where the speech packages are missing: calls run, and say that nothing was recognised. */

/** Recognises nothing: the turn's text is what the simulated caller says it is saying. */
export function createScriptedTranscriber(): Transcriber {
  return {
    provider: 'scripted',
    model: 'none',
    source: 'scripted',
    open: () => ({ write() {}, pause() {}, finish: async () => '', discard() {}, close() {} }),
  }
}

const msPerCharacter = 60
const syllableMs = 180

/** A hum in the rhythm of speech, about as long as the words would take. */
export function createHummingVoice(): Voice {
  return {
    provider: 'scripted',
    model: 'hum',
    async *speak(text, { encoding }) {
      const rate = sampleRateOf[encoding]
      const samples = new Int16Array(Math.round((text.trim().length * msPerCharacter * rate) / 1000))
      for (let i = 0; i < samples.length; i++) {
        const ms = (i * 1000) / rate
        const swell = Math.sin((Math.PI * (ms % syllableMs)) / syllableMs)
        samples[i] = Math.round(4_000 * swell * Math.sin((2 * Math.PI * 150 * ms) / 1000))
      }
      if (samples.length > 0) yield fromSamples(samples, encoding)
    },
  }
}
