import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../../testing/app.ts'
import { ended } from '../../../testing/calls.ts'
import { campaigner } from '../../../testing/campaigns.ts'

const app = await startTestApp()
await app.listen()

test('in test mode the agent sends a template to a contact who never wrote, by the normal path', async () => {
  const org = await campaigner(app, { category: 'UTILITY' })
  await org.template({ name: 'opening_hours' })
  const [contact_id] = await org.contacts(1, { name: 'Ada' })
  const message_templates = [{ name: 'opening_hours', language: 'en_US' }]
  const agent_config = { welcome_message: 'Hello.', call_settings: { send_messages: true, message_templates } }
  const { id: agent_id } = ok(await org.call('POST', 'agents', { name: 'Desk', agent_config }), 201)
  const metadata = { caller_script: ['Please send the message with the opening hours.'] }
  const { id } = ok(await org.call('POST', 'calls', { agent_id, contact_id, metadata }), 201)
  const call = await ended(org, id)
  const [used] = call.analysis.tool_calls
  assert.deepEqual([used?.name, used?.is_error], ['send_message', false], JSON.stringify([call.transcript, used]))
  const [ticket] = ok(await org.call('GET', `inbox/tickets?contact_id=${contact_id}`)).inboxes
  const { messages } = ok(await org.call('GET', `inbox/messages/${ticket.id}`))
  assert.deepEqual(
    messages.map(({ actor_type, payload }: { actor_type: string; payload: { template: { name: string } } }) => [
      actor_type,
      payload.template.name,
    ]),
    [['ai', 'opening_hours']],
  )
})
