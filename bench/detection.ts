import { createFramer, toSamples } from '../server/providers/speech/audio.ts'
import { createConfirmedActivity } from '../server/providers/speech/confirmed-activity.ts'
import { frameMs, type VoiceActivity } from '../server/providers/speech/contract.ts'
import type { DetectionScorer } from '../server/providers/speech/detection-scorer.ts'
import { loadFlite } from '../server/providers/speech/flite.ts'
import { encodeMulaw } from '../server/providers/speech/mulaw.ts'
import { resample } from '../server/providers/speech/resample.ts'
import { loadSilero } from '../server/providers/speech/silero.ts'
import { createFvad } from '../server/providers/speech/voice-activity.ts'
import { numbersFrom } from '../server/testing/seeded-numbers.ts'

/**
 * Whether noise reduction before voice detection helps: the detectors on noisy lines, without it and with two
 * candidates. Runs by itself (`npx node bench/detection.ts`) and prints a table; notes.md has what it gave. Scores of
 * Silero arrive at once here, so the result does not depend on the machine's load.
 */
const rate = 8_000
const frameSamples = (rate * frameMs) / 1000
const sentences = [
  'I would like to change the date of my appointment.',
  'Can you tell me the status of my order?',
  'My parcel was damaged when it arrived yesterday.',
  'How much does the express delivery cost?',
  'Could somebody call me back tomorrow morning?',
]
const voices = ['rms', 'slt', 'awb', 'kal']
const leadMs = 1_000
const tailMs = 2_000

const flite = await loadFlite()
const below = numbersFrom(11)
const random = () => below(2 ** 20) / 2 ** 19 - 1
const rmsOf = (samples: ArrayLike<number>) =>
  Math.sqrt(Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
const say = (text: string, voice: string) => {
  const { samples, sampleRate } = flite.speak(text, voice)
  const narrow = resample(samples, sampleRate, rate)
  const loudest = narrow.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1)
  return Float64Array.from(narrow, (sample) => (sample * 12_000) / loudest)
}
const talk = (voice: string) => say('They said on the radio that it would be fine, and then it rained all day.', voice)
const people = ['kal', 'awb', 'slt'].map(talk)

const noises: Record<string, (i: number) => number> = {
  'white noise': random,
  'mains hum': (i) => [1, 3, 5, 17].reduce((sum, n) => sum + Math.sin((2 * Math.PI * 50 * n * i) / rate) / n, 0),
  traffic: (() => {
    let brown = 0
    return () => {
      brown = 0.98 * brown + random()
      return brown
    }
  })(),
  'three people': (i) => people.reduce((sum, one, n) => sum + (one[(i + 9_000 * n) % one.length] as number), 0),
}

type Filter = (samples: Int16Array) => Int16Array
const candidates: Record<string, () => Filter> = {
  none: () => (samples) => samples,
  'high-pass, 100 Hz': () => highPass(100),
  'high-pass, 150 Hz': () => highPass(150),
  'high-pass, 200 Hz': () => highPass(200),
  'spectral gate, 12 dB': spectralGate,
}

/** Butterworth, second order. */
function highPass(hertz: number): Filter {
  const [w, q] = [(2 * Math.PI * hertz) / rate, Math.SQRT1_2]
  const alpha = Math.sin(w) / (2 * q)
  const [a0, a1, a2] = [1 + alpha, -2 * Math.cos(w), 1 - alpha]
  const b = (1 + Math.cos(w)) / 2
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return (samples) =>
    samples.map((x) => {
      const y = (b * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2) / a0
      ;[x2, x1, y2, y1] = [x1, x, y1, y]
      return Math.max(-32_000, Math.min(32_000, y))
    })
}

/**
 * Frames of 40 ms, half overlapping. Each band is attenuated by 12 dB while it is less than 6 dB above the quietest of
 * the last two seconds. Delays the audio by one frame.
 */
function spectralGate(): Filter {
  const size = 2 * frameSamples
  const bins = size / 2 + 1
  const window = Float64Array.from({ length: size }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / size))
  const cosine = Float64Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sine = Float64Array.from({ length: size }, (_, i) => Math.sin((2 * Math.PI * i) / size))
  const history: Float64Array[] = []
  let before = new Float64Array(frameSamples)
  let overlap = new Float64Array(frameSamples)
  const gains = new Float64Array(bins).fill(1)
  return (samples) => {
    const input = new Float64Array(size)
    input.set(before)
    input.set(samples, frameSamples)
    before = Float64Array.from(samples)
    for (const i of input.keys()) (input[i] as number) *= window[i] as number
    const [real, imaginary, power] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)]
    for (let k = 0; k < bins; k++) {
      let [re, im] = [0, 0]
      for (let i = 0; i < size; i++) {
        re += (input[i] as number) * (cosine[(i * k) % size] as number)
        im -= (input[i] as number) * (sine[(i * k) % size] as number)
      }
      real[k] = re
      imaginary[k] = im
      // Averaged with its neighbours below, so that the floor of noise is not that of its luckiest moment.
      power[k] = re * re + im * im
    }
    const smooth = power.map((_, k) => {
      const near = power.subarray(Math.max(0, k - 2), k + 3)
      return near.reduce((sum, each) => sum + each, 0) / near.length
    })
    history.push(smooth)
    if (history.length > 100) history.shift()
    const output = new Float64Array(size)
    for (let k = 0; k < bins; k++) {
      const floor = history.reduce((least, each) => Math.min(least, each[k] as number), Number.POSITIVE_INFINITY)
      const isNoise = (smooth[k] as number) < 4 * 2 * floor
      gains[k] = 0.5 * (gains[k] as number) + 0.5 * (isNoise ? 0.25 : 1)
      const gain = ((gains[k] as number) * (k === 0 || k === bins - 1 ? 1 : 2)) / size
      const [re, im] = [gain * (real[k] as number), gain * (imaginary[k] as number)]
      for (let i = 0; i < size; i++)
        (output[i] as number) += re * (cosine[(i * k) % size] as number) - im * (sine[(i * k) % size] as number)
    }
    const out = Int16Array.from({ length: frameSamples }, (_, i) =>
      Math.max(-32_000, Math.min(32_000, (output[i] as number) * (window[i] as number) + (overlap[i] as number))),
    )
    overlap = Float64Array.from({ length: frameSamples }, (_, i) => {
      const at = i + frameSamples
      return (output[at] as number) * (window[at] as number)
    })
    return out
  }
}

const silero = await loadSilero()
let scoring: Promise<unknown> = Promise.resolve()
const scorer: DetectionScorer = {
  open(sampleRate, onScore) {
    let stream = silero.open(sampleRate)
    return {
      send(samples, starts) {
        scoring = scoring.then(async () => {
          if (starts) stream = silero.open(sampleRate)
          onScore(await stream.score(samples))
        })
      },
      close() {},
    }
  },
  async close() {},
}
const detectors: Record<string, VoiceActivity> = {
  'WebRTC alone': createFvad(),
  'WebRTC and Silero': createConfirmedActivity(createFvad(), scorer),
}

interface Recording {
  frames: Uint8Array[]
  /** Whether the caller speaks in each frame; gaps of up to 200 ms between sounds are speech. */
  truth: boolean[]
}

function record(text: string, voice: string, noise: string | undefined, db: number): Recording {
  const spoken = say(text, voice)
  const clean = new Float64Array((leadMs + tailMs) * 8 + spoken.length)
  clean.set(spoken, leadMs * 8)
  const background = clean.map((_, i) => (noise ? (noises[noise] as (i: number) => number)(i) : 0))
  const share = noise ? rmsOf(spoken) / 10 ** (db / 20) / rmsOf(background) : 0
  const mixed = Int16Array.from(clean, (sample, i) =>
    Math.max(-32_000, Math.min(32_000, sample + share * (background[i] as number))),
  )
  const loud = Array.from(
    { length: Math.floor(clean.length / frameSamples) },
    (_, i) => rmsOf(clean.subarray(i * frameSamples, (i + 1) * frameSamples)) > 250,
  )
  const near = (i: number, step: number) => Array.from({ length: 10 }, (_, n) => loud[i + step * n]).some(Boolean)
  const truth = loud.map((isLoud, i) => isLoud || (near(i, -1) && near(i, 1)))
  return { frames: createFramer('mulaw-8000')(Buffer.from(encodeMulaw(mixed))), truth }
}

/** Missed speech, false speech, and how long after the end of speech a pause of 500 ms is complete. */
async function score(recordings: Recording[], activity: VoiceActivity, filter: () => Filter) {
  let [spoken, missed, quiet, mistaken] = [0, 0, 0, 0]
  const late: number[] = []
  for (const { frames, truth } of recordings) {
    const detector = await activity.open('mulaw-8000')
    const reduce = filter()
    const lastSpeech = truth.lastIndexOf(true)
    let silentMs = 0
    let pauseAfterMs: number | undefined
    for (const [i, frame] of frames.entries()) {
      const voiced = detector.isSpeech(encodeMulaw(reduce(toSamples(frame, 'mulaw-8000'))))
      await scoring
      silentMs = voiced ? 0 : silentMs + frameMs
      if (i > lastSpeech && silentMs >= 500) pauseAfterMs ??= (i - lastSpeech) * frameMs
      if (truth[i]) {
        spoken++
        if (!voiced) missed++
      } else {
        quiet++
        if (voiced) mistaken++
      }
    }
    late.push(pauseAfterMs ?? tailMs)
    detector.close()
  }
  late.sort((a, b) => a - b)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return [percent(missed / spoken), percent(mistaken / quiet), `${late[Math.floor(late.length * 0.9)]} ms`]
}

const lines: [string | undefined, number][] = [
  [undefined, 0],
  ['white noise', 20],
  ['white noise', 10],
  ['mains hum', 10],
  ['traffic', 10],
  ['three people', 15],
]
console.log('| line | detector | noise reduction | speech missed | noise taken for speech | pause seen after, p90 |')
console.log('| --- | --- | --- | --- | --- | --- |')
for (const [noise, db] of lines) {
  const recordings = sentences.flatMap((text) => voices.map((voice) => record(text, voice, noise, db)))
  for (const [name, activity] of Object.entries(detectors))
    for (const [candidate, filter] of Object.entries(candidates)) {
      const figures = await score(recordings, activity, filter)
      console.log(`| ${[noise ? `${noise}, ${db} dB` : 'clean', name, candidate, ...figures].join(' | ')} |`)
    }
}
process.exit()
