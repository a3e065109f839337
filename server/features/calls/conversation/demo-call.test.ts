import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeMulaw } from '../../../providers/speech/mulaw.ts'
import { readWav } from '../../../providers/speech/wav.ts'
import type { TranscriptSegment } from './contract.ts'

/** The recorded demo call: what its transcript says can be heard in its audio. See testing/record-demo-call.ts. */

const folder = join(import.meta.dirname, '../../../testing/files')
const file = await readFile(join(folder, 'demo-call.wav'))
const described = JSON.parse(await readFile(join(folder, 'demo-call.json'), 'utf8'))
const transcript: TranscriptSegment[] = described.transcript
const stepMs = 20
const loud = 1_500

/** Peaks of a track, one per 20 ms. */
function peaksOf(track: 0 | 1): number[] {
  const samples = decodeMulaw(readWav(file)?.data ?? new Uint8Array(0)).filter((_, i) => i % 2 === track)
  return Array.from({ length: Math.floor(samples.length / 160) }, (_, i) =>
    samples.subarray(i * 160, (i + 1) * 160).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  )
}
const tracks = { caller: peaksOf(0), agent: peaksOf(1) }
const during = (speaker: keyof typeof tracks, fromS: number, toS: number) =>
  tracks[speaker].slice(Math.round((fromS * 1_000) / stepMs), Math.round((toS * 1_000) / stepMs))

test('the demo call is a small stereo recording of telephone quality', () => {
  assert.deepEqual(readWav(file)?.format, { encoding: 'mulaw', sampleRate: 8_000, channels: 2 })
  assert.ok(file.length < 500_000, String(file.length))
  assert.equal(tracks.caller.length * stepMs, described.durationMs)
})

test('each segment of the transcript sounds on the track of its speaker, from its time on', () => {
  assert.equal(transcript.length, 6)
  for (const { speaker, timestamp, text } of transcript) {
    assert.ok(Math.max(...during(speaker, timestamp, timestamp + 0.6)) > loud, `${timestamp}: ${text}`)
  }
})

test('the agent lowers its voice during the back-channel and speaks on; the interruption silences it', () => {
  const [backChannel, interruption] = transcript.filter(({ speaker }) => speaker === 'caller').slice(1)
  const [, answer, last] = transcript.filter(({ speaker }) => speaker === 'agent')
  assert.ok(backChannel && interruption && answer?.interrupted && last)
  const between = during('agent', backChannel.timestamp + 0.8, interruption.timestamp)
  assert.ok(Math.max(...between) > loud, 'the agent speaks on after the back-channel')
  const lowered = during('agent', interruption.timestamp + 0.3, interruption.timestamp + 0.5)
  assert.ok(Math.max(...lowered) < Math.max(...tracks.agent) / 4, 'lower 300 ms after the interruption began')
  assert.ok(Math.max(...during('agent', interruption.timestamp + 0.7, last.timestamp - 0.1)) < loud / 10, 'then silent')
})
