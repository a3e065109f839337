import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok } from '../../../testing/app.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { payloadOf, post, processed, secondsAgo } from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()
const { call } = acme
const { hook_url } = ok(await call('GET', `channels/${acme.channelId}`)).chat
const hook = { hook: new URL(hook_url).pathname, appSecret: '0123456789abcdef' }

async function echo(to: string, id: string, body: string): Promise<void> {
  const message = { from: acme.channelNumber.slice(1), to: to.slice(1), id, timestamp: secondsAgo(0), type: 'text' }
  const value = {
    metadata: { display_phone_number: acme.channelNumber, phone_number_id: acme.channelNumber.slice(1) },
    message_echoes: [{ ...message, text: { body } }],
  }
  const changes = [{ field: 'smb_message_echoes', value }]
  assert.equal((await post(app, hook, payloadOf({ id: '700100200300400', changes }))).status, 200)
  await processed(app)
}
const Count = Type.Object({ n: Type.Integer() })
const waiting = () =>
  app.database.forSystem().one(Count)`select count(*)::int as n from early_updates where kind = 'echo'`
const thread = async (ticketId: string) => ok(await call('GET', `inbox/messages/${ticketId}`))

test('the echo of a message that we sent is not stored again, and does not take over from the AI', async () => {
  const from = newCustomer()
  const { ticketId, contactId } = await acme.receives({ from })
  const sent = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'From the inbox' }), 201)
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  await echo(from, sent.chat_message_id, 'From the inbox')
  assert.equal((await thread(ticketId)).total, 2)
  assert.equal(ok(await call('GET', `contacts/${contactId}`)).ai_handling, true)
})

test('an echo that arrives before the platform’s response waits, and is then known as ours', async () => {
  const from = newCustomer()
  const { ticketId } = await acme.receives({ from })
  // The next id that the platform will give is one above the last.
  const last = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Before' }), 201).chat_message_id
  const [, head, number] = /^(.*\.)(\d+)$/.exec(last) as unknown as [string, string, string]
  const id = `${head}${Number(number) + 1}`
  platform.next.push(() => echo(from, id, 'Early'))
  const sent = ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Early' }), 201)
  assert.equal(sent.chat_message_id, id)
  await until(async () => (await waiting()).n === 0)
  assert.equal((await thread(ticketId)).total, 3)
})

test('a message of the app during one of ours is stored after it', async () => {
  const from = newCustomer()
  const { ticketId } = await acme.receives({ from })
  platform.next.push(() => echo(from, 'wamid.app.1', 'By phone'))
  ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'By inbox' }), 201)
  await until(async () => (await thread(ticketId)).total === 3)
  const { messages } = await thread(ticketId)
  assert.deepEqual(messages.map(({ body }: { body: string }) => body).sort(), ['By inbox', 'By phone', 'Hi'])
})
