import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner, receiptsAreIn } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import type { Campaign } from '../schema.ts'
import type { Delivery } from './schema.ts'

const app = await startTestApp()
await app.listen()
let org: Campaigner
let asking: string

before(async () => {
  org = await campaigner(app)
  asking = await org.template({
    components: [
      { type: 'BODY', text: 'Hello {{1}}, shall we remind you?' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes please' },
          { type: 'QUICK_REPLY', text: 'STOP' },
        ],
      },
    ],
  })
})

const allRead = (campaign: Campaign) =>
  campaign.status === 'completed' && campaign.read_count === campaign.total_contacts_count

async function sendTo(contacts: string[]): Promise<{ campaignId: string; deliveries: Delivery[] }> {
  const { id } = await org.send(contacts, { message_template_id: asking })
  await org.until(id, allRead)
  return { campaignId: id, deliveries: await org.deliveries(id) }
}

const tap = (delivery: Delivery | undefined, text: string) => ({
  type: 'button',
  button: { text, payload: text },
  context: { id: delivery?.chat_message_id },
})
const say = (body: string) => ({ type: 'text', text: { body } })

/** The contact writes; resolves once the service has applied it. */
async function receive(from: string | undefined, message: object, members: object = {}): Promise<void> {
  const { status, text } = await app.control('POST', 'inbound', {
    phone_number_id: org.channelId,
    from,
    message,
    ...members,
  })
  assert.equal(status, 200, text)
  await until(() => receiptsAreIn(app))
}

const ticketsOf = async (contactId: string) =>
  (await org.call('GET', `inbox/tickets?contact_id=${contactId}`)).body.inboxes as {
    id: string
    unread_count: number
  }[]
const threadOf = async (ticketId: string) => (await org.call('GET', `inbox/messages/${ticketId}`)).body

test('the campaign’s message joins the ticket of the reply, which quotes it', async () => {
  const [contact = ''] = await org.contacts(1)
  const { campaignId, deliveries } = await sendTo([contact])
  const [delivery] = deliveries
  await receive(delivery?.phone_number, tap(delivery, 'STOP'))
  const [ticket, ...others] = await ticketsOf(contact)
  assert.equal(others.length, 0)
  assert.equal(ticket?.unread_count, 1)
  const { total, messages } = await threadOf(ticket?.id as string)
  assert.equal(total, 2)
  const [sent, reply] = messages
  assert.deepEqual(
    [sent.id, sent.direction, sent.inbox_id, sent.payload.campaign_id],
    [delivery?.message_id, 'outbound', ticket?.id, campaignId],
  )
  assert.match(sent.body, /^Hello Person \d+, shall we remind you\?$/)
  assert.deepEqual([reply.body, reply.context_message_id], ['STOP', sent.chat_message_id])
  const events = (await org.call('GET', 'events?type=message.updated&limit=1')).body.data
  assert.deepEqual([events[0].data.object.id, events[0].data.previous], [sent.id, { inbox_id: null }])
  assert.notEqual((await org.call('GET', `contacts/${contact}`)).body.opted_out_at, null)

  // A message that belongs to a ticket stays there.
  await org.call('PATCH', `inbox/tickets/${ticket?.id}`, { status: 'closed' })
  await receive(delivery?.phone_number, tap(delivery, 'Yes please'))
  const [newer] = await ticketsOf(contact)
  assert.notEqual(newer?.id, ticket?.id)
  assert.equal((await threadOf(newer?.id as string)).total, 1)
  assert.equal((await threadOf(ticket?.id as string)).total, 2)
})

test('a recipient counts once, and once per button, under duplicates and replays', async () => {
  const { campaignId, deliveries } = await sendTo(await org.contacts(4))
  const [chatty, quiet, plain] = deliveries
  const id = `wamid.${newId()}`
  await receive(chatty?.phone_number, tap(chatty, 'Yes please'), { id })
  await receive(chatty?.phone_number, tap(chatty, 'Yes please'), { id })
  await receive(chatty?.phone_number, tap(chatty, 'Yes please'))
  await receive(chatty?.phone_number, tap(chatty, 'STOP'))
  await receive(chatty?.phone_number, say('And one more thing'))
  await receive(quiet?.phone_number, tap(quiet, 'Yes please'))
  await receive(plain?.phone_number, say('How much is it?'))
  // A reaction is no reply.
  await receive(deliveries[3]?.phone_number, {
    type: 'reaction',
    reaction: { message_id: deliveries[3]?.chat_message_id, emoji: '👍' },
  })
  const campaign = await org.see(campaignId)
  assert.equal(campaign.replied_count, 3)
  const report = (await org.call('GET', `campaigns/${campaignId}/report`)).body
  assert.equal(report.reply_rate, 0.75)
  assert.deepEqual(report.buttons, [
    { label: 'Yes please', count: 2 },
    { label: 'STOP', count: 1 },
  ])
  const after = new Map((await org.deliveries(campaignId)).map((delivery) => [delivery.id, delivery]))
  assert.deepEqual(after.get(chatty?.id as string)?.tapped_buttons, ['STOP', 'Yes please'])
  assert.deepEqual(after.get(plain?.id as string)?.tapped_buttons, [])
  assert.ok(after.get(plain?.id as string)?.replied_at)
  assert.equal(after.get(deliveries[3]?.id as string)?.replied_at, null)
  const rows: Record<string, string>[] = parse((await org.call('GET', `campaigns/${campaignId}/export/csv`)).text, {
    columns: true,
  })
  const row = rows.find(({ delivery_id }) => delivery_id === chatty?.id)
  assert.equal(row?.tapped_buttons, 'STOP, Yes please')
  const all: Record<string, string>[] = parse((await org.call('GET', 'reports/campaigns/export')).text, {
    columns: true,
  })
  assert.equal(Number(all.find((each) => each.id === campaignId)?.reply_rate), 0.75)
  assert.equal(row?.replied_at, after.get(chatty?.id as string)?.replied_at)
  ok(await org.call('GET', `campaigns/${campaignId}/export/pdf`))
})

test('words without a quote count only while the campaign’s message is the last one sent, for seven days', async () => {
  const { campaignId, deliveries } = await sendTo(await org.contacts(3))
  const [answered, late, before] = deliveries
  const ticket = (await org.call('POST', 'inbox/tickets', { contact_id: answered?.contact_id })).body
  await receive(answered?.phone_number, say('Hi'))
  const counted = await org.see(campaignId)
  assert.equal(counted.replied_count, 1)
  ok(await org.call('POST', `inbox/messages/${ticket.id}`, { body: 'Hello' }), 201)
  const age = (delivery: Delivery | undefined) =>
    app.database.inTenant(
      org.scope,
      (tx) => tx.run`
        update messages set created_at = now() - interval '8 days' where id = ${delivery?.message_id as string}`,
    )
  await age(late)
  await receive(late?.phone_number, say('Are you there?'))
  assert.equal((await org.see(campaignId)).replied_count, 1)
  const [own] = await ticketsOf(late?.contact_id as string)
  assert.equal((await threadOf(own?.id as string)).total, 1)
  // The quote counts, however old the message is.
  await receive(late?.phone_number, tap(late, 'Yes please'))
  assert.equal((await org.see(campaignId)).replied_count, 2)
  assert.equal((await threadOf(own?.id as string)).total, 3)
  // Written before the campaign's message, delivered afterwards.
  await receive(before?.phone_number, say('Earlier'), { timestamp: Math.floor(Date.now() / 1000) - 3600 })
  assert.equal((await org.see(campaignId)).replied_count, 2)
  // A quote of another contact's message does not count.
  const [stranger = ''] = await org.contacts(1)
  const { phone_number } = (await org.call('GET', `contacts/${stranger}`)).body
  await receive(phone_number, tap(before, 'Yes please'))
  assert.equal((await org.see(campaignId)).replied_count, 2)
})

const Found = Type.Object({ n: Type.Integer() })

test('a reply that arrives before the campaign’s message is recorded counts and finds its message', async () => {
  const [contact = ''] = await org.contacts(1)
  const { id } = await org.send([contact], { message_template_id: asking })
  await org.until(id, allRead)
  const [delivery] = await org.deliveries(id)
  // As after a crash: the platform has the message, and nothing of it is recorded.
  await app.database.inTenant(org.scope, async (tx) => {
    await tx.run`delete from messages where id = ${delivery?.message_id as string}`
    await tx.run`
      update deliveries set status = 'unknown', accepted_at = null, message_id = null, chat_message_id = null,
        delivered_at = null, read_at = null where id = ${delivery?.id as string}`
  })
  await receive(delivery?.phone_number, tap(delivery, 'Yes please'))
  assert.equal((await org.see(id)).replied_count, 0)
  const [ticket] = await ticketsOf(contact)
  await org.call('PATCH', `inbox/tickets/${ticket?.id}`, { status: 'closed' })
  const status = {
    id: delivery?.chat_message_id,
    status: 'read',
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: delivery?.phone_number.slice(1),
    biz_opaque_callback_data: delivery?.id,
  }
  await app.control('POST', 'webhooks', {
    phone_number_id: org.channelId,
    field: 'statuses',
    value: status,
  })
  const settled = await org.until(id, ({ replied_count }) => replied_count === 1)
  assert.equal(settled.read_count, 1)
  assert.equal((await threadOf(ticket?.id as string)).total, 2)
  const { n } = await app.database.forTenant(org.scope).one(Found)`
    select message_count as n from tickets where id = ${ticket?.id as string}`
  assert.equal(n, 2)
})
