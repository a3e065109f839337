import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { idAt, newId } from '../../platform/ids.ts'
import { startTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { makeWebhook, receiver, seeDeliveries } from '../../testing/webhook-receivers.ts'
import { sweepWebhooksJob } from './job-kinds.ts'
import type { Webhook } from './schema.ts'

const app = await startTestApp({
  settings: { OUTBOUND_ALLOW: ['127.0.0.1', 'hooks.internal'], WEBHOOK_RETRY_SECONDS: ['60'] },
})
const nowhere = 'https://example.com/hooks'
const Count = Type.Object({ n: Type.Integer() })

test('a webhook is created, shown, changed and deleted; its secret is shown once', async () => {
  const { id: organization_id, call } = await app.organization()
  const { secret, ...made } = await makeWebhook(call, nowhere, ['call.*', 'contact.created', 'call.*'], {
    description: 'CRM sync',
  })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(made, {
    id: made.id,
    organization_id,
    url: nowhere,
    events: ['call.*', 'contact.created'],
    event_types: ['contact.created', 'call.started', 'call.ended', 'call.analyzed', 'call.transferred', 'call.deleted'],
    description: 'CRM sync',
    status: 'enabled',
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    former_secret_expires_at: null,
    livemode: false,
    created_at: made.created_at,
    updated_at: made.updated_at,
  })
  const path = `webhooks/${made.id}`
  assert.deepEqual((await call('GET', path)).body, made)
  const changed = await call('PATCH', path, { url: 'https://example.org/', events: ['*'], description: null })
  const { updated_at, ...rest } = changed.body
  assert.deepEqual(
    [changed.status, rest],
    [
      200,
      {
        ...without(made, 'updated_at'),
        url: 'https://example.org/',
        events: ['*'],
        event_types: rest.event_types,
        description: null,
      },
    ],
  )
  const off = (await call('PATCH', path, { status: 'disabled' })).body
  assert.deepEqual([off.status, off.disabled_reason], ['disabled', 'requested'])
  assert.ok(off.disabled_at)
  const on = (await call('PATCH', path, { status: 'enabled' })).body
  assert.deepEqual([on.status, on.disabled_reason, on.disabled_at], ['enabled', null, null])
  assert.deepEqual((await call('DELETE', path)).body, { message: 'Webhook deleted successfully' })
  for (const [method, more] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
  ] as const)
    assert.equal((await call(method, path + more, method === 'PATCH' ? {} : undefined)).status, 404, method + more)
  // The secret is stored nowhere in readable form.
  const row = await app.database.forSystem().one(Type.Object({ text: Type.String() }))`
    select (select string_agg(w::text, '') from webhooks w) || (select coalesce(string_agg(data::text, ''), '') from events) as text`
  assert.ok(!row.text.includes(secret.slice(6)))
})

const without = <T extends object>(object: T, name: keyof T) => {
  const { [name]: _, ...rest } = object
  return rest
}

test('webhooks are listed newest first, page by page', async () => {
  const { call } = await app.organization()
  const made: Webhook[] = []
  for (let n = 0; n < 5; n++) made.unshift(without(await makeWebhook(call, `${nowhere}/${n}`), 'secret') as Webhook)
  const first = (await call('GET', 'webhooks?limit=3')).body
  assert.deepEqual(first, { data: made.slice(0, 3), has_more: true, next_cursor: made[2]?.id, total_count: 5 })
  const second = (await call('GET', `webhooks?limit=3&starting_after=${first.next_cursor}`)).body
  assert.deepEqual(second, { data: made.slice(3), has_more: false, next_cursor: made[4]?.id, total_count: 5 })
  assert.equal((await call('GET', 'webhooks?starting_after=x')).status, 422)
})

test('an invalid endpoint is refused, and the error names the field', async () => {
  const { call } = await app.organization()
  const webhook = await makeWebhook(call, nowhere)
  const addresses = [
    ...['', 'example.com', 'ftp://example.com/', 'https://user:secret@example.com/', 'javascript:alert(1)'],
    ...['http://127.0.0.2/', 'http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest/meta-data'],
    ...['http://2130706434/', 'http://0x7f.2/', 'http://[::ffff:10.0.0.1]/', 'http://192.168.1.1:8080/x'],
    ...['http://0/', 'http://[fd00::1]/', 'http://017700000002/', `https://example.com/${'x'.repeat(2048)}`],
  ]
  for (const url of addresses)
    for (const [method, path] of [
      ['POST', 'webhooks'],
      ['PATCH', `webhooks/${webhook.id}`],
    ] as const) {
      const { status, body, text } = await call(method, path, { url, events: ['*'] })
      assert.equal(status, 422, `${url} ${text}`)
      assert.deepEqual(body.detail[0].loc, ['body', 'url'], url)
    }
  // Addresses that the operator allows may be called, in any notation.
  for (const url of ['http://127.0.0.1:9/', 'http://2130706433:9/', 'http://hooks.internal/in'])
    assert.equal((await call('POST', 'webhooks', { url, events: ['*'] })).status, 201, url)
  for (const events of [
    [],
    ['contact'],
    ['contact.created', '*.created'],
    ['Contact.created'],
    ['contact.created', 'contact.creatd'],
    ['contacts.*'],
    'contact.created',
    [1],
  ]) {
    const { status, body } = await call('POST', 'webhooks', { url: nowhere, events })
    assert.equal(status, 422, JSON.stringify(events))
    assert.deepEqual(body.detail[0].loc.slice(0, 2), ['body', 'events'])
  }
  assert.equal((await call('POST', 'webhooks', { url: nowhere })).status, 422)
  assert.equal((await call('PATCH', `webhooks/${webhook.id}`, { events: ['call.begun'] })).status, 422)
  assert.equal((await call('PATCH', `webhooks/${webhook.id}`, { status: 'paused' })).status, 422)
  assert.equal((await call('POST', `webhooks/${webhook.id}/rotate-secret`, { overlap_seconds: -1 })).status, 422)
  assert.equal((await call('POST', `webhooks/${webhook.id}/recover`, {})).status, 422)
  assert.equal((await call('POST', `webhooks/${webhook.id}/recover`, { since: 'yesterday' })).status, 422)
  for (const query of ['status=lost', 'limit=0', 'starting_after=x'])
    assert.equal((await call('GET', `webhooks/${webhook.id}/deliveries?${query}`)).status, 422, query)
})

test('webhooks need webhooks:admin: other keys and plain members are refused', async () => {
  const org = await app.organization({ owner: 'olive@example.com' })
  const webhook = await makeWebhook(org.call, nowhere)
  const operations = [
    ['GET', 'webhooks'],
    ['POST', 'webhooks', { url: nowhere, events: ['*'] }],
    ['GET', `webhooks/${webhook.id}`],
    ['PATCH', `webhooks/${webhook.id}`, { description: 'x' }],
    ['POST', `webhooks/${webhook.id}/rotate-secret`],
    ['POST', `webhooks/${webhook.id}/test`],
    ['GET', `webhooks/${webhook.id}/deliveries`],
    ['POST', `webhooks/${webhook.id}/recover`, { since: '2026-01-01T00:00:00Z' }],
    ['DELETE', `webhooks/${webhook.id}`],
  ] as const
  const other = app.as((await app.key(org.id, { scopes: ['contacts:write', 'campaigns:manage'] })).secret)
  const { call: member } = await person(app, org.id, 'member')
  for (const [method, path, body] of operations) {
    assert.equal((await app.call(method, path, body)).status, 401)
    for (const [who, call] of Object.entries({ other, member })) {
      const answer = await call(method, path, body, { 'x-mode': 'test' })
      assert.equal(answer.status, 403, `${who} ${method} ${path} ${answer.text}`)
      assert.equal(answer.body.error.required_scope, 'webhooks:admin')
    }
  }
  const { call: admin } = await person(app, org.id, 'admin')
  const key = app.as((await app.key(org.id, { scopes: ['webhooks:admin'] })).secret)
  for (const call of [key, admin])
    for (const [method, path, body] of operations.slice(0, -1)) {
      const answer = await call(method, path, body, { 'x-mode': 'test' })
      assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`)
    }
})

test('a webhook of another organization or of the other mode is not found', async () => {
  const org = await app.organization()
  const [endpoint, stranger] = [await receiver(), await app.organization()]
  const webhook = await makeWebhook(org.call, endpoint.url)
  await org.call('POST', `webhooks/${webhook.id}/test`)
  await until(async () => (await seeDeliveries(org.call, webhook.id, '&status=succeeded')).length === 1)
  const [delivery] = await seeDeliveries(org.call, webhook.id)
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const own = await makeWebhook(stranger.call, nowhere)
  for (const call of [stranger.call, live])
    for (const [method, path, body] of [
      ['GET', `webhooks/${webhook.id}`],
      ['PATCH', `webhooks/${webhook.id}`, { url: nowhere }],
      ['DELETE', `webhooks/${webhook.id}`],
      ['POST', `webhooks/${webhook.id}/rotate-secret`, { overlap_seconds: 0 }],
      ['POST', `webhooks/${webhook.id}/test`],
      ['GET', `webhooks/${webhook.id}/deliveries`],
      ['POST', `webhooks/${webhook.id}/recover`, { since: '2020-01-01T00:00:00Z' }],
      ['POST', `webhooks/${webhook.id}/deliveries/${delivery?.id}/retry`],
      ['GET', 'webhooks/not-an-id'],
    ] as const) {
      const answer = await call(method, path, body)
      assert.deepEqual([answer.status, answer.body.detail], [404, 'Webhook not found'], `${method} ${path}`)
    }
  for (const id of [delivery?.id, newId(), 'x']) {
    const answer = await stranger.call('POST', `webhooks/${own.id}/deliveries/${id}/retry`)
    assert.equal(answer.status, 404, answer.text)
  }
  assert.deepEqual((await seeDeliveries(org.call, webhook.id)).length, 1)
})

test('an idempotent creation is replayed without its secret', async () => {
  const { call } = await app.organization()
  const create = () => call('POST', 'webhooks', { url: nowhere, events: ['*'] }, { 'idempotency-key': 'once' })
  const [first, second] = [await create(), await create()]
  assert.match(first.body.secret, /^whsec_/)
  assert.deepEqual(second.body, { ...first.body, secret: null })
  assert.equal(second.headers['idempotent-replayed'], 'true')
  const rotate = () => call('POST', `webhooks/${first.body.id}/rotate-secret`, {}, { 'idempotency-key': 'r' })
  const rotated = await rotate()
  assert.deepEqual((await rotate()).body, { ...rotated.body, secret: null })
  assert.equal((await call('GET', 'webhooks')).body.total_count, 1)
})

test('deliveries are listed newest first and filtered, with exact totals', async () => {
  const { call } = await app.organization()
  const endpoint = await receiver((response, { event }) => {
    response.statusCode = event.type === 'task.created' ? 500 : 200
    response.end()
  })
  const webhook = await makeWebhook(call, endpoint.url)
  const contact = (await call('POST', 'contacts', { phone_number: '+14155550100' })).body
  for (let n = 0; n < 3; n++) await call('PATCH', `contacts/${contact.id}`, { name: `Name ${n}` })
  for (let n = 0; n < 2; n++) await call('POST', 'crm/tasks', { contact_id: contact.id, title: 'x' })
  const list = async (query: string) => {
    const answer = await call('GET', `webhooks/${webhook.id}/deliveries?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  await until(async () => (await list('status=succeeded')).total_count === 4)
  await until(async () => {
    const { data } = await list('status=pending')
    return data.length === 2 && data.every(({ attempts }: { attempts: number }) => attempts === 1)
  })
  const events = (await call('GET', 'events')).body.data
  const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
  const idsOf = (...types: string[]) =>
    events.filter(({ type }: { type: string }) => types.includes(type)).map(({ id }: { id: string }) => id)
  const all = await list('')
  assert.deepEqual([ids(all), all.total_count], [events.map(({ id }: { id: string }) => id), 6])
  const expected: [string, string[]][] = [
    ['status=pending', idsOf('task.created')],
    ['status=succeeded', idsOf('contact.created', 'contact.updated')],
    ['status=failed', []],
    ['event_type=contact.updated', idsOf('contact.updated')],
    ['event_type=contact.updated&status=pending', []],
    ['event_type=task.created&status=pending', idsOf('task.created')],
    ['event_type=unheard.of', []],
  ]
  for (const [query, wanted] of expected) {
    const page = await list(query)
    assert.deepEqual([ids(page), page.total_count, page.has_more], [wanted, wanted.length, false], query)
  }
  for (const filter of ['', 'event_type=contact.updated&', 'status=succeeded&']) {
    const first = await list(`${filter}limit=2`)
    const second = await list(`${filter}limit=2&starting_after=${first.next_cursor}`)
    const whole = ids(await list(filter))
    assert.deepEqual([...ids(first), ...ids(second)], whole.slice(0, 4), filter)
    assert.deepEqual([first.has_more, first.total_count], [true, whole.length])
  }
})

test('a long recovery continues in the background and sends each event once', async () => {
  const { id, call } = await app.organization()
  const scope = { organizationId: id, livemode: false }
  const ids = Array.from({ length: 5_600 }, (_, n) => idAt(new Date(Date.now() - 3_600_000 + n)))
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into events (id, type, data)
      select id, case when n % 8 = 0 then 'task.created' else 'contact.updated' end, '{"object": {}}'
      from unnest(${ids}::uuid[]) with ordinality e (id, n)`,
  )
  const endpoint = await receiver()
  const webhook = await makeWebhook(call, endpoint.url, ['contact.*', 'task.created'])
  const since = new Date(Date.now() - 7_200_000).toISOString()
  const begun = await call('POST', `webhooks/${webhook.id}/recover`, { since })
  assert.deepEqual([begun.status, begun.body], [200, { recovered: 5_000, has_more: true }])
  await until(async () => endpoint.received.length >= ids.length)
  assert.deepEqual(endpoint.received.map((each) => each.id).sort(), ids)
  await until(
    async () => (await call('GET', `webhooks/${webhook.id}/deliveries?status=pending`)).body.total_count === 0,
  )
  const [first] = await seeDeliveries(call, webhook.id)
  assert.equal(first?.id, ids.at(-1))
})

test('events from before the clock was set back are recovered', async (t) => {
  const { call } = await app.organization()
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  assert.equal((await call('POST', 'contacts', { phone_number: '+14155550100' })).status, 201)
  t.mock.timers.reset()
  const endpoint = await receiver()
  const webhook = await makeWebhook(call, endpoint.url, ['contact.created'])
  const since = new Date(Date.now() - 60_000).toISOString()
  const { body } = await call('POST', `webhooks/${webhook.id}/recover`, { since })
  assert.deepEqual(body, { recovered: 1, has_more: false })
  await until(async () => endpoint.received.length === 1)
})

test('deliveries are removed with their events, and with their webhook', async () => {
  const { id, call } = await app.organization()
  const scope = { organizationId: id, livemode: false }
  const endpoint = await receiver()
  const [kept, doomed] = [await makeWebhook(call, endpoint.url), await makeWebhook(call, endpoint.url)]
  await call('POST', 'contacts', { phone_number: '+14155550100' })
  await until(async () => endpoint.received.length === 2)
  const old = idAt(new Date(Date.now() - 31 * 24 * 3600 * 1000))
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into webhook_deliveries (webhook_id, id, event_type, status) values (${kept.id}, ${old}, 'task.created', 'failed')`,
  )
  const total = async () => (await call('GET', `webhooks/${kept.id}/deliveries`)).body.total_count
  assert.equal(await total(), 2)
  await call('DELETE', `webhooks/${doomed.id}`)
  await app.database.inSystem((tx) => tx.enqueue(sweepWebhooksJob, {}))
  await until(async () => (await total()) === 1)
  const left = () => app.database.forSystem().one(Count)`
    select ((select count(*) from webhooks where id = ${doomed.id})
      + (select count(*) from webhook_deliveries where webhook_id = ${doomed.id})
      + (select count(*) from webhook_delivery_counts where webhook_id = ${doomed.id}))::integer as n`
  await until(async () => (await left()).n === 0)
})

test('an organization can have 200 webhooks and no more', async () => {
  const { id, call } = await app.organization()
  await app.database.inTenant(
    { organizationId: id, livemode: false },
    (tx) => tx.run`
      insert into webhooks (id, url, events, sealed_secrets)
      select new_id(), ${nowhere}, array['*'], '' from generate_series(1, 199)`,
  )
  await makeWebhook(call, nowhere)
  assert.equal((await call('POST', 'webhooks', { url: nowhere, events: ['*'] })).status, 409)
})
