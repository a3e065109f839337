import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { ended } from '../../../testing/calls.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { hearsAgent, startLivePhones } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'

const llm = await startLlmServer()
llm.always.answer = { say: ['Certainly.'] }
const { app, newOrganization } = await startLivePhones({ ...llm.settings })
const owner = await connectOwner(app)

const results = {
  extract: { type: 'object', properties: { plan: { type: 'string' } } },
  contact_fields: [{ property: 'plan', field: 'custom_fields.plan' }],
  success_criteria: [{ name: 'Sold' }],
  dispositions: [{ name: 'Call back' }],
}

test('a call has results, fills the contact, and the next call knows of it', async () => {
  const org = await newOrganization({ agent_config: { results } })
  const ring = await org.ring()
  const heard = hearsAgent(ring.phone)
  const given = { extracted: { plan: 'gold' }, success_criteria: [{ name: 'Sold', result: 'met', reason: 'Yes.' }] }
  llm.forms.push({
    call: [{ name: 'record_results', arguments: JSON.stringify({ ...given, disposition: 'Call back' }) }],
  })
  ring.phone.press('1#')
  await heard
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
  const answered = hearsAgent(again.phone)
  const asked = llm.requests.length
  again.phone.press('2#')
  await answered
  const { messages } = llm.requests[asked]?.body ?? {}
  assert.match(messages[0].content, /<memory \w+>\nCall on \w+ \d+, \d+ \(Call back\): Certainly\.\n<\/memory/)
  again.phone.hangUp()
  await ended(org, again.id)
})

/** Talks to the agent, hangs up while the model is down, and waits until the analysis has failed. */
async function endDuringOutage(agent: object) {
  const org = await newOrganization(agent)
  const ring = await org.ring()
  const heard = hearsAgent(ring.phone)
  ring.phone.press('1#')
  await heard
  llm.always.answer = { status: 503 }
  ring.phone.hangUp()
  await until(async () => {
    const { rows } = await app.database.pools.system.query(
      `select from pgboss.job where name = 'calls.analyze' and data ->> 'call_id' = $1 and state = 'retry'`,
      [ring.id],
    )
    return rows.length === 1
  })
  const call = ok(await org.call('GET', `calls/${ring.id}`))
  assert.deepEqual([call.analysis, call.summary], [null, ''])
  /** The next attempt is due at once. */
  const retry = (set = '') =>
    owner.query(
      `update pgboss.job set start_after = now() - interval '1 second' ${set}
       where name = 'calls.analyze' and data ->> 'call_id' = $1`,
      [ring.id],
    )
  return { retry, analyzed: () => ended(org, ring.id) }
}

test('an outage of the model delays the analysis, and loses nothing', async () => {
  const { retry, analyzed } = await endDuringOutage({ agent_config: { results } })
  llm.always.answer = { say: ['Certainly.'] }
  const form = { success_criteria: [], extracted: { plan: 'gold' } }
  llm.forms.push({ call: [{ name: 'record_results', arguments: JSON.stringify(form) }] })
  await retry()
  const { summary, analysis } = await analyzed()
  assert.deepEqual([summary, analysis.summary_error, analysis.results.error], ['Certainly.', null, null])
  assert.deepEqual(analysis.results.extracted, { plan: 'gold' })
})

test('after the last attempt, the analysis says why there is no summary', async () => {
  const { retry, analyzed } = await endDuringOutage({})
  await retry(', retry_count = retry_limit - 1')
  const { summary, analysis } = await analyzed()
  assert.deepEqual([summary, analysis.summary_by], ['The call could not be summarized.', null])
  assert.match(analysis.summary_error, /openai/)
  llm.always.answer = { say: ['Certainly.'] }
})
