import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFramer, encodeStream, fromPcm16, toPcm16 } from './audio.ts'
import { decodeMulaw, encodeMulaw, mulawSilence } from './mulaw.ts'
import { createResampler, resample } from './resample.ts'
import { readWav, wavFile, wavHeader } from './wav.ts'

const tone = (hertz: number, rate: number, seconds = 1) =>
  Int16Array.from({ length: rate * seconds }, (_, i) => Math.round(10_000 * Math.sin((2 * Math.PI * hertz * i) / rate)))
const loudness = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length)

test('mu-law matches the telephone network', () => {
  // From G.711's table: the largest, the smallest, both zeros.
  assert.deepEqual([...decodeMulaw(Uint8Array.of(0x00, 0x80, 0x7f, 0xff))], [-32124, 32124, 0, 0])
  assert.deepEqual(
    [...encodeMulaw(Int16Array.of(0, -32768, 32767, 1000, -1000))],
    [mulawSilence, 0x00, 0x80, 0xce, 0x4e],
  )
  for (let code = 0; code < 256; code++)
    if (code !== 0x7f) assert.deepEqual([...encodeMulaw(decodeMulaw(Uint8Array.of(code)))], [code])
})

test('resampling keeps frequencies that fit and drops those that do not', () => {
  for (const [from, to] of [
    [16_000, 8_000],
    [8_000, 16_000],
    [24_000, 8_000],
    [24_000, 16_000],
  ] as const) {
    const low = resample(tone(440, from), from, to)
    assert.equal(low.length, to)
    const expected = tone(440, to)
    const worst = low
      .slice(100, -100)
      .reduce((most, s, i) => Math.max(most, Math.abs(s - (expected[i + 100] as number))), 0)
    assert.ok(worst < 60, `${from} to ${to}: off by ${worst}`)
    if (to < from) assert.ok(loudness(resample(tone(to * 0.7, from), from, to)) < 150)
  }
})

test('a stream sounds the same however it is cut into chunks', async () => {
  const samples = tone(440, 24_000)
  const resampler = createResampler(24_000, 8_000)
  const parts: number[] = []
  for (let at = 0; at < samples.length; at += 777) parts.push(...resampler.push(samples.subarray(at, at + 777)))
  parts.push(...resampler.flush())
  assert.deepEqual(parts, [...resample(samples, 24_000, 8_000)])
  const bytes = toPcm16(samples)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 333) yield bytes.subarray(at, at + 333)
  }
  const streamed = Buffer.concat(await Array.fromAsync(encodeStream(pieces(), 24_000, 'pcm16-16000')))
  assert.deepEqual(fromPcm16(streamed), resample(samples, 24_000, 16_000))
})

test('frames are complete, however the bytes arrive', () => {
  const framesOf = createFramer('mulaw-8000')
  const bytes = Uint8Array.from({ length: 1_000 }, (_, i) => i % 256)
  const frames = [0, 100, 170, 171, 700].flatMap((at, i, all) => framesOf(bytes.subarray(at, all[i + 1])))
  assert.deepEqual(Buffer.concat(frames), Buffer.from(bytes.subarray(0, 960)))
  assert.ok(frames.every(({ length }) => length === 160))
})

test('a WAV file is read as it was written, complete or cut off', () => {
  const format = { encoding: 'mulaw' as const, sampleRate: 8000, channels: 2 }
  const data = Uint8Array.of(1, 2, 3, 4)
  assert.deepEqual(readWav(wavFile(format, data)), { format, data: Buffer.from(data) })
  assert.deepEqual(readWav(Buffer.concat([wavHeader(format), data])), { format, data: Buffer.from(data) })
  for (const odd of [Buffer.alloc(0), Buffer.from('RIFF'), Buffer.from('RIFF0000WAVEfmt ')])
    assert.equal(readWav(odd), undefined)
})
