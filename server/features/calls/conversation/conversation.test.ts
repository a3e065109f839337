import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { toSamples } from '../../../providers/speech/audio.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { readWav } from '../../../providers/speech/wav.ts'
import { createFarEnd, type FarEnd, type FarEndOptions } from '../../../testing/call-line.ts'
import { until } from '../../../testing/process.ts'
import { wordErrors } from '../../../testing/word-errors.ts'
import type { TurnEvent } from '../../agents/converse.ts'
import type { CallConverse, ConversationEvent, ConversationSetup, Outcome } from './contract.ts'
import { runConversation } from './run-conversation.ts'

const speech = createOfflineSpeech()
const folder = await mkdtemp(join(tmpdir(), 'frontdesk-calls-'))
after(async () => {
  await speech.close()
  await rm(folder, { recursive: true, force: true })
})

const spoken = new Map<string, Promise<Buffer>>()
/** A caller's words as sound, as the telephone carries them. */
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
async function recognise(audio: Uint8Array): Promise<string> {
  const signal = AbortSignal.timeout(60_000)
  const open = speech.transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
  open.write(audio)
  return open.finish(signal)
}

const usage = { input_tokens: 10, output_tokens: 5, model: 'test' }
const done = (text: string): TurnEvent => ({ type: 'done', text, usage, sources: [] })
const says = (...texts: string[]): CallConverse =>
  async function* () {
    for (const text of texts) yield { type: 'text', text }
    yield done(texts.join(''))
  }

interface Call {
  far: FarEnd
  events: ConversationEvent[]
  outcome: Promise<Outcome>
  heard: string[]
  saw(type: ConversationEvent['type'], times?: number): Promise<void>
  end: AbortController
}

let calls = 0
function call(converse: CallConverse, setup: Partial<ConversationSetup> = {}, farEnd: FarEndOptions = {}): Call {
  const far = createFarEnd(farEnd)
  const events: ConversationEvent[] = []
  const end = new AbortController()
  const heard: string[] = []
  const outcome = runConversation(far.line, {
    call: { id: 'call', direction: 'outbound', speed: farEnd.speed ?? 1 },
    voice: speech.voice,
    voiceName: 'slt',
    transcriber: speech.transcriber,
    voiceActivity: speech.voiceActivity,
    recordingPath: join(folder, `${++calls}.wav`),
    onEvent: (event) => events.push(event),
    signal: end.signal,
    ...setup,
    converse(turn) {
      heard.push(turn.heard)
      return converse(turn)
    },
    agent: {
      welcomeMessage: 'Good morning, how can I help you?',
      language: 'en-US',
      interruptible: true,
      voicemail: 'hangup',
      ...setup.agent,
    },
    limits: { maxDurationMs: 120_000, silenceTimeoutMs: 60_000, ...setup.limits },
  })
  const saw = (type: ConversationEvent['type'], times = 1) =>
    until(() => events.filter((event) => event.type === type).length >= times, 60_000)
  return { far, events, outcome, heard, saw, end }
}

const agentTexts = ({ transcript }: Outcome) => transcript.filter((s) => s.speaker === 'agent').map(({ text }) => text)
const callerTexts = ({ transcript }: Outcome) =>
  transcript.filter((s) => s.speaker === 'caller').map(({ text }) => text)
const loudness = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length)

describe('a call', () => {
  test('is held from the greeting to the goodbye, and all of it can be read and heard afterwards', async () => {
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
    // What the far end played is what the transcript says.
    assert.ok(wordErrors(agentTexts(result).join(' '), await recognise(far.heard())) <= 0.3)
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
    assert.ok(wordErrors(lines.join(' '), await recognise(left)) <= 0.3)
    assert.ok(wordErrors(agentTexts(result).join(' '), await recognise(right)) <= 0.3)
    assert.ok(Math.abs(wav.data.length / 16 - result.durationMs) < 500)
    assert.ok(loudness(toSamples(left, 'mulaw-8000')) > 100)
  })
})
