import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, startTestApp } from '../../../testing/app.ts'
import { createReceptionist, ended } from '../../../testing/calls.ts'
import { until } from '../../../testing/process.ts'

const app = await startTestApp()
await app.listen()
const acme = await app.organization()
const [channel] = (await acme.call('GET', 'channels')).body.data
const agent_id = await createReceptionist(acme)

const ring = (body: object) => acme.call('POST', 'simulator/calls', body)
/** Waits until the call with this carrier id has ended and returns its log. */
async function logged(callId: string): Promise<Reply['body']> {
  let id: string | undefined
  await until(async () => {
    id = (await acme.call('GET', `call-logs?search=${callId}`)).body.items[0]?.id
    return id !== undefined
  })
  return ended(acme, id as string)
}

test('an inbound call is refused without an agent; with one, the agent talks and hands off to a person', async () => {
  const refused = ok(await ring({ from: '+12025550142' }), 202)
  assert.equal((await logged(refused.call_id)).ended_reason, 'no_agent')

  await acme.call('PATCH', `channels/${channel.id}`, { agent_id })
  const { body } = await ring({ from: '+12025550143', script: ['Can I talk to a person please?'], seed: 'ines' })
  const call = await logged(body.call_id)
  assert.deepEqual(
    [call.status, call.direction, call.from_number, call.to_number, call.ended_reason],
    ['completed', 'inbound', '+12025550143', channel.phone_number, 'handed_off'],
    JSON.stringify([call.transcript, call.analysis]),
  )
  assert.equal(call.chat_phone_number_id, channel.id)
  assert.match(call.transcript[1].text, /person/i)
  assert.equal(call.transcript[1].scripted_text, 'Can I talk to a person please?')
  assert.equal(call.analysis.outcome, 'handed_off')
  const { body: tasks } = await acme.call('GET', `crm/tasks?contact_id=${call.contact_id}`)
  assert.equal(tasks.data[0].title, 'Call back +12025550143')
  assert.deepEqual([tasks.data[0].created_by_type, tasks.data[0].created_by_id], ['ai', agent_id])
  const { body: tickets } = await acme.call('GET', `inbox/tickets?contact_id=${call.contact_id}`)
  assert.equal(tickets.total, 1)
  const { body: contact } = await acme.call('GET', `contacts/${call.contact_id}`)
  assert.equal(contact.ai_handling, false)
  const { body: timeline } = await acme.call('GET', `contacts/${call.contact_id}/activities`)
  const types = timeline.activities.map(({ type }: { type: string }) => type).sort()
  assert.deepEqual(types, ['call_logged', 'contact_created', 'handoff_to_human', 'task_created'])
})

test('simulated inbound calls need test mode and the scope to dispatch calls', async () => {
  assert.equal((await ring({})).status, 422)
  assert.equal((await ring({ from: 'nobody' })).status, 422)
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  assert.equal((await live('POST', 'simulator/calls', { from: '+12025550142' })).status, 409)
  const reader = app.as((await app.key(acme.id, { scopes: ['calls:read'] })).secret)
  assert.equal((await reader('POST', 'simulator/calls', { from: '+12025550142' })).status, 403)
  const globex = await app.organization()
  const theirs = await globex.call('POST', 'simulator/calls', { from: '+12025550142', channel_id: channel.id })
  assert.equal(theirs.status, 404)
})
