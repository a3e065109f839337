import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTwiml } from '../../../../simulator/carrier/twiml.ts'
import { newId } from '../../../platform/ids.ts'
import { ok, type Reply } from '../../../testing/app.ts'
import { ended } from '../../../testing/calls.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { startLivePhones, type VoiceOrganization } from '../../../testing/live-phone.ts'
import { until } from '../../../testing/process.ts'

/** The live adapter against a carrier that the test controls. */
const { app, carrier, newOrganization } = await startLivePhones()

const owner = await connectOwner(app)

const rules = [{ when: ['keys'], say: 'I am connecting you.', then: 'transfer' }]
const newDesk = (settings: object = {}, phrases: object = {}) =>
  newOrganization({
    agent_type: 'static',
    agent_config: {
      language: 'de-DE',
      phrases,
      call_settings: { transfer_number: '+12025550142', rules, warm_transfer: true, ...settings },
    },
  })
const tasksOf = async (org: VoiceOrganization, { contact_id }: Reply['body']) =>
  ok(await org.call('GET', `crm/tasks?contact_id=${contact_id}`)).data

/** A caller who is being transferred, and the instructions that the carrier got. */
async function transferring(org: VoiceOrganization) {
  const ring = await org.ring()
  ring.phone.press('1#')
  const call = await ended(org, ring.id)
  assert.deepEqual([call.ended_reason, call.transfer.status], ['transferred', 'requested'])
  ring.phone.hangUp()
  const [verb] = readTwiml(carrier.requests.find(({ callSid }) => callSid === ring.callSid)?.form.Twiml ?? '') ?? []
  assert.ok(verb?.verb === 'dial')
  const path = (url: string | undefined) => url?.split(`/hooks/voice/${org.channelId}`)[1] ?? ''
  const after = (form: Record<string, string>) => org.hook(path(verb.action), { CallSid: ring.callSid, ...form })
  const brief = () => org.hook(path(verb.briefingUrl), { CallSid: 'CAtarget', ParentCallSid: ring.callSid })
  return {
    call,
    callSid: ring.callSid,
    verb,
    after,
    brief,
    path,
    show: async () => ok(await org.call('GET', `calls/${call.id}`)),
  }
}

test('the target hears who calls and why, takes the call with a key, and both are connected', async () => {
  const org = await newDesk()
  const { call, brief, after, path, show } = await transferring(org)
  const document = await brief()
  const [gather, then] = readTwiml(document) ?? []
  assert.ok(gather?.verb === 'gather')
  assert.equal(gather.text, call.transfer.briefing)
  assert.match(gather.text, /^Anruf von \+1202555\d{4}\. .*Drücken Sie eine beliebige Taste/)
  assert.match(document, /<Say language="de-DE">/)
  assert.equal(then?.verb, 'hangup', 'a voicemail presses no key')
  assert.deepEqual(readTwiml(await org.hook(path(gather.action), { CallSid: 'CAtarget', Digits: '1' })), [])
  assert.match(await after({ DialCallStatus: 'completed', DialBridged: 'true' }), /<Hangup\/>/)
  assert.equal((await show()).transfer.status, 'connected')
  assert.deepEqual(await tasksOf(org, call), [])
  const [event] = ok(await org.call('GET', 'events?type=call.transferred')).data
  assert.deepEqual(event.data.object.transfer, { ...call.transfer, status: 'connected' })
})

for (const form of [
  { DialCallStatus: 'no-answer' },
  { DialCallStatus: 'busy', DialBridged: 'false' },
  { DialCallStatus: 'completed', DialBridged: 'false' },
])
  test(`no caller is lost: ${JSON.stringify(form)} promises a call back, once`, async () => {
    const org = await newDesk()
    const { call, after, show } = await transferring(org)
    const said = await after(form)
    assert.match(said, /<Say language="de-DE">Wir rufen Sie zurück\. Auf Wiederhören\.<\/Say><Hangup\/>/)
    await after(form)
    const { transfer, contact_id } = await show()
    assert.equal(transfer.status, 'not_answered')
    const tasks = await tasksOf(org, call)
    assert.equal(tasks.length, 1)
    assert.match(tasks[0].description, /not taken at \+12025550142/)
    assert.equal(ok(await org.call('GET', `inbox/tickets?contact_id=${contact_id}`)).total, 1)
  })

test('the agent’s own phrases brief the target, and tell the caller that the call was not taken', async () => {
  const own = { briefing: '{{caller}} wartet. {{reason}} Taste, bitte.', handoff: 'Bis später!' }
  const { call, after } = await transferring(await newDesk({}, own))
  assert.match(call.transfer.briefing, /^\+1202555\d{4} wartet\. (?!.*{{).* Taste, bitte\.$/)
  assert.match(await after({ DialCallStatus: 'no-answer' }), /<Say language="de-DE">Bis später!<\/Say>/)
  assert.deepEqual(Object.keys(call.transfer).sort(), ['briefing', 'status', 'to'])
})

test('without a briefing both are connected at once, and the outcome is reported all the same', async () => {
  const org = await newDesk({ warm_transfer: false })
  const { call, verb, after, show } = await transferring(org)
  assert.deepEqual([verb.briefingUrl, call.transfer.briefing], [undefined, null])
  await after({ DialCallStatus: 'no-answer' })
  assert.equal((await show()).transfer.status, 'not_answered')
})

test('the hooks of a transfer answer nothing about another call', async () => {
  const [org, other] = [await newDesk(), await newDesk()]
  const { call, show } = await transferring(org)
  for (const id of [call.id, newId()]) {
    assert.match(await other.hook(`/calls/${id}/briefing`, { CallSid: 'CAx' }), /<Response><Hangup\/>/)
    const after = await other.hook(`/calls/${id}/transferred`, { CallSid: 'CAx', DialCallStatus: 'no-answer' })
    assert.match(after, /<Response><Hangup\/>/)
  }
  assert.equal((await show()).transfer.status, 'requested')
})

/** Runs the conclusions of the call that wait, as if their time had come; returns how many there were. */
async function concludeNow({ id }: Reply['body']): Promise<number> {
  const { rowCount } = await owner.query(
    `update pgboss.job set start_after = now() - interval '1 second'
     where name = 'calls.conclude-transfer' and data ->> 'callId' = $1 and start_after > now()`,
    [id],
  )
  return rowCount ?? 0
}
const isConcluded = async ({ id }: Reply['body']) => {
  const { rows } = await app.database.pools.system.query(
    `select from pgboss.job where name = 'calls.conclude-transfer' and data ->> 'callId' = $1 and state = 'completed'`,
    [id],
  )
  return rows.length > 0
}

test('a transfer whose outcome is never reported counts as not taken once the carrier’s call is over', async () => {
  const org = await newDesk()
  const { call, callSid, show } = await transferring(org)
  await org.hook('/status', { CallSid: callSid, CallStatus: 'in-progress' })
  assert.equal(await concludeNow(call), 0, 'the call goes on at the carrier')
  await org.hook('/status', { CallSid: callSid, CallStatus: 'completed' })
  assert.equal((await show()).transfer.status, 'requested', 'the outcome may still come')
  assert.equal(await concludeNow(call), 1)
  await until(async () => (await show()).transfer.status === 'not_answered')
  assert.equal((await tasksOf(org, call)).length, 1)
  assert.equal(ok(await org.call('GET', `inbox/tickets?contact_id=${call.contact_id}`)).total, 1)
})

test('an outcome that comes after the final status wins', async () => {
  const org = await newDesk()
  const { call, callSid, after, show } = await transferring(org)
  await org.hook('/status', { CallSid: callSid, CallStatus: 'completed' })
  await after({ DialCallStatus: 'completed', DialBridged: 'true' })
  assert.equal(await concludeNow(call), 1)
  await until(() => isConcluded(call))
  assert.equal((await show()).transfer.status, 'connected')
  assert.deepEqual(await tasksOf(org, call), [])
})

test('a transfer that did not take place is not left as requested', async () => {
  const org = await newDesk()
  const ring = await org.ring()
  // The carrier does not answer the request, and the call is over.
  carrier.refusals.set(ring.callSid, undefined)
  carrier.over.add(ring.callSid)
  ring.phone.press('1#')
  await until(async () => carrier.requests.some(({ callSid }) => callSid === ring.callSid))
  ring.phone.hangUp()
  const call = await ended(org, ring.id)
  assert.deepEqual([call.ended_reason, call.transfer], ['handed_off', null])
})
