import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok, startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { refusal, startTemplatePlatform } from '../../../testing/template-platform.ts'
import { templatesOf } from '../../../testing/templates.ts'

const platform = await startTemplatePlatform()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url } })
const helpers = templatesOf(app, platform)
type Organization = Awaited<ReturnType<typeof helpers.organization>>

const sync = (acme: Organization, body?: object) => acme.call('POST', 'templates/sync', body)
const list = async (acme: Organization) => (await acme.call('GET', 'templates')).body.items
const counts = ({ added, updated, removed, unchanged }: Record<string, number>) => [added, updated, removed, unchanged]

test('all templates of the platform are added, over all pages, each once', async () => {
  const acme = await helpers.organization()
  const there = Array.from({ length: 7 }, (_, i) => platform.add(acme.account, { name: `from_there_${i}` }))
  const first = ok(await sync(acme, {}))
  assert.deepEqual(counts(first), [7, 0, 0, 0])
  assert.ok(Date.parse(first.synced_at) > 0)
  assert.deepEqual(first.failures, [])
  const templates = await list(acme)
  assert.deepEqual(
    templates.map((each: { remote_template_id: string }) => each.remote_template_id).sort(),
    there.map(({ id }) => id).sort(),
  )
  const [template] = templates
  assert.equal(template.channel_id, acme.channel)
  assert.equal(template.business_account_id, acme.account)
  assert.equal(template.status, 'APPROVED')
  assert.equal(template.platform_status, 'APPROVED')
  assert.equal(template.registration, 'registered')
  assert.deepEqual(template.components, there.find(({ id }) => id === template.remote_template_id)?.components)
  assert.deepEqual(await acme.eventTypes(template.id), ['template.created'])
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 7])
  assert.deepEqual(await acme.eventTypes(template.id), ['template.created'])
})

test('changed templates are updated, missing ones removed, with one event per change', async () => {
  const acme = await helpers.organization()
  const [same, changed, gone] = ['same', 'changed', 'gone'].map((name) =>
    platform.add(acme.account, { name, status: 'PENDING' }),
  )
  assert.ok(same && changed && gone)
  await sync(acme)
  const before = await list(acme)
  const idOf = (name: string) => before.find((each: { name: string }) => each.name === name).id
  Object.assign(changed, {
    status: 'APPROVED',
    category: 'MARKETING',
    quality_score: { score: 'GREEN' },
    components: [{ type: 'BODY', text: 'Another text.' }],
  })
  platform.accounts.set(acme.account, [same, changed])
  assert.deepEqual(counts((await sync(acme)).body), [0, 1, 1, 1])
  const template = (await acme.call('GET', `templates/${idOf('changed')}`)).body
  assert.equal(template.status, 'APPROVED')
  assert.equal(template.category, 'MARKETING')
  assert.equal(template.quality_score, 'GREEN')
  assert.deepEqual(template.components, changed.components)
  assert.equal((await acme.call('GET', `templates/${idOf('gone')}`)).status, 404)
  assert.deepEqual(await acme.eventTypes(idOf('changed')), ['template.created', 'template.approved'])
  assert.deepEqual(await acme.eventTypes(idOf('gone')), ['template.created', 'template.deleted'])
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 2])
})

test('states beyond the three verdicts, old categories and rejections are understood', async () => {
  const acme = await helpers.organization()
  platform.add(acme.account, { name: 'paused', status: 'PAUSED' })
  platform.add(acme.account, { name: 'rejected', status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' })
  platform.add(acme.account, { name: 'appealed', status: 'IN_APPEAL' })
  platform.add(acme.account, { name: 'never_heard_of', status: 'QUARANTINED' })
  platform.add(acme.account, { name: 'old', category: 'TRANSACTIONAL' })
  platform.add(acme.account, { name: 'older', category: 'ALERT_UPDATE' })
  await sync(acme)
  const found = Object.fromEntries((await list(acme)).map((each: { name: string }) => [each.name, each]))
  const states = (name: string) => [found[name].status, found[name].platform_status]
  assert.deepEqual(states('paused'), ['APPROVED', 'PAUSED'])
  assert.deepEqual(states('rejected'), ['REJECTED', 'REJECTED'])
  assert.equal(found.rejected.rejected_reason, 'INVALID_FORMAT')
  assert.deepEqual(states('appealed'), ['REJECTED', 'IN_APPEAL'])
  assert.deepEqual(states('never_heard_of'), ['PENDING', 'QUARANTINED'])
  assert.equal(found.old.category, 'UTILITY')
  assert.equal(found.older.category, 'MARKETING')
})

test('the caller’s components are not replaced by equal ones in the platform’s spelling', async () => {
  const acme = await helpers.organization()
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Locker' },
    { type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' },
  ]
  const { id } = await acme.create({ components })
  await acme.settled(id)
  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  there.components = [
    { type: 'BODY', text: 'Hello {{1}}, your parcel is ready.', example: { body_text: [['x']] } },
    { type: 'HEADER', format: 'text', text: 'Locker' },
  ]
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 1])
  assert.deepEqual((await acme.call('GET', `templates/${id}`)).body.components, components)
})

test('media examples with new links are not a change', async () => {
  const acme = await helpers.organization()
  const header = (link: string) => [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [link] } }]
  const there = platform.add(acme.account, { name: 'with_image', components: header('https://cdn.example/1') })
  await sync(acme)
  there.components = header('https://cdn.example/2')
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 1])
})

test('text that cannot be stored does not stop a sync', async () => {
  const acme = await helpers.organization()
  platform.add(acme.account, { name: 'odd', components: [{ type: 'BODY', text: 'a\0b\ud800c', 'k\0': 1 }] })
  assert.deepEqual(counts((await sync(acme)).body), [1, 0, 0, 0])
  assert.deepEqual((await list(acme))[0].components, [{ type: 'BODY', text: 'ab\ufffdc', k: 1 }])
})

test('a template missing from the pages is looked up before it is removed', async () => {
  const acme = await helpers.organization()
  platform.add(acme.account, { name: 'missed' })
  await sync(acme)
  platform.next.list.push({ status: 200, json: { data: [] } })
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 0])
  assert.equal((await list(acme)).length, 1)
})

test('a template registered during the listing is neither removed nor duplicated', async () => {
  const acme = await helpers.organization()
  const gate = Promise.withResolvers<void>()
  platform.next.list.push(async () => {
    // The list was made before the template was.
    const snapshot = [...(platform.accounts.get(acme.account) ?? [])]
    await gate.promise
    const now = platform.accounts.get(acme.account) ?? []
    platform.accounts.set(acme.account, snapshot)
    setImmediate(() => platform.accounts.set(acme.account, now))
  })
  const syncing = sync(acme)
  await until(async () => platform.next.list.length === 0)
  const { id } = await acme.create()
  await acme.settled(id)
  gate.resolve()
  assert.deepEqual(counts((await syncing).body), [0, 0, 0, 0])
  assert.equal((await acme.call('GET', `templates/${id}`)).status, 200)
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 1])
})

test('a template with a pending registration is left to it', async () => {
  const acme = await helpers.organization()
  platform.next.create.push('do it and hang up')
  const { id } = await acme.create()
  const unsure = await acme.sees(id, ({ registration }) => registration === 'uncertain')
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 0])
  assert.deepEqual((await acme.call('GET', `templates/${id}`)).body, unsure)
  platform.accounts.set(acme.account, [])
  assert.deepEqual(counts((await sync(acme)).body), [0, 0, 0, 0])
  assert.equal((await acme.call('GET', `templates/${id}`)).status, 200)
})

test('a listing that began before a deletion does not bring the template back', async () => {
  const acme = await helpers.organization()
  const { id } = await acme.create()
  await acme.settled(id)
  await helpers.idle()
  const gate = Promise.withResolvers<void>()
  let answerWith: unknown[] = []
  platform.next.list.push(async () => {
    const before = [...(platform.accounts.get(acme.account) ?? [])]
    await gate.promise
    answerWith = before
    platform.accounts.set(acme.account, before)
    setImmediate(() => platform.accounts.set(acme.account, []))
  })
  const syncing = sync(acme)
  await until(async () => platform.next.list.length === 0)
  assert.equal((await acme.call('DELETE', `templates/${id}`)).status, 200)
  gate.resolve()
  assert.deepEqual(counts((await syncing).body), [0, 0, 0, 0])
  assert.equal(answerWith.length, 1)
  assert.deepEqual(await list(acme), [])
})

test('a reused name leads to the new template, not to the one being deleted', async () => {
  const acme = await helpers.organization()
  const former = platform.add(acme.account, { name: 'reborn' })
  await sync(acme)
  const [{ id }] = await list(acme)
  former.status = 'PENDING_DELETION'
  assert.deepEqual(counts((await sync(acme)).body), [0, 1, 0, 0])
  const heir = platform.add(acme.account, { name: 'reborn', status: 'PENDING' })
  assert.deepEqual(counts((await sync(acme)).body), [0, 1, 0, 0])
  const template = (await acme.call('GET', `templates/${id}`)).body
  assert.equal(template.remote_template_id, heir.id)
  assert.equal(template.platform_status, 'PENDING')
  assert.equal((await list(acme)).length, 1)
})

test('parallel syncs duplicate nothing, and the earlier one does not undo the later one', async () => {
  const acme = await helpers.organization()
  for (let i = 0; i < 5; i++) platform.add(acme.account, { name: `at_once_${i}` })
  const answers = await Promise.all([sync(acme), sync(acme), sync(acme)])
  assert.equal(
    answers.reduce((sum, { body }) => sum + body.added, 0),
    5,
  )
  assert.equal((await list(acme)).length, 5)

  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  const gate = Promise.withResolvers<void>()
  platform.next.list.push(async () => {
    await gate.promise
    there.status = 'PAUSED'
    setImmediate(() => Object.assign(there, { status: 'DISABLED' }))
  })
  const early = sync(acme)
  await until(async () => platform.next.list.length === 0)
  there.status = 'DISABLED'
  assert.equal((await sync(acme)).body.updated, 1)
  gate.resolve()
  assert.equal((await early).body.updated, 0)
  const found = (await list(acme)).find((each: { remote_template_id: string }) => each.remote_template_id === there.id)
  assert.equal(found.platform_status, 'DISABLED')
})

test('a failing platform is 502 with its message and changes nothing', async () => {
  const acme = await helpers.organization()
  platform.add(acme.account, { name: 'stays_one' })
  platform.add(acme.account, { name: 'stays_two' })
  platform.add(acme.account, { name: 'stays_three' })
  await sync(acme)
  for (const behaviour of [
    'hang up' as const,
    refusal(190, { message: 'Expired' }),
    { status: 200, text: 'garbage' },
  ]) {
    platform.next.list.push(behaviour)
    const answer = await sync(acme)
    assert.equal(answer.status, 502, answer.text)
    assert.match(answer.body.detail, /^The platform’s templates could not be read: /)
    assert.ok(answer.body.upstream.code && answer.body.upstream.message)
  }
  // The second page fails: a partial list is not used.
  platform.next.list.push(async () => {}, 'hang up')
  assert.equal((await sync(acme)).status, 502)
  assert.equal((await list(acme)).length, 3)
})

test('one account that cannot be read does not hide the others', async () => {
  const acme = await helpers.organization()
  platform.add(acme.account, { name: 'readable' })
  const dead = await acme.connect({ account: '999', token: 'EAAdead' })
  const answer = ok(await sync(acme))
  assert.deepEqual(counts(answer), [1, 0, 0, 0])
  assert.deepEqual(answer.failures, [
    {
      channel_id: dead,
      business_account_id: '999',
      detail: 'The platform’s templates could not be read: Error validating access token',
      upstream: { code: 190, message: 'Error validating access token' },
    },
  ])
  const alone = await sync(acme, { channel_id: dead })
  assert.equal(alone.status, 502)
  assert.deepEqual(alone.body.upstream, { code: 190, message: 'Error validating access token' })
  assert.deepEqual(counts((await sync(acme, { channel_id: acme.channel })).body), [0, 0, 0, 1])
})

test('two channels of one business account are one account', async () => {
  const acme = await helpers.organization()
  await acme.connect()
  await helpers.idle()
  platform.add(acme.account, { name: 'shared' })
  assert.deepEqual(counts((await sync(acme)).body), [1, 0, 0, 0])
})

test('an unknown channel, another organization’s and one without chat are reported differently', async () => {
  const [acme, globex] = [await helpers.organization(), await helpers.organization()]
  const bare = (await acme.call('POST', 'channels', { phone_number: '+14155550999' })).body.id
  assert.equal((await sync(acme, { channel_id: globex.channel })).status, 404)
  assert.equal((await sync(acme, { channel_id: '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d' })).status, 404)
  assert.equal((await sync(acme, { channel_id: 'nonsense' })).status, 422)
  assert.equal((await sync(acme, { channel_id: bare })).status, 409)
  assert.equal((await sync(acme)).status, 200)
})

test('two organizations with the same business account each have their own templates', async () => {
  const [acme, globex] = [await helpers.organization(), await helpers.organization()]
  await globex.connect({ account: acme.account })
  platform.add(acme.account, { name: 'in_common' })
  await sync(acme)
  await sync(globex)
  const [[ours], [theirs]] = [await list(acme), await list(globex)]
  assert.equal(ours.remote_template_id, theirs.remote_template_id)
  assert.notEqual(ours.id, theirs.id)
})

test('every account is synced on schedule, and a dead one does not delay the rest', async () => {
  const [acme, globex] = [await helpers.organization(), await helpers.organization({ token: 'EAAdead' })]
  platform.add(acme.account, { name: 'found_by_itself' })
  await app.database.forSystem().run`
    update template_accounts set next_sync_at = now() - interval '1 second', sync_error = null
    where business_account_id in (${acme.account}, ${globex.account})`
  await helpers.sweep()
  await until(async () => (await list(acme)).length === 1)
  const Due = Type.Object({ minutes: Type.Number(), sync_error: Type.String() })
  await until(async () => {
    const account = await app.database.forSystem().maybe(Due)`
      select extract(epoch from next_sync_at - now())::float8 / 60 as minutes, sync_error from template_accounts
      where business_account_id = ${globex.account} and sync_error is not null`
    return account !== undefined && account.minutes > 60 && account.sync_error === 'Error validating access token'
  })
})

test('an account without a channel is left alone until it has one again', async () => {
  const acme = await helpers.organization()
  platform.add(acme.account, { name: 'waits_for_a_channel' })
  await acme.call('DELETE', `channels/${acme.channel}`)
  const Account = Type.Object({ rests: Type.Boolean() })
  const rests = async () =>
    (
      await app.database.forSystem().one(Account)`
      select next_sync_at is null as rests from template_accounts where business_account_id = ${acme.account}`
    ).rests
  await app.database.forSystem().run`
    update template_accounts set next_sync_at = now() - interval '1 second' where business_account_id = ${acme.account}`
  await helpers.sweep()
  await until(rests)
  await acme.connect()
  await until(async () => (await list(acme)).length === 1)
  assert.equal(await rests(), false)
})
