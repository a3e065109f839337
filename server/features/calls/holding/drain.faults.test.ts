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

test('a node that is killed while it drains loses neither the call’s transcript nor its slot', async () => {
  const holder = await startProcess(await temporaryFolder(), environment)
  const org = await app.organization()
  const agent_id = await createReceptionist(org)
  const { body } = await place(org, { agent_id, to_number: '+14155550142' })
  await until(async () => (await org.call('GET', `calls/${body.id}/transcript`)).body.segments.length >= 1)
  holder.child.kill('SIGTERM')
  await until(async () => (await fetch(`${holder.url}/readyz`)).status === 503)
  await holder.stop('SIGKILL')
  const call = await ended(org, body.id)
  assert.deepEqual([call.status, call.ended_reason], ['failed', 'worker_lost'])
  assert.equal(call.transcript[0].text, 'Hello, this is the front desk.')
  const { body: running } = await org.call('GET', 'calls?status=in-progress')
  assert.deepEqual(running.data, [])
})
