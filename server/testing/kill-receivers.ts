import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { startTestApp } from './app.ts'
import {
  connectChannel,
  messagesTo,
  payloadOf,
  processed,
  signatureOf,
  statusesOf,
  statusOf,
  textFrom,
} from './hooks.ts'
import { outboundMessages } from './outbound.ts'
import { environmentOf, type Running, startProcess, temporaryFolder, until } from './process.ts'

const Count = Type.Object({ n: Type.Integer() })

/**
 * Sends webhooks like the platform, kills the process that receives them this many times, and asserts that none that was
 * acknowledged is lost or applied twice.
 */
export async function killReceivers(kills: number): Promise<void> {
  // This node only serves requests: processes that are killed do the work.
  const app = await startTestApp({ settings: { ROLE: 'api' } })
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const channel = await connectChannel(org)
  const { body: reader } = await org.call('POST', 'contacts', { phone_number: '+15550100001' })
  const outbound = await outboundMessages(app, scope, { contactId: reader.id, channelId: channel.id, count: 600 })

  const env = {
    ...environmentOf(app),
    LOG_LEVEL: 'error',
  }
  const folder = await temporaryFolder()
  let doomed: Running = await startProcess(folder, env)
  let { url } = doomed

  // Each webhook has two messages of one of 40 people and two statuses; the platform repeats what was not acknowledged.
  const hooks = Array.from({ length: 300 }, (_, i) => {
    const from = `1555040${1000 + (i % 40)}`
    const [one, two] = [outbound[2 * i], outbound[2 * i + 1]] as [{ chatMessageId: string }, { chatMessageId: string }]
    return JSON.stringify(
      payloadOf(
        messagesTo(channel, [textFrom(from, `first of ${i}`), textFrom(from, `second of ${i}`)]),
        statusesOf(channel, [statusOf(one.chatMessageId, 'read'), statusOf(two.chatMessageId, 'delivered')]),
      ),
    )
  })
  const waiting = [...hooks.keys()]
  let acknowledged = 0
  let isOver = false
  after(() => {
    isOver = true
  })
  const send = async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
      const body = hooks[i] as string
      const headers = { 'x-hub-signature-256': signatureOf(channel.appSecret, body) }
      const answer = await fetch(url + channel.hook, { method: 'POST', body, headers }).catch(() => undefined)
      if (answer?.status === 200) acknowledged++
      else if (!isOver) {
        waiting.push(i)
        await sleep(20)
      }
    }
  }
  const senders = Array.from({ length: 8 }, send)
  for (let killed = 0; killed < kills; ) {
    await until(async () => acknowledged >= (killed + 1) * 70)
    await doomed.stop('SIGKILL')
    if (++killed === kills) url = await (await app.node({ ROLE: 'all' })).listen()
    else ({ url } = doomed = await startProcess(folder, env))
  }
  await until(async () => acknowledged === hooks.length)
  await Promise.all(senders)
  await processed(app)

  const tenant = app.database.forTenant(scope)
  const count = async (what: Promise<{ n: number }>) => (await what).n
  assert.equal(await count(tenant.one(Count)`select count(*)::int as n from messages where direction = 'inbound'`), 600)
  assert.equal(
    await count(tenant.one(Count)`select count(distinct body)::int as n from messages where direction = 'inbound'`),
    600,
  )
  assert.equal(await count(tenant.one(Count)`select count(*)::int as n from contacts`), 41)
  assert.equal(await count(tenant.one(Count)`select count(*)::int as n from tickets`), 40)
  assert.equal(await count(tenant.one(Count)`select sum(unread_count)::int as n from tickets`), 600)
  assert.equal(await count(tenant.one(Count)`select sum(message_count)::int as n from tickets`), 600)
  assert.equal(
    await count(tenant.one(Count)`select count(*)::int as n from activities where type = 'message_inbound'`),
    600,
  )
  for (const [type, n] of [
    ['message.received', 600],
    ['message.read', 300],
    ['message.delivered', 600],
    ['ticket.opened', 40],
    ['contact.created', 41],
  ] as const)
    assert.equal(await count(tenant.one(Count)`select count(*)::int as n from events where type = ${type}`), n, type)
  for (const status of ['read', 'delivered'])
    assert.equal(
      await count(tenant.one(Count)`
        select count(*)::int as n from messages where direction = 'outbound' and status = ${status}`),
      300,
    )
  assert.equal(await count(app.database.forSystem().one(Count)`select count(*)::int as n from incoming_hooks`), 0)
  assert.equal(await count(app.database.forSystem().one(Count)`select count(*)::int as n from kept_hooks`), 0)
}
