import { fromPcm16, loudnessOf, toSamples } from './audio.ts'
import { type Encoding, frameMs, sampleRateOf, type VoiceActivity, type VoiceDetector } from './contract.ts'
import { decodeMulawInto } from './mulaw.ts'

interface FvadModule {
  HEAP16: Int16Array
  _malloc(bytes: number): number
  _free(at: number): void
  _fvad_new(): number
  _fvad_free(detector: number): void
  _fvad_set_mode(detector: number, mode: number): number
  _fvad_set_sample_rate(detector: number, rate: number): number
  _fvad_process(detector: number, samples: number, count: number): number
}

/** In the strictest mode the detector adds four frames of 20 ms to a short sound. */
const overhangMs = 80

/** The mode that is least likely to take noise for speech. */
const strictest = 3

/**
 * WebRTC's detector. It runs on the calling thread: a few microseconds per frame, less than passing the frame to
 * another thread would take.
 */
export function createFvad(): VoiceActivity {
  let loading: Promise<FvadModule> | undefined
  return {
    async open(encoding) {
      loading ??= import('@echogarden/fvad-wasm').then(({ default: load }) => load() as Promise<FvadModule>)
      const fvad = await loading
      const count = (sampleRateOf[encoding] * frameMs) / 1000
      const samplesAt = fvad._malloc(2 * count)
      const detector = fvad._fvad_new()
      fvad._fvad_set_mode(detector, strictest)
      fvad._fvad_set_sample_rate(detector, sampleRateOf[encoding])
      let open = true
      return {
        overhangMs,
        isSpeech(frame) {
          if (!open || isQuiet(frame, encoding)) return false
          // The memory may have grown, and so moved, since the last frame.
          if (encoding === 'mulaw-8000') decodeMulawInto(fvad.HEAP16, samplesAt >> 1, frame)
          else fvad.HEAP16.set(toSamples(frame, encoding), samplesAt >> 1)
          return fvad._fvad_process(detector, samplesAt, count) === 1
        },
        close() {
          if (!open) return
          open = false
          fvad._fvad_free(detector)
          fvad._free(samplesAt)
        },
      }
    },
  }
}

/** Quieter than any speech (-54 dB): most frames of a pause need no closer look. */
const inaudible = 64
/** The same as a mu-law code, whose last seven bits count down from silence in steps of eight. */
const inaudibleCode = 0x7f - inaudible / 8

function isQuiet(frame: Uint8Array, encoding: Encoding): boolean {
  if (encoding === 'mulaw-8000') return frame.every((code) => (code & 0x7f) >= inaudibleCode)
  return fromPcm16(frame).every((sample) => sample <= inaudible && sample >= -inaudible)
}

/** How much louder speech is than the quietest recent moments, and its least level. */
const aboveNoise = 4
const audible = 300

/** Used where WebRTC's detector is not installed: sound clearly above the background counts as speech. */
export function createLoudnessDetector(): VoiceActivity {
  return {
    async open(encoding): Promise<VoiceDetector> {
      let noise = 100
      return {
        isSpeech(frame) {
          const loudness = loudnessOf(toSamples(frame, encoding))
          noise = loudness < noise ? loudness : Math.min(noise * 1.005 + 0.1, 2_000)
          return loudness > Math.max(audible, aboveNoise * noise)
        },
        close() {},
      }
    },
  }
}
