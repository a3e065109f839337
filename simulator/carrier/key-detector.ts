/** Frequencies of the keys of a telephone, in hertz. */
const rows = [697, 770, 852, 941]
const columns = [1209, 1336, 1477]
const keypad = ['123', '456', '789', '*0#']

const sampleRate = 8_000
/** Power of the two tones as a share of the frame's: speech is spread over more frequencies. */
const leastShare = 0.7
/** Mean square of a sample: quieter than any tone on a telephone line. */
const leastPower = 10_000

/** Recognizes key presses in 20 ms frames of mu-law: a key that two frames in a row have, once until it is released. */
export function createKeyDetector(onKey: (key: string) => void): (frame: Uint8Array) => void {
  let last: string | undefined
  let told: string | undefined
  return (frame) => {
    const key = keyIn(frame)
    if (key !== undefined && key === last && key !== told) {
      told = key
      onKey(key)
    }
    if (key === undefined) told = undefined
    last = key
  }
}

function keyIn(frame: Uint8Array): string | undefined {
  const samples = Array.from(frame, decoded)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  if (power < leastPower) return undefined
  const strongest = (frequencies: number[]) =>
    frequencies
      .map((frequency, index) => ({ index, power: powerAt(samples, frequency) }))
      .reduce((best, each) => (each.power > best.power ? each : best))
  const row = strongest(rows)
  const column = strongest(columns)
  if (row.power + column.power < leastShare * power) return undefined
  // Both tones have about the same power.
  if (Math.min(row.power, column.power) < Math.max(row.power, column.power) / 6) return undefined
  return keypad[row.index]?.[column.index]
}

/** Goertzel's algorithm: the power of one frequency. */
function powerAt(samples: number[], frequency: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / sampleRate)
  let [before, now] = [0, 0]
  for (const sample of samples) [before, now] = [now, sample + factor * now - before]
  const power = before * before + now * now - factor * before * now
  return (2 * power) / (samples.length * samples.length)
}

function decoded(code: number): number {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84
  return bits & 0x80 ? -magnitude : magnitude
}
