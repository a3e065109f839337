import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Voice } from '../../../../providers/speech/contract.ts'
import { createOfflineSpeech } from '../../../../providers/speech/offline.ts'
import { says, startCall, textsOf } from '../../../../testing/conversations-by-voice.ts'

const bare = createOfflineSpeech({ isInstalled: () => false })
after(() => bare.close())

test('the voice gets words, the transcript the address; the agent gets what the caller spelled in writing', async () => {
  const spoken: string[] = []
  const voice: Voice = {
    ...bare.voice,
    speak(text, options) {
      spoken.push(text)
      return bare.voice.speak(text, options)
    },
  }
  const written = 'Write to ada@example.com.'
  const one = startCall(bare, says(written), { voice }, { speed: 4, scripted: true })
  await one.saw('agent.speech_stopped')
  const options = { encoding: 'mulaw-8000' as const, voice: '', language: 'en', signal: AbortSignal.timeout(9_000) }
  const hum = Buffer.concat(await Array.fromAsync(bare.voice.speak('This is a hum.', options)))
  const said = 'My number is four one five five five five zero one four two.'
  await one.far.say(hum, said)
  await one.saw('agent.speech_stopped', 2)
  one.end.abort()
  const outcome = await one.outcome
  assert.equal(spoken.at(-1), 'Write to ada at example dot com.')
  assert.equal(textsOf('agent', outcome).at(-1), written)
  assert.deepEqual([textsOf('caller', outcome), one.heard], [[said], ['My number is 4155550142.']])
})
