import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { ended, untilCall } from '../../../testing/calls.ts'
import { hearsAgent, startLivePhones } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { startSpeechServer } from '../../../testing/speech-server.ts'

/** A live phone call whose providers fail, with an organization that pays for one of them itself. */

const llm = await startLlmServer()
const speech = await startSpeechServer()
const { newOrganization } = await startLivePhones({
  ...llm.settings,
  ELEVENLABS_BASE_URL: speech.url,
  ELEVENLABS_API_KEY: 'eleven-of-the-installation',
})

test('the call goes on with the next model and the next voice, and shows who pays', async () => {
  const org = await newOrganization({
    agent_config: {
      llm_model: 'gpt-first',
      voice_settings: { provider: 'elevenlabs', provider_voice_id: 'clone1' },
      fallbacks: {
        models: [{ provider: 'google', model: 'gemini-2.5-flash' }],
        voices: [{ provider: 'local', provider_voice_id: 'awb' }],
      },
    },
  })
  ok(await org.call('PUT', 'provider-keys/google', { key: 'google-key-of-the-organization' }))
  llm.next.push({ status: 400 }, { say: ['We are open until six.'] })
  speech.faults.push({ status: 503 })
  const ring = await org.ring()
  const answered = hearsAgent(ring.phone)
  ring.phone.press('1#')
  await answered
  ring.phone.hangUp()
  assert.equal((await ended(org, ring.id)).status, 'completed')
  const call = await untilCall(org, ring.id, ({ analysis }) => analysis !== null)
  assert.deepEqual(
    call.analysis.fallbacks.map(({ stage, from, to }: Record<string, string>) => [stage, from, to]),
    [
      ['model', 'openai/gpt-first', 'google/gemini-2.5-flash'],
      ['voice', 'elevenlabs', 'local'],
    ],
  )
  assert.deepEqual(call.analysis.failures, [])
  assert.equal(llm.requests[1]?.headers['x-goog-api-key'], 'google-key-of-the-organization')
  assert.ok(call.cost_breakdown.own_keys > 0)
  assert.ok(call.cost_breakdown.own_keys <= call.cost_breakdown.llm)
})
