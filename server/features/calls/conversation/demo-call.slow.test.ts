import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { readWav } from '../../../providers/speech/wav.ts'
import { wordErrors } from '../../../testing/word-errors.ts'
import type { TranscriptSegment } from './contract.ts'

const folder = join(import.meta.dirname, '../../../testing/files')
const speech = createOfflineSpeech({ processes: 1 })
after(() => speech.close())

test('the recognizer understands both sides of the demo call', async () => {
  const audio = readWav(await readFile(join(folder, 'demo-call.wav')))?.data ?? new Uint8Array(0)
  const described = JSON.parse(await readFile(join(folder, 'demo-call.json'), 'utf8'))
  const [welcome, question]: TranscriptSegment[] = described.transcript
  const signal = AbortSignal.timeout(120_000)
  /** What is said on a track between these seconds. */
  const hear = async (track: 0 | 1, fromS: number, toS: number) => {
    const stream = speech.transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
    const part = audio.subarray(fromS * 16_000, toS * 16_000)
    stream.write(part.filter((_, i) => i % 2 === track))
    return stream.finish(signal)
  }
  assert.ok(welcome && question)
  const asked = await hear(0, question.timestamp - 0.3, question.timestamp + 3)
  assert.ok(wordErrors(described.lines.question, asked) <= 0.2, asked)
  const greeted = await hear(1, welcome.timestamp, question.timestamp - 0.3)
  assert.ok(wordErrors(welcome.text, greeted) <= 0.4, greeted)
})
