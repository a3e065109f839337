import { encodeMulaw } from '../../../providers/speech/mulaw.ts'

/** Frequencies of ITU-T Q.23, in hertz. */
const rows = [697, 770, 852, 941]
const columns = [1209, 1336, 1477]
const keypad = ['123', '456', '789', '*0#']

const sampleRate = 8_000
const frameSamples = 160
/** ITU-T Q.24 asks for at least 40 ms of each; 100 ms is heard by systems that are slow. */
const toneFrames = 5
const gapFrames = 5
/** A pause, written `w`, as carriers do: half a second. */
const pauseFrames = 25
/** A quarter of full scale for each of the two tones, about -12 dBFS. */
const amplitude = 8_192

/**
 * Key presses as audio: 20 ms frames of mu-law. The carrier's media stream takes no messages for keys, and passes these
 * tones on like speech.
 */
export const dtmfFrames = (keys: string): Uint8Array[] =>
  [...keys].flatMap((key) => (key === 'w' ? silent(pauseFrames) : [...tone(key), ...silent(gapFrames)]))

const silent = (count: number): Uint8Array[] =>
  Array.from({ length: count }, () => encodeMulaw(new Int16Array(frameSamples)))

function tone(key: string): Uint8Array[] {
  const row = keypad.findIndex((line) => line.includes(key))
  const low = rows[row] as number
  const high = columns[keypad[row]?.indexOf(key) ?? 0] as number
  const at = (frequency: number, sample: number) => Math.sin((2 * Math.PI * frequency * sample) / sampleRate)
  const samples = Int16Array.from({ length: toneFrames * frameSamples }, (_, i) =>
    Math.round(amplitude * (at(low, i) + at(high, i))),
  )
  return Array.from({ length: toneFrames }, (_, frame) =>
    encodeMulaw(samples.subarray(frame * frameSamples, (frame + 1) * frameSamples)),
  )
}
