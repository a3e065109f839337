import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { silence } from '../../../providers/speech/audio.ts'
import { readWav } from '../../../providers/speech/wav.ts'
import { chromiumArgs, chromiumPath, withoutChromium } from '../../../testing/chromium.ts'
import { until } from '../../../testing/process.ts'
import { repairRecording, startRecording } from './recording.ts'

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-recordings-'))
after(() => rm(folder, { recursive: true, force: true }))

const frame = (byte: number) => new Uint8Array(160).fill(byte)

test('the caller is on the left track, the agent on the right, and missing frames are silence', async () => {
  const file = join(folder, 'deep/er/stereo.wav')
  const recorder = await startRecording(file, 'mulaw-8000')
  recorder.write(frame(1), frame(2))
  recorder.write(undefined, frame(3))
  recorder.write(frame(4), undefined)
  assert.deepEqual(await recorder.finish(), { file, durationMs: 60 })
  const wav = readWav(await readFile(file))
  const expected = [1, 2, 0xff, 3, 4, 0xff]
  for (let i = 0; i < 3; i++)
    assert.deepEqual([...(wav?.data.subarray(i * 320, i * 320 + 2) ?? [])], expected.slice(2 * i, 2 * i + 2))
  assert.equal(wav?.data.length, 960)
})

test('a browser call is recorded at its own sample rate', async () => {
  const file = join(folder, 'browser.wav')
  const recorder = await startRecording(file, 'pcm16-16000')
  for (let i = 0; i < 50; i++) recorder.write(silence('pcm16-16000'), undefined)
  assert.equal((await recorder.finish())?.durationMs, 1000)
  const wav = readWav(await readFile(file))
  assert.deepEqual(wav?.format, { encoding: 'mulaw', sampleRate: 16000, channels: 2 })
  assert.equal(wav.data.length, 32_000)
})

/** A process that records in real time until it is killed. After a stall it does not catch up, so it is never ahead of the disk. */
const recordForEver = (file: string) => `
  import { startRecording } from ${JSON.stringify(join(import.meta.dirname, 'recording.ts'))}
  const recorder = await startRecording(${JSON.stringify(file)}, 'mulaw-8000')
  let frames = 0
  setInterval(() => {
    recorder.write(new Uint8Array(160).fill(9), undefined)
    process.stdout.write(++frames * 20 + '\\n')
  }, 20)`

/** Duration and number of channels according to the browser's decoder. */
const playInBrowser = (base64: string) => `(async () => {
  const audio = new Audio('data:audio/wav;base64,${base64}')
  const duration = await new Promise((resolve, reject) => {
    audio.onloadedmetadata = () => resolve(audio.duration)
    audio.onerror = () => reject(new Error(audio.error.message))
  })
  const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0))
  const decoded = await new OfflineAudioContext(2, 8000, 8000).decodeAudioData(bytes.buffer)
  return [duration, decoded.numberOfChannels]
})()`

test('the recording of a killed process lacks at most one second and plays in a browser', {
  skip: withoutChromium,
}, async () => {
  const file = join(folder, 'killed.wav')
  const script = join(folder, 'record.ts')
  await writeFile(script, recordForEver(file))
  const child = spawn(process.execPath, ['--no-warnings', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  after(() => child.kill('SIGKILL'))
  let recordedMs = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    recordedMs = Number(text.trim().split('\n').at(-1))
  })
  await until(async () => recordedMs > 2_300)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  const left = await readFile(file)
  const keptMs = (left.length - 44) / 16
  assert.ok(keptMs > recordedMs - 1_000, `${keptMs} of ${recordedMs}`)
  // Simulates a write that was interrupted in the middle of a sample.
  await writeFile(file, left.subarray(0, -1))
  const repaired = await repairRecording(file)
  assert.ok(repaired && Math.abs(repaired.durationMs - keptMs) <= 1)
  const wav = await readFile(file)
  assert.equal(wav.readUInt32LE(40), wav.length - 44)
  assert.deepEqual(await repairRecording(file), repaired)

  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  after(() => browser.close())
  const page = await browser.newPage()
  const ofBrowser = await readFile(join(folder, 'browser.wav'))
  for (const [bytes, ms] of [
    [wav, keptMs],
    [left, keptMs],
    [ofBrowser, 1_000],
  ] as const) {
    const [seconds, channels] = await page.evaluate<[number, number]>(playInBrowser(bytes.toString('base64')))
    assert.ok(Math.abs(seconds * 1000 - ms) < 20, `${seconds}`)
    assert.equal(channels, 2)
  }
})

test('a file that is not a recording is not changed', async () => {
  const file = join(folder, 'other.txt')
  await writeFile(file, 'hello')
  assert.equal(await repairRecording(file), undefined)
  assert.equal(await repairRecording(join(folder, 'missing.wav')), undefined)
  assert.equal(await readFile(file, 'utf8'), 'hello')
})
