import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'
import { campaigner } from '../../testing/campaigns.ts'
import { addDocument } from '../../testing/documents.ts'
import { until } from '../../testing/process.ts'
import type { Event } from './schema.ts'

/** What callers are told of every change of every feature: each once, and nothing else. */
const app = await startTestApp()
await app.listen()
const { call, send, contacts, templateId, channelId } = await campaigner(app)

let last = (await call('GET', 'events?limit=1')).body.data[0].id as string

/**
 * Does something, and waits until exactly these events have come of it. Of a message that was read before anybody looked,
 * nobody need hear that it was delivered.
 */
async function tells<T>(expected: string[], change: () => Promise<T>): Promise<T> {
  const result = await change()
  const news = async (): Promise<Event[]> => {
    const { data } = (await call('GET', 'events?limit=100')).body
    return data.filter(({ id }: Event) => id > last)
  }
  const isTold = ({ type }: Event) => type !== 'message.delivered'
  await until(async () => (await news()).filter(isTold).length >= expected.length)
  const events = await news()
  const types = events.filter(isTold).map(({ type }) => type)
  assert.deepEqual(types.sort(), [...expected].sort())
  const delivered = events.filter(({ type }) => type === 'message.delivered').map(({ data }) => data.object.id)
  assert.equal(new Set(delivered).size, delivered.length)
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
  // Whoever answers takes the conversation over.
  await tells(['contact.updated', 'contact.handoff', 'message.sent', 'message.read'], () =>
    done('POST', `inbox/messages/${ticket.id}`, { message_type: 'text', body: 'yes' }),
  )
  await tells(['message.received', 'contact.opted_out'], () =>
    done('POST', 'simulator/messages', { from, text: 'STOP' }),
  )
  await tells(['message.reacted'], () =>
    done('POST', 'simulator/messages', { from, type: 'reaction', text: '👍' }),
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
  const perMessage = ['message.sent', 'message.read']
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
  const webhook = await tells([], () => done('POST', 'webhooks', { url: 'https://example.com/', events: ['call.*'] }))
  await tells(['webhook.disabled'], () => done('PATCH', `webhooks/${webhook.id}`, { status: 'disabled' }))
})
