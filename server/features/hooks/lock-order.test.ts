import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../testing/app.ts'
import { campaigner, receiptsAreIn } from '../../testing/campaigns.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import {
  connectChannel,
  freshId,
  messagesTo,
  payloadOf,
  post,
  processed,
  secondsAgo,
  statusesOf,
  statusOf,
  textFrom,
} from '../../testing/hooks.ts'
import { lockWaited } from '../../testing/locks.ts'
import { until } from '../../testing/process.ts'

const app = await startTestApp()
await app.listen()
const org = await campaigner(app)
const channel = await connectChannel(org)
/** A transaction of another node. */
const other = await connectOwner(app)

let people = 0
const newContact = async () =>
  ok(await org.call('POST', 'contacts', { name: 'Ada', phone_number: `+1555081${1000 + ++people}` }), 201) as {
    id: string
    phone_number: string
  }

const echoTo = (number: string) => ({
  id: channel.businessAccountId,
  changes: [
    {
      field: 'smb_message_echoes',
      value: {
        metadata: { display_phone_number: '15550100009', phone_number_id: channel.phoneNumberId },
        message_echoes: [
          {
            from: '15550100009',
            to: number.slice(1),
            id: freshId(),
            timestamp: secondsAgo(0),
            type: 'text',
            text: { body: 'By phone' },
          },
        ],
      },
    },
  ],
})

const bodiesOf = async (contactId: string) => {
  const { inboxes } = ok(await org.call('GET', `inbox/tickets?contact_id=${contactId}`))
  const { messages } = ok(await org.call('GET', `inbox/messages/${inboxes[0]?.id}`))
  return messages.map(({ body }: { body: string }) => body)
}

test('a message and an echo in one webhook lock their contacts in the order of ids', async () => {
  const [first, second] = [await newContact(), await newContact()]
  await other.query('begin')
  await other.query('select from contacts where id = $1 for update', [first.id])
  const message = messagesTo(channel, [textFrom(second.phone_number.slice(1), 'Hi')])
  ok(await post(app, channel, payloadOf(message, echoTo(first.phone_number))))
  // The webhook’s transaction waits for the other one.
  await lockWaited(app)
  // The webhook holds nothing that this transaction still needs.
  await other.query('select from contacts where id = $1 for update nowait', [second.id])
  await other.query('commit')
  await processed(app)
  assert.deepEqual([await bodiesOf(first.id), await bodiesOf(second.id)], [['By phone'], ['Hi']])
})

test('an echo and a receipt in one webhook lock contacts before deliveries', async () => {
  const template = await org.template({ channel_id: channel.id, name: 'lock_order' })
  const [recipient, person] = [await newContact(), await newContact()]
  const campaign = await org.send([recipient.id], { chat_phone_number_id: channel.id, message_template_id: template })
  await org.until(campaign.id, ({ sent_count }) => sent_count === 1)
  const [delivery] = await org.deliveries(campaign.id)
  assert.ok(delivery?.chat_message_id)
  // The platform's own receipts lock the delivery too.
  await until(() => receiptsAreIn(app))
  await other.query('begin')
  await other.query('select from contacts where id = $1 for update', [person.id])
  const receipt = statusOf(delivery.chat_message_id, 'read', { biz_opaque_callback_data: delivery.id })
  ok(await post(app, channel, payloadOf(statusesOf(channel, [receipt]), echoTo(person.phone_number))))
  await lockWaited(app)
  await other.query('select from deliveries where id = $1 for update nowait', [delivery.id])
  await other.query('commit')
  await processed(app)
  assert.deepEqual(await bodiesOf(person.id), ['By phone'])
})

test('webhooks with the same people in different orders wait for each other, and none fails', async () => {
  const contacts = await Promise.all(Array.from({ length: 4 }, newContact))
  const before = await deadlocks()
  for (let round = 0; round < 5; round++)
    await Promise.all(
      [contacts, contacts.toReversed()].map(async ([a, b, c, d]) => {
        const numbers = [a, b, c, d].map((contact) => (contact as { phone_number: string }).phone_number)
        const said = numbers.slice(0, 2).map((number) => textFrom(number.slice(1), 'Hi'))
        const read = numbers.map((number) =>
          statusOf(freshId(), 'read', { recipient_id: number.slice(1), recipient_user_id: `US.${number.slice(1)}` }),
        )
        const echoes = numbers.slice(2).map((each) => echoTo(each))
        ok(await post(app, channel, payloadOf(messagesTo(channel, said), statusesOf(channel, read), ...echoes)))
      }),
    )
  await processed(app)
  for (const { id, phone_number } of contacts) {
    assert.equal((await bodiesOf(id)).length, 10)
    assert.equal(ok(await org.call('GET', `contacts/${id}`)).whatsapp_user_id, `US.${phone_number.slice(1)}`)
  }
  assert.equal(await deadlocks(), before)
})

async function deadlocks(): Promise<number> {
  const { rows } = await other.query(`select deadlocks::int from pg_stat_database where datname = current_database()`)
  return rows[0].deadlocks
}
