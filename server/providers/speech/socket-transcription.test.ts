import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import type { WebSocket } from 'ws'
import { startCartesiaServer } from '../../testing/cartesia-server.ts'
import { until } from '../../testing/process.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'
import { silence } from './audio.ts'
import { createCartesiaTranscriber } from './cartesia-transcriber.ts'
import { SpeechError, StalledError, type Transcriber, type Transcription } from './contract.ts'
import { createDeepgram } from './deepgram.ts'

const server = await startSpeechServer()
const cartesiaServer = await startCartesiaServer()
const deepgram = createDeepgram({ baseUrl: server.url, apiKey: 'k', model: 'nova-3' })
const cartesia = createCartesiaTranscriber({ baseUrl: cartesiaServer.url, apiKey: 'k', model: 'ink-whisper' })
const { signal } = new AbortController()
const options = { encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal } as const

function open(t: TestContext, transcriber: Transcriber): Transcription {
  server.sockets.length = cartesiaServer.sockets.length = 0
  const stream = transcriber.open(options)
  t.after(() => stream.close())
  return stream
}
/** A turn of 0.4 s. */
function finish(stream: Transcription): Promise<string> {
  for (let i = 0; i < 20; i++) stream.write(silence('mulaw-8000'))
  return stream.finish(signal)
}
const requested = (count: number) =>
  until(async () => {
    const sent = [...server.sockets, ...cartesiaServer.sockets].flatMap(({ messages }) => messages)
    return sent.filter((message) => /finalize/i.test(message)).length === count
  })
const isTimeout = (error: unknown) =>
  error instanceof SpeechError && error.verdict === 'retry' && /took too long/.test(error.message)

describe('a recognizer that does not answer', () => {
  test('fails the turn if it does not accept the connection', async (t) => {
    server.requests.length = 0
    server.faults.push('never')
    const text = finish(open(t, deepgram))
    await until(async () => server.requests.length > 0)
    await assert.rejects(text, isTimeout)
  })

  test('fails the turn if it has never answered on this connection', async (t) => {
    const stream = open(t, cartesia)
    cartesiaServer.faults.push('never')
    const text = finish(stream)
    await requested(1)
    await assert.rejects(text, isTimeout)
    cartesiaServer.texts.splice(0, 9, 'heard again')
    assert.equal(await finish(stream), 'heard again')
  })

  test('heard nothing if it has answered before', async (t) => {
    const stream = open(t, deepgram)
    server.texts.splice(0, 9, 'one two')
    assert.equal(await finish(stream), 'one two')
    server.skip.finalizes = 1
    const noise = finish(stream)
    await requested(2)
    assert.equal(await noise, '')
    server.texts.push('three')
    assert.equal(await finish(stream), 'three')
    assert.equal(server.sockets.length, 1)
  })

  test('fails a turn that is too long for a noise, although it has answered before', async (t) => {
    const stream = open(t, deepgram)
    server.texts.splice(0, 9, 'one two')
    assert.equal(await finish(stream), 'one two')
    server.skip.finalizes = 1
    for (let i = 0; i < 80; i++) stream.write(silence('mulaw-8000'))
    await assert.rejects(finish(stream), isTimeout)
    server.texts.push('three')
    assert.equal(await finish(stream), 'three')
    assert.equal(server.sockets.length, 2)
  })

  test('tells what it had recognized before it fell silent', async (t) => {
    const partial = Promise.withResolvers<string>()
    server.sockets.length = 0
    const stream = deepgram.open({ ...options, onPartial: partial.resolve })
    t.after(() => stream.close())
    server.texts.splice(0, 9, 'half of')
    for (let i = 0; i < 25; i++) stream.write(silence('mulaw-8000'))
    assert.equal(await partial.promise, 'half')
    server.texts.length = 0
    server.skip.finalizes = 1
    for (let i = 0; i < 80; i++) stream.write(silence('mulaw-8000'))
    await assert.rejects(finish(stream), (error) => error instanceof StalledError && error.heard === 'half')
  })

  test('keeps its connection if the audio was discarded', async (t) => {
    const stream = open(t, deepgram)
    server.skip.finalizes = 1
    stream.write(silence('mulaw-8000'))
    stream.discard()
    await requested(1)
    // Another one that began later has waited its time.
    server.faults.push('never')
    await assert.rejects(finish(deepgram.open(options)), isTimeout)
    server.texts.splice(0, 9, 'one two')
    assert.equal(await finish(stream), 'one two')
    assert.equal(server.sockets.length, 1)
  })
})

test('a connection that breaks in the middle of a turn costs the turn, and the next one opens another', async (t) => {
  const stream = open(t, deepgram)
  server.texts.splice(0, 9, 'half of it')
  for (let i = 0; i < 20; i++) stream.write(silence('mulaw-8000'))
  await until(async () => server.sockets[0]?.audio.length === 20)
  server.sockets[0]?.socket.terminate()
  const isClosed = (error: unknown) =>
    error instanceof SpeechError && error.verdict === 'retry' && /closed the connection/.test(error.message)
  await assert.rejects(finish(stream), isClosed)
  server.texts.splice(0, 9, 'heard again')
  assert.equal(await finish(stream), 'heard again')
  assert.equal(server.sockets.length, 2)
})

describe('answers are matched to turns', () => {
  /** Sends as the provider would, and waits until the client has read it. */
  async function send(socket: WebSocket | undefined, ...messages: object[]): Promise<void> {
    assert.ok(socket)
    for (const message of messages) socket.send(JSON.stringify(message))
    socket.ping()
    await once(socket, 'pong')
  }

  test('by the audio, since Deepgram leaves a Finalize unanswered', async (t) => {
    const stream = open(t, deepgram)
    server.texts.splice(0, 9, 'one two', 'three four')
    server.skip.finalizes = 1
    const noise = finish(stream)
    const second = finish(stream)
    const third = finish(stream)
    assert.deepEqual(await Promise.all([noise, second, third]), ['', 'one two', 'three four'])
  })

  test('also at a pause that gets no answer', async (t) => {
    const stream = open(t, deepgram)
    server.texts.splice(0, 9, 'one two')
    server.skip.finalizes = 1
    for (let i = 0; i < 20; i++) stream.write(silence('mulaw-8000'))
    const paused = stream.pause()
    assert.equal(await finish(stream), 'one two')
    assert.equal(await paused, '')
  })

  test('and a late answer does not become part of the next turn', async (t) => {
    const stream = open(t, deepgram)
    server.texts.splice(0, 9, 'one two')
    assert.equal(await finish(stream), 'one two')
    server.skip.finalizes = 1
    const second = finish(stream)
    await requested(2)
    assert.equal(await second, '')
    stream.write(silence('mulaw-8000'))
    const late = { alternatives: [{ transcript: 'too late' }] }
    const at = { start: 0.4, duration: 0.4, is_final: true, from_finalize: true }
    await send(server.sockets[0]?.socket, { type: 'Results', ...at, channel: late })
    server.texts.push('three')
    assert.equal(await finish(stream), 'three')
  })

  test('in order if the provider tells no positions', async (t) => {
    const stream = open(t, cartesia)
    cartesiaServer.texts.splice(0, 9, 'one two')
    assert.equal(await finish(stream), 'one two')
    cartesiaServer.faults.push('never')
    const second = finish(stream)
    await requested(2)
    assert.equal(await second, '')
    const late = { type: 'transcript', is_final: true, text: 'too late' }
    await send(cartesiaServer.sockets[0]?.socket, late, { type: 'flush_done' })
    cartesiaServer.texts.push('three')
    assert.equal(await finish(stream), 'three')
  })
})
