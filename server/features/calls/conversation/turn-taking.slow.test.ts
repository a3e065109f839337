import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { decodeMulaw } from '../../../providers/speech/mulaw.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { done, says, startCall, type TestSetup, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'
import type { CallConverse, ConversationEvent } from './contract.ts'

/** Turn-taking and phrases on the media of a call. The caller hums for as long as a case needs, with a script. */

const bare = createOfflineSpeech({ isInstalled: () => false })
after(() => bare.close())
const call = (converse: CallConverse, setup: TestSetup = {}) =>
  startCall(bare, converse, setup, { speed: 2, scripted: true })

/** Sound that the voice detector takes for speech, of about this length. */
async function hum(ms: number): Promise<Buffer> {
  const options = { encoding: 'mulaw-8000' as const, voice: '', language: 'en', signal: AbortSignal.timeout(9_000) }
  const pieces = await Array.fromAsync(bare.voice.speak('Hello there, this is a long hum. '.repeat(9), options))
  return Buffer.concat(pieces).subarray(0, ms * 8)
}

const long =
  'Our house has three departments. The first one looks after parcels. The second one looks after letters. ' +
  'The third one looks after everything that does not fit anywhere else in the whole wide world.'

const interruptions = (events: ConversationEvent[]) => events.filter(({ type }) => type === 'interruption')

/** The caller makes a sound once the agent has spoken for a second. */
async function overlap(agent: TestSetup['agent'], { text, ms }: { text: string; ms: number }) {
  const one = call(says('It is one dollar.'), { agent: { welcomeMessage: long, ...agent } })
  await one.saw('agent.speech_started')
  await until(async () => one.far.heard().length > 1_000 * 8)
  await one.far.say(await hum(ms), text)
  return one
}

describe('a sound over the agent’s speech', { concurrency: 3 }, () => {
  const harmless: [string, { text: string; ms: number }, TestSetup['agent']?][] = [
    ['a short burst that the recognizer takes for words', { text: 'Then the nation then,', ms: 450 }],
    ['a long back-channel', { text: 'Oh really, got it.', ms: 900 }],
    ['a back-channel in the agent’s language', { text: 'हाँ, ठीक है', ms: 900 }, { language: 'hi-IN' }],
    ['too few words', { text: 'The price', ms: 900 }, { turnTaking: { min_words: 3 } }],
  ]
  for (const [name, sound, agent] of harmless)
    test(`${name} does not drop the answer`, async () => {
      const { outcome, events, saw, heard, end } = await overlap(agent, sound)
      await saw('agent.speech_stopped')
      end.abort()
      const result = await outcome
      assert.deepEqual(textsOf('agent', result)[0], long)
      assert.deepEqual(heard, [])
      assert.ok(interruptions(events).every((event) => 'falseAlarm' in event && event.falseAlarm))
      assert.deepEqual(textsOf('caller', result), [sound.text], 'the transcript keeps what was said')
    })

  test('a short sound lowers the agent’s voice until it is over, and does not silence it', async () => {
    const { outcome, far, saw, end } = await overlap({}, { text: 'mm hmm', ms: 350 })
    await saw('agent.speech_stopped')
    end.abort()
    assert.deepEqual(textsOf('agent', await outcome), [long])
    assert.deepEqual(far.clears, [])
    // The hum is loudest once in 180 ms.
    const played = decodeMulaw(far.spoken())
    const peaks = Array.from({ length: Math.floor(played.length / 1_440) }, (_, i) =>
      Math.max(...played.subarray(i * 1_440, (i + 1) * 1_440)),
    )
    const spoken = peaks.slice(
      peaks.findIndex((peak) => peak > 3_000),
      peaks.findLastIndex((peak) => peak > 3_000) + 1,
    )
    const lowered = spoken.filter((peak) => peak < 1_000)
    assert.ok(lowered.length > 0 && lowered.every((peak) => peak > 100), spoken.join(' '))
  })

  test('an echo of the agent’s words is not the caller', async () => {
    const { outcome, saw, heard, end } = await overlap({}, { text: 'House has three departments.', ms: 900 })
    await saw('agent.speech_stopped')
    end.abort()
    const result = await outcome
    assert.deepEqual([textsOf('agent', result), textsOf('caller', result), heard], [[long], [], []])
  })

  test('words and stop words interrupt', async () => {
    for (const sound of [
      { text: 'What is the price of a stamp?', ms: 1_000 },
      { text: 'Wait!', ms: 350 },
    ]) {
      const { outcome, saw, heard, end } = await overlap({}, sound)
      await saw('agent.speech_stopped', 2)
      end.abort()
      const result = await outcome
      assert.deepEqual(heard, [sound.text])
      const [cut = ''] = textsOf('agent', result)
      assert.ok(cut.length < long.length && result.transcript.some(({ interrupted }) => interrupted), cut)
    }
  })

  test('during an uninterruptible welcome message is answered after it', async () => {
    const agent = { turnTaking: { welcome_interruptible: false } }
    const { outcome, far, saw, heard, end } = await overlap(agent, { text: 'Stop. What is the price?', ms: 1_000 })
    await saw('agent.speech_stopped', 2)
    end.abort()
    assert.deepEqual(textsOf('agent', await outcome), [long, 'It is one dollar.'])
    assert.deepEqual([heard, far.clears.length], [['Stop. What is the price?'], 0])
  })
})

describe('phrases of the service', { concurrency: 3 }, () => {
  test('reminders come before silence ends the call', async () => {
    const { outcome } = call(says(''), {
      agent: { welcomeMessage: 'Hola.', language: 'es-MX', phrases: { closing: 'Hasta pronto.' } },
      limits: { silenceTimeoutMs: 12_000, silenceReminders: { count: 2, everyMs: 4_000 } },
    })
    const result = await outcome
    assert.equal(result.endedReason, 'silence')
    assert.deepEqual(textsOf('agent', result), ['Hola.', '¿Sigue ahí?', '¿Sigue ahí?', 'Hasta pronto.'])
  })

  test('an agent that acts without a word says what happens', async () => {
    const transferred = call(async function* () {
      yield { type: 'transfer', to: '+12025550142', reason: 'asked' }
      yield done()
    })
    await transferred.saw('agent.speech_stopped')
    transferred.far.press('1#')
    assert.equal(textsOf('agent', await transferred.outcome)[1], 'One moment, please. I am connecting you.')
    transferred.far.stop()
    const handed = call(async function* () {
      yield { type: 'handoff', reason: 'asked' }
      yield done()
    })
    await handed.saw('agent.speech_stopped')
    handed.far.press('1#')
    assert.equal(textsOf('agent', await handed.outcome)[1], 'A colleague will call you back. Goodbye.')
  })

  test('a tool that answers at once is not announced by its line', async () => {
    const tool = { id: 't1', name: 'find_order' }
    const { far, outcome, saw, end } = call(async function* () {
      yield { type: 'say_meanwhile', text: 'Let me look.' }
      yield { type: 'tool_call', ...tool, arguments: {} }
      yield { type: 'tool_result', ...tool, result: 'shipped', is_error: false, took_ms: 1 }
      yield { type: 'text', text: 'It was shipped.' }
      yield done()
    })
    await saw('agent.speech_stopped')
    await far.say(await hum(900), 'Where is my order?')
    await saw('agent.speech_stopped', 2)
    end.abort()
    assert.equal(textsOf('agent', await outcome)[1], 'It was shipped.')
  })

  test('a slow tool without a line of its own is announced by the hold phrase', async () => {
    const tool = { id: 't1', name: 'find_order' }
    const { far, outcome, saw, end } = call(
      async function* () {
        yield { type: 'tool_call', ...tool, arguments: {} }
        await saw('agent.speech_started', 2)
        yield { type: 'tool_result', ...tool, result: 'shipped', is_error: false, took_ms: 5 }
        yield { type: 'text', text: 'It was shipped.' }
        yield done()
      },
      { limits: { holdAfterMs: 20 }, agent: { phrases: { hold: 'Let me look.' } } },
    )
    await saw('agent.speech_stopped')
    far.press('1#')
    await saw('agent.speech_stopped', 2)
    end.abort()
    assert.equal(textsOf('agent', await outcome)[1], 'Let me look. It was shipped.')
  })
})
