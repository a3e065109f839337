import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Transcriber, Voice } from '../../../providers/speech/contract.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { done, says, startCall, type TestSetup, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'
import type { Turn } from '../../agents/answering/turn.ts'
import type { CallConverse } from './contract.ts'

/** Callers and providers that behave badly, on the media of a call. The caller hums, with a script. */

const bare = createOfflineSpeech({ isInstalled: () => false })
after(() => bare.close())
const call = (converse: CallConverse, setup: TestSetup = {}) =>
  startCall(bare, converse, setup, { speed: 4, scripted: true })

async function hum(ms: number): Promise<Buffer> {
  const options = { encoding: 'mulaw-8000' as const, voice: '', language: 'en', signal: AbortSignal.timeout(9_000) }
  const pieces = await Array.fromAsync(bare.voice.speak('Hello. '.repeat(ms / 400), options))
  return Buffer.concat(pieces).subarray(0, ms * 8)
}

describe('a call', { concurrency: 4 }, () => {
  test('in which a cough stops an answer before it starts still gets the answer', async () => {
    const first = Promise.withResolvers<never>()
    const one = call(async function* ({ signal }) {
      signal.addEventListener('abort', () => first.reject(signal.reason))
      if (one.heard.length === 1) await first.promise
      yield { type: 'text', text: 'At nine.' }
      yield done()
    })
    await one.saw('agent.speech_stopped')
    await one.far.say(await hum(800), 'When do you open?')
    await until(async () => one.heard.length === 1)
    // Long enough for speech, and without words.
    await one.far.say(await hum(800))
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    const outcome = await one.outcome
    assert.deepEqual(one.heard, ['When do you open?', 'When do you open?'])
    assert.equal(textsOf('agent', outcome).at(-1), 'At nine.')
    assert.deepEqual(textsOf('caller', outcome), ['When do you open?'])
  })

  test('in which a cough stops an answer after its tool ran asks again with the result of the tool', async () => {
    const first = Promise.withResolvers<never>()
    const histories: Turn[][] = []
    const one = call(async function* ({ signal, history }) {
      signal.addEventListener('abort', () => first.reject(signal.reason))
      histories.push(history)
      if (histories.length === 1) {
        yield { type: 'tool_call', id: 'a', name: 'book_table', arguments: { people: 6 } }
        yield { type: 'tool_result', id: 'a', name: 'book_table', result: 'booked', is_error: false, took_ms: 1 }
        await first.promise
      }
      yield { type: 'text', text: 'It is booked.' }
      yield done()
    })
    await one.saw('agent.speech_stopped')
    await one.far.say(await hum(800), 'A table for six.')
    await one.saw('tool.result')
    await one.far.say(await hum(800))
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    await one.outcome
    const ran = { id: 'a', name: 'book_table', arguments: { people: 6 }, result: 'booked' }
    assert.deepEqual(histories[1]?.at(-1), { speaker: 'agent', text: '', tools: [ran] })
  })

  test('in which nothing can be understood asks once, and again after it has understood something', async () => {
    const phrase = 'Once more, please?'
    let text = ''
    let turns = 0
    const transcriber: Transcriber = {
      ...bare.transcriber,
      source: 'recognised',
      open: () => ({
        write() {},
        pause: () => undefined,
        async finish() {
          turns++
          return text
        },
        discard() {},
        close() {},
      }),
    }
    const said: string[] = []
    const voice: Voice = {
      ...bare.voice,
      speak(words, options) {
        said.push(words)
        return bare.voice.speak(words, options)
      },
    }
    const one = call(says('At nine.'), { transcriber, voice, agent: { phrases: { not_understood: phrase } } })
    await one.saw('agent.speech_stopped')
    await one.far.say(await hum(3_000))
    await one.saw('agent.speech_stopped', 2)
    const before = turns
    await one.far.say(await hum(3_000))
    await until(async () => turns > before)
    text = 'When do you open?'
    await one.far.say(await hum(3_000))
    await one.saw('agent.speech_stopped', 3)
    assert.deepEqual(said.slice(1), [phrase, 'At nine.'])
    text = ''
    await one.far.say(await hum(3_000))
    await until(async () => said.at(-1) === phrase)
    one.end.abort()
    assert.deepEqual((await one.outcome).failures, [])
  })

  test('in which the caller talks for a minute without a pause is answered once, at the end', async () => {
    const one = call(says('I see.'))
    await one.saw('agent.speech_stopped')
    const story = 'It all began when I was a child.'
    await one.far.say(await hum(60_000), story)
    assert.deepEqual(one.heard, [], 'the agent is not asked while the caller speaks')
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    const outcome = await one.outcome
    assert.deepEqual(outcome.failures, [])
    assert.deepEqual([textsOf('caller', outcome), textsOf('agent', outcome).slice(1)], [[story], ['I see.']])
    assert.deepEqual(one.heard, [story])
  })

  for (const [what, speed] of [
    ['fast', 3.8],
    ['slow', 4.2],
  ] as const)
    test(`whose carrier has a clock that is 5 % too ${what} is understood`, async () => {
      const one = call(says('Yes.'), { call: { id: 'call', direction: 'outbound', speed } })
      const lines = ['Is it open?', 'And tomorrow?', 'And on Sunday?']
      for (const [i, line] of lines.entries()) {
        await one.saw('agent.speech_stopped', i + 1)
        await one.far.say(await hum(8_000), line)
      }
      await one.saw('agent.speech_stopped', 4)
      one.end.abort()
      const outcome = await one.outcome
      assert.deepEqual([textsOf('caller', outcome), outcome.failures], [lines, []])
      assert.deepEqual(textsOf('agent', outcome).slice(1), ['Yes.', 'Yes.', 'Yes.'])
    })

  test('whose model stops after one token apologizes', async () => {
    const one = call(
      async function* () {
        yield { type: 'text', text: 'We' }
        await new Promise(() => {})
      },
      { agent: { phrases: { say_again: 'Sorry, once more?' } }, limits: { modelTimeoutMs: 200 } },
    )
    await one.saw('agent.speech_stopped')
    one.far.press('1#')
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    const outcome = await one.outcome
    assert.deepEqual(textsOf('agent', outcome).slice(1), ['Sorry, once more?'])
    assert.deepEqual(
      outcome.failures.map(({ stage }) => stage),
      ['model'],
    )
  })

  test('in which hundreds of keys arrive at once answers all of them', async () => {
    const one = call(says('Thank you.'))
    await one.saw('agent.speech_stopped')
    const keys = '12345678'.repeat(64)
    one.far.press(keys)
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    const outcome = await one.outcome
    assert.deepEqual(outcome.failures, [])
    assert.equal(textsOf('caller', outcome).join(''), keys)
    assert.equal(textsOf('agent', outcome).at(-1), 'Thank you.')
    assert.ok(one.heard.length <= 8, 'one turn for 64 keys')
    assert.equal(one.heard.at(-1)?.match(/keys/g)?.length, 8)
  })

  test('whose voice stalls in the middle of a word apologizes and goes on', async () => {
    let stalls = true
    const voice: Voice = {
      ...bare.voice,
      async *speak(text, options) {
        for await (const piece of bare.voice.speak(text, options)) {
          if (!text.startsWith('Your number') || !stalls) yield piece
          else {
            stalls = false
            yield piece.subarray(0, piece.length / 2)
            await new Promise(() => {})
          }
        }
      },
    }
    const agent = { phrases: { say_again: 'Sorry, once more?' } }
    const one = call(says('Your number is forty-two.'), { voice, agent, limits: { voiceTimeoutMs: 100 } })
    await one.saw('agent.speech_stopped')
    one.far.press('1#')
    await one.saw('agent.speech_stopped', 2)
    one.far.press('2#')
    await one.saw('agent.speech_stopped', 3)
    one.end.abort()
    const outcome = await one.outcome
    const [, first = '', second] = textsOf('agent', outcome)
    assert.match(first, /^(?!.*forty).*Sorry, once more\?$/)
    assert.equal(second, 'Your number is forty-two.')
    assert.deepEqual(
      outcome.failures.map(({ stage }) => stage),
      ['voice'],
    )
  })
})

// By itself: it stalls the other calls of this process too.
test('a stall of this process in the middle of a sentence does not end the turn', async () => {
  const one = call(says('At nine.'))
  await one.saw('agent.speech_stopped')
  const said = one.far.say(await hum(4_000), 'When do you open?')
  const { length } = one.far.heard()
  await until(async () => one.far.heard().length > length + 1_000 * 8)
  // Two seconds on the clock of the call.
  const end = performance.now() + 500
  while (performance.now() < end);
  await said
  assert.deepEqual(one.heard, [], 'the agent is not asked before the end of the sentence')
  await one.saw('agent.speech_stopped', 2)
  one.end.abort()
  assert.deepEqual([textsOf('caller', await one.outcome), one.heard], [['When do you open?'], ['When do you open?']])
})
