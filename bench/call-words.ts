import { loadFlite } from '../server/providers/speech/flite.ts'
import { encodeMulaw } from '../server/providers/speech/mulaw.ts'
import { createOfflineSpeech } from '../server/providers/speech/offline.ts'
import { resample } from '../server/providers/speech/resample.ts'
import { createHummingVoice } from '../server/providers/speech/scripted.ts'
import { says, startCall, textsOf } from '../server/testing/conversations-by-voice.ts'
import { numbersFrom } from '../server/testing/seeded-numbers.ts'
import { wordErrors } from '../server/testing/word-errors.ts'
import { type Line, report } from './harness.ts'

/**
 * Benchmark 9, continued: what a call costs in words. The word error rate of the local recognizer on the media of a
 * call, where turns are cut out of the audio, against the same recognizer on the whole recording.
 */
const sentences = [
  'I would like to change the date of my appointment.',
  'Can you tell me the status of my order?',
  'My parcel was damaged when it arrived yesterday.',
  'What are your opening hours on the weekend?',
  'Please cancel my subscription at the end of the month.',
  'How much does the express delivery cost?',
  'Is there a doctor who can see me this afternoon?',
  'Could somebody call me back tomorrow morning?',
]
const voices = ['rms', 'slt', 'awb', 'kal']
const atOnce = 3

const flite = await loadFlite()
const speech = createOfflineSpeech({ processes: 2 })
const voice = createHummingVoice()
const below = numbersFrom(7)

/** 300 ms of background, the sentence, and a second of background. */
function record(text: string, name: string, noiseDb: number): Buffer {
  const { samples, sampleRate } = flite.speak(text, name)
  const spoken = resample(samples, sampleRate, 8_000)
  const loudness = Math.sqrt(spoken.reduce((sum, sample) => sum + sample * sample, 0) / spoken.length)
  const all = new Int16Array(2_400 + spoken.length + 8_000)
  all.set(spoken, 2_400)
  const noise = noiseDb > 0 ? (loudness / 10 ** (noiseDb / 20)) * Math.sqrt(3) : 0
  return Buffer.from(encodeMulaw(all.map((sample) => sample + noise * (below(2_001) / 1_000 - 1))))
}

async function alone(audio: Buffer): Promise<string> {
  const signal = AbortSignal.timeout(60_000)
  const stream = speech.transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
  stream.write(audio)
  const text = await stream.finish(signal)
  stream.close()
  return text
}

async function onCall(audio: Buffer): Promise<string> {
  const call = startCall(speech, says('Yes.'), { voice, agent: { welcomeMessage: '' } })
  await call.saw('session.started')
  await call.far.say(audio)
  await call.saw('agent.speech_stopped')
  call.end.abort()
  return textsOf('caller', await call.outcome).join(' ')
}

async function measure(what: string, noiseDb: number): Promise<Line[]> {
  const recordings = voices.flatMap((name) =>
    sentences.map((text) => ({ name, text, audio: record(text, name, noiseDb) })),
  )
  const errors: { name: string; words: number; call: number; alone: number }[] = []
  const work = async () => {
    for (let next = recordings.shift(); next; next = recordings.shift()) {
      const { name, text, audio } = next
      const words = text.split(' ').length
      const [recognized, heard] = [await alone(audio), await onCall(audio)]
      errors.push({ name, words, alone: wordErrors(text, recognized) * words, call: wordErrors(text, heard) * words })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const rate = (of: 'call' | 'alone', some = errors) =>
    some.reduce((sum, each) => sum + each[of], 0) / some.reduce((sum, { words }) => sum + words, 0)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const ratio = rate('call') / rate('alone')
  const total = { what: `word error rate, ${what}, ${errors.length} turns`, ratio: ratio.toFixed(2), goal: '≤ 1.1' }
  return [
    { ...total, ours: percent(rate('call')), floor: percent(rate('alone')), met: ratio <= 1.1 },
    ...voices.map((name) => {
      const some = errors.filter((each) => each.name === name)
      const [ours, floor] = [percent(rate('call', some)), percent(rate('alone', some))]
      return { what: `word error rate, ${what}, voice ${name}`, ours, floor, ratio: '', goal: 'none', met: true }
    }),
  ]
}

const lines = [...(await measure('clean', 0)), ...(await measure('white noise 20 dB', 20))]
await speech.close()
report('9 · call words: the recognizer on a call against the recognizer alone', lines)
