import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ended } from '../../../testing/calls.ts'
import { startLivePhones } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'

const llm = await startLlmServer()
const { newOrganization } = await startLivePhones(llm.settings)

test('a card number that the caller enters is masked wherever the call is stored', async () => {
  const org = await newOrganization({ agent_type: 'static' })
  assert.equal((await org.call('PATCH', 'privacy', { masking: { card_numbers: true } })).status, 200)
  const ring = await org.ring()
  ring.phone.press('4111111111111111#')
  await until(async () => {
    const { body } = await org.call('GET', `calls/${ring.id}/transcript`)
    return JSON.stringify(body).includes('*1111')
  })
  ring.phone.hangUp()
  const call = await ended(org, ring.id)
  const texts = call.transcript.map(({ text }: { text: string }) => text)
  assert.ok(texts.includes('************1111#'), JSON.stringify(texts))
  const events = (await org.call('GET', 'events?limit=100')).text
  assert.doesNotMatch(JSON.stringify(call) + events, /4111111111111111/)
})

test('a card number in the reason of a transfer is masked in the briefing', async () => {
  const call_settings = { transfer_number: '+12025550142', warm_transfer: true }
  const org = await newOrganization({ agent_config: { call_settings } })
  assert.equal((await org.call('PATCH', 'privacy', { masking: { card_numbers: true } })).status, 200)
  const reason = 'Wants a refund to 4111 1111 1111 1111.'
  llm.next.push({ call: [{ name: 'transfer_call', arguments: JSON.stringify({ say: 'One moment.', reason }) }] })
  const ring = await org.ring()
  ring.phone.press('1#')
  const call = await ended(org, ring.id)
  assert.equal(call.ended_reason, 'transferred')
  assert.match(call.transfer.briefing, /refund to \*{4} \*{4} \*{4} 1111\./)
  ring.phone.hangUp()
})
