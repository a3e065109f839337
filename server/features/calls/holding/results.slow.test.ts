import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ended } from '../../../testing/calls.ts'
import { ok } from '../../../testing/conversations.ts'
import { startLivePhones } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'

const llm = await startLlmServer()
llm.always.answer = { say: ['Certainly.'] }
const { newOrganization } = await startLivePhones({ ...llm.settings })

const results = {
  extract: { type: 'object', properties: { plan: { type: 'string' } } },
  contact_fields: [{ property: 'plan', field: 'custom_fields.plan' }],
  success_criteria: [{ name: 'Sold' }],
  dispositions: [{ name: 'Call back' }],
}

test('a call has results, fills the contact, and the next call knows of it', async () => {
  const org = await newOrganization({ agent_config: { results } })
  const ring = await org.ring()
  const heard = Promise.withResolvers<void>()
  ring.phone.onHear((_, isAgent) => {
    if (isAgent) heard.resolve()
  })
  const given = { extracted: { plan: 'gold' }, success_criteria: [{ name: 'Sold', result: 'met', reason: 'Yes.' }] }
  llm.forms.push({
    call: [{ name: 'record_results', arguments: JSON.stringify({ ...given, disposition: 'Call back' }) }],
  })
  ring.phone.press('1#')
  await heard.promise
  ring.phone.hangUp()
  const call = await ended(org, ring.id)
  assert.deepEqual(call.analysis.results, {
    ...given,
    disposition: 'Call back',
    contact_fields: [{ property: 'plan', field: 'custom_fields.plan', value: 'gold', status: 'written' }],
    model: 'gpt-5-mini-2026',
    error: null,
  })
  assert.equal(call.summary, 'Certainly.')
  assert.equal(ok(await org.call('GET', `contacts/${call.contact_id}`)).custom_fields.plan, 'gold')
  const [event] = ok(await org.call('GET', 'events?type=call.analyzed')).data
  assert.deepEqual(event.data.object.analysis.results, call.analysis.results)

  const again = await org.ring({ from: ring.from })
  const answered = Promise.withResolvers<void>()
  again.phone.onHear((_, isAgent) => {
    if (isAgent) answered.resolve()
  })
  const asked = llm.requests.length
  again.phone.press('2#')
  await answered.promise
  const { messages } = llm.requests[asked]?.body ?? {}
  assert.match(messages[0].content, /<memory \w+>\nCall on \w+ \d+, \d+ \(Call back\): Certainly\.\n<\/memory/)
  again.phone.hangUp()
  await ended(org, again.id)
})
