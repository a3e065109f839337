import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { startCartesiaServer } from '../../testing/cartesia-server.ts'
import { until } from '../../testing/process.ts'
import { silence, toSamples } from './audio.ts'
import { createCartesiaTranscriber } from './cartesia-transcriber.ts'
import { createCartesiaVoice } from './cartesia-voice.ts'
import { bytesPerMs, type Encoding, SpeechError, type SpokenWord, type Voice } from './contract.ts'

const server = await startCartesiaServer()
const key = 'sk_car_very_secret'
const options = { baseUrl: server.url, apiKey: key }
const { signal } = new AbortController()
const isFault = (verdict: string, message: RegExp) => (error: unknown) =>
  error instanceof SpeechError &&
  error.verdict === verdict &&
  message.test(error.message) &&
  !error.message.includes(key)
const newVoice = () => createCartesiaVoice({ ...options, model: 'sonic-3' })

async function speak(voice: Voice, text: string, encoding: Encoding = 'mulaw-8000', given = signal) {
  const words: SpokenWord[] = []
  const onWord = (word: SpokenWord) => words.push(word)
  const request = { encoding, voice: 'v-1', language: 'es-MX', onWord, signal: given }
  return { audio: Buffer.concat(await Array.fromAsync(voice.speak(text, request))), words }
}

describe('the voices of Cartesia', () => {
  test('speak in the connection’s own encoding over one socket, and tell when each word is spoken', async () => {
    const voice = newVoice()
    server.requests.length = server.sockets.length = 0
    for (const encoding of ['mulaw-8000', 'pcm16-16000'] as const) {
      const { audio, words } = await speak(voice, 'Hola, ¿qué tal?', encoding)
      assert.equal(audio.length, 15 * 100 * bytesPerMs[encoding])
      assert.ok(toSamples(audio, encoding).some((sample) => Math.abs(sample) > 5_000))
      assert.deepEqual(words, [
        { end: 5, endMs: 500 },
        { end: 10, endMs: 1_000 },
        { end: 15, endMs: 1_500 },
      ])
    }
    assert.equal(server.sockets.length, 1)
    assert.equal(server.requests[0]?.path, '/tts/websocket')
    assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`)
    assert.ok(server.requests[0]?.headers['cartesia-version'])
    const { context_id, ...sent } = JSON.parse(server.sockets[0]?.messages[0] as string)
    assert.match(context_id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(sent, {
      model_id: 'sonic-3',
      transcript: 'Hola, ¿qué tal?',
      voice: { mode: 'id', id: 'v-1' },
      language: 'es',
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
      add_timestamps: true,
      continue: false,
    })
  })

  test('speak several sentences at once without mixing them', async () => {
    const voice = newVoice()
    const [one, two] = await Promise.all([speak(voice, 'One.'), speak(voice, 'Two and three.')])
    assert.equal(one.audio.length, 4 * 800)
    assert.equal(two.audio.length, 14 * 800)
  })

  test('stop at the provider too when aborted, and speak again', async () => {
    const voice = newVoice()
    const reason = new Error('no longer wanted')
    await assert.rejects(speak(voice, 'Hi.', 'mulaw-8000', AbortSignal.abort(reason)), reason)
    server.sockets.length = 0
    server.faults.push('never')
    const abort = new AbortController()
    const speaking = speak(voice, 'Hello.', 'mulaw-8000', abort.signal)
    await until(async () => (server.sockets[0]?.messages.length ?? 0) > 0)
    abort.abort(reason)
    await assert.rejects(speaking, reason)
    await until(async () => server.sockets[0]?.messages.some((sent) => sent.includes('"cancel":true')) ?? false)
    assert.ok((await speak(voice, 'Hello.')).audio.length > 0)
    assert.equal(server.sockets.length, 1)
  })

  test('send nothing for a sentence that was aborted while connecting', async () => {
    const voice = newVoice()
    server.sockets.length = 0
    const abort = new AbortController()
    const reason = new Error('no longer wanted')
    const first = speak(voice, 'Never mind.', 'mulaw-8000', abort.signal)
    const second = speak(voice, 'Hello.')
    abort.abort(reason)
    await assert.rejects(first, reason)
    assert.ok((await second).audio.length > 0)
    const sent = server.sockets.flatMap(({ messages }) => messages)
    assert.deepEqual(
      sent.map((message) => JSON.parse(message).transcript),
      ['Hello.'],
    )
  })

  test('speak over another socket while the idle one is closing', async () => {
    const voice = createCartesiaVoice({ ...options, model: 'sonic-3', idleMs: 1 })
    server.sockets.length = 0
    await speak(voice, 'Hello.')
    await until(async () => server.sockets[0]?.socket.readyState !== WebSocket.OPEN)
    assert.ok((await speak(voice, 'Hello again.')).audio.length > 0)
    assert.equal(server.sockets.length, 2)
  })

  test('report whether a retry can help', async () => {
    const voice = newVoice()
    server.faults.push({ status: 401 })
    await assert.rejects(speak(voice, 'Hi.'), isFault('fail', /Cartesia answered 401/))
    server.faults.push({ error: 429 })
    await assert.rejects(speak(voice, 'Hi.'), isFault('retry', /Cartesia answered 429/))
    server.faults.push({ error: 404 })
    await assert.rejects(speak(voice, 'Secret words.'), isFault('fail', /^Cartesia answered 404\.$/))
    server.faults.push('half')
    await assert.rejects(speak(voice, 'Hi.'), isFault('retry', /closed/))
    assert.ok((await speak(voice, 'Hi.')).audio.length > 0)
    const nowhere = createCartesiaVoice({ baseUrl: 'http://127.0.0.1:1', apiKey: key, model: 'm' })
    await assert.rejects(speak(nowhere, 'Hi.'), isFault('retry', /connection/))
  })

  test('say nothing for a text without words', async () => {
    assert.equal((await speak(newVoice(), '…')).audio.length, 0)
  })
})

describe('speech recognition by Cartesia', () => {
  const open = (onPartial: (text: string) => void = () => {}) =>
    createCartesiaTranscriber({ ...options, model: 'ink-whisper' }).open({
      encoding: 'mulaw-8000',
      language: 'pt-BR',
      onPartial,
      signal,
    })

  test('turns audio into text, a turn at a time, over one socket', async () => {
    server.requests.length = server.sockets.length = 0
    const partials: string[] = []
    const stream = open((text) => partials.push(text))
    assert.equal(await stream.finish(signal), '')
    for (const text of ['Quero marcar uma consulta.', 'Amanhã, por favor.']) {
      server.texts.splice(0, 9, text)
      partials.length = 0
      for (let i = 0; i < 30; i++) stream.write(silence('mulaw-8000'))
      await until(async () => partials.includes(text.split(' ')[0] as string))
      assert.equal(await stream.finish(signal), text)
    }
    assert.equal(server.sockets.length, 1)
    assert.equal(Buffer.concat(server.sockets[0]?.audio ?? []).length, 60 * 160)
    const [request] = server.requests
    assert.deepEqual(request?.query, {
      model: 'ink-whisper',
      language: 'pt',
      encoding: 'pcm_mulaw',
      sample_rate: '8000',
    })
    assert.equal(request?.headers.authorization, `Bearer ${key}`)
    stream.close()
    await until(async () => server.sockets[0]?.messages.includes('close') ?? false)
  })

  test('separates the words before and after a pause', async () => {
    const stream = open()
    server.texts.splice(0, 9, 'one two', 'three', 'four')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.pause(), 'one two')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.pause(), 'one two three')
    assert.equal(await stream.finish(signal), 'one two three')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.finish(signal), 'four')
    stream.close()
  })

  test('a lost connection or an error costs the turn, and is not repeated for every frame', async () => {
    const stream = open()
    const turn = async () => {
      for (let i = 0; i < 5; i++) stream.write(silence('mulaw-8000'))
      return stream.finish(signal)
    }
    server.requests.length = 0
    server.faults.push({ status: 403 })
    await assert.rejects(turn(), isFault('fail', /Cartesia answered 403/))
    assert.equal(server.requests.length, 1)
    server.faults.push({ error: 500 })
    await assert.rejects(turn(), isFault('retry', /Cartesia answered 500/))
    server.texts.splice(0, 9, 'half of it')
    server.faults.push('half')
    await assert.rejects(turn(), isFault('retry', /closed/))
    server.texts.splice(0, 9, 'and on it goes')
    assert.equal(await turn(), 'and on it goes')
    stream.close()
  })
})
