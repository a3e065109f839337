import { lowerPriority } from '../../platform/lower-priority.ts'
import { encode, toSamples } from './audio.ts'
import { type Encoding, sampleRateOf } from './contract.ts'
import { type Flite, loadFlite } from './flite.ts'
import { loadMoonshine, type Recogniser } from './moonshine.ts'
import { resample } from './resample.ts'

/**
 * A child process: speech occupies a processor for tenths of a second, and a crash in native code ends only this
 * process.
 */

export type SpeechOrder =
  | { speak: { text: string; voice: string; encoding: Encoding } }
  | { recognise: { audio: Uint8Array; encoding: Encoding } }
  /** The recognizer's models take a second to load: better before the first words than after them. */
  | { prepare: 'recogniser' }
export type ToSpeech = { id: number } & SpeechOrder
export type FromSpeech =
  | { id: number; audio: Uint8Array }
  | { id: number; text: string }
  | { id: number; fault: string; missing: boolean }

let flite: Promise<Flite> | undefined
let moonshine: Promise<Recogniser> | undefined

async function carryOut(order: SpeechOrder): Promise<{ audio: Uint8Array } | { text: string }> {
  if ('speak' in order) {
    const { text, voice, encoding } = order.speak
    flite ??= loadFlite()
    const { samples, sampleRate } = (await flite).speak(text, voice)
    return { audio: encode(samples, sampleRate, encoding) }
  }
  moonshine ??= loadMoonshine(1)
  const recogniser = await moonshine
  if ('prepare' in order) return { text: '' }
  const { audio, encoding } = order.recognise
  const samples = resample(toSamples(audio, encoding), sampleRateOf[encoding], 16_000)
  return { text: await recogniser.recognise(Float32Array.from(samples, (sample) => sample / 32768)) }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', ({ id, ...order }: ToSpeech) => {
  last = last.then(async () => {
    let reply: FromSpeech
    try {
      reply = { id, ...(await carryOut(order as SpeechOrder)) }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      reply = { id, fault: message, missing: code === 'ERR_MODULE_NOT_FOUND' || code === 'ENOENT' }
    }
    process.send?.(reply)
  })
})
// The parent is gone, so no answer would be read.
process.on('disconnect', () => process.exit())
// Media sockets take priority when the processors are busy.
lowerPriority(5)
