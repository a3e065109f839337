import { type Encoding, frameBytes, sampleRateOf } from './contract.ts'
import { decodeMulaw, encodeMulaw, mulawSilence } from './mulaw.ts'
import { createResampler, resample } from './resample.ts'

/** Decodes a connection's bytes to samples, at the connection's own rate. */
export const toSamples = (audio: Uint8Array, encoding: Encoding): Int16Array =>
  encoding === 'mulaw-8000' ? decodeMulaw(audio) : fromPcm16(audio)

export const fromSamples = (samples: Int16Array, encoding: Encoding): Uint8Array =>
  encoding === 'mulaw-8000' ? encodeMulaw(samples) : toPcm16(samples)

/** The root mean square. */
export function loudnessOf(samples: Int16Array): number {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return Math.sqrt(energy / samples.length)
}

/** Encodes samples of any rate as the connection carries them. */
export const encode = (samples: Int16Array, rate: number, encoding: Encoding): Uint8Array =>
  fromSamples(resample(samples, rate, sampleRateOf[encoding]), encoding)

export const silence = (encoding: Encoding, bytes = frameBytes(encoding)): Uint8Array =>
  new Uint8Array(bytes).fill(encoding === 'mulaw-8000' ? mulawSilence : 0)

/** Codes of mu-law, each at half the level (-6 dB). */
const halvedMulaw = encodeMulaw(decodeMulaw(Uint8Array.from({ length: 256 }, (_, code) => code)).map((s) => s / 2))

/** The same audio at half the level. */
export const halve = (audio: Uint8Array, encoding: Encoding): Uint8Array =>
  encoding === 'mulaw-8000'
    ? audio.map((code) => halvedMulaw[code] as number)
    : toPcm16(fromPcm16(audio).map((sample) => sample / 2))

/** Little-endian bytes, not necessarily at an even address. */
export function fromPcm16(bytes: Uint8Array): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(bytes.length >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = (bytes[2 * i] as number) | ((bytes[2 * i + 1] as number) << 8)
  return samples
}

export function toPcm16(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  for (let i = 0; i < samples.length; i++) {
    bytes[2 * i] = (samples[i] as number) & 0xff
    bytes[2 * i + 1] = ((samples[i] as number) >> 8) & 0xff
  }
  return bytes
}

/** Converts a provider's stream of PCM16 at its own rate; a sample may be split between two chunks. */
export async function* encodeStream(
  pieces: AsyncIterable<Uint8Array>,
  rate: number,
  encoding: Encoding,
): AsyncIterable<Uint8Array> {
  const resampler = createResampler(rate, sampleRateOf[encoding])
  let odd = new Uint8Array(0)
  for await (const piece of pieces) {
    const bytes = odd.length > 0 ? Buffer.concat([odd, piece]) : piece
    odd = bytes.slice(bytes.length & ~1)
    const ready = resampler.push(fromPcm16(bytes))
    if (ready.length > 0) yield fromSamples(ready, encoding)
  }
  const rest = resampler.flush()
  if (rest.length > 0) yield fromSamples(rest, encoding)
}

/** Cuts incoming bytes into complete frames. */
export function createFramer(encoding: Encoding): (bytes: Uint8Array) => Uint8Array[] {
  const size = frameBytes(encoding)
  let held: Uint8Array = new Uint8Array(0)
  return (bytes) => {
    if (held.length === 0 && bytes.length === size) return [bytes]
    const all = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
    const frames: Uint8Array[] = []
    let at = 0
    for (; at + size <= all.length; at += size) frames.push(all.subarray(at, at + size))
    held = all.slice(at)
    return frames
  }
}
