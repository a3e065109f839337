import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { createHummingVoice } from '../../../providers/speech/scripted.ts'
import { says, startCall, textsOf } from '../../../testing/conversations-by-voice.ts'
import { until } from '../../../testing/process.ts'
import { type RecordedSound, recordTurns } from '../../../testing/recorded-turns.ts'

/** Scores turn-taking on a fixed set of caller sounds, on the media of calls, with the recognizer and detectors. */

const speech = createOfflineSpeech()
after(() => speech.close())
const recorded = await recordTurns()
const voice = createHummingVoice()
/** Calls wait in real time most of the time. */
const atOnce = 6

const long = 'Our house has three departments. The first one looks after parcels. The second one looks after letters.'

/** The sounds for which `isWrong` resolves to true. */
async function wrongOnes(sounds: RecordedSound[], isWrong: (sound: RecordedSound) => Promise<boolean>) {
  const wrong: string[] = []
  const waiting = [...sounds]
  const work = async () => {
    for (let sound = waiting.shift(); sound; sound = waiting.shift()) if (await isWrong(sound)) wrong.push(sound.name)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return wrong
}

test('callers are not cut off at the pauses of a turn, and every turn is answered', async (t) => {
  const cut = await wrongOnes(recorded.turns, async ({ audio }) => {
    const one = startCall(speech, says('Yes.'), { voice, agent: { welcomeMessage: '' } })
    await one.saw('session.started')
    await one.far.say(audio)
    await one.saw('agent.speech_stopped')
    one.end.abort()
    const result = await one.outcome
    return textsOf('caller', result).length !== 1
  })
  t.diagnostic(`${cut.length} of ${recorded.turns.length} turns cut off: ${cut.join(' / ')}`)
  assert.ok(cut.length / recorded.turns.length <= 0.03, cut.join('\n'))
})

/** Whether the sound interrupts an agent that has spoken for a second. */
async function interrupts({ audio }: RecordedSound): Promise<boolean> {
  const one = startCall(speech, says('Yes.'), { voice, agent: { welcomeMessage: long } })
  await one.saw('agent.speech_started')
  await until(async () => one.far.heard().length > 1_000 * 8)
  await one.far.say(audio)
  await one.saw('agent.speech_stopped')
  one.end.abort()
  const { transcript } = await one.outcome
  return transcript.some(({ interrupted, text }) => interrupted && text !== long)
}

test('callers who want the turn get it, and others do not interrupt the agent', async (t) => {
  const missed = await wrongOnes(recorded.interruptions, async (sound) => !(await interrupts(sound)))
  const mistaken = await wrongOnes(recorded.harmless, interrupts)
  t.diagnostic(`${missed.length} of ${recorded.interruptions.length} missed: ${missed.join(' / ')}`)
  t.diagnostic(`${mistaken.length} of ${recorded.harmless.length} false: ${mistaken.join(' / ')}`)
  assert.ok(missed.length / recorded.interruptions.length <= 0.02, missed.join('\n'))
  assert.ok(mistaken.length / recorded.harmless.length <= 0.02, mistaken.join('\n'))
})
