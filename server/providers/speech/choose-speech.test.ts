import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { startCartesiaServer } from '../../testing/cartesia-server.ts'
import { until } from '../../testing/process.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'
import type { ProviderKeys } from '../accounts/contract.ts'
import type { Fallback } from '../fallback/contract.ts'
import { silence } from './audio.ts'
import { SpeechError, type SpokenWord } from './contract.ts'
import { type ChosenSpeech, createSpeech } from './speech.ts'
import { voices } from './voices.ts'

const server = await startSpeechServer()
const cartesia = await startCartesiaServer()
const http = createOutboundHttp()
/** By organization. */
const own: Record<string, ProviderKeys> = {}
const observed: Fallback[] = []
const accounts = {
  deepgram: { baseUrl: server.url, apiKey: 'key-of-deepgram', model: 'nova-3' },
  elevenlabs: { baseUrl: server.url, apiKey: 'key-of-elevenlabs', model: 'm' },
  cartesia: { baseUrl: cartesia.url, transcriberModel: 'ink-whisper', voiceModel: 'sonic-3' },
  openai: {
    baseUrl: `${server.url}/v1`,
    transcriberModel: 't-1',
    voiceModel: 'v-1',
    isOffered: false,
    takesOwnKey: true,
  },
}
const realtime = { baseUrl: `${server.url}/v1`, apiKey: undefined, model: '', transcriberModel: '' }
const speech = createSpeech({
  http,
  accounts,
  realtime,
  keysOf: async (id) => own[id] ?? {},
  onFallback: (fallback) => observed.push(fallback),
})
after(async () => {
  await speech.close()
  await http.close()
})

const live = { organizationId: 'acme', livemode: true }
const named = (name: string) => voices.find((voice) => voice.name === name)?.id as string
const of = async (request: object, scope = live) => {
  const { transcriber, voice, voiceName } = await speech.choose({ ...scope, ...request })
  return [transcriber.provider, transcriber.model, voice.provider, voiceName]
}
const { signal } = new AbortController()
const speak = async ({ voice, voiceName }: ChosenSpeech, text: string, given = signal) => {
  const words: SpokenWord[] = []
  const onWord = (word: SpokenWord) => words.push(word)
  const options = { encoding: 'mulaw-8000' as const, voice: voiceName, language: 'en-US', onWord, signal: given }
  return { audio: Buffer.concat(await Array.fromAsync(voice.speak(text, options))), words }
}

test('test mode stays on this machine', async () => {
  const test = { organizationId: 'acme', livemode: false }
  const wished = {
    transcriber: { provider: 'deepgram', model: 'nova-2', fallbacks: [{ provider: 'openai' }] },
    voice: { voice_id: named('Rachel'), fallbacks: [{ provider: 'cartesia' }] },
  }
  assert.deepEqual(await of(wished, test), ['local', 'moonshine-tiny', 'local', 'slt'])
  const alan = ['local', 'moonshine-tiny', 'local', 'awb']
  assert.deepEqual(await of({ voice: { voice_id: named('Alan') } }, test), alan)
  assert.deepEqual(await of({ voice: { provider: 'local', provider_voice_id: 'awb' } }, test), alan)
})

test('live mode uses what the agent names, where there is an account, and else the best', async () => {
  const rachel = voices.find(({ name }) => name === 'Rachel')?.voice
  const transcriber = { provider: 'deepgram', model: 'nova-2' }
  assert.deepEqual(await of({ transcriber, voice: { voice_id: named('Rachel') } }), [
    'deepgram',
    'nova-2',
    'elevenlabs',
    rachel,
  ])
  const best = ['deepgram', 'nova-3', 'elevenlabs', rachel]
  assert.deepEqual(await of({}), best)
  assert.deepEqual(await of({ voice: { voice_id: named('Alloy') } }), best)
  assert.deepEqual(await of({ transcriber: { provider: 'cartesia' }, voice: { provider: 'cartesia' } }), best)
  const local = { transcriber: { provider: 'local' }, voice: { voice_id: named('Alan') } }
  assert.deepEqual(await of(local), ['local', 'moonshine-tiny', 'local', 'awb'])
  assert.deepEqual((await of({ voice: { provider: 'elevenlabs', provider_voice_id: 'clone1' } })).slice(2), [
    'elevenlabs',
    'clone1',
  ])
  // The provider's own id takes precedence over ours.
  const both = { voice_id: named('Alan'), provider: 'elevenlabs', provider_voice_id: 'clone1' }
  assert.deepEqual((await of({ voice: both })).slice(2), ['elevenlabs', 'clone1'])
})

test('an organization’s own keys open further providers to it alone, and are sent in place of the installation’s', async () => {
  own.globex = { cartesia: 'key-of-globex', openai: 'openai-of-globex', elevenlabs: 'eleven-of-globex' }
  const globex = { organizationId: 'globex', livemode: true }
  const wished = { transcriber: { provider: 'openai' }, voice: { provider: 'cartesia', provider_voice_id: 'v-1' } }
  assert.deepEqual(await of(wished, globex), ['openai', 't-1', 'cartesia', 'v-1'])
  const chosen = await speech.choose({ ...globex, ...wished })
  assert.deepEqual([chosen.transcriber.isOwnKey, chosen.voice.isOwnKey], [true, true])
  cartesia.requests.length = server.requests.length = 0
  assert.ok((await speak(chosen, 'Hello.')).audio.length > 0)
  assert.equal(cartesia.requests[0]?.headers.authorization, 'Bearer key-of-globex')
  const eleven = await speech.choose({ ...globex, voice: { provider: 'elevenlabs' } })
  await speak(eleven, 'Hello.')
  assert.equal(server.requests[0]?.headers['xi-api-key'], 'eleven-of-globex')
  assert.ok(!(await speech.choose(live)).voice.isOwnKey)
  const providers = async (id: string) =>
    [...new Set((await speech.offered(id)).map(({ provider }) => provider))].sort()
  assert.deepEqual(await providers('acme'), ['elevenlabs', 'local'])
  assert.deepEqual(await providers('globex'), ['cartesia', 'elevenlabs', 'local', 'openai'])
})

test('a provider whose own key cannot be opened fails with the reason, and is no one’s default', async () => {
  own.initech = { elevenlabs: null, deepgram: null }
  const initech = { organizationId: 'initech', livemode: true }
  const wished = { voice: { provider: 'elevenlabs' }, transcriber: { provider: 'deepgram' } }
  const chosen = await speech.choose({ ...initech, ...wished })
  await assert.rejects(speak(chosen, 'Hello.'), /key for ElevenLabs cannot be opened/)
  const stream = chosen.transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
  await assert.rejects(stream.finish(signal), /key for Deepgram cannot be opened/)
  const [transcriber, , voice] = await of({}, initech)
  assert.notDeepEqual([transcriber, voice], ['deepgram', 'elevenlabs'])
  assert.ok((await speech.offered('initech')).every(({ provider }) => provider !== 'elevenlabs'))
  await assert.rejects(speech.listVoices('initech', 'elevenlabs'), /cannot be opened/)
})

test('ElevenLabs tells when each word is spoken, and a server without timestamps still speaks', async () => {
  const chosen = await speech.choose({ ...live, voice: { provider: 'elevenlabs' } })
  const { audio, words } = await speak(chosen, 'Good morning, Ada.')
  assert.equal(audio.length, 18 * 800)
  assert.deepEqual(words, [
    { end: 4, endMs: 400 },
    { end: 13, endMs: 1_300 },
    { end: 18, endMs: 1_800 },
  ])
  server.faults.push({ status: 404 }, { status: 404 })
  const plain = await speak(await speech.choose({ ...live, voice: { provider: 'elevenlabs' } }), 'Good morning.')
  assert.deepEqual([plain.audio.length, plain.words], [13 * 800, []])
})

describe('a chain of voices', () => {
  const chain = {
    organizationId: 'globex',
    livemode: true,
    voice: {
      provider: 'cartesia',
      provider_voice_id: 'v-1',
      fallbacks: [{ provider: 'elevenlabs', provider_voice_id: 'clone1' }, { provider: 'openai' }],
    },
  }

  test('goes on with the next one if the first fails before its first sound, and stays there', async () => {
    const during: Fallback[] = []
    observed.length = 0
    const chosen = await speech.choose({ ...chain, onFallback: (fallback) => during.push(fallback) })
    cartesia.faults.push({ error: 503 })
    server.requests.length = 0
    const { audio, words } = await speak(chosen, 'Good morning.')
    assert.equal(audio.length, 13 * 800)
    assert.equal(words.length, 2)
    assert.match(server.requests[0]?.path ?? '', /clone1/)
    assert.equal(chosen.voice.provider, 'elevenlabs')
    const fallback = { stage: 'voice', from: 'cartesia', to: 'elevenlabs', message: 'Cartesia answered 503.' }
    assert.deepEqual([during, observed], [[fallback], [fallback]])
    const before = cartesia.sockets.flatMap(({ messages }) => messages).length
    await speak(chosen, 'And on.')
    assert.equal(cartesia.sockets.flatMap(({ messages }) => messages).length, before)
  })

  test('goes through the whole list, and reports the last failure', async () => {
    const chosen = await speech.choose(chain)
    cartesia.faults.push({ error: 500 })
    server.faults.push({ status: 503 })
    assert.equal((await speak(chosen, 'Hello.')).audio.length, 6 * 800)
    assert.equal(chosen.voice.provider, 'openai')
    const other = await speech.choose(chain)
    cartesia.faults.push({ error: 500 })
    server.faults.push({ status: 503 }, { status: 401 })
    await assert.rejects(
      speak(other, 'Hello.'),
      (error) => error instanceof SpeechError && /speech server answered 401/.test(error.message),
    )
    assert.ok((await speak(other, 'Hello.')).audio.length > 0)
  })

  test('does not repeat a sentence that broke off, but speaks the next one with the next voice', async () => {
    const during: Fallback[] = []
    const chosen = await speech.choose({ ...chain, onFallback: (fallback) => during.push(fallback) })
    cartesia.faults.push('half')
    await assert.rejects(speak(chosen, 'Hello.'), /closed/)
    const message = 'Cartesia closed the connection.'
    assert.deepEqual(during, [{ stage: 'voice', from: 'cartesia', to: 'elevenlabs', message }])
    assert.equal((await speak(chosen, 'Hello.')).audio.length, 6 * 800)
    assert.equal(chosen.voice.provider, 'elevenlabs')
  })

  test('asks no other voice once the caller has interrupted', async () => {
    const chosen = await speech.choose(chain)
    const reason = new Error('barge-in')
    server.requests.length = 0
    await assert.rejects(speak(chosen, 'Hello.', AbortSignal.abort(reason)), reason)
    assert.equal(server.requests.length, 0)
    assert.equal(chosen.voice.provider, 'cartesia')
  })
})

describe('a chain of recognizers', () => {
  const chain = {
    organizationId: 'globex',
    livemode: true,
    transcriber: { provider: 'cartesia', fallbacks: [{ provider: 'deepgram' }, { provider: 'openai' }] },
  }
  const openStream = ({ transcriber }: ChosenSpeech) =>
    transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })

  test('gives the same audio to the next one, which hears the rest of the call', async () => {
    const during: Fallback[] = []
    const chosen = await speech.choose({ ...chain, onFallback: (fallback) => during.push(fallback) })
    const stream = openStream(chosen)
    cartesia.texts.splice(0, 9, 'first turn')
    for (let i = 0; i < 4; i++) stream.write(silence('mulaw-8000'))
    assert.equal(await stream.finish(signal), 'first turn')
    server.sockets.length = 0
    cartesia.faults.push({ error: 500 })
    server.texts.splice(0, 9, 'second turn', 'third turn')
    for (let i = 0; i < 6; i++) stream.write(silence('mulaw-8000'))
    const second = stream.finish(signal)
    // The caller speaks on while the first provider fails.
    for (let i = 0; i < 3; i++) stream.write(silence('mulaw-8000'))
    assert.equal(await second, 'second turn')
    assert.equal(await stream.finish(signal), 'third turn')
    assert.equal(Buffer.concat(server.sockets[0]?.audio ?? []).length, 9 * 160)
    assert.deepEqual(during, [
      { stage: 'transcriber', from: 'cartesia', to: 'deepgram', message: 'Cartesia answered 500.' },
    ])
    assert.equal(chosen.transcriber.provider, 'deepgram')
    stream.close()
  })

  test('replaces one that hangs, within the standard limits', async () => {
    const during: Fallback[] = []
    const chosen = await speech.choose({ ...chain, onFallback: (fallback) => during.push(fallback) })
    const stream = openStream(chosen)
    cartesia.sockets.length = 0
    cartesia.faults.push('never')
    server.texts.splice(0, 9, 'in time')
    stream.write(silence('mulaw-8000'))
    const text = stream.finish(signal)
    assert.equal(await text, 'in time')
    assert.deepEqual(
      during.map(({ from, to }) => [from, to]),
      [['cartesia', 'deepgram']],
    )
    assert.match(during[0]?.message ?? '', /cartesia took too long/i)
    stream.close()
  })

  test('replaces one that has answered earlier in the call and then hangs', async () => {
    const during: Fallback[] = []
    const chosen = await speech.choose({ ...chain, onFallback: (fallback) => during.push(fallback) })
    const stream = openStream(chosen)
    cartesia.texts.splice(0, 9, 'first turn')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.finish(signal), 'first turn')
    cartesia.faults.push('never')
    server.texts.splice(0, 9, 'second turn')
    for (let i = 0; i < 100; i++) stream.write(silence('mulaw-8000'))
    assert.equal(await stream.finish(signal), 'second turn')
    assert.deepEqual(
      during.map(({ from, to }) => [from, to]),
      [['cartesia', 'deepgram']],
    )
    stream.close()
  })

  test('keeps turns apart that wait for the same failing one', async () => {
    const during: Fallback[] = []
    const chosen = await speech.choose({ ...chain, onFallback: (fallback) => during.push(fallback) })
    const stream = openStream(chosen)
    const write = (frames: number) => {
      for (let i = 0; i < frames; i++) stream.write(silence('mulaw-8000'))
    }
    cartesia.sockets.length = server.sockets.length = 0
    cartesia.faults.push('never', 'never')
    server.texts.splice(0, 9, 'a text', 'a text', 'third turn')
    write(4)
    const first = stream.finish(signal)
    write(6)
    const second = stream.finish(signal)
    write(3)
    await until(async () => cartesia.sockets[0]?.messages.length === 2)
    cartesia.sockets[0]?.socket.terminate()
    assert.deepEqual(await Promise.all([first, second]), ['a text', 'a text'])
    assert.equal(await stream.finish(signal), 'third turn')
    // The first and the third turn share a stream; the second one has its own, which is closed after it.
    const lengths = server.sockets.map(({ audio }) => Buffer.concat(audio).length / 160)
    assert.deepEqual(lengths.sort(), [6, 7])
    const own = server.sockets.find(({ audio }) => Buffer.concat(audio).length === 6 * 160)
    await until(async () => own?.messages.includes('{"type":"CloseStream"}') ?? false)
    assert.deepEqual(
      during.map(({ from, to }) => [from, to]),
      [['cartesia', 'deepgram']],
    )
    stream.close()
  })

  test('reports the last failure, and starts again with the next turn', async () => {
    const stream = openStream(await speech.choose(chain))
    cartesia.faults.push({ status: 401 })
    server.faults.push({ status: 503 }, { status: 500 })
    stream.write(silence('mulaw-8000'))
    await assert.rejects(stream.finish(signal), /speech server answered 500/)
    server.texts.splice(0, 9, 'heard again')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.finish(signal), 'heard again')
    stream.discard()
    stream.close()
  })
})

test('a provider that is slow to start is replaced while the caller waits', async () => {
  const quick = createSpeech({
    http,
    accounts,
    realtime,
    keysOf: async () => own.globex as ProviderKeys,
    limits: { firstAudioMs: 50, finishMs: 50 },
  })
  const during: Fallback[] = []
  const chosen = await quick.choose({
    ...live,
    transcriber: { provider: 'cartesia', fallbacks: [{ provider: 'openai' }] },
    voice: { provider: 'cartesia', fallbacks: [{ provider: 'openai' }] },
    onFallback: (fallback) => during.push(fallback),
  })
  cartesia.faults.push('never')
  assert.equal((await speak(chosen, 'Hello.')).audio.length, 6 * 800)
  const stream = chosen.transcriber.open({ encoding: 'mulaw-8000', language: 'en', onPartial() {}, signal })
  cartesia.faults.push('never')
  server.texts.splice(0, 9, 'in time')
  stream.write(silence('mulaw-8000'))
  assert.equal(await stream.finish(signal), 'in time')
  assert.deepEqual(
    during.map(({ stage, message }) => [stage, message]),
    [
      ['voice', 'cartesia took too long.'],
      ['transcriber', 'cartesia took too long.'],
    ],
  )
  stream.close()
  await quick.close()
})
