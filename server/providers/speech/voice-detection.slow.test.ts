import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { until } from '../../testing/process.ts'
import { createFramer, fromSamples } from './audio.ts'
import { type Encoding, frameMs, sampleRateOf, type VoiceDetector } from './contract.ts'
import { createOfflineSpeech } from './offline.ts'
import { createFvad } from './voice-activity.ts'

const offline = createOfflineSpeech({ processes: 1 })
after(() => offline.close())

/** Mains hum with harmonics, which WebRTC's detector takes for speech. */
function* humOf(encoding: Encoding): Generator<Uint8Array> {
  const rate = sampleRateOf[encoding]
  const length = (rate * frameMs) / 1000
  for (let at = 0; ; at += length)
    yield fromSamples(
      Int16Array.from({ length }, (_, i) => {
        const phase = (2 * Math.PI * 100 * (at + i)) / rate
        return 2_000 * Math.sin(phase) + 1_000 * Math.sin(3 * phase) + 300 * Math.sin(17.3 * phase)
      }),
      encoding,
    )
}
const speechOf = async (encoding: Encoding) => {
  const options = { encoding, voice: 'rms', language: 'en-US', signal: AbortSignal.timeout(60_000) }
  const text = 'I would like to know when my parcel arrives.'
  return createFramer(encoding)(Buffer.concat(await Array.fromAsync(offline.voice.speak(text, options))))
}
const shareOf = (frames: Uint8Array[], detector: VoiceDetector) =>
  frames.filter((frame) => detector.isSpeech(frame)).length / frames.length

for (const encoding of ['mulaw-8000', 'pcm16-16000'] as const)
  test(`steady noise is not speech, and speech is, ${encoding}`, async () => {
    const alone = await createFvad().open(encoding)
    const hum = humOf(encoding)
    const next = () => hum.next().value as Uint8Array
    assert.ok(shareOf(Array.from({ length: 50 }, next), alone) > 0.5, 'WebRTC’s detector alone')
    const detector = await offline.voiceActivity.open(encoding)
    let quietFrames = 0
    // Scores follow the frames, so each frame waits for the next turn of the event loop.
    await until(async () => {
      quietFrames = detector.isSpeech(next()) ? 0 : quietFrames + 1
      return quietFrames >= 20
    })
    const speech = await speechOf(encoding)
    let voiced = 0
    await until(async () => {
      for (const frame of speech.splice(0, 2)) if (detector.isSpeech(frame)) voiced += frameMs
      return speech.length === 0
    })
    assert.ok(voiced > 1_000, `${voiced} ms`)
    alone.close()
    detector.close()
  })

test('without its process, the first detector decides alone', async () => {
  const detector = await offline.voiceActivity.open('mulaw-8000')
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ').map(Number)
  for (const pid of children)
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('detection-process')) {
      assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), /PATH=|SECRET|FRONTDESK/)
      process.kill(pid, 'SIGKILL')
    }
  assert.ok(shareOf(await speechOf('mulaw-8000'), detector) > 0.5)
  detector.close()
  const another = await offline.voiceActivity.open('mulaw-8000')
  assert.ok(shareOf(await speechOf('mulaw-8000'), another) > 0.5)
  another.close()
})
