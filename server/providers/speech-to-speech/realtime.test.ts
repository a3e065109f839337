import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { until } from '../../testing/process.ts'
import { type RealtimeTestSession, startRealtimeServer } from '../../testing/realtime-server.ts'
import type { Fallback } from '../fallback/contract.ts'
import type { LlmMessage, LlmRequest } from '../llm/contract.ts'
import { silence } from '../speech/audio.ts'
import type { Encoding, SpokenAnswer, Transcription } from '../speech/contract.ts'
import { createSpeech } from '../speech/speech.ts'
import type { Speaker } from './contract.ts'

/** A session against a server that follows the published protocol. The pipeline behind it is the local one. */

const server = await startRealtimeServer()
const http = createOutboundHttp({ allow: ['127.0.0.1'] })
const none = { baseUrl: server.url }
const accounts = {
  deepgram: { ...none, model: '' },
  elevenlabs: { ...none, model: '' },
  cartesia: { ...none, transcriberModel: '', voiceModel: '' },
  openai: { ...none, transcriberModel: '', voiceModel: '', isOffered: false, takesOwnKey: true },
}
const realtime = {
  baseUrl: `${server.url}/v1`,
  apiKey: 'sk-installation',
  model: 'gpt-realtime',
  transcriberModel: 'gpt-4o-mini-transcribe',
}
const patient = { startMs: 60_000, firstOutputMs: 60_000, pauseMs: 60_000, transcriptMs: 60_000 }
const hasty = { startMs: 50, firstOutputMs: 50, pauseMs: 50, transcriptMs: 50 }
const call = new AbortController()
after(async () => {
  call.abort()
  await http.close()
})
beforeEach(() => {
  for (const list of [server.faults, server.texts, server.plans, server.phrasePlans]) list.length = 0
})

interface Started {
  speaker: Speaker
  transcription: Transcription
  session(): RealtimeTestSession
  say(text: string | null): Promise<string>
  speak(text: string): Promise<{ bytes: number; said: string | undefined }>
  fallbacks: Fallback[]
}

async function start(
  options: {
    encoding?: Encoding
    limits?: typeof patient
    own?: string | null
    model?: string
    voice?: string
    onLanguage?(language: string): void
  } = {},
): Promise<Started> {
  const { encoding = 'mulaw-8000', limits = patient, own, model, voice, onLanguage } = options
  const speech = createSpeech({
    http,
    accounts,
    realtime,
    keysOf: async () => (own === undefined ? {} : { openai: own }),
    limits: { firstAudioMs: 60_000, finishMs: 60_000, realtime: limits },
  })
  const fallbacks: Fallback[] = []
  const before = server.sessions.length
  const chosen = await speech.choose({
    organizationId: 'acme',
    livemode: true,
    speechToSpeech: { model, voice },
    onFallback: (fallback) => fallbacks.push(fallback),
  })
  after(() => speech.close())
  const transcription = chosen.transcriber.open({
    encoding,
    language: 'en-US',
    onPartial() {},
    ...(onLanguage && { onLanguage }),
    signal: call.signal,
  })
  return {
    speaker: chosen.speaker as Speaker,
    transcription,
    fallbacks,
    session: () => server.sessions[before] as RealtimeTestSession,
    async say(text) {
      server.texts.push(text)
      for (let i = 0; i < 10; i++) transcription.write(silence(encoding))
      return transcription.finish(call.signal)
    },
    async speak(text) {
      let said: string | undefined
      const onText = (given: string) => {
        said = given
      }
      const spoken = { encoding, voice: chosen.voiceName, language: 'en-US', onText, signal: call.signal }
      const pieces = await Array.fromAsync(chosen.voice.speak(text, spoken))
      return { bytes: Buffer.concat(pieces).length, said }
    },
  }
}

const request = (messages: LlmMessage[], more: Partial<LlmRequest> = {}): LlmRequest => ({
  provider: 'openai',
  model: 'gpt-5-mini',
  system: 'Be brief.',
  messages,
  tools: [],
  firstWordsMs: 10_000,
  pauseMs: 10_000,
  maxOutputTokens: 2_000,
  signal: call.signal,
  ...more,
})
const user = (text: string): LlmMessage => ({ role: 'user', text })
const agent = (text: string): LlmMessage => ({ role: 'assistant', text, toolCalls: [] })

/** The answer: its speech, its text and all events. */
async function answer({ speaker }: Started, messages: LlmMessage[], more: Partial<LlmRequest> = {}) {
  const events = await Array.fromAsync(speaker.stream(request(messages, more)))
  const speeches = events.flatMap((event) => (event.type === 'speech' ? [event.speech] : []))
  const text = events.flatMap((event) => (event.type === 'spoken' ? [event.text] : [])).join('')
  const [speech] = speeches
  return { events, speech: speech as SpokenAnswer, text, done: events.find((event) => event.type === 'done') }
}
const bytesOf = async ({ audio }: SpokenAnswer) => Buffer.concat(await Array.fromAsync(audio)).length
const shown = (one: Started) => one.session().conversation.map(({ type, role, text }) => [role ?? type, text])

test('a session is set up for phone audio, with our own turns', async () => {
  const one = await start({ model: 'gpt-realtime-mini', voice: 'cedar' })
  await one.speak('Hello.')
  const { model, key, settings } = one.session()
  assert.deepEqual([model, key], ['gpt-realtime-mini', 'Bearer sk-installation'])
  assert.deepEqual(settings, {
    type: 'realtime',
    output_modalities: ['audio'],
    audio: {
      input: {
        format: { type: 'audio/pcmu' },
        transcription: { model: 'gpt-4o-mini-transcribe', language: 'en' },
        turn_detection: null,
      },
      output: { format: { type: 'audio/pcmu' }, voice: 'cedar' },
    },
  })
})

test('the caller’s turn is transcribed, in pieces if there were pauses', async () => {
  const one = await start()
  server.texts.push('I would like')
  for (let i = 0; i < 10; i++) one.transcription.write(silence('mulaw-8000'))
  assert.equal(await one.transcription.pause(), 'I would like')
  assert.equal(await one.say('to book a table.'), 'I would like to book a table.')
  assert.equal(one.session().audioBytes, 20 * 160)
  assert.deepEqual(await one.transcription.finish(call.signal), '', 'nothing new')
})

test('the caller’s language is told by the words, if it is to be detected', async () => {
  const detected: string[] = []
  const one = await start({ onLanguage: (language) => detected.push(language) })
  await one.say('Hola, ¿cuándo abren los sábados?')
  await one.say('Okay')
  assert.deepEqual(detected, ['es'])
  assert.ok(!('language' in one.session().settings.audio.input.transcription))
})

test('audio that is too short has no words', async () => {
  const one = await start()
  one.transcription.write(silence('mulaw-8000'))
  assert.equal(await one.transcription.finish(call.signal), '')
  assert.deepEqual(one.session().errors, ['input_audio_buffer_commit_empty'])
})

test('browser audio is converted to the provider’s rate and back', async () => {
  const one = await start({ encoding: 'pcm16-16000' })
  await one.say('Hello')
  // The resampler holds back a few samples.
  assert.ok(Math.abs(one.session().audioBytes - 10 * 960) < 100, String(one.session().audioBytes))
  const { bytes } = await one.speak('Ten chars.')
  assert.ok(Math.abs(bytes - 500 * 32) < 100, String(bytes))
  assert.deepEqual(one.session().settings.audio.output.format, { type: 'audio/pcm', rate: 24_000 })
})

test('a fixed phrase is read outside of the conversation, and the transcript tells what was said', async () => {
  const one = await start()
  server.phrasePlans.push({ say: 'Hi there, welcome.' })
  assert.deepEqual(await one.speak('Hello and welcome.'), { bytes: 18 * 400, said: 'Hi there, welcome.' })
  const [asked] = one.session().received.filter(({ type }) => type === 'response.create')
  assert.equal(asked.response.conversation, 'none')
  assert.equal(asked.response.input[0].content[0].text, 'Hello and welcome.')
  assert.deepEqual(one.session().conversation, [])
})

test('an answer is spoken, and what was heard of it stays in the conversation', async () => {
  const one = await start()
  await one.say('When do you open?')
  server.plans.push({ say: 'We open at nine.' })
  const { speech, text, done } = await answer(one, [agent('Welcome.'), user('When do you open?')])
  assert.equal(text, 'We open at nine.')
  assert.equal(speech.text(), text)
  assert.equal(await bytesOf(speech), 16 * 400)
  assert.deepEqual(done, {
    type: 'done',
    usage: { inputTokens: 100, outputTokens: 21, audioInputTokens: 60, audioOutputTokens: 16, model: 'gpt-realtime' },
  })
  speech.heard(16 * 50)
  await one.say('And on Sunday?')
  await answer(one, [agent('Welcome.'), user('When do you open?'), agent(text), user('And on Sunday?')])
  assert.deepEqual(shown(one), [
    ['assistant', 'Welcome.'],
    ['user', 'When do you open?'],
    ['assistant', 'We open at nine.'],
    ['user', 'And on Sunday?'],
    ['assistant', 'You said: And on Sunday?'],
  ])
  assert.deepEqual(one.session().errors, [])
  const [asked] = one.session().received.filter(({ type }) => type === 'response.create')
  assert.equal(asked.response.instructions, 'Be brief.')
})

test('an interrupted answer is truncated at the millisecond that was played', async () => {
  const one = await start()
  await one.say('Tell me everything.')
  server.plans.push({ say: 'It is a long story that began many years ago.', hold: true })
  const turn = new AbortController()
  const stream = one.speaker.stream(request([user('Tell me everything.')], { signal: turn.signal }))
  const iterator = stream[Symbol.asyncIterator]()
  const first = await iterator.next()
  assert.ok(first.value?.type === 'speech')
  const { speech } = first.value
  for (let text = ''; text.length < 36; ) {
    const { value, done } = await iterator.next()
    assert.ok(!done)
    if (value.type === 'spoken') text += value.text
  }
  turn.abort(new Error('interrupted'))
  await assert.rejects(async () => {
    while (!(await iterator.next()).done);
  }, /interrupted/)
  speech.heard(740)
  await one.say('Stop. What time is it?')
  await answer(one, [user('Tell me everything.'), agent('It is a'), user('Stop. What time is it?')])
  const sent = one.session().received
  const { type, audio_end_ms } = sent.find((event) => event.type === 'conversation.item.truncate')
  assert.deepEqual([type, audio_end_ms], ['conversation.item.truncate', 740])
  assert.ok(sent.some((event) => event.type === 'response.cancel'))
  assert.deepEqual(
    one
      .session()
      .conversation.map(({ role, audioMs }) => [role, audioMs])
      .slice(0, 3),
    [
      ['user', undefined],
      ['assistant', 740],
      ['user', undefined],
    ],
  )
  assert.deepEqual(one.session().errors, [])
  // The answer that was cut: 100 tokens heard and read, and what it had said until then.
  const { inputTokens, audioInputTokens, audioOutputTokens = 0, model } = await one.speaker.unreported()
  assert.deepEqual([inputTokens, audioInputTokens, model], [100, 60, 'gpt-realtime'])
  assert.ok(audioOutputTokens > 0)
})

test('answers that were told about are not counted twice', async () => {
  const one = await start({ own: 'sk-own' })
  await one.say('Hello.')
  const { done } = await answer(one, [user('Hello.')])
  assert.ok(done?.type === 'done' && done.usage.inputTokens === 100)
  const nothing = { inputTokens: 0, outputTokens: 0, audioInputTokens: 0, audioOutputTokens: 0 }
  assert.deepEqual(await one.speaker.unreported(), { ...nothing, model: 'gpt-realtime', isOwnKey: true })
})

test('an answer that no one heard leaves no trace, and its turn is answered with the next one', async () => {
  const one = await start()
  await one.say('I want')
  await answer(one, [user('I want')])
  await one.say('a table')
  await answer(one, [user('I want a table')])
  assert.deepEqual(shown(one), [
    ['user', 'I want'],
    ['user', 'a table'],
    ['assistant', 'You said: a table'],
  ])
})

test('sounds that were no turn are removed, and other texts replace the audio', async () => {
  const one = await start()
  await one.say('mm hmm')
  await one.say('Hello')
  await answer(one, [user('Hello')])
  assert.deepEqual(shown(one)[0], ['user', 'Hello'])
  const other = await start()
  await other.say('one, two')
  await answer(other, [user('[keys: 12#]')])
  assert.deepEqual(shown(other)[0], ['user', '[keys: 12#]'])
  one.transcription.write(silence('mulaw-8000'))
  one.transcription.discard()
  await until(async () => one.session().received.at(-1).type === 'input_audio_buffer.clear')
})

test('tools are called by the model and get one result each', async () => {
  const one = await start()
  await one.say('Is a table free?')
  server.plans.push({ call: [{ name: 'find_table', arguments: '{"people":2}' }] }, { say: 'Yes.' })
  const tools = [{ name: 'find_table', description: 'Finds a table', parameters: { type: 'object' } }]
  // Tools of an agent have more members, which the provider refuses.
  const ofAgent = tools.map((tool) => ({ ...tool, sayWhileRunning: null }))
  const { events } = await answer(one, [user('Is a table free?')], { tools: ofAgent })
  const [made] = events.flatMap((event) => (event.type === 'tool_call' ? [event] : []))
  assert.deepEqual([made?.name, made?.arguments], ['find_table', { people: 2 }])
  const toolCalls = [{ id: made?.id as string, name: 'find_table', arguments: { people: 2 } }]
  const results = [{ id: made?.id as string, name: 'find_table', result: 'free', isError: false }]
  const { text } = await answer(one, [
    user('Is a table free?'),
    { role: 'assistant', text: '', toolCalls },
    { role: 'tool', results },
  ])
  assert.equal(text, 'Yes.')
  const sent = one.session().received.filter(({ item }) => item?.type === 'function_call_output')
  assert.deepEqual(
    sent.map(({ item }) => [item.call_id, item.output]),
    [[made?.id, 'free']],
  )
  const [asked] = one.session().received.filter(({ type }) => type === 'response.create')
  assert.deepEqual(asked.response.tools, [{ type: 'function', ...tools[0] }])
})

test('arguments that are no object are passed on as such', async () => {
  const one = await start()
  await one.say('Go')
  server.plans.push({ call: [{ name: 'x', arguments: '[1' }] })
  const { events } = await answer(one, [user('Go')])
  assert.ok(events.some((event) => event.type === 'tool_call' && event.arguments === null))
})

for (const [name, plan, expected] of [
  ['refuses the request', { error: 'rate_limit_exceeded' }, /refused to answer \(rate_limit_exceeded\)/],
  ['fails', { fails: 'server_error' }, /failed to answer \(server_error\)/],
] as const)
  test(`a model that ${name} leaves the session open for the next turn`, async () => {
    const one = await start()
    await one.say('Hello')
    server.plans.push(plan)
    await assert.rejects(answer(one, [user('Hello')]), expected)
    assert.equal((await answer(one, [user('Hello')])).text, 'You said: Hello')
    assert.deepEqual(one.fallbacks, [])
  })

test('speech that breaks off fails in its audio, after which the session is lost', async () => {
  const one = await start()
  await one.say('Hello')
  server.plans.push({ say: 'This answer will break off in the middle.', half: true })
  const { speech } = await answer(one, [user('Hello')])
  await assert.rejects(bytesOf(speech), /closed the connection/)
  await assert.rejects(answer(one, [user('Hello')]), /closed the connection/)
})

for (const [name, fault, limits, expected] of [
  ['refuses the key', { status: 401 }, patient, /answered 401/],
  ['refuses the settings', 'setup', patient, /refused the settings \(invalid_value\)/],
  ['never starts', 'silent', hasty, /took too long to start/],
] as const)
  test(`a provider that ${name}: voice and model of the pipeline take over`, async () => {
    server.faults.push(fault)
    const one = await start({ limits })
    assert.ok((await one.speak('Hello.')).bytes > 0, 'the local voice speaks')
    assert.deepEqual(
      one.fallbacks.map(({ stage, from, to }) => [stage, from, to]),
      [['voice', 'openai', 'local']],
    )
    assert.match(one.fallbacks[0]?.message ?? '', expected)
    await assert.rejects(answer(one, [user('Hello')]), expected)
  })

test('a model that never answers loses the session', async () => {
  const one = await start({ limits: { ...patient, firstOutputMs: 50 } })
  server.phrasePlans.push({ never: true })
  assert.ok((await one.speak('Hello.')).bytes > 0)
  assert.match(one.fallbacks[0]?.message ?? '', /took too long to answer/)
})

test('a transcript that fails is made by the next recognizer, and the session stays', async () => {
  const one = await start()
  await one.say(null)
  assert.deepEqual(
    one.fallbacks.map(({ stage, from, to, message }) => [stage, from, to, message]),
    [['transcriber', 'openai', 'local', 'The session did not understand the audio.']],
  )
  assert.equal((await answer(one, [user('Hello')])).text, 'You said: Hello')
})

test('an organization’s own key is used, and one that cannot be opened is not replaced', async () => {
  const one = await start({ own: 'sk-own' })
  await one.say('Hello')
  const { done } = await answer(one, [user('Hello')])
  assert.equal(one.session().key, 'Bearer sk-own')
  assert.ok(done?.type === 'done' && done.usage.isOwnKey)
  const sessions = server.sessions.length
  const unopened = await start({ own: null })
  await assert.rejects(answer(unopened, [user('Hello')]), /cannot be opened/)
  assert.equal(server.sessions.length, sessions)
})
