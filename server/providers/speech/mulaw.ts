/** G.711 mu-law, one byte per sample. */

const decoded = new Int16Array(256)
for (let code = 0; code < 256; code++) {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84
  decoded[code] = bits & 0x80 ? -magnitude : magnitude
}

/** One entry for every 16-bit sample: a lookup is cheaper than finding the segment. */
const encoded = new Uint8Array(65536)
for (let sample = -32768; sample <= 32767; sample++) {
  const magnitude = Math.min(32635, Math.abs(sample)) + 0x84
  const exponent = 31 - Math.clz32(magnitude) - 7
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  encoded[sample & 0xffff] = ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff
}

/** The code of silence. */
export const mulawSilence = 0xff

export function decodeMulaw(bytes: Uint8Array): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(bytes.length)
  decodeMulawInto(samples, 0, bytes)
  return samples
}

export function decodeMulawInto(samples: Int16Array, at: number, bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) samples[at + i] = decoded[bytes[i] as number] as number
}

export function encodeMulaw(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length)
  for (let i = 0; i < samples.length; i++) bytes[i] = encoded[(samples[i] as number) & 0xffff] as number
  return bytes
}
