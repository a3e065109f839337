import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Transcriber } from '../../../providers/speech/contract.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { done, says, startCall, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'
import type { CallConverse } from './contract.ts'

/** Answers that start at a pause. The caller hums; a recognizer of the test knows the words and transcribes at pauses. */

const bare = createOfflineSpeech({ isInstalled: () => false })
after(() => bare.close())

/** A pause of 16 s ends the turn, 4 s in real time: long enough to go on speaking before on a slow machine. */
const endpointingMs = 16_000
const tool = { id: 't1', name: 'book_table' }

async function hum(): Promise<Buffer> {
  const options = { encoding: 'mulaw-8000' as const, voice: '', language: 'en', signal: AbortSignal.timeout(9_000) }
  return Buffer.concat(await Array.fromAsync(bare.voice.speak('This is a hum.', options)))
}

/** The caller says the parts one after another, each as soon as the model was asked about those before it. */
async function call(parts: string[], converse: CallConverse, final = (text: string) => text) {
  let said = ''
  // A busy machine may make a pause within a part: its transcript is not there before the part ends.
  let part = Promise.withResolvers<string>()
  const transcriber: Transcriber = {
    provider: 'p',
    model: 'm',
    source: 'recognised',
    open: () => ({
      write() {},
      pause: () => part.promise,
      finish: async () => final(said),
      discard() {},
      close() {},
    }),
  }
  const one = startCall(bare, converse, { transcriber, agent: { endpointingMs } }, { speed: 4 })
  await one.saw('agent.speech_stopped')
  for (const [i, words] of parts.entries()) {
    said = [said, words].filter(Boolean).join(' ')
    part = Promise.withResolvers()
    await one.far.say(await hum())
    part.resolve(said)
    await until(async () => one.heard.length > i)
  }
  return one
}

describe('an answer that starts at a pause', { concurrency: 5 }, () => {
  test('is used if the turn ends with the same words', async () => {
    const final = () => 'When do you open?'
    const { outcome, events, saw, heard, end } = await call(['when do you open'], says('At nine.'), final)
    assert.equal(events.filter(({ type }) => type === 'transcript.final').length, 1, 'only the welcome message')
    await saw('agent.speech_stopped', 2)
    end.abort()
    const result = await outcome
    assert.deepEqual(heard, ['when do you open'])
    assert.deepEqual(textsOf('caller', result), ['When do you open?'])
    assert.equal(textsOf('agent', result)[1], 'At nine.')
    assert.deepEqual(result.earlyStarts, { used: 1, discarded: 0 })
    assert.deepEqual(result.usage.model, { inputTokens: 10, outputTokens: 5, turns: 1, model: 'test' })
    assert.ok((result.latency[0]?.totalMs ?? 0) >= (result.latency[0]?.endpointingMs ?? 1))
  })

  test('leaves no trace if the caller goes on, and no tool runs before the turn is over', async () => {
    const booked: string[] = []
    const aborted: string[] = []
    const { outcome, events, saw, heard, end } = await call(
      ['Book a table', 'for six people'],
      async function* ({ heard: text, signal }) {
        signal.addEventListener('abort', () => aborted.push(text))
        yield { type: 'tool_call', ...tool, arguments: {} }
        booked.push(text)
        yield { type: 'tool_result', ...tool, result: 'booked', is_error: false, took_ms: 5 }
        yield { type: 'text', text: 'It is booked.' }
        yield done()
      },
    )
    assert.deepEqual([booked, aborted], [[], ['Book a table']])
    assert.ok(!events.some(({ type }) => type === 'tool.call'))
    await saw('agent.speech_stopped', 2)
    end.abort()
    const result = await outcome
    assert.deepEqual(heard, ['Book a table', 'Book a table for six people'])
    assert.deepEqual(booked, ['Book a table for six people'])
    assert.equal(events.filter(({ type }) => type === 'tool.call').length, 1)
    assert.equal(result.tools.length, 1)
    assert.deepEqual(textsOf('caller', result), ['Book a table for six people'])
    assert.equal(textsOf('agent', result)[1], 'It is booked.')
    assert.deepEqual(result.earlyStarts, { used: 1, discarded: 1 })
    assert.equal(result.usage.model.turns, 1)
    assert.ok(result.latency[0]?.toolsMs !== undefined)
  })

  test('is dropped if the final transcript has other words, and its tokens are counted', async () => {
    const { outcome, saw, heard, end } = await call(['I want to fly'], says('Certainly.'), () => 'I want to buy.')
    await saw('agent.speech_stopped', 2)
    end.abort()
    const result = await outcome
    assert.deepEqual(heard, ['I want to fly', 'I want to buy.'])
    assert.deepEqual(textsOf('agent', result).slice(1), ['Certainly.'])
    assert.deepEqual(result.earlyStarts, { used: 0, discarded: 1 })
    assert.deepEqual([result.usage.model.inputTokens, result.usage.model.turns], [20, 1])
  })

  test('that fails is asked for again when the turn is over', async () => {
    let asked = 0
    const { outcome, saw, end } = await call(['Hello'], async function* () {
      if (++asked === 1) throw new Error('overloaded')
      yield { type: 'text', text: 'Good morning.' }
      yield done()
    })
    await saw('agent.speech_stopped', 2)
    end.abort()
    const result = await outcome
    assert.equal(textsOf('agent', result)[1], 'Good morning.')
    assert.deepEqual([asked, result.failures], [2, []])
  })
})
