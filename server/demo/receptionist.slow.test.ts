import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../testing/app.ts'
import { ended, place } from '../testing/calls.ts'
import { seedOrganization } from './seed-organization.ts'

test('the demo Receptionist answers a question that comes with thanks, and does not hang up', async () => {
  const app = await startTestApp()
  await app.listen()
  const demo = await app.organization()
  await seedOrganization(app.database, demo.id)
  const { data } = ok(await demo.call('GET', 'agents?search=Receptionist'))
  const metadata = { caller_script: ['Thank you, can I pay with a credit card?', 'What are your opening hours?'] }
  const placed = await place(demo, { agent_id: data[0].id, to_number: '+12025550110', metadata })
  const { transcript, ended_reason } = await ended(demo, ok(placed, 201).id)
  const said = transcript.map(({ speaker, text }: { speaker: string; text: string }) => `${speaker}: ${text}`)
  const at = (line: RegExp) => said.findIndex((each: string) => line.test(each))
  assert.ok(at(/^agent: You can pay by card/) > 0, said.join('\n'))
  assert.ok(at(/^caller: .*hours/i) > at(/^agent: You can pay by card/), said.join('\n'))
  assert.ok(!['agent_ended', 'handed_off'].includes(ended_reason), ended_reason)
})
