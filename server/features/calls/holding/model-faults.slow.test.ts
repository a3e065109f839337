import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reply } from '../../../testing/app.ts'
import { begun, ended } from '../../../testing/calls.ts'
import { hearsAgent, startLivePhones, type VoiceOrganization } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'
import { startToolServer } from '../../../testing/tool-server.ts'

/** Live phone calls with a hosted model that fails. The caller presses keys; each entry is a turn. */

const llm = await startLlmServer()
const tools = await startToolServer()
const { carrier, newOrganization } = await startLivePhones({ ...llm.settings, OUTBOUND_ALLOW: ['127.0.0.1'] })

/** Presses a key, waits for the apology and presses another: two failing turns. */
async function failTwice({ phone }: Awaited<ReturnType<VoiceOrganization['ring']>>): Promise<void> {
  const apology = hearsAgent(phone)
  phone.press('1#')
  await apology
  phone.press('2#')
}
const tasksOf = async (org: VoiceOrganization, contactId: string) =>
  (await org.call('GET', `crm/tasks?contact_id=${contactId}`)).body.data
const wordsOf = ({ transcript }: Reply['body']): string[] =>
  transcript.filter(({ speaker }: { speaker: string }) => speaker === 'agent').map(({ text }: { text: string }) => text)
/** What the service asked of the carrier for this call. */
const requestsOf = (ring: { callSid: string }) =>
  carrier.requests.filter(({ callSid }) => callSid === ring.callSid).map(({ form }) => form)
async function assertCallBack(org: VoiceOrganization, call: Reply['body']) {
  const tasks = await tasksOf(org, call.contact_id)
  assert.deepEqual(
    tasks.map(({ title }: { title: string }) => title),
    [`Call back ${call.from_number}`],
  )
  const { body: tickets } = await org.call('GET', `inbox/tickets?contact_id=${call.contact_id}`)
  assert.equal(tickets.total, 1)
  return tasks[0]
}
const callBack = 'I am sorry, we have a technical problem here. A colleague will call you back.'
const transferring = { agent_config: { call_settings: { transfer_number: '+12025550142' } } }

test('a media stream that names another carrier call is refused, and the right one can still join', async () => {
  const org = await newOrganization({ agent_type: 'static' })
  const ring = await org.ring({ streamOf: 'CAanother' })
  assert.equal(await ring.phone.over, 'closed')
  const show = async () => (await org.call('GET', `calls/${ring.id}`)).body
  assert.equal((await show()).status, 'in-progress')
  const phone = await ring.pickUp()
  await begun(org, ring.id)
  phone.hangUp()
  assert.equal((await ended(org, ring.id)).ended_reason, 'caller_hung_up')
})

test('a transfer that the agent decided and the carrier refuses becomes a hand-off, and the caller is told', async () => {
  const rules = [{ when: ['keys'], say: 'I am connecting you.', then: 'transfer' }]
  const call_settings = { transfer_number: '+12025550142', rules }
  const org = await newOrganization({ agent_type: 'static', agent_config: { call_settings } })
  const ring = await org.ring()
  carrier.refusals.set(ring.callSid, 400)
  ring.phone.press('1#')
  const call = await ended(org, ring.id)
  assert.deepEqual([call.status, call.ended_reason, call.error], ['completed', 'handed_off', null])
  assert.deepEqual(wordsOf(call), ['I am connecting you.', callBack])
  await assertCallBack(org, call)
})

describe('a model that fails on the phone', { concurrency: true }, () => {
  llm.always.answer = { status: 400 }

  test('twice in a row without a transfer number: the agent promises a call back and a task is created', async () => {
    const org = await newOrganization({ agent_config: { language: 'de-DE' } })
    const ring = await org.ring()
    await failTwice(ring)
    const call = await ended(org, ring.id)
    assert.deepEqual([call.status, call.ended_reason, call.error.code], ['failed', 'failed', 'model_failed'])
    assert.match(call.error.message, /openai refused the request/)
    assert.equal(wordsOf(call).at(-1), 'Entschuldigung, wir haben hier ein technisches Problem. Wir rufen Sie zurück.')
    const task = await assertCallBack(org, call)
    assert.match(task.description, /model failed: openai refused/)
    assert.equal((await org.call('GET', `contacts/${call.contact_id}`)).body.ai_handling, true)
    assert.equal(call.analysis.failures.length, 2)
  })

  test('with a transfer number: the carrier connects the caller', async () => {
    const org = await newOrganization(transferring)
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
  })

  for (const { refusal, name } of [
    { refusal: 400, name: 'refuses the transfer' },
    { refusal: 503, name: 'fails to transfer' },
    { refusal: undefined, name: 'does not answer whether it transfers' },
  ])
    test(`with a carrier that ${name}: the agent promises a call back, and a task is created`, async () => {
      const org = await newOrganization(transferring)
      const ring = await org.ring()
      carrier.refusals.set(ring.callSid, refusal)
      await failTwice(ring)
      const call = await ended(org, ring.id)
      assert.deepEqual([call.status, call.ended_reason, call.error.code], ['failed', 'failed', 'model_failed'])
      assert.match(call.error.message, /openai refused the request.*The transfer failed: /)
      assert.equal(wordsOf(call).at(-1), callBack)
      await assertCallBack(org, call)
      await until(async () => requestsOf(ring).at(-1)?.Status === 'completed')
    })

  test('with a carrier that transfers without an answer: the call ends as transferred and is not hung up', async () => {
    const org = await newOrganization(transferring)
    const ring = await org.ring()
    carrier.refusals.set(ring.callSid, undefined)
    await failTwice(ring)
    await until(async () => requestsOf(ring).length === 1)
    ring.phone.hangUp()
    const call = await ended(org, ring.id)
    assert.deepEqual([call.status, call.ended_reason, call.error], ['completed', 'transferred', null])
    assert.deepEqual(await tasksOf(org, call.contact_id), [])
    assert.equal(requestsOf(ring).length, 1)
  })

  test('with a carrier that does not answer, and a caller who hangs up: a task to call back is created', async () => {
    const org = await newOrganization(transferring)
    const ring = await org.ring()
    carrier.refusals.set(ring.callSid, undefined)
    await failTwice(ring)
    await until(async () => requestsOf(ring).length === 1)
    carrier.over.add(ring.callSid)
    ring.phone.hangUp()
    const call = await ended(org, ring.id)
    assert.deepEqual([call.status, call.ended_reason, call.error.code], ['failed', 'failed', 'model_failed'])
    await assertCallBack(org, call)
  })
})

test('a model that calls a tool endlessly on the phone: each turn stops after six rounds', async () => {
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
  ring.phone.press('1#')
  // Not until the agent is heard: during a slow turn that is the hold phrase, and a key would stop the turn.
  await until(async () => {
    const { segments } = (await org.call('GET', `calls/${ring.id}/transcript`)).body
    return segments.some(({ segment }: { segment: { speaker: string } }) => segment.speaker === 'agent')
  })
  ring.phone.press('2#')
  const call = await ended(org, ring.id)
  assert.deepEqual([call.status, call.ended_reason], ['failed', 'failed'])
  assert.match(call.error.message, /no answer after 6 rounds/)
  // Seven requests per turn, plus one for the summary, which the model did not write either.
  assert.deepEqual([tools.requests.length, llm.requests.length - asked], [12, 15])
  assert.equal(call.summary, 'The call failed.')
  assert.equal(call.analysis.tool_calls.length, 12)
})
