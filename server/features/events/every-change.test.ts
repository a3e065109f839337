import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../testing/app.ts'
import { campaigner } from '../../testing/campaigns.ts'
import { addDocument } from '../../testing/documents.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import type { Event } from './schema.ts'

/** The events of every change of every feature: each once, and nothing else. */
const app = await sharedTestApp()
await app.listen()
const { id: organizationId, call, send, contacts, templateId, channelId } = await campaigner(app)

let last = (await call('GET', 'events?limit=1')).body.data[0].id as string

/** Does something, and waits until exactly these events have come of it. */
async function tells<T>(expected: string[], change: () => Promise<T>): Promise<T> {
  const result = await change()
  const news = async (): Promise<Event[]> => {
    const { data } = (await call('GET', 'events?limit=100')).body
    return data.filter(({ id }: Event) => id > last)
  }
  await until(async () => (await news()).length >= expected.length)
  const events = await news()
  assert.deepEqual(events.map(({ type }) => type).sort(), [...expected].sort())
  last = events[0]?.id ?? last
  return result
}

const done = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`)
  return answer.body
}

test('contacts, their timeline and their tasks', async () => {
  const contact = await tells(['contact.created'], () => done('POST', 'contacts', { phone_number: '+14155550100' }))
  const path = `contacts/${contact.id}`
  await tells(['contact.updated'], () => done('PATCH', path, { name: 'Ada' }))
  await tells([], () => done('PATCH', path, { name: 'Ada' }))
  await tells(['contact.updated', 'contact.stage_changed'], () => done('PATCH', path, { stage: 'qualified' }))
  await tells(['contact.updated', 'contact.handoff'], () => done('POST', `${path}/handoff`, { to: 'human' }))
  await tells([], () => done('POST', `${path}/handoff`, { to: 'human' }))
  await tells(['activity.created'], () =>
    done('POST', `${path}/activities`, { type: 'note_added', payload: { note: 'Hi' } }),
  )
  const task = await tells(['task.created'], () => done('POST', 'crm/tasks', { contact_id: contact.id, title: 'Call' }))
  await tells(['task.updated'], () => done('PATCH', `crm/tasks/${task.id}`, { title: 'Call back' }))
  await tells(['task.updated', 'task.completed'], () => done('PATCH', `crm/tasks/${task.id}`, { status: 'completed' }))
  await tells([], () => done('PATCH', `crm/tasks/${task.id}`, { status: 'completed' }))
  await tells(['task.deleted'], () => done('DELETE', `crm/tasks/${task.id}`))
  await tells(['contact.deleted'], () => done('DELETE', path))
})

test('a conversation: opened, answered, read, opted out, closed and opened again', async () => {
  const from = '+12025550142'
  await tells(['contact.created', 'ticket.opened', 'message.received'], () =>
    done('POST', 'simulator/messages', { from, text: 'hi' }),
  )
  const [ticket] = (await done('GET', 'inbox/tickets')).inboxes
  await tells(['message.received'], () => done('POST', 'simulator/messages', { from, text: 'anybody there?' }))
  await tells(['message.read', 'message.read'], () => done('POST', `inbox/tickets/${ticket.id}/read`))
  // A member who answers takes the conversation over.
  const reply = await tells(
    ['contact.updated', 'contact.handoff', 'message.sent', 'message.delivered', 'message.read'],
    () => done('POST', `inbox/messages/${ticket.id}`, { message_type: 'text', body: 'yes' }),
  )
  const react = (emoji: string) => done('POST', `inbox/messages/${ticket.id}/${reply.id}/reaction`, { emoji })
  await tells(['message.updated'], () => react('👍'))
  await tells([], () => react('👍'))
  await tells(['message.updated'], () => react(''))
  await tells(['message.received', 'contact.opted_out'], () =>
    done('POST', 'simulator/messages', { from, text: 'STOP' }),
  )
  const { id: assignee_id } = await person(app, organizationId, 'member')
  await tells(['ticket.updated'], () => done('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id }))
  await tells([], () => done('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id }))
  await tells(['ticket.updated'], () => done('PATCH', `inbox/tickets/${ticket.id}`, { assignee_id: null }))
  await tells(['ticket.updated'], () =>
    done('PATCH', `inbox/tickets/${ticket.id}`, { priority: 'high', tags: ['vip'] }),
  )
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await tells(['ticket.updated'], () => done('PATCH', `inbox/tickets/${ticket.id}`, { snoozed_until: later }))
  await tells(['ticket.woken', 'message.received'], () =>
    done('POST', 'simulator/messages', { from, text: 'one more question' }),
  )
  await tells(['ticket.closed'], () => done('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' }))
  await tells([], () => done('PATCH', `inbox/tickets/${ticket.id}`, { status: 'closed' }))
  await tells(['ticket.reopened'], () => done('PATCH', `inbox/tickets/${ticket.id}`, { status: 'open' }))
})

test('templates and campaigns', async () => {
  await tells(['template.rejected'], () =>
    done('POST', `simulator/templates/${templateId}/events`, { event: 'reject' }),
  )
  await tells(['template.approved'], () =>
    done('POST', `simulator/templates/${templateId}/events`, { event: 'approve' }),
  )
  const ids = await tells(['contact.created', 'contact.created'], () => contacts(2))
  const perMessage = ['message.sent', 'message.delivered', 'message.read']
  await tells(['campaign.started', 'campaign.completed', ...perMessage, ...perMessage], () => send(ids))
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() }
  const planned = await tells(['campaign.scheduled'], () => send(ids, later))
  await tells(['campaign.updated'], () => done('PATCH', `campaigns/${planned.id}`, { name: 'Later' }))
  await tells(['campaign.paused'], () => done('POST', `campaigns/${planned.id}/pause`))
  await tells(['campaign.scheduled'], () => done('POST', `campaigns/${planned.id}/resume`))
  await tells(['campaign.cancelled'], () => done('POST', `campaigns/${planned.id}/cancel`))
  await tells(['campaign.started', 'campaign.failed'], () => send(ids, { message_template_id: null }))
})

test('documents, channels and webhooks', async () => {
  const document = await tells(['document.created', 'document.ready'], () =>
    addDocument(call, Buffer.from('We are open from nine to five.')),
  )
  await tells(['document.deleted'], () => done('DELETE', `knowledge-base/${document.id}`))
  await tells(['document.created', 'document.failed'], () => addDocument(call, Buffer.from('   ')))
  await tells(['channel.updated'], () => done('PATCH', `channels/${channelId}`, { display_name: 'Desk' }))
  await tells(['channel.health_changed'], () => done('POST', `channels/${channelId}/health`))
  const webhook = await tells([], () => done('POST', 'webhooks', { url: 'https://example.com/', events: ['call.*'] }))
  await tells(['webhook.disabled'], () => done('PATCH', `webhooks/${webhook.id}`, { status: 'disabled' }))
})
