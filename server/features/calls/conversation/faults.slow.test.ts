import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import type { Voice } from '../../../providers/speech/contract.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import type { FarEndOptions } from '../../../testing/call-media.ts'
import { done, says, startCall, type TestSetup, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'
import type { CallConverse } from './contract.ts'

/**
 * No speech packages installed: the humming voice replaces speech, which is cheap and can run faster than real time.
 */
const bare = createOfflineSpeech({ isInstalled: () => false })
after(() => bare.close())
const fast: FarEndOptions = { speed: 4, scripted: true }
const call = (converse: CallConverse, setup: TestSetup = {}, farEnd = fast) =>
  startCall(bare, converse, { ...setup, agent: { phrases, ...setup.agent } }, farEnd)
const phrases = { say_again: 'Sorry, once more?', try_later: 'Sorry, it is us. Try later.', closing: 'Goodbye.' }
const hum = async (text: string) =>
  Buffer.concat(
    await Array.fromAsync(
      bare.voice.speak(text, { encoding: 'mulaw-8000', voice: '', language: 'en', signal: AbortSignal.timeout(9_000) }),
    ),
  )
/** The caller says the next line each time the agent has spoken. */
async function talk({ far, saw }: ReturnType<typeof call>, lines: string[], after = 1): Promise<void> {
  for (const [i, line] of lines.entries()) {
    await saw('agent.speech_stopped', after + i)
    await far.say(await hum(line), line)
  }
}
const never = () => new Promise<never>(() => {})

describe('a call without speech packages', { concurrency: 4 }, () => {
  test('runs, and marks the caller’s text as scripted', async () => {
    const one = call(says('We open at nine.'))
    await talk(one, ['When do you open?', 'And on Sunday?'])
    await one.saw('agent.speech_stopped', 3)
    one.end.abort()
    const { transcript, failures } = await one.outcome
    assert.deepEqual(failures, [])
    assert.deepEqual(
      transcript.filter(({ speaker }) => speaker === 'caller').map(({ timestamp: _, ...rest }) => rest),
      ['When do you open?', 'And on Sunday?'].map((text) => ({
        speaker: 'caller',
        text,
        source: 'scripted',
        scripted_text: text,
      })),
    )
    assert.deepEqual(one.heard, ['When do you open?', 'And on Sunday?'])
  })

  test('fails if the caller has no script, instead of treating the caller as silent', async () => {
    const one = call(says('Hello?'), {}, { speed: 4 })
    await talk(one, ['Hello', 'Hello'])
    const { endedReason, failures } = await one.outcome
    assert.equal(endedReason, 'failed')
    assert.match(failures[0]?.message ?? '', /Speech recognition is not configured/)
    assert.deepEqual(one.heard, [])
  })
})

describe('a failing stage', { concurrency: 4 }, () => {
  test('the model throws: the agent apologizes and the call continues', async () => {
    let turn = 0
    const one = call(async function* () {
      if (++turn === 1) throw new Error('overloaded')
      yield { type: 'text', text: 'Here I am.' }
      yield done()
    })
    await talk(one, ['Hello?', 'Are you there?'])
    await one.saw('agent.speech_stopped', 3)
    one.end.abort()
    const outcome = await one.outcome
    assert.deepEqual(textsOf('agent', outcome).slice(1), ['Sorry, once more?', 'Here I am.'])
    assert.deepEqual(
      outcome.failures.map(({ stage, message }) => ({ stage, message })),
      [{ stage: 'model', message: 'overloaded' }],
    )
  })

  test('the model fails or hangs in mid-answer: spoken sentences stay and an apology follows', async () => {
    for (const fault of [() => Promise.reject(new Error('cut')), never]) {
      const one = call(
        async function* () {
          yield { type: 'text', text: 'The first sentence. And half of the sec' }
          await fault()
        },
        { limits: { modelTimeoutMs: 200 } },
      )
      await talk(one, ['Hello?'])
      await one.saw('agent.speech_stopped', 2)
      one.end.abort()
      const outcome = await one.outcome
      assert.equal(textsOf('agent', outcome)[1], 'The first sentence. Sorry, once more?')
      assert.equal(outcome.failures[0]?.stage, 'model')
    }
  })

  test('the model fails twice in a row: the agent announces what happens next and the call ends', async () => {
    const fails: CallConverse = () => {
      throw new Error('no such model')
    }
    const one = call(fails)
    await talk(one, ['One', 'Two'])
    // Input during the announcement is ignored.
    await one.saw('agent.speech_started', 3)
    one.far.press('1#')
    const outcome = await one.outcome
    assert.deepEqual([outcome.endedReason, outcome.gaveUp, outcome.failures.length], ['failed', true, 2])
    assert.deepEqual(textsOf('agent', outcome).slice(1), ['Sorry, once more?', phrases.try_later])
    assert.ok(one.far.isHungUp())
    const two = call(fails, { agent: { givingUp: { transferTo: '+12025550142' } } })
    await talk(two, ['One', 'Two'])
    const transferred = await two.outcome
    assert.deepEqual([transferred.endedReason, transferred.gaveUp], ['transferred', true])
    assert.ok(!two.far.isHungUp(), 'the line is left to the carrier')
    two.far.stop()
  })

  test('a successful answer resets the failure count', async () => {
    let turn = 0
    const one = call(async function* () {
      if (++turn % 2 === 1) throw new Error('overloaded')
      yield { type: 'text', text: 'Here I am.' }
      yield done()
    })
    await talk(one, ['One', 'Two', 'Three', 'Four'])
    await one.saw('agent.speech_stopped', 5)
    one.end.abort()
    assert.equal((await one.outcome).gaveUp, undefined)
  })

  test('the transcriber fails or hangs: the agent apologizes, then ends the call', async () => {
    for (const finish of [() => Promise.reject(new Error('down')), never]) {
      const stream = { write() {}, pause: () => undefined, finish, discard() {}, close() {} }
      const transcriber = { provider: 'p', model: 'm', source: 'recognised' as const, open: () => stream }
      const setup = { transcriber, limits: { transcriberTimeoutMs: 100 } }
      const simulated = call(says('Hi.'), setup)
      await talk(simulated, ['A script stands in'])
      await simulated.saw('agent.speech_stopped', 2)
      simulated.end.abort()
      const [segment] = (await simulated.outcome).transcript.filter(({ speaker }) => speaker === 'caller')
      assert.deepEqual([segment?.text, segment?.source], ['A script stands in', 'scripted'])
      const one = call(says('Hi.'), setup, { speed: 4 })
      await talk(one, ['One', 'Two'])
      const outcome = await one.outcome
      assert.equal(outcome.endedReason, 'failed')
      assert.deepEqual(new Set(outcome.failures.map(({ stage }) => stage)), new Set(['transcriber']))
      assert.deepEqual(textsOf('agent', outcome).slice(1), ['Sorry, once more?', phrases.try_later])
    }
  })

  test('the transcriber is slow: after barge-in the agent stays silent until the transcript arrives', async () => {
    const { promise: finish, resolve } = Promise.withResolvers<string>()
    const stream = { write() {}, pause: () => undefined, finish: () => finish, discard() {}, close() {} }
    const transcriber = { provider: 'p', model: 'm', source: 'recognised' as const, open: () => stream }
    const welcomeMessage =
      'There is a lot to tell, and it takes a long time to tell it all, as you will hear in a moment.'
    const one = call(says('Yes?'), { transcriber, agent: { welcomeMessage } })
    const { far, events } = one
    await one.saw('agent.speech_started')
    await until(async () => far.heard().length > 500 * 8)
    await far.say(await hum('One moment please, I have a question'))
    const said = far.now()
    await until(async () => far.now() > said + 5_000)
    assert.deepEqual(
      events.filter(({ type }) => type === 'interruption'),
      [],
    )
    assert.ok(far.lastPlayedAt() < said, 'the agent is silent meanwhile')
    resolve('I have a question')
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    const outcome = await one.outcome
    const [cut = '', answer] = textsOf('agent', outcome)
    assert.ok(cut.length < welcomeMessage.length && welcomeMessage.startsWith(cut), cut)
    assert.equal(answer, 'Yes?')
    // On a busy machine the speech may be split into two turns; both are transcribed.
    assert.ok(one.heard.length > 0 && one.heard.every((text) => text.startsWith('I have a question')), `${one.heard}`)
  })

  test('the voice fails for one sentence: the others are played, and only they are in the transcript', async () => {
    const voice: Voice = {
      ...bare.voice,
      async *speak(text, options) {
        const [first = new Uint8Array(0)] = await Array.fromAsync(bare.voice.speak(text, options))
        if (!text.includes('second')) return yield first
        yield first.subarray(0, first.length / 2)
        throw new Error('out of breath')
      },
    }
    const one = call(says('This is the first. This is the second of the sentences. This is the third.'), { voice })
    await talk(one, ['Go on'])
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    const outcome = await one.outcome
    const [, said = ''] = textsOf('agent', outcome)
    assert.match(said, /^This is the first\. This/)
    assert.match(said, /This is the third\. Sorry, once more\?$/)
    assert.doesNotMatch(said, /of the sentences/)
    assert.deepEqual(
      outcome.failures.map(({ stage }) => stage),
      ['voice'],
    )
  })

  test('a voice that never produces audio ends the call', async () => {
    for (const fault of [() => Promise.reject(new Error('mute')), never]) {
      const voice: Voice = {
        ...bare.voice,
        // biome-ignore lint/correctness/useYield: this one never says anything
        async *speak() {
          await fault()
        },
      }
      const { outcome } = call(says('Hi.'), { voice, limits: { voiceTimeoutMs: 50 } })
      const { endedReason, transcript, failures } = await outcome
      assert.equal(endedReason, 'failed')
      assert.ok(failures.every(({ stage }) => stage === 'voice'))
      assert.deepEqual(transcript, [])
    }
  })

  test('a voice detector that fails to open ends its call, and a throwing event listener is ignored', async () => {
    const one = call(says('Hi.'), { voiceActivity: { open: () => Promise.reject(new Error('no memory')) } })
    assert.equal((await one.outcome).endedReason, 'failed')
    const two = call(says('Hi.'), {
      onEvent() {
        throw new Error('listener failed')
      },
    })
    await until(async () => two.far.heard().some((byte) => byte !== 0xff))
    two.far.hangUp()
    assert.equal((await two.outcome).endedReason, 'caller_hung_up')
  })

  test('frames that arrive in odd pieces are understood', async () => {
    const one = call(says('Yes.'), {}, { ...fast, pieces: (frame) => [frame.subarray(0, 33), frame.subarray(33)] })
    await talk(one, ['Is anybody there?'])
    await one.saw('agent.speech_stopped', 2)
    one.end.abort()
    await one.outcome
    assert.deepEqual(one.heard, ['Is anybody there?'])
  })

  test('a far end that sends no frames is greeted and hung up on after the silence timeout', async () => {
    const limits = { silenceTimeoutMs: 2_000 }
    const agent = { welcomeMessage: 'Hello?' }
    const one = call(says('Yes.'), { agent, limits }, { ...fast, pieces: () => [] })
    const outcome = await one.outcome
    assert.deepEqual([outcome.endedReason, textsOf('agent', outcome)], ['silence', ['Hello?', 'Goodbye.']])
  })
})

test('killing a speech process during a call affects neither that call nor another', async () => {
  const speech = createOfflineSpeech({ processes: 1 })
  after(() => speech.close())
  const other = call(says('I am fine.'), { limits: { silenceTimeoutMs: 600_000, maxDurationMs: 900_000 } })
  const one = startCall(speech, says('This is an answer. It has several sentences. They take a while to be said.'), {
    agent: { welcomeMessage: 'Good morning.' },
  })
  await one.saw('agent.speech_started')
  one.far.press('1#')
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ').map(Number)
  for (const pid of children)
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('speech-process'))
      process.kill(pid, 'SIGKILL')
  await one.saw('agent.speech_stopped', 2)
  one.far.press('2#')
  await one.saw('agent.speech_stopped', 3)
  one.end.abort()
  const outcome = await one.outcome
  assert.equal(outcome.endedReason, 'ended_by_request')
  assert.match(textsOf('agent', outcome).at(-1) ?? '', /They take a while to be said\.$/)
  await talk(other, ['How are you?'])
  await other.saw('agent.speech_stopped', 2)
  other.end.abort()
  const unharmed = await other.outcome
  assert.deepEqual([unharmed.failures, textsOf('agent', unharmed).at(-1)], [[], 'I am fine.'])
})
