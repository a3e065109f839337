import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { until } from '../../testing/process.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'
import { toSamples } from './audio.ts'
import { bytesPerMs, type Encoding, SpeechError, type SpokenWord, type Voice } from './contract.ts'
import { createElevenLabs } from './elevenlabs.ts'

const server = await startSpeechServer()
const http = createOutboundHttp()
after(() => http.close())
const key = 'sk-very-secret'
const { signal } = new AbortController()
const newVoice = (more: { model?: string; idleMs?: number } = {}) => {
  server.requests.length = server.voiceSockets.length = 0
  return createElevenLabs({ http, baseUrl: server.url, apiKey: key, model: 'eleven_flash_v2_5', ...more })
}
const isFault = (verdict: string, message: RegExp) => (error: unknown) =>
  error instanceof SpeechError &&
  error.verdict === verdict &&
  message.test(error.message) &&
  !error.message.includes(key)

async function speak(voice: Voice, text: string, encoding: Encoding = 'mulaw-8000', given = signal) {
  const words: SpokenWord[] = []
  const onWord = (word: SpokenWord) => words.push(word)
  const options = { encoding, voice: 'clone 1', language: 'es-MX', onWord, signal: given }
  return { audio: Buffer.concat(await Array.fromAsync(voice.speak(text, options))), words }
}

const paths = () => server.requests.map(({ path }) => path.split('/').slice(4).join('/'))

test('one socket speaks all sentences of a call, and tells when each word is spoken', async () => {
  const voice = newVoice()
  for (const text of ['Hola, ¿qué tal?', 'Hola, señora.']) {
    const { audio, words } = await speak(voice, text)
    assert.equal(audio.length, text.length * 800)
    assert.ok(toSamples(audio, 'mulaw-8000').some((sample) => Math.abs(sample) > 5_000))
    const ends = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => index + word.length)
    assert.deepEqual(
      words,
      ends.map((end) => ({ end, endMs: end * 100 })),
    )
  }
  const [request, ...others] = server.requests
  assert.deepEqual(others, [])
  assert.equal(request?.path, '/v1/text-to-speech/clone%201/multi-stream-input')
  assert.equal(request?.headers['xi-api-key'], key)
  assert.deepEqual(request?.query, {
    model_id: 'eleven_flash_v2_5',
    output_format: 'ulaw_8000',
    language_code: 'es',
    auto_mode: 'true',
    sync_alignment: 'true',
    inactivity_timeout: '60',
  })
  const sent = server.voiceSockets[0]?.messages.slice(0, 3) ?? []
  const contexts = new Set(sent.map(({ context_id }) => context_id))
  assert.equal(contexts.size, 1)
  assert.deepEqual(
    sent.map(({ context_id, ...message }) => message),
    [{ text: ' ' }, { text: 'Hola, ¿qué tal? ', flush: true }, { close_context: true }],
  )
})

test('another encoding has a socket of its own, and sentences at once are not mixed', async () => {
  const voice = newVoice()
  const [one, two, wide] = await Promise.all([
    speak(voice, 'One.'),
    speak(voice, 'Two and three.'),
    speak(voice, 'Four.', 'pcm16-16000'),
  ])
  assert.deepEqual([one.audio.length, two.audio.length], [4 * 800, 14 * 800])
  assert.equal(wide.audio.length, 5 * 100 * bytesPerMs['pcm16-16000'])
  assert.deepEqual(server.voiceSockets.map(({ url }) => url.searchParams.get('output_format')).sort(), [
    'pcm_16000',
    'ulaw_8000',
  ])
})

test('a caller who interrupts stops the audio, and the next sentence is spoken', async () => {
  const voice = newVoice()
  const reason = new Error('barge-in')
  await assert.rejects(speak(voice, 'Hi.', 'mulaw-8000', AbortSignal.abort(reason)), reason)
  assert.equal(server.requests.length, 0)
  server.voiceFaults.push('never')
  const abort = new AbortController()
  const speaking = speak(voice, 'Hello.', 'mulaw-8000', abort.signal)
  await until(async () => server.voiceSockets[0]?.messages.length === 3)
  abort.abort(reason)
  await assert.rejects(speaking, reason)
  assert.equal((await speak(voice, 'Hello.')).audio.length, 6 * 800)
  assert.equal(server.voiceSockets.length, 1)
})

for (const fault of ['error', 'closed', 'silent'] as const)
  test(`a socket that fails before its first audio (${fault}) is replaced by HTTP for the rest of the call`, async () => {
    const voice = newVoice()
    server.voiceFaults.push(fault)
    const { audio, words } = await speak(voice, 'Good morning.')
    assert.deepEqual([audio.length, words.length], [13 * 800, 2])
    await speak(voice, 'Hello.')
    assert.deepEqual(paths(), ['multi-stream-input', 'stream/with-timestamps', 'stream/with-timestamps'])
  })

test('a socket that has spoken before and then fails costs no sentence, and is opened again', async () => {
  const voice = newVoice()
  await speak(voice, 'Hello.')
  server.voiceFaults.push('closed')
  assert.equal((await speak(voice, 'Good morning.')).audio.length, 13 * 800)
  assert.equal((await speak(voice, 'Hello.')).audio.length, 6 * 800)
  assert.deepEqual(paths(), ['multi-stream-input', 'stream/with-timestamps', 'multi-stream-input'])
})

test('a sentence that breaks off is not spoken again', async () => {
  const voice = newVoice()
  server.voiceFaults.push('half')
  await assert.rejects(speak(voice, 'Good morning.'), isFault('retry', /ElevenLabs closed the connection/))
  assert.deepEqual(paths(), ['multi-stream-input'])
  assert.equal((await speak(voice, 'Hello.')).audio.length, 6 * 800)
})

test('a refused key or an outage fails at once; a server or a model without a socket speaks by HTTP', async () => {
  const voice = newVoice()
  server.faults.push({ status: 401 })
  await assert.rejects(speak(voice, 'Hi.'), isFault('fail', /ElevenLabs answered 401/))
  server.faults.push({ status: 503 })
  await assert.rejects(speak(voice, 'Hi.'), isFault('retry', /ElevenLabs answered 503/))
  server.faults.push({ status: 404 })
  assert.equal((await speak(voice, 'Hi.')).audio.length, 3 * 800)
  await speak(voice, 'Hi.')
  const socket = 'multi-stream-input'
  assert.deepEqual(paths(), [socket, socket, socket, 'stream/with-timestamps', 'stream/with-timestamps'])
  await speak(newVoice({ model: 'eleven_v3' }), 'Hi.')
  assert.deepEqual(paths(), ['stream/with-timestamps'])
})

test('an idle socket is closed, and the next sentence opens another', async () => {
  const voice = newVoice({ idleMs: 1 })
  await speak(voice, 'Hello.')
  await until(async () => server.voiceSockets[0]?.socket.readyState !== WebSocket.OPEN)
  assert.equal((await speak(voice, 'Hello again.')).audio.length, 12 * 800)
  assert.equal(server.voiceSockets.length, 2)
})

test('a text without words is not sent', async () => {
  assert.equal((await speak(newVoice(), '…')).audio.length, 0)
  assert.equal(server.requests.length, 0)
})
