import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOfflineSpeech } from '../../../providers/speech/offline.ts'
import { begun, ended } from '../../../testing/calls.ts'
import { startCartesiaServer } from '../../../testing/cartesia-server.ts'
import { hearsAgent, startLivePhones } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'
import { startSpeechServer } from '../../../testing/speech-server.ts'

/** Faults of the carrier and of recognizers on a live phone call. */

const llm = await startLlmServer()
llm.always.answer = { say: ['Certainly.'] }
const deepgram = await startSpeechServer()
const cartesia = await startCartesiaServer()
const local = createOfflineSpeech({ processes: 1 })
after(() => local.close())
const { newOrganization } = await startLivePhones({
  ...llm.settings,
  DEEPGRAM_BASE_URL: deepgram.url,
  DEEPGRAM_API_KEY: 'deepgram-key',
  CARTESIA_BASE_URL: cartesia.url,
  CARTESIA_API_KEY: 'cartesia-key',
})
const agent = {
  agent_config: {
    voice_settings: { provider: 'local', provider_voice_id: 'slt' },
    fallbacks: { transcribers: [{ provider: 'cartesia' }] },
  },
}
/** About three seconds without a pause. */
const sentence = async () => {
  const options = { encoding: 'mulaw-8000' as const, voice: 'rms', language: 'en', signal: AbortSignal.timeout(60_000) }
  const text = 'I would like to know when my parcel arrives at the office in town.'
  return Buffer.concat(await Array.fromAsync(local.voice.speak(text, options)))
}

test('a carrier that answers twice gets one conversation', async () => {
  const org = await newOrganization(agent)
  const ring = await org.ring()
  // Of two streams with one ticket the first gets the call, so the other one waits until then.
  await begun(org, ring.id)
  const again = await ring.pickUp()
  assert.equal(await again.over, 'closed')
  const answered = hearsAgent(ring.phone)
  ring.phone.press('1#')
  await answered
  ring.phone.hangUp()
  const call = await ended(org, ring.id)
  assert.deepEqual([call.status, call.ended_reason], ['completed', 'caller_hung_up'])
  const { body } = await org.call('GET', `call-logs?search=${ring.callSid}`)
  assert.equal(body.total, 1)
})

test('a recognizer that hangs after it has answered is replaced during the call', async () => {
  const org = await newOrganization(agent)
  const ring = await org.ring()
  /** Waits until this was said and answered. */
  const answered = (text: string) =>
    until(async () => {
      const { segments } = (await org.call('GET', `calls/${ring.id}/transcript`)).body
      const texts = segments.map(({ segment }: { segment: { text: string } }) => segment.text)
      return texts[texts.lastIndexOf(text) + 1] === 'Certainly.' && texts.includes(text)
    })
  deepgram.texts.splice(0, 9, 'First question.')
  const audio = await sentence()
  await ring.phone.say(audio)
  await answered('First question.')
  deepgram.texts.length = 0
  deepgram.skip.finalizes = 99
  cartesia.texts.splice(0, 9, 'Second question.')
  await ring.phone.say(audio)
  await answered('Second question.')
  ring.phone.hangUp()
  const { analysis, transcript } = await ended(org, ring.id)
  assert.deepEqual(
    analysis.fallbacks.map(({ stage, from, to }: Record<string, string>) => [stage, from, to]),
    [['transcriber', 'deepgram', 'cartesia']],
  )
  const said = transcript.filter(({ speaker }: { speaker: string }) => speaker === 'caller')
  assert.deepEqual(
    said.map(({ text }: { text: string }) => text),
    ['First question.', 'Second question.'],
  )
})
