import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { createReceptionist, ended, place } from '../../../testing/calls.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../../testing/process.ts'

/** Places the calls but does not listen, so the carrier connects to the other nodes, which hold them. */
const app = await startTestApp()
const environment = {
  ...environmentOf(app),
  ROLE: 'api',
}

test('a node finishes the call that it holds, takes no new one, and then exits', async () => {
  const holder = await startProcess(await temporaryFolder(), environment)
  const org = await app.organization()
  const agent_id = await createReceptionist(org)
  const caller_script = ['Hello. What are your opening hours?', 'And on Sunday?', 'Thank you. Goodbye.']
  const { body } = await place(org, { agent_id, to_number: '+14155550142', metadata: { caller_script } })
  await until(async () => (await org.call('GET', `calls/${body.id}/transcript`)).body.segments.length >= 2)
  holder.child.kill('SIGTERM')
  await until(async () => (await fetch(`${holder.url}/readyz`)).status === 503)
  const refused = await fetch(`${holder.url}/api/v1/calls/web`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agent_id }),
  })
  assert.equal(refused.status, 409)

  const successor = await app.node({ ROLE: 'api' })
  await successor.listen()
  const { body: later } = await place(org, {
    agent_id,
    to_number: '+14155550143',
    metadata: { caller_script: ['Thank you. Goodbye.'] },
  })

  const call = await ended(org, body.id)
  assert.equal(await holder.exited, 0, holder.output())
  assert.equal(call.status, 'completed')
  // Both hang up after the last words, and either may be the first.
  assert.ok(['agent_ended', 'caller_hung_up'].includes(call.ended_reason), call.ended_reason)
  assert.equal(call.transcript.filter(({ speaker }: { speaker: string }) => speaker === 'caller').length, 3)
  assert.equal((await ended(org, later.id)).status, 'completed')
  await successor.close()
})

test('calls that last longer than CALL_DRAIN_SECONDS are hung up and saved', async () => {
  const holder = await startProcess(await temporaryFolder(), { ...environment, CALL_DRAIN_SECONDS: '0' })
  const org = await app.organization()
  const agent_id = await createReceptionist(org)
  const { body } = await place(org, { agent_id, to_number: '+14155550142' })
  await until(async () => (await org.call('GET', `calls/${body.id}/transcript`)).body.segments.length >= 1)
  assert.equal(await holder.stop(), 0)
  assert.equal((await org.call('GET', `calls/${body.id}`)).body.ended_reason, 'ended_by_request')
  assert.match(holder.output(), /draining ended early, hanging up/)
})
