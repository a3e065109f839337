import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import Type from 'typebox'
import { eventKinds } from '../../app.ts'
import { type CallAs, startTestApp, type TestOrganization } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import { makeWebhook, receiver, seeDeliveries, seeWebhook, untilDelivery } from '../../testing/webhook-receivers.ts'
import type { Scope } from '../organizations/schema.ts'

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'], WEBHOOK_RETRY_SECONDS: ['3600'] } })
const nowhere = 'https://example.com/hooks'
const hookScope: Scope = 'webhooks:admin'
const Count = Type.Object({ n: Type.Integer() })

const keyWith = async ({ id }: Pick<TestOrganization, 'id'>, ...scopes: Scope[]): Promise<CallAs> =>
  app.as((await app.key(id, { scopes: [hookScope, ...scopes] })).secret)

const typesOf = (...scopes: string[]) =>
  eventKinds.filter(({ type, scope }) => type !== 'ping' && scopes.includes(scope)).map(({ type }) => type)

const allTypes = eventKinds.map(({ type }) => type).filter((type) => type !== 'ping')

/** Creates one event that needs `contacts:read` and one that needs `inbox:read`; returns their ids. */
async function happen(call: CallAs, phone_number: string) {
  const contact = (await call('POST', 'contacts', { phone_number, name: 'Ada' })).body
  assert.equal((await call('POST', 'inbox/tickets', { contact_id: contact.id })).status, 201)
  const idOf = async (type: string) => (await call('GET', `events?type=${type}&limit=1`)).body.data[0].id as string
  return { contactEvent: await idOf('contact.created'), ticketEvent: await idOf('ticket.opened') }
}

const refusal = (answer: { status: number; body: { error?: object; detail?: string } }) => [
  answer.status,
  answer.body.error,
]
const lacks = (required_scope: string, message: string) => [
  403,
  { code: 'invalid_api_key', message, type: 'authentication_error', reason: 'insufficient_scope', required_scope },
]

test('a webhook subscribes only to types that its creator may read, and the response lists them', async () => {
  const org = await app.organization()
  const bare = await keyWith(org)
  const star = await makeWebhook(bare, nowhere, ['*'])
  assert.deepEqual([star.events, star.event_types], [['webhook.disabled'], ['webhook.disabled']])

  const reader = await keyWith(org, 'contacts:read')
  const readable = await makeWebhook(reader, nowhere, ['*', 'contact.created'])
  assert.deepEqual(readable.event_types, typesOf('contacts:read', hookScope))
  assert.deepEqual(readable.events, readable.event_types)
  assert.deepEqual((await makeWebhook(reader, nowhere, ['contact.*', 'task.created'])).events, [
    'contact.*',
    'task.created',
  ])

  for (const [events, named] of [
    [['message.received'], 'message.received'],
    [['contact.created', 'message.*'], 'message.*'],
  ] as const) {
    const answer = await reader('POST', 'webhooks', { url: nowhere, events })
    const words = `This credential lacks the scope inbox:read, which the event ${named} requires`
    assert.deepEqual(refusal(answer), lacks('inbox:read', words))
    assert.equal(answer.body.detail, words)
  }
  const whole = await makeWebhook(org.call, nowhere, ['*'])
  assert.deepEqual([whole.events, whole.event_types], [['*'], allTypes])
  assert.deepEqual((await seeWebhook(bare, whole.id)).event_types, allTypes)
})

test('events that the creator may not read are neither delivered nor recovered', async () => {
  const org = await app.organization()
  const [endpoint, everything] = [await receiver(), await receiver()]
  const reader = await keyWith(org, 'contacts:read')
  const before = await happen(org.call, '+14155550100')
  const limited = await makeWebhook(reader, endpoint.url)
  const whole = await makeWebhook(org.call, everything.url)
  const after = await happen(org.call, '+14155550101')
  const since = new Date(Date.now() - 3_600_000).toISOString()
  for (const { id } of [limited, whole])
    assert.equal((await org.call('POST', `webhooks/${id}/recover`, { since })).status, 200)
  const happened = [before, after].flatMap(({ contactEvent, ticketEvent }) => [contactEvent, ticketEvent])
  await until(async () => happened.every((id) => everything.received.some((each) => each.id === id)))
  await until(async () =>
    [before, after].every(({ contactEvent }) => endpoint.received.some(({ id }) => id === contactEvent)),
  )
  await until(async () => (await seeDeliveries(reader, limited.id, '&status=pending')).length === 0)
  const types = [...new Set((await seeDeliveries(reader, limited.id)).map(({ event_type }) => event_type))]
  assert.deepEqual(types, ['contact.created'])
  assert.ok(endpoint.received.every(({ event }) => types.includes(event.type)))
})

test('a change is checked against the credential that sends it', async () => {
  const org = await app.organization()
  const bare = await keyWith(org)
  const whole = await makeWebhook(org.call, nowhere, ['*'])
  const named = await makeWebhook(org.call, nowhere, ['message.received'])
  const change = (call: CallAs, id: string, body: object) => call('PATCH', `webhooks/${id}`, body)

  const events = await change(bare, whole.id, { events: ['message.received'] })
  assert.deepEqual(
    refusal(events),
    lacks('inbox:read', 'This credential lacks the scope inbox:read, which the event message.received requires'),
  )
  for (const { id } of [whole, named]) {
    const moved = await change(bare, id, { url: 'https://example.org/mine' })
    assert.deepEqual([moved.status, moved.body.error.reason], [403, 'insufficient_scope'])
  }
  assert.equal((await seeWebhook(org.call, whole.id)).url, nowhere)
  // A change of neither events nor address is allowed to every webhook administrator, and leaves the scopes as they
  // are.
  const described = await change(bare, whole.id, { description: 'CRM', url: nowhere, status: 'disabled' })
  assert.deepEqual([described.status, described.body.event_types], [200, allTypes])

  const narrowed = await change(bare, whole.id, { events: ['*'], url: 'https://example.org/mine' })
  assert.deepEqual([narrowed.status, narrowed.body.event_types], [200, ['webhook.disabled']])
  const widened = await change(org.call, whole.id, { events: ['*'] })
  assert.deepEqual([widened.body.events, widened.body.event_types], [['*'], allTypes])
})

test('deliveries that were pending before a webhook was narrowed do not reach its new address', async () => {
  const org = await app.organization()
  const [down, stranger] = [await receiver((response) => void response.writeHead(500).end()), await receiver()]
  const webhook = await makeWebhook(org.call, down.url, ['contact.created', 'ticket.opened'])
  const { contactEvent, ticketEvent } = await happen(org.call, '+14155550102')
  for (const id of [contactEvent, ticketEvent])
    await untilDelivery(org.call, webhook.id, id, ({ attempts, status }) => attempts === 1 && status === 'pending')
  // A worker that still holds the endpoint sends to the former address until it is told about the change.
  await until(async () => {
    const { n } = await app.database.forSystem().one(Count)`
      select count(*)::integer as n from endpoint_leases where webhook_id = ${webhook.id} and holder is not null`
    return n === 0
  })
  const reader = await keyWith(org, 'contacts:read')
  const path = `webhooks/${webhook.id}`
  const answer = await reader('PATCH', path, { url: stranger.url, events: ['*'] })
  assert.equal(answer.status, 200, answer.text)
  // A retry is refused, and deliveries that are already due are not sent.
  assert.equal((await reader('POST', `${path}/deliveries/${ticketEvent}/retry`)).status, 409)
  await app.database.inTenant(
    { organizationId: org.id, livemode: false },
    (tx) => tx.run`
      update webhook_deliveries set next_attempt_at = now() - interval '1 second' where webhook_id = ${webhook.id} and id = ${ticketEvent}`,
  )
  assert.equal((await reader('POST', `${path}/deliveries/${contactEvent}/retry`)).status, 200)
  await untilDelivery(org.call, webhook.id, contactEvent, ({ status }) => status === 'succeeded')
  const refused = await untilDelivery(org.call, webhook.id, ticketEvent, ({ status }) => status === 'failed')
  assert.equal(refused.error, 'Not sent: the credential that set up this webhook may not read ticket.opened')
  assert.deepEqual(
    stranger.received.map(({ id }) => id),
    [contactEvent],
  )
})

test('the log shows bodies only of types that the reader may read', async () => {
  const org = await app.organization()
  const echo = await receiver((response, { body }) => void response.end(body))
  const webhook = await makeWebhook(org.call, echo.url, ['contact.created', 'ticket.opened'])
  const { contactEvent, ticketEvent } = await happen(org.call, '+14155550103')
  for (const id of [contactEvent, ticketEvent])
    await untilDelivery(org.call, webhook.id, id, ({ status }) => status === 'succeeded')
  const reader = await keyWith(org, 'contacts:read')
  const [own, theirs] = await Promise.all(
    [org.call, reader].map(
      async (call) => new Map((await seeDeliveries(call, webhook.id)).map((each) => [each.id, each])),
    ),
  )
  for (const [log, id, isShown] of [
    [own, contactEvent, true],
    [own, ticketEvent, true],
    [theirs, contactEvent, true],
    [theirs, ticketEvent, false],
  ] as const) {
    const { request, response } = log?.get(id) ?? {}
    assert.equal(request?.body?.includes(id) ?? false, isShown)
    assert.deepEqual([response?.status, response?.body.includes(id)], [200, isShown])
  }
  const retried = await reader('POST', `webhooks/${webhook.id}/deliveries/${ticketEvent}/retry`)
  assert.deepEqual([retried.status, retried.body.request.body], [200, null])
})

test('a webhook from before scopes were stored is limited to what every possible creator may read', async () => {
  const migration = await readFile(join(import.meta.dirname, '../../migrations/0034_webhook_scopes.sql'), 'utf8')
  const update = /set role frontdesk_system;\n(update[\s\S]*?);\nreset role/.exec(migration)?.[1]
  assert.ok(update)
  const scopesOf = async ({ call, id: organizationId }: TestOrganization) => {
    const { id } = await makeWebhook(call, nowhere, ['*'])
    await app.database.inTenant({ organizationId, livemode: false }, (tx) => tx.run`update webhooks set scopes = '{}'`)
    return async () => {
      await app.database.inSystem((tx) => tx.run([update] as unknown as TemplateStringsArray))
      const row = await app.database.forSystem().one(Type.Object({ scopes: Type.Array(Type.String()) }))`
        select scopes from webhooks where id = ${id}`
      return row.scopes
    }
  }
  const [free, limited, revoked] = [await app.organization(), await app.organization(), await app.organization()]
  // Keys that cannot have created it: of the other mode, without the scope, or revoked before.
  await app.key(free.id, { scopes: [hookScope], mode: 'live' })
  await app.key(free.id, { scopes: ['contacts:read'] })
  const early = await app.key(free.id, { scopes: [hookScope] })
  assert.equal((await free.call('DELETE', `keys/${early.id}`)).status, 200)
  assert.deepEqual(await (await scopesOf(free))(), ['full_access'])

  await app.key(limited.id, { scopes: [hookScope, 'contacts:read', 'calls:read'] })
  await app.key(limited.id, { scopes: [hookScope, 'inbox:read', 'contacts:read'] })
  assert.deepEqual(await (await scopesOf(limited))(), ['contacts:read', hookScope])

  const migrate = await scopesOf(revoked)
  const late = await app.key(revoked.id, { scopes: [hookScope] })
  assert.equal((await revoked.call('DELETE', `keys/${late.id}`)).status, 200)
  assert.deepEqual(await migrate(), [hookScope])
})
