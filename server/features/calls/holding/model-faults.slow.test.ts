import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ended, untilCall } from '../../../testing/calls.ts'
import { startLivePhones, type VoiceOrganization } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { startToolServer } from '../../../testing/tool-server.ts'

/** Live phone calls with a hosted model that fails. The caller presses keys; each entry is a turn. */

const llm = await startLlmServer()
const tools = await startToolServer()
const { carrier, newOrganization } = await startLivePhones({ ...llm.settings, OUTBOUND_ALLOW: ['127.0.0.1'] })

/** Presses a key, waits for the apology and presses another: two failing turns. */
async function failTwice({ phone }: Awaited<ReturnType<VoiceOrganization['ring']>>): Promise<void> {
  const apology = Promise.withResolvers<void>()
  phone.onHear((_, isAgent) => {
    if (isAgent) apology.resolve()
  })
  phone.press('1#')
  await apology.promise
  phone.press('2#')
}
const tasksOf = async (org: VoiceOrganization, contactId: string) =>
  (await org.call('GET', `crm/tasks?contact_id=${contactId}`)).body.data

test('a media stream that names another carrier call is refused, and the right one can still join', async () => {
  const org = await newOrganization({ agent_type: 'static' })
  const ring = await org.ring({ streamOf: 'CAanother' })
  assert.equal(await ring.phone.over, 'closed')
  const show = async () => (await org.call('GET', `calls/${ring.id}`)).body
  assert.equal((await show()).status, 'in-progress')
  const phone = await ring.pickUp()
  await untilCall(org, ring.id, ({ agent_version }) => agent_version !== null)
  phone.hangUp()
  assert.equal((await ended(org, ring.id)).ended_reason, 'caller_hung_up')
})

describe('a model that fails on the phone', () => {
  test('twice in a row without a transfer number: the agent promises a call back and a task is created', async () => {
    const org = await newOrganization({ agent_config: { language: 'de-DE' } })
    llm.always.answer = { status: 400 }
    const ring = await org.ring()
    await failTwice(ring)
    const call = await ended(org, ring.id)
    assert.deepEqual([call.status, call.ended_reason, call.error.code], ['failed', 'failed', 'model_failed'])
    assert.match(call.error.message, /openai refused the request/)
    const said = call.transcript
      .filter(({ speaker }: { speaker: string }) => speaker === 'agent')
      .map(({ text }: { text: string }) => text)
    assert.equal(said.at(-1), 'Entschuldigung, wir haben hier ein technisches Problem. Ein Kollege ruft Sie zurück.')
    const [task] = await tasksOf(org, call.contact_id)
    assert.equal(task.title, `Call back ${ring.from}`)
    assert.match(task.description, /model failed: openai refused/)
    const { body: tickets } = await org.call('GET', `inbox/tickets?contact_id=${call.contact_id}`)
    assert.equal(tickets.total, 1)
    assert.equal((await org.call('GET', `contacts/${call.contact_id}`)).body.ai_handling, true)
    assert.equal(call.analysis.failures.length, 2)
  })

  test('with a transfer number: the carrier connects the caller, or a task to call back is created if it refuses', async () => {
    const org = await newOrganization({ agent_config: { call_settings: { transfer_number: '+12025550142' } } })
    llm.always.answer = { status: 400 }
    const first = await org.ring()
    await failTwice(first)
    const transferred = await ended(org, first.id)
    assert.deepEqual(
      [transferred.status, transferred.ended_reason, transferred.error],
      ['completed', 'transferred', null],
    )
    assert.match(transferred.transcript.at(-1).text, /I am connecting you to a colleague\.$/)
    const request = carrier.requests.find(({ callSid }) => callSid === first.callSid)
    assert.match(request?.form.Twiml ?? '', /<Number>\+12025550142<\/Number>/)
    assert.equal(request?.form.TimeLimit, '14400', 'the colleague may talk for longer than the agent')
    assert.deepEqual(await tasksOf(org, transferred.contact_id), [])
    first.phone.hangUp()

    const second = await org.ring()
    carrier.refusals.push(400)
    await failTwice(second)
    const failed = await ended(org, second.id)
    assert.deepEqual([failed.status, failed.ended_reason, failed.error.code], ['failed', 'failed', 'model_failed'])
    assert.equal((await tasksOf(org, failed.contact_id)).length, 1)
  })

  test('by calling a tool endlessly: each turn stops after six rounds', async () => {
    const tool = {
      name: 'find_order',
      description: 'Looks up an order',
      method: 'POST',
      url: `${tools.url}/orders/{number}`,
      parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    }
    const org = await newOrganization({ agent_config: { tools: [tool] } })
    llm.always.answer = { call: [{ name: 'find_order', arguments: '{"number":"1"}' }] }
    const asked = llm.requests.length
    const ring = await org.ring()
    await failTwice(ring)
    const call = await ended(org, ring.id)
    assert.deepEqual([call.status, call.ended_reason], ['failed', 'failed'])
    assert.match(call.error.message, /no answer after 6 rounds/)
    // Seven requests per turn, plus one for the summary, which the model did not write either.
    assert.deepEqual([tools.requests.length, llm.requests.length - asked], [12, 15])
    assert.equal(call.summary, 'The call failed.')
    assert.equal(call.analysis.tool_calls.length, 12)
  })
})
