import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { newId } from '../../platform/ids.ts'
import { startTestApp } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import {
  connectChannel,
  deliver,
  messageFrom,
  messagesTo,
  payloadOf,
  post,
  processed,
  statusesOf,
  statusOf,
  textFrom,
  valueFor,
} from '../../testing/hooks.ts'
import { until } from '../../testing/process.ts'
import { startTemplatePlatform } from '../../testing/template-platform.ts'
import { sweepIgnoredHooks } from './queries.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
const platform = await startTemplatePlatform()
const app = await startTestApp({ log, settings: { GRAPH_API_BASE_URL: platform.url } })
const acme = await app.organization()
const channel = await connectChannel(acme)
const owner = await connectOwner(app)

const Kept = Type.Object({ outcome: Type.String(), reason: Type.String(), attempts: Type.Integer() })
const kept = () => app.database.forSystem().all(Kept)`select outcome, reason, attempts from kept_hooks order by id`
const forget = () => app.database.forSystem().run`delete from kept_hooks`
const has = async (number: string) => (await acme.call('GET', `contacts?search=${number}`)).body.total_count === 1

test('a webhook that is not JSON or not known is stored with a reason and affects no other', async () => {
  const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
  const garbage: (string | Buffer)[] = [
    '',
    'null',
    '[]',
    '0',
    '"text"',
    '{',
    '{"object":"whatsapp_business_account"',
    '{"object":"page","entry":[]}',
    '{"object":"whatsapp_business_account"}',
    '{"object":"whatsapp_business_account","entry":{}}',
    Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    deep(100_000),
    `{"object":"whatsapp_business_account","entry":${deep(50_000)},"n":1234567890123456789}`,
    '\0\0\0',
  ]
  for (const body of garbage) assert.equal((await post(app, channel, body)).status, 200)
  await processed(app)
  const rows = await kept()
  assert.equal(rows.length, garbage.length)
  assert.ok(rows.every(({ outcome, reason }) => outcome === 'ignored' && reason !== ''))
  await forget()
})

test('undocumented payloads are read as far as possible', async () => {
  const value = (more: object) => valueFor(channel, more)
  const odd: object[] = [
    { id: 1, changes: null },
    { changes: [null, 1, 'x', [], {}] },
    { changes: [{ field: 'messages', value: null }] },
    { changes: [{ field: 'messages', value: [] }] },
    { changes: [{ field: 5, value: {} }] },
    { changes: [{ field: 'messages', value: { metadata: { phone_number_id: { nested: true } } } }] },
    value({ messages: 'x', statuses: 5, contacts: {}, errors: null }),
    value({ messages: [null, 1, [], {}, { id: 'a' }, { from: '15550100500' }, { id: 7, from: 5, type: {} }] }),
    value({ messages: [messageFrom('not a number at all'), messageFrom('')] }),
    value({ messages: [messageFrom('15550100501', { id: 'x'.repeat(5000) })] }),
    value({ messages: [messageFrom('15550100502', { group_id: 'g1' })] }),
    value({ messages: [messageFrom('15550100503', { type: 'reaction', reaction: null })] }),
    value({ messages: [messageFrom('15550100503', { type: 'system', system: { type: 'user_identity_changed' } })] }),
    value({ messages: [messageFrom('15550100503', { type: '__proto__', ['__proto__']: { a: 1 } })] }),
    value({ messages: [messageFrom('15550100503', { type: 'constructor' })] }),
    value({ statuses: [null, {}, { id: 'x' }, { id: 'x', status: 'toString' }, { id: 'x', status: ['read'] }] }),
    value({ statuses: [statusOf('y', 'warning')] }),
    value({ errors: [{ code: 131031, title: 'Locked' }] }),
    {
      id: channel.businessAccountId,
      time: 1,
      changes: [{ field: 'account_update', value: { event: 'SOMETHING_NEW' } }],
    },
    { id: channel.businessAccountId, time: 1, changes: [{ field: 'message_template_status_update', value: {} }] },
    {
      id: channel.businessAccountId,
      time: 1,
      changes: [{ field: 'user_preferences', value: { user_preferences: [{}] } }],
    },
  ]
  await deliver(app, channel, ...odd, messagesTo(channel, [textFrom('15550100504', 'still here')]))
  assert.ok(await has('15550100504'))
  for (const each of odd) assert.equal((await post(app, channel, payloadOf(each))).status, 200)
  await processed(app)
  assert.ok((await kept()).every(({ outcome }) => outcome === 'ignored'))
  const reasons = (await kept()).map(({ reason }) => reason).join()
  for (const word of [
    'field account_update',
    'error 131031',
    'status warning',
    'message of type reaction',
    'preference',
  ])
    assert.ok(reasons.includes(word), word)
  assert.ok(lines.some((line) => line.includes('field account_update')))
  // Unknown message types are stored as messages under their own type name.
  const { data } = (await acme.call('GET', 'events?type=message.received&limit=100')).body
  const bodies = data.map(({ data }: { data: { object: { body: string } } }) => data.object.body)
  assert.ok(bodies.includes('[__proto__]') && bodies.includes('[constructor]'))
  assert.ok(!(await has('15550100501')))
  assert.ok(!(await has('15550100502')))
  await app.database.forSystem().run`delete from early_updates`
  await forget()
})

test('text of any size and kind is stored as far as it can be', async () => {
  const huge = 'å'.repeat(400_000)
  const nested = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)
  await deliver(
    app,
    channel,
    messagesTo(channel, [textFrom('15550100601', huge)], 'N\0ame \ud800'.repeat(200)),
    messagesTo(channel, [messageFrom('15550100602', { type: 'hologram', hologram: nested })]),
    messagesTo(channel, [messageFrom('15550100603', { type: 'x\0y', 'x\0y': { 'k\0': 'v\0', '\udfff': 1 } })]),
    messagesTo(channel, [messageFrom('15550100604', { context: { id: 'z'.repeat(10_000) } })]),
    messagesTo(channel, [
      messageFrom('15550100605', { type: 'image', image: { id: 'm\0', filename: 'f\0'.repeat(999) } }),
    ]),
  )
  assert.deepEqual(await kept(), [])
  for (const number of ['15550100601', '15550100602', '15550100603', '15550100604', '15550100605'])
    assert.ok(await has(number), number)
  const { name } = (await acme.call('GET', 'contacts?search=15550100601')).body.data[0]
  assert.ok(name.length <= 255 && name.isWellFormed() && !name.includes('\0'))
})

test('ids with more digits than a number can hold arrive unchanged', async () => {
  const mine = await connectChannel(acme, { phone_number_id: '98765432109876543210' })
  const body = JSON.stringify(payloadOf(messagesTo(mine, [textFrom('15550100610', 'long')]))).replace(
    '"98765432109876543210"',
    '98765432109876543210',
  )
  assert.equal((await post(app, mine, body)).status, 200)
  await processed(app)
  assert.ok(await has('15550100610'))
})

test('a webhook that cannot be applied delays no other, is retried, and is put aside with its error', async () => {
  await owner.query(`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin
      if new.body = 'poison' then raise 'this one is poison'; end if;
      return new;
    end $$;
    create trigger refuse_poison before insert on messages for each row execute function refuse_poison()`)
  const globex = await app.organization()
  const theirs = await connectChannel(globex)
  // Posted concurrently, so that they are processed as one batch.
  await Promise.all([
    ...Array.from({ length: 5 }, (_, i) =>
      post(app, channel, payloadOf(messagesTo(channel, [textFrom(`155501007${10 + i}`, 'fine')]))),
    ),
    post(app, channel, payloadOf(messagesTo(channel, [textFrom('15550100720', 'poison')]))),
    post(app, theirs, payloadOf(messagesTo(theirs, [textFrom('15550100721', 'fine')]))),
  ])
  await processed(app)
  for (let i = 0; i < 5; i++) assert.ok(await has(`155501007${10 + i}`))
  assert.equal((await globex.call('GET', 'contacts')).body.total_count, 1)
  assert.ok(!(await has('15550100720')))
  const Waiting = Type.Object({ attempts: Type.Integer() })
  const waiting = () => app.database.forSystem().all(Waiting)`select attempts from incoming_hooks`
  for (let attempts = 1; attempts < 5; attempts++) {
    // It is retried by itself as well, if this takes long.
    await until(async () => ((await waiting())[0]?.attempts ?? 5) >= attempts)
    // Other webhooks do not wait for it.
    await deliver(app, channel, messagesTo(channel, [textFrom(`155501007${30 + attempts}`, 'fine')]))
    assert.ok(await has(`155501007${30 + attempts}`))
    await app.database.forSystem().run`update incoming_hooks set due_at = now() - interval '1 second'`
  }
  await until(async () => (await waiting()).length === 0)
  assert.deepEqual(await kept(), [{ outcome: 'failed', reason: 'this one is poison', attempts: 5 }])
  assert.ok(lines.some((line) => line.includes('put aside')))
  await owner.query('drop trigger refuse_poison on messages')
  const Metrics = (await app.call('GET', '/metrics')).text
  assert.match(Metrics, /frontdesk_incoming_hooks\{state="failed"\} 1/)
  await forget()
})

test('ignored webhooks are deleted after a month, failed ones are kept', async () => {
  const put = (outcome: string, days: number) =>
    app.database.forSystem().run`
      insert into kept_hooks (id, body, received_at, outcome, reason, attempts, kept_at)
      values (${newId()}, 'x', now(), ${outcome}, 'r', 0, now() - ${days} * interval '1 day')`
  for (const days of [1, 2, 3, 29, 31]) await put('ignored', days)
  await put('failed', 400)
  await sweepIgnoredHooks(app.database.forSystem(), { days: 30, most: 100 })
  assert.equal((await kept()).length, 5)
  await sweepIgnoredHooks(app.database.forSystem(), { days: 30, most: 2 })
  assert.deepEqual((await kept()).map(({ outcome }) => outcome).sort(), ['failed', 'ignored', 'ignored'])
  await forget()
})

test('template updates are applied only to templates of the account that the hook belongs to', async () => {
  const org = await app.organization({ mode: 'live' })
  const mine = await connectChannel(org, { access_token: platform.token })
  const other = await connectChannel(acme)
  const { body: template } = await org.call('POST', 'templates', {
    channel_id: mine.id,
    name: 'pickup_ready',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your parcel is here.' }],
  })
  const read = async () => (await org.call('GET', `templates/${template.id}`)).body
  await until(async () => (await read()).remote_template_id !== null)
  // As the platform writes it: a number, with more digits than a double can hold.
  const { remote_template_id: remoteId } = await read()
  const change = (field: string, value: object, account = mine.businessAccountId) =>
    `{"object":"whatsapp_business_account","entry":[{"id":"${account}","time":${Math.floor(Date.now() / 1000)},"changes":[{"field":"${field}","value":${JSON.stringify(
      { ...value, message_template_name: 'pickup_ready', message_template_language: 'en_US' },
    ).replace('{', `{"message_template_id":${remoteId},`)}}]}]}`
  assert.equal(
    (await post(app, other, change('message_template_quality_update', { new_quality_score: 'RED' }))).status,
    200,
  )
  await processed(app)
  assert.equal((await read()).quality_score, '')
  assert.equal(
    (await post(app, mine, change('message_template_quality_update', { new_quality_score: 'YELLOW' }))).status,
    200,
  )
  await processed(app)
  const after = await read()
  assert.equal(after.quality_score, 'YELLOW')
  assert.equal(after.remote_template_id, remoteId)
})

test('a template whose id is not known yet is found by a webhook that writes its language as en-US', async () => {
  const org = await app.organization({ mode: 'live' })
  const mine = await connectChannel(org, { access_token: platform.token })
  const gate = Promise.withResolvers<void>()
  platform.next.create.push({ afterwards: () => gate.promise })
  const { body: template } = await org.call('POST', 'templates', {
    channel_id: mine.id,
    name: 'pickup_soon',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your parcel is near.' }],
  })
  const there = () => platform.accounts.get(mine.businessAccountId)?.find(({ name }) => name === 'pickup_soon')
  await until(async () => there() !== undefined)
  await deliver(app, mine, {
    id: mine.businessAccountId,
    time: Math.floor(Date.now() / 1000),
    changes: [
      {
        field: 'message_template_status_update',
        value: {
          event: 'APPROVED',
          message_template_id: there()?.id,
          message_template_name: 'pickup_soon',
          message_template_language: 'en-US',
          reason: null,
        },
      },
    ],
  })
  const read = async () => (await org.call('GET', `templates/${template.id}`)).body
  assert.deepEqual([(await read()).status, (await read()).remote_template_id], ['APPROVED', there()?.id])
  gate.resolve()
  await until(async () => (await read()).registration === 'registered')
})

test('webhooks that an API-only node received are processed by another node', async () => {
  const api = await app.node({ ROLE: 'api' })
  assert.equal(
    (await post(api, channel, payloadOf(messagesTo(channel, [textFrom('15550100800', 'via api')])))).status,
    200,
  )
  await until(() => has('15550100800'))
  await api.close()
  await deliver(app, channel, statusesOf(channel, []))
})
