import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, startTestApp } from '../../../testing/app.ts'
import { atCarrier, createReceptionist, ended, untilCall } from '../../../testing/calls.ts'
import { until } from '../../../testing/process.ts'

const app = await startTestApp()
await app.listen()
/** A caller who asks for a person is transferred without a rule. */
const rules: object[] = []
const metadata = { caller_script: ['Can I talk to a person please?'] }

/** A call that is transferred to this number, and what the simulated carrier knows of it. */
async function transferredTo(transfer_number: string, caller: string) {
  const org = await app.organization()
  const agent_id = await createReceptionist(org, { rules, transfer_number, warm_transfer: true })
  const { id } = ok(await org.call('POST', 'calls', { agent_id, to_number: caller, metadata }), 201)
  await ended(org, id)
  const call = await untilCall(org, id, ({ transfer }) => transfer !== null && transfer.status !== 'requested')
  // The service commits the outcome before the carrier gets its instructions for the caller.
  let simulated: Reply['body']
  await until(async () => {
    ;[simulated] = await atCarrier(app, caller)
    return simulated.status === 'completed'
  })
  return { org, call, simulated }
}

test('the simulated carrier plays the briefing to the target and connects the caller', async () => {
  const { call, simulated } = await transferredTo('+12025550143', '+12025550161')
  assert.deepEqual([call.ended_reason, call.transfer.status], ['transferred', 'connected'])
  assert.deepEqual(simulated.dialed, ['+12025550143'])
  assert.deepEqual(simulated.briefed, [call.transfer.briefing])
  assert.match(simulated.briefed[0], /^Call from \+12025550161\. .*Press any key to take the call\.$/)
})

test('a target that does not answer: the caller is promised a call back, and a task is created', async () => {
  const { org, call, simulated } = await transferredTo('+12025550111', '+12025550162')
  assert.equal(call.transfer.status, 'not_answered')
  assert.equal(call.transcript.at(-1).text, 'One moment, please. I am connecting you.')
  assert.deepEqual([simulated.briefed, simulated.said], [[], ['A colleague will call you back. Goodbye.']])
  const [task] = ok(await org.call('GET', `crm/tasks?contact_id=${call.contact_id}`)).data
  assert.equal(task.title, 'Call back +12025550162')
})
