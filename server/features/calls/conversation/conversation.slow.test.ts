import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { toSamples } from '../../../providers/speech/audio.ts'
import { encodeMulaw } from '../../../providers/speech/mulaw.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { createHummingVoice } from '../../../providers/speech/scripted.ts'
import { readWav } from '../../../providers/speech/wav.ts'
import type { FarEndOptions } from '../../../testing/call-media.ts'
import { done, says, startCall, type TestSetup, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'
import { utterances } from '../../../testing/utterances.ts'
import { wordErrors } from '../../../testing/word-errors.ts'
import type { CallConverse, ConversationOutcome } from './contract.ts'

const speech = createOfflineSpeech()
const folder = await mkdtemp(join(tmpdir(), 'frontdesk-calls-'))
after(async () => {
  await speech.close()
  await rm(folder, { recursive: true, force: true })
})

const spoken = new Map<string, Promise<Buffer>>()
/** Synthesizes a caller's speech in the encoding of a phone call. */
function sound(text: string): Promise<Buffer> {
  const made = spoken.get(text) ?? collect(text)
  spoken.set(text, made)
  return made
}
async function collect(text: string): Promise<Buffer> {
  const options = {
    encoding: 'mulaw-8000' as const,
    voice: 'rms',
    language: 'en-US',
    signal: AbortSignal.timeout(60_000),
  }
  return Buffer.concat(await Array.fromAsync(speech.voice.speak(text, options)))
}
/** Transcribes a recording of any length, split at its silences. */
async function recognize(audio: Uint8Array): Promise<string> {
  const signal = AbortSignal.timeout(60_000)
  const open = speech.transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
  const texts: string[] = []
  for (const piece of utterances(audio)) {
    open.write(piece)
    texts.push(await open.finish(signal))
  }
  return texts.join(' ')
}

/** Calls run in real time and mostly wait, so tests run in parallel. */
const atOnce = { concurrency: 3 }
let calls = 0
const call = (converse: CallConverse, setup: TestSetup = {}, farEnd: FarEndOptions = {}) =>
  startCall(speech, converse, { recordingPath: join(folder, `${++calls}.wav`), ...setup }, farEnd)
/** Calls in which the agent’s speech is not transcribed use the humming voice, which is fast even on a busy machine. */
const hummed: typeof call = (converse, setup = {}, farEnd = {}) =>
  call(converse, { voice: createHummingVoice(), ...setup }, farEnd)
const agentTexts = (outcome: ConversationOutcome) => textsOf('agent', outcome)
const callerTexts = (outcome: ConversationOutcome) => textsOf('caller', outcome)
const loudness = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length)

describe('a call', atOnce, () => {
  test('produces a transcript, latency, usage and a stereo recording of both sides', async () => {
    const lines = ['Hello, I would like to know when you open on Saturday.', 'Thank you very much, goodbye.']
    const answers = ['We open at nine on Saturday.', 'You are welcome. Goodbye.']
    let turn = 0
    const { far, outcome, events, saw } = call(
      async function* () {
        const text = answers[turn] as string
        yield { type: 'text', text }
        if (++turn === 2) yield { type: 'end_call', reason: 'said goodbye' }
        yield done(text)
      },
      {},
      { scripted: true },
    )
    for (const [i, line] of lines.entries()) {
      await saw('agent.speech_stopped', i + 1)
      await far.say(await sound(line), line)
    }
    const result = await outcome
    assert.equal(result.endedReason, 'agent_ended')
    assert.deepEqual(result.failures, [])
    assert.deepEqual(agentTexts(result), ['Good morning, how can I help you?', ...answers])
    const caller = result.transcript.filter((segment) => segment.speaker === 'caller')
    assert.deepEqual(
      caller.map(({ scripted_text }) => scripted_text),
      lines,
    )
    assert.ok(caller.every(({ source, text, recognised_text }) => source === 'recognised' && text === recognised_text))
    const errors = wordErrors(lines.join(' '), caller.map(({ text }) => text).join(' '))
    assert.ok(errors <= 0.25, `${errors}: ${callerTexts(result)}`)
    // The transcript matches what the far end played.
    assert.ok(wordErrors(agentTexts(result).join(' '), await recognize(far.heard())) <= 0.3)
    assert.equal(result.latency.length, 2)
    assert.ok(result.usage.voice.characters > 50 && result.usage.transcriber.audioSeconds > 3)
    assert.deepEqual(result.usage.model, { inputTokens: 20, outputTokens: 10, turns: 2, model: 'test' })
    assert.equal(events.at(0)?.type, 'session.started')
    assert.equal(events.at(-1)?.type, 'session.ended')

    assert.ok(result.recording)
    const wav = readWav(await readFile(result.recording.file))
    assert.deepEqual(wav?.format, { encoding: 'mulaw', sampleRate: 8000, channels: 2 })
    const left = wav.data.filter((_, i) => i % 2 === 0)
    const right = wav.data.filter((_, i) => i % 2 === 1)
    assert.ok(wordErrors(lines.join(' '), await recognize(left)) <= 0.3)
    assert.ok(wordErrors(agentTexts(result).join(' '), await recognize(right)) <= 0.3)
    assert.ok(Math.abs(wav.data.length / 16 - result.durationMs) < 500)
    assert.ok(loudness(toSamples(left, 'mulaw-8000')) > 100)
  })

  test('speaks sentences while the model streams, speaks during a tool call, and reports the tool', async () => {
    const tool = { id: 't1', name: 'find_order' }
    let modelWaits = true
    const { far, outcome, events, saw } = hummed(async function* () {
      yield { type: 'text', text: 'Let me see. ' }
      yield { type: 'say_meanwhile', text: 'One moment, I am looking that up.' }
      yield { type: 'tool_call', ...tool, arguments: { number: 7 } }
      await until(async () => events.filter(({ type }) => type === 'agent.speech_started').length === 2)
      // The first sentence takes half as long: the second one is being said.
      const { length } = far.heard()
      await until(async () => far.heard().length > length + 1_200 * 8)
      modelWaits = false
      yield { type: 'tool_result', ...tool, result: 'shipped', is_error: false, took_ms: 5 }
      yield { type: 'text', text: 'It was **shipped** today.' }
      yield { type: 'handoff', reason: 'wants a person' }
      yield done('')
    })
    await saw('agent.speech_stopped')
    await far.say(await sound('Where is my order?'))
    const result = await outcome
    assert.equal(modelWaits, false)
    assert.equal(result.endedReason, 'handed_off')
    assert.equal(result.handoffReason, 'wants a person')
    assert.deepEqual(agentTexts(result).slice(1), [
      'Let me see. One moment, I am looking that up. It was shipped today.',
    ])
    const order = events.map(({ type }) => type)
    assert.ok(order.indexOf('tool.call') < order.indexOf('tool.result'))
    assert.ok(order.indexOf('tool.result') < order.indexOf('handoff'))
    const [used] = result.tools
    assert.deepEqual(
      { ...used, at: 0 },
      { name: 'find_order', arguments: { number: 7 }, result: 'shipped', isError: false, at: 0 },
    )
    assert.ok((used?.at ?? 0) > (result.latency[0]?.at ?? 0))
  })

  test('passes the history and the pressed keys to the agent', async () => {
    const turns: unknown[] = []
    const { far, outcome, saw, end } = hummed(
      async function* ({ history, heard }) {
        turns.push({ history, heard })
        yield { type: 'text', text: 'Thank you.' }
        yield done('')
      },
      { agent: { welcomeMessage: 'Please enter your number.' } },
    )
    await saw('agent.speech_stopped')
    far.press('12?3#')
    await saw('agent.speech_stopped', 2)
    far.press('9')
    await saw('agent.speech_stopped', 3)
    end.abort()
    const result = await outcome
    assert.equal(result.endedReason, 'ended_by_request')
    const before = [{ speaker: 'agent', text: 'Please enter your number.' }]
    const first = [
      { speaker: 'caller', text: '[keys: 123#]' },
      { speaker: 'agent', text: 'Thank you.' },
    ]
    assert.deepEqual(turns, [
      { history: before, heard: '[keys: 123#]' },
      { history: [...before, ...first], heard: '[keys: 9]' },
    ])
    assert.deepEqual(
      result.transcript.filter(({ source }) => source === 'keys').map(({ text }) => text),
      ['123#', '9'],
    )
    assert.ok(far.isHungUp())
  })

  test('leaves the media open when it is transferred', async () => {
    const { far, outcome, saw } = hummed(async function* () {
      yield { type: 'text', text: 'I connect you.' }
      yield { type: 'transfer', to: '+12025550142', reason: 'asked' }
      yield done('')
    })
    await saw('agent.speech_stopped')
    far.press('0#')
    assert.equal((await outcome).endedReason, 'transferred')
    assert.equal(far.isHungUp(), false)
    far.stop()
  })
})

const long =
  'Our house has three departments. The first one looks after parcels. The second one looks after letters. ' +
  'The third one looks after everything that does not fit anywhere else in the whole wide world.'

describe('barge-in', atOnce, () => {
  test('silences the agent, aborts the model and keeps only the played text in the transcript', async () => {
    const question = await sound('Excuse me, I only want to know the price of a stamp.')
    let aborted = false
    const { far, outcome, saw, heard, end, events } = call(async function* ({ heard: text, signal }) {
      if (text.startsWith('[keys')) {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        yield { type: 'text', text: long }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      yield { type: 'text', text: 'All right.' }
      yield done('')
    })
    await saw('agent.speech_stopped')
    far.press('1#')
    await saw('agent.speech_started', 2)
    const { length } = far.heard()
    await until(async () => far.heard().length > length + 3_000 * 8)
    const said = far.say(question)
    await said
    const [clearedAt] = far.clears
    assert.ok(clearedAt !== undefined && far.lastPlayedAt() <= clearedAt, `${far.lastPlayedAt()} after ${clearedAt}`)
    await saw('agent.speech_stopped', 3)
    end.abort()
    const result = await outcome
    assert.ok(aborted)
    assert.deepEqual(
      events.filter(({ type }) => type === 'interruption').map((event) => 'falseAlarm' in event && event.falseAlarm),
      [false],
    )
    const cut = result.transcript.find(({ interrupted }) => interrupted)
    assert.ok(cut && long.startsWith(cut.text) && cut.text.length < long.length / 2, cut?.text)
    assert.ok(cut.text.length > 10, 'what was heard is kept')
    assert.ok(wordErrors('Excuse me, I only want to know the price of a stamp.', heard[1] as string) < 0.3, heard[1])
    assert.equal(agentTexts(result).at(-1), 'All right.')
    // The last word of the transcript was actually played.
    const loudspeaker = await recognize(far.heard())
    const lastWord = cut.text.split(' ').at(-1)?.replace(/\W/g, '').toLowerCase() as string
    assert.ok(loudspeaker.toLowerCase().includes(lastWord), `${lastWord} in ${loudspeaker}`)
  })

  test('caused by noise does not stop the agent, who speaks to the end', async () => {
    const { far, outcome, saw, events, end } = call(says(''), {
      agent: { welcomeMessage: long },
      // Takes the noise for speech.
      voiceActivity: speech.plainActivity,
    })
    await saw('agent.speech_started')
    await until(async () => far.heard().length > 3_000 * 8)
    await far.say(noise(900))
    await saw('interruption')
    await saw('agent.speech_stopped')
    end.abort()
    const result = await outcome
    assert.deepEqual(
      events.filter(({ type }) => type === 'interruption').map((event) => 'falseAlarm' in event && event.falseAlarm),
      [true],
    )
    assert.deepEqual(agentTexts(result), [long])
    assert.ok(far.clears.length > 0)
    const loudspeaker = await recognize(far.heard())
    assert.match(loudspeaker, /three departments.*wide world/i)
  })

  test('is answered after the agent has finished if the agent is not interruptible', async () => {
    const { far, outcome, saw, heard, end } = hummed(says('It is one dollar.'), {
      agent: { welcomeMessage: long, interruptible: false },
    })
    await saw('agent.speech_started')
    await far.say(await sound('What is the price of a stamp?'))
    await saw('agent.speech_stopped', 2)
    end.abort()
    const result = await outcome
    assert.equal(far.clears.length, 0)
    assert.deepEqual(agentTexts(result), [long, 'It is one dollar.'])
    assert.equal(heard.length, 1)
  })

  test('before the answer starts joins both parts into one turn', async () => {
    const { far, outcome, saw, heard, end } = hummed(async function* ({ heard: text, signal }) {
      if (heard.length === 1)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      yield { type: 'text', text: `Yes.` }
      yield done(text)
    })
    await saw('agent.speech_stopped')
    await far.say(await sound('I have a question.'))
    // The agent is asked at a pause; the turn is over once its text is in the transcript.
    await saw('transcript.final', 2)
    await until(async () => heard.length === 1)
    await far.say(await sound('When do you open on Sunday?'))
    await saw('agent.speech_stopped', 2)
    end.abort()
    assert.equal(callerTexts(await outcome).length, 2)
    assert.equal(heard.length, 2)
    assert.ok(heard[1]?.startsWith(heard[0] as string) && heard[1].length > (heard[0]?.length as number) + 5, heard[1])
  })
})

/** A rough tone: the voice detector takes it for a voice, the recognizer finds no words. */
function noise(ms: number): Buffer {
  const hum = new Int16Array(8 * ms)
  for (let i = 0; i < hum.length; i++)
    hum[i] = 9_000 * Math.sign(Math.sin((2 * Math.PI * 180 * i) / 8000)) * Math.sin((Math.PI * i) / 1200)
  return Buffer.from(encodeMulaw(hum))
}

describe('limits', atOnce, () => {
  test('after the silence timeout the agent says its closing phrase and hangs up', async () => {
    const { far, outcome } = hummed(says(''), {
      agent: { welcomeMessage: 'Hello.', phrases: { closing: 'Goodbye then.' } },
      limits: { maxDurationMs: 60_000, silenceTimeoutMs: 2_000 },
    })
    const result = await outcome
    assert.equal(result.endedReason, 'silence')
    assert.deepEqual(agentTexts(result), ['Hello.', 'Goodbye then.'])
    assert.ok(far.isHungUp())
  })

  test('at the maximum duration the agent is cut off in the middle of a sentence', async () => {
    const { far, outcome } = hummed(
      says(''),
      {
        agent: { welcomeMessage: long, phrases: { closing: 'Time is up.' } },
        limits: { maxDurationMs: 3_000, silenceTimeoutMs: 60_000 },
      },
      { speed: 2 },
    )
    const result = await outcome
    assert.equal(result.endedReason, 'max_duration')
    const [cut, closing] = agentTexts(result)
    assert.ok(long.startsWith(cut as string) && (cut as string).length < long.length / 2)
    assert.equal(closing, 'Time is up.')
    assert.ok(far.isHungUp())
  })

  test('when the caller hangs up or is lost, the transcript keeps what was played', async () => {
    const { far, outcome, saw } = hummed(says(''), { agent: { welcomeMessage: long } })
    await saw('agent.speech_started')
    await until(async () => far.heard().length > 3_000 * 8)
    far.hangUp()
    const result = await outcome
    assert.equal(result.endedReason, 'caller_hung_up')
    const [cut = ''] = agentTexts(result)
    assert.ok(cut && long.startsWith(cut) && cut.length < long.length / 2)
    const other = hummed(says(''))
    other.far.hangUp('lost')
    assert.equal((await other.outcome).endedReason, 'line_lost')
  })

  test('if the far end returns no marks, sent audio counts as played', async () => {
    const { outcome } = hummed(
      says(''),
      {
        agent: { welcomeMessage: 'Hello there.', phrases: { closing: 'Goodbye.' } },
        limits: { maxDurationMs: 60_000, silenceTimeoutMs: 1_000 },
      },
      { marks: false },
    )
    assert.deepEqual(agentTexts(await outcome), ['Hello there.', 'Goodbye.'])
  })
})

describe('an answering machine', atOnce, () => {
  const agent = (voicemail: 'hangup' | 'leave_message' | 'continue') => ({
    welcomeMessage: 'Hello.',
    voicemail,
    phrases: { voicemail: 'Please call us back.' },
  })

  test('is hung up on', async () => {
    const { far, outcome, saw } = hummed(says(''), { agent: agent('hangup') })
    await saw('session.started')
    far.machine({ beep: false })
    assert.equal((await outcome).endedReason, 'voicemail')
  })

  test('gets a message after its greeting', async () => {
    const greeting = await sound('Nobody is home. Leave a message after the tone.')
    const { far, outcome, saw } = hummed(says(''), { agent: agent('leave_message') })
    await saw('session.started')
    far.machine({ beep: false })
    await far.say(greeting)
    const saidAt = far.now() / 1000
    const result = await outcome
    assert.equal(result.endedReason, 'voicemail')
    const message = result.transcript.find(({ text }) => text === 'Please call us back.')
    assert.ok(message && message.timestamp > saidAt - 0.3, JSON.stringify(result.transcript))
  })

  test('gets a long message to its end', async () => {
    const message = `Please call us back. ${'We are here from nine to five. '.repeat(3).trim()}`
    const long = { ...agent('leave_message'), phrases: { voicemail: message } }
    const { far, outcome, saw } = hummed(says(''), { agent: long, limits: { closingTimeoutMs: 100 } })
    await saw('session.started')
    far.machine({ beep: true })
    const result = await outcome
    assert.deepEqual([result.endedReason, agentTexts(result).at(-1)], ['voicemail', message])
  })

  test('gets a message immediately after the beep, or the conversation continues', async () => {
    const { far, outcome, saw } = hummed(says(''), { agent: agent('leave_message') })
    await saw('session.started')
    far.machine({ beep: true })
    assert.equal(agentTexts(await outcome).at(-1), 'Please call us back.')
    const other = hummed(says(''), { agent: agent('continue') })
    await other.saw('session.started')
    other.far.machine({ beep: true })
    await other.saw('agent.speech_stopped')
    other.end.abort()
    assert.deepEqual(agentTexts(await other.outcome), ['Hello.'])
  })
})
