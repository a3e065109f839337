import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../platform/ids.ts'
import { type CallAs, ok, startTestApp } from '../../testing/app.ts'
import type { Template } from './schema.ts'

const app = await startTestApp()
const acme = await app.organization()
const globex = await app.organization()
const channelOf = async (call: CallAs) => (await call('GET', 'channels')).body.data[0].id as string
const channel_id = await channelOf(acme.call)

const body = { type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' }
let numbers = 0
const draft = (members: object = {}) => ({
  channel_id,
  name: `template_${++numbers}`,
  language: 'en_US',
  category: 'UTILITY',
  components: [body],
  ...members,
})
const create = (members?: object, call = acme.call) => call('POST', 'templates', draft(members))
const faultsOf = async (members: object) => {
  const answer = await create(members)
  assert.equal(answer.status, 422, answer.text)
  return answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()
}

test('a new template has every field of the contract, is pending and has no platform id', async () => {
  const given = draft({ category: 'MARKETING' })
  const { id, created_at, updated_at, ...rest } = ok(await acme.call('POST', 'templates', given), 201)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...given,
    organization_id: acme.id,
    account_id: acme.id,
    business_account_id: acme.id,
    remote_template_id: null,
    upcoming_category: null,
    sample_files: {},
    status: 'PENDING',
    platform_status: null,
    rejected_reason: null,
    message_send_ttl_seconds: null,
    quality_score: '',
    registration: 'registering',
    registration_error: null,
    livemode: false,
    warnings: [],
  })
  const { status } = await acme.call('GET', `templates/${id}`)
  assert.equal(status, 200)
})

test('each fault of the request is reported with its location', async () => {
  assert.deepEqual(await faultsOf({ name: 'Not A Name', language: 'english', category: 'SPAM', channel_id: 'x' }), [
    'body.category',
    'body.channel_id',
    'body.language',
    'body.name',
  ])
  assert.deepEqual(await faultsOf({ name: '' }), ['body.name'])
  assert.deepEqual(await faultsOf({ name: 'a'.repeat(256) }), ['body.name'])
  for (const language of ['en-US', 'EN', 'en_us', 'e', 'en_USA', '', ' en'])
    assert.deepEqual(await faultsOf({ language }), ['body.language'], language)
  assert.deepEqual(await faultsOf({ components: 'none' }), ['body.components'])
  assert.deepEqual(
    await faultsOf({
      components: [
        { text: 'without a type' },
        { type: 'body', text: 'in lower case' },
        { type: 'HEADER', format: 'GIF' },
        { type: 'BODY', text: 3 },
        { type: 'BUTTONS', buttons: 'none' },
        { type: 'BUTTONS', buttons: [{ text: 'x' }, { type: 'SPM', text: 'x' }, { type: 'QUICK_REPLY' }] },
        { type: 'BUTTONS', buttons: [{ type: 'URL' }, { type: 'URL', text: 'x', url: 1 }, { type: 'PHONE_NUMBER' }] },
        'not even an object',
        { type: 'CAROUSEL' },
        { type: 'CAROUSEL', cards: [{ components: [{ type: 'FOOTER', text: 'x' }] }, {}] },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: {} },
        { type: 'BUTTONS', buttons: [{ type: 'OTP' }, { type: 'OTP', otp_type: 'TWO_TAP' }] },
      ],
    }),
    [
      'body.components.0.type',
      'body.components.1.type',
      'body.components.10.limited_time_offer.text',
      'body.components.11.buttons.0.otp_type',
      'body.components.11.buttons.1.otp_type',
      'body.components.2.format',
      'body.components.3.text',
      'body.components.4.buttons',
      'body.components.5.buttons.0.type',
      'body.components.5.buttons.1.type',
      'body.components.5.buttons.2.text',
      'body.components.6.buttons.0.text',
      'body.components.6.buttons.0.url',
      'body.components.6.buttons.1.url',
      'body.components.7',
      'body.components.8.cards',
      'body.components.9.cards.0.components.0.type',
      'body.components.9.cards.1.components',
    ],
  )
  const nothing = await acme.call('POST', 'templates', {})
  assert.deepEqual(nothing.body.detail.map(({ loc }: { loc: string[] }) => loc[1]).sort(), [
    'category',
    'channel_id',
    'components',
    'language',
    'name',
  ])
})

test('all legal names and languages are accepted', async () => {
  for (const name of ['a', '0', '_', `long_${'x'.repeat(250)}`])
    assert.equal((await create({ name })).status, 201, name)
  for (const language of ['en', 'fil', 'pt_BR', 'zh_Hans_CN', 'es_419'])
    assert.equal((await create({ language })).status, 201, language)
})

test('null means absent, and members of the platform’s own are kept', async () => {
  const components = [
    { type: 'BODY', text: 'Hello', format: null, buttons: null, example: null, add_security_recommendation: true },
    { type: 'BUTTONS', buttons: [{ type: 'PHONE_NUMBER', text: 'Call', url: null, phone_number: '+14155550100' }] },
  ]
  const created = ok(await create({ components }), 201)
  assert.deepEqual(created.components, [
    { type: 'BODY', text: 'Hello', add_security_recommendation: true },
    { type: 'BUTTONS', buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+14155550100' }] },
  ])
})

test('platform rules come back as located warnings and refuse nothing', async () => {
  const created = ok(await create({ components: [{ type: 'BODY', text: '{{1}} is here' }] }), 201)
  assert.deepEqual(created.warnings, [
    {
      loc: ['body', 'components', '0', 'text'],
      msg: 'The platform refuses a body that starts or ends with a variable',
    },
    {
      loc: ['body', 'components', '0', 'text'],
      msg: 'The platform may refuse it: there are too many variables for the length of the text',
    },
  ])
  assert.equal((await acme.call('GET', `templates/${created.id}`)).body.warnings, undefined)
})

test('named variables give no warning', async () => {
  const components = [
    { type: 'BODY', text: 'Hello {{first_name}}, your order {{order_id}} is ready for you at the desk.' },
  ]
  const created = await create({ components })
  assert.deepEqual([created.status, created.body.warnings], [201, []])
})

test('a preflight returns what creating would, and creates nothing', async () => {
  const given = draft({ name: 'not_yet_there', components: [{ type: 'BODY', text: '{{1}} is here' }] })
  const before = (await acme.call('GET', 'templates')).body.total
  const { status, body } = await acme.call('POST', 'templates/preflight', given)
  assert.equal(status, 200)
  assert.equal(body.existing_id, null)
  assert.equal((await acme.call('GET', 'templates')).body.total, before)
  const created = await acme.call('POST', 'templates', given)
  assert.deepEqual(body.warnings, created.body.warnings)
  assert.equal((await acme.call('POST', 'templates/preflight', given)).body.existing_id, created.body.id)
  const faulty = await acme.call('POST', 'templates/preflight', { ...given, name: 'Not this' })
  assert.deepEqual(faulty.body.detail[0].loc, ['body', 'name'])
})

test('an unknown, deleted, other-mode or another organization’s channel is 404', async () => {
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const gone = (await acme.call('POST', 'channels', { phone_number: '+14155550111' })).body.id
  await acme.call('DELETE', `channels/${gone}`)
  for (const answer of [
    await create({ channel_id: newId() }),
    await create({ channel_id: await channelOf(globex.call) }),
    await create({ channel_id: gone }),
    await create({}, live),
  ]) {
    assert.equal(answer.status, 404, answer.text)
    assert.deepEqual(answer.body, { detail: 'Channel not found' })
  }
})

test('a live channel that is not connected is 409, saying what to do', async () => {
  const live = await app.organization({ mode: 'live' })
  const { id } = (await live.call('POST', 'channels', { phone_number: '+14155550112' })).body
  const answer = await create({ channel_id: id }, live.call)
  assert.equal(answer.status, 409)
  assert.match(answer.body.detail, /chat/)
})

test('a name taken in a language is 409 with the other’s id; another language is free', async () => {
  const first = await create({ name: 'greeting' })
  const second = await create({ name: 'greeting', category: 'MARKETING' })
  assert.equal(second.status, 409)
  assert.equal(second.body.existing_id, first.body.id)
  assert.equal((await create({ name: 'greeting', language: 'de' })).status, 201)
  ok(await create({ name: 'greeting', channel_id: await channelOf(globex.call) }, globex.call), 201)
})

test('the same key creates one template, and replays its warnings', async () => {
  const given = draft({ components: [{ type: 'BODY', text: 'Hello {{1}}' }] })
  const ask = () => acme.call('POST', 'templates', given, { 'idempotency-key': 'template-once' })
  const [first, second] = [await ask(), await ask()]
  assert.equal(first.status, 201)
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  assert.ok(first.body.warnings.length > 0)
})

test('a refused template leaves no job and no count behind', async () => {
  const Count = Type.Object({ n: Type.Integer() })
  const before = (await acme.call('GET', 'templates?limit=1')).body.total
  assert.equal((await create({ name: 'greeting' })).status, 409)
  assert.equal((await acme.call('GET', 'templates?limit=1')).body.total, before)
  const orphans = await app.database.forSystem().one(Count)`
    select count(*)::integer as n from pgboss.job
    where name = 'templates.register'
      and not exists (select from templates where templates.id = (data ->> 'template_id')::uuid)`
  assert.equal(orphans.n, 0)
})

test('templates are listed newest first, page by page, with exact totals for every filter', async () => {
  const organization = await app.organization()
  const channel = await channelOf(organization.call)
  const make = async (members: object) => (await create({ channel_id: channel, ...members }, organization.call)).body
  const made: Template[] = []
  for (let i = 0; i < 7; i++)
    made.push(await make({ name: `listed_${i % 2 ? 'odd' : 'even'}_${i}`, category: i < 3 ? 'MARKETING' : 'UTILITY' }))
  await app.database.forSystem().run`
    update templates set status = 'APPROVED', status_at = now() + interval '1 day' where id = any (${made.slice(0, 2).map(({ id }) => id)}::uuid[])`
  const list = async (query: string) => {
    return ok(await organization.call('GET', `templates${query}`))
  }
  const ids = (items: Template[]) => items.map(({ id }) => id)
  const newest = ids(made).toReversed()
  const all = await list('')
  assert.deepEqual({ ...all, items: ids(all.items) }, { items: newest, has_more: false, total: 7, page: 1, limit: 100 })
  const first = await list('?limit=3')
  assert.deepEqual([ids(first.items), first.has_more, first.total], [newest.slice(0, 3), true, 7])
  const last = await list('?limit=3&page=3')
  assert.deepEqual([ids(last.items), last.has_more, last.page], [newest.slice(6), false, 3])
  const beyond = await list('?limit=3&page=2147483647')
  assert.deepEqual([beyond.items, beyond.has_more, beyond.total], [[], false, 7])
  assert.deepEqual(ids((await list('?status=APPROVED')).items), newest.slice(5))
  assert.equal((await list('?status=REJECTED')).total, 0)
  assert.deepEqual(ids((await list('?category=MARKETING')).items), newest.slice(4))
  const both = await list('?category=MARKETING&status=APPROVED&limit=1')
  assert.deepEqual([ids(both.items), both.total, both.has_more], [[newest[5]], 2, true])
  const odd = await list('?search=ODD&limit=2')
  assert.deepEqual([odd.items.length, odd.total, odd.has_more], [2, 3, true])
  assert.deepEqual(ids((await list('?search=odd&limit=2&page=2')).items), [newest[5]])
  assert.equal((await list('?search=odd&page=9')).total, 3)
  assert.equal((await list('?search=odd&category=MARKETING')).total, 1)
  const inEnglish = await list('?search=odd&language=en_US&limit=2')
  assert.deepEqual({ ...inEnglish, items: ids(inEnglish.items) }, { ...odd, items: ids(odd.items) })
  assert.deepEqual(ids((await list('?language=en_US&page=2&limit=5')).items), newest.slice(5))
  assert.equal((await list('?language=de')).total, 0)
  assert.equal((await list('?search=odd&status=APPROVED')).total, 1)
  for (const search of ['%25', '_x', '\\', "'", 'nothing_like_it'])
    assert.equal((await list(`?search=${search}`)).total, 0)
  assert.equal((await list('?search=_')).total, 7)
})

test('list parameters out of bounds are refused with their location', async () => {
  for (const [query, name] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['status=PAUSED', 'status'],
    ['category=SPAM', 'category'],
  ]) {
    const answer = await acme.call('GET', `templates?${query}`)
    assert.equal(answer.status, 422, query)
    assert.deepEqual(answer.body.detail[0].loc, ['query', name])
  }
})

test('a template is visible to its own organization and mode only', async () => {
  const { id } = (await create()).body
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  assert.equal((await acme.call('GET', `templates/${id}`)).status, 200)
  for (const [call, path] of [
    [globex.call, id],
    [live, id],
    [acme.call, newId()],
    [acme.call, 'nonsense'],
  ] as const) {
    const answer = await call('GET', `templates/${path}`)
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, { detail: 'Template not found' })
  }
})

test('every operation needs a credential and the scope campaigns:manage', async () => {
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const manager = app.as((await app.key(acme.id, { scopes: ['campaigns:manage'] })).secret)
  const id = newId()
  const operations: [string, string, unknown?][] = [
    ['GET', 'templates'],
    ['POST', 'templates', draft()],
    ['POST', 'templates/preflight', draft()],
    ['GET', `templates/${id}`],
    ['DELETE', `templates/${id}`],
    ['POST', 'templates/sync', {}],
    ['GET', 'templates/library'],
    ['POST', `templates/library/x/create?channel_id=${id}`, { language: 'en' }],
  ]
  for (const [method, path, given] of operations) {
    assert.equal((await app.call(method, path, given)).status, 401, path)
    const refused = await reader(method, path, given)
    assert.equal(refused.status, 403, path)
    assert.equal(refused.body.error.required_scope, 'campaigns:manage')
    assert.ok(![401, 403].includes((await manager(method, path, given)).status), path)
  }
})
