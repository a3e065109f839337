import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadFlite } from '../../../providers/speech/flite.ts'
import { encodeMulaw } from '../../../providers/speech/mulaw.ts'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { resample } from '../../../providers/speech/resample.ts'
import { createHummingVoice } from '../../../providers/speech/scripted.ts'
import { says, startCall, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'

/** Sounds that are not speech, and speech of two people, with the recognizer and the voice detectors. */

const speech = createOfflineSpeech()
after(() => speech.close())
const voice = createHummingVoice()

/** A melody in thirds with a bass, at the level of speech. */
function music(seconds: number): Buffer {
  const notes = [262, 330, 392, 523, 440, 349, 392, 330]
  return Buffer.from(
    encodeMulaw(
      Int16Array.from({ length: seconds * 8_000 }, (_, i) => {
        const note = notes[Math.floor(i / 3_200) % notes.length] as number
        const fades = Math.exp(-(i % 3_200) / 2_400)
        const tone = (hertz: number) => Math.sin((2 * Math.PI * hertz * i) / 8_000)
        return 5_000 * (fades * (tone(note) + 0.6 * tone(note * 1.25) + 0.4 * tone(2 * note)) + 0.5 * tone(131))
      }),
    ),
  )
}

test('music on hold neither interrupts the agent for long nor keeps the call open', async () => {
  const welcomeMessage = 'Our house has three departments. The first one looks after parcels.'
  const limits = { silenceTimeoutMs: 8_000 }
  const one = startCall(speech, says('Yes.'), { voice, limits, agent: { welcomeMessage } })
  await one.saw('session.started')
  void one.far.say(music(60))
  const outcome = await one.outcome
  assert.deepEqual([outcome.endedReason, outcome.failures], ['silence', []])
  assert.equal(textsOf('agent', outcome)[0], welcomeMessage)
})

/** Two people who begin half a second apart, equally loud. */
async function twoPeople(): Promise<Buffer> {
  const flite = await loadFlite()
  const say = (text: string, name: string) => {
    const { samples, sampleRate } = flite.speak(text, name)
    return resample(samples, sampleRate, 8_000)
  }
  const caller = say('Hello, I would like to know when my parcel arrives at the office in town.', 'rms')
  const other = say('Ask them about the other one as well, and whether we can pick it up on Sunday.', 'slt')
  const both = Int16Array.from(
    { length: Math.max(caller.length, other.length + 4_000) },
    (_, i) => ((caller[i] ?? 0) + (other[i - 4_000] ?? 0)) / 2,
  )
  return Buffer.from(encodeMulaw(both))
}

test('two people who talk at once are one turn that is answered when both are silent', async () => {
  const one = startCall(speech, says('Certainly.'), { voice, agent: { welcomeMessage: '' } })
  await one.saw('session.started')
  await one.far.say(await twoPeople())
  await one.saw('agent.speech_stopped')
  one.far.press('1#')
  await one.saw('agent.speech_stopped', 2)
  one.end.abort()
  const outcome = await one.outcome
  assert.deepEqual(outcome.failures, [])
  assert.equal(textsOf('caller', outcome).length, 2)
  assert.deepEqual(textsOf('agent', outcome), ['Certainly.', 'Certainly.'])
})

test('two people who talk over the agent at once interrupt it once, and get one answer', async () => {
  const sounds = await twoPeople()
  const welcomeMessage =
    'Our house has three departments. The first one looks after parcels. The second one looks after letters. The third one looks after everything else.'
  const one = startCall(speech, says('Certainly.'), { voice, agent: { welcomeMessage } })
  await one.saw('agent.speech_started')
  const { length } = one.far.heard()
  await until(async () => one.far.heard().length > length + 1_000 * 8)
  await one.far.say(sounds)
  await one.saw('agent.speech_stopped', 2)
  one.end.abort()
  const { transcript, failures } = await one.outcome
  const shown = transcript.map(({ speaker, interrupted = false }) => [speaker, interrupted])
  assert.deepEqual(
    [shown, failures],
    [
      [
        ['agent', true],
        ['caller', false],
        ['agent', false],
      ],
      [],
    ],
  )
  assert.ok(welcomeMessage.startsWith(transcript[0]?.text ?? '?'))
  assert.equal(transcript[2]?.text, 'Certainly.')
})
