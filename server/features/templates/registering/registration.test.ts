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

test('a template is answered as pending at once, and registered in the background', async () => {
  const acme = await helpers.organization()
  const created = await acme.create({ name: 'pickup_ready' })
  assert.equal(created.status, 'PENDING')
  assert.equal(created.remote_template_id, null)
  assert.equal(created.quality_score, '')
  assert.equal(created.registration, 'registering')
  const template = await acme.settled(created.id)
  assert.equal(template.registration, 'registered')
  assert.equal(template.status, 'PENDING')
  assert.equal(template.platform_status, 'PENDING')
  assert.equal(template.remote_template_id, platform.accounts.get(acme.account)?.[0]?.id)
  assert.deepEqual(await acme.eventTypes(created.id), ['template.created', 'template.updated'])
})

test('an id beyond the safe integer range keeps its digits', async () => {
  const acme = await helpers.organization()
  const id = '98765432109876543210'
  platform.next.create.push({ status: 200, text: `{"id": ${id}, "status": "PENDING", "category": "UTILITY"}` })
  const template = await acme.settled((await acme.create()).id)
  assert.equal(template.remote_template_id, id)
})

test('the platform’s own category and verdict are stored', async () => {
  const acme = await helpers.organization()
  platform.next.create.push({ status: 200, json: { id: '77001', status: 'APPROVED', category: 'MARKETING' } })
  const template = await acme.settled((await acme.create()).id)
  assert.equal(template.status, 'APPROVED')
  assert.equal(template.platform_status, 'APPROVED')
  assert.equal(template.category, 'MARKETING')
  assert.deepEqual(await acme.eventTypes(template.id), ['template.created', 'template.approved'])
})

test('variables are sent with example values, the caller’s own if given', async () => {
  const acme = await helpers.organization()
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Locker {{1}}' },
    { type: 'BODY', text: 'Hello {{1}}, parcel {{2}} waits for you until Friday.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Show', url: 'https://parcels.example/c/{{1}}' },
        { type: 'QUICK_REPLY', text: 'Later' },
      ],
    },
  ]
  const neutral = await acme.settled((await acme.create({ components })).id)
  assert.deepEqual(neutral.components, components, 'what the caller gave stays as it is')
  const sent = platform.requests('create').at(-1)?.json.components
  assert.deepEqual(sent[0].example, { header_text: ['Example 1'] })
  assert.deepEqual(sent[1].example, { body_text: [['Example 1', 'Example 2']] })
  assert.deepEqual(sent[2].buttons[0].example, ['https://parcels.example/c/example'])
  assert.equal(sent[2].buttons[1].example, undefined)

  const example = { body_text: [['Ines', 'PX-4471']] }
  await acme.settled((await acme.create({ components: [{ ...components[1], example }] })).id)
  assert.deepEqual(platform.requests('create').at(-1)?.json.components[0].example, example)
})

test('a refusal rejects the template with its reason, and the name is free again', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(100, { subcode: 2388299, message: 'Variables can’t be at the start.' }))
  const { id } = await acme.create({ name: 'refused_once' })
  const template = await acme.settled(id)
  assert.equal(template.status, 'REJECTED')
  assert.equal(template.registration, 'refused')
  assert.equal(template.rejected_reason, 'Variables can’t be at the start (code 100, 2388299)')
  assert.equal(template.remote_template_id, null)
  assert.deepEqual(await acme.eventTypes(id), ['template.created', 'template.rejected'])

  const again = await acme.settled((await acme.create({ name: 'refused_once' })).id)
  assert.equal(again.registration, 'registered')
})

test('a failing or throttling platform is retried, and the template shows why it waits', async () => {
  const acme = await helpers.organization()
  const asked = acme.requested()
  platform.next.create.push(refusal(131057, { message: 'Account in maintenance mode' }), 'hang up')
  const { id } = await acme.create()
  const waiting = await acme.sees(id, ({ registration_error }) => registration_error !== null)
  assert.equal(waiting.status, 'PENDING')
  assert.equal(waiting.registration, 'registering')
  assert.match(waiting.registration_error ?? '', /Account in maintenance mode.*tried again/)
  await acme.hurry(id)
  await acme.sees(id, ({ registration }) => registration === 'uncertain')
  await acme.hurry(id)
  const template = await acme.settled(id)
  assert.equal(template.registration, 'registered')
  assert.equal(template.registration_error, null)
  assert.equal(acme.requested(), asked + 3)
})

test('an answer from something other than the platform is not a verdict', async () => {
  const acme = await helpers.organization()
  platform.next.create.push({ status: 404, text: '<html>Not found</html>' })
  const { id } = await acme.create()
  const waiting = await acme.sees(id, ({ registration_error }) => registration_error !== null)
  assert.equal(waiting.status, 'PENDING')
  assert.equal(waiting.registration, 'registering')
  await acme.hurry(id)
  assert.equal((await acme.settled(id)).registration, 'registered')
})

test('a template accepted without an answer is found, not requested twice', async () => {
  const acme = await helpers.organization()
  const asked = acme.requested()
  platform.next.create.push('do it and hang up')
  const { id, name } = await acme.create()
  const unsure = await acme.sees(id, ({ registration }) => registration === 'uncertain')
  assert.equal(unsure.status, 'PENDING')
  assert.match(unsure.registration_error ?? '', /not known whether/)
  await acme.hurry(id)
  const template = await acme.settled(id)
  assert.equal(template.registration, 'registered')
  assert.equal(template.remote_template_id, platform.accounts.get(acme.account)?.find((each) => each.name === name)?.id)
  assert.equal(acme.requested(), asked + 1)
  assert.equal(platform.accounts.get(acme.account)?.length, 1)
})

test('a malformed or cut-off answer leaves the same doubt and is settled the same way', async () => {
  const acme = await helpers.organization()
  for (const text of ['<html>Bad gateway</html>', '{"success": true}', '{"id": "']) {
    platform.next.create.push({ status: 200, text })
    const { id } = await acme.create()
    await acme.sees(id, ({ registration }) => registration === 'uncertain')
    await acme.hurry(id)
    assert.equal((await acme.settled(id)).registration, 'registered')
  }
})

test('after a worker died during its request, the next one searches first', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(131057))
  const { id } = await acme.create()
  await acme.sees(id, ({ registration_error }) => registration_error !== null)
  // The row as the dead worker left it: requested, claimed, no longer renewed; the platform has it.
  await app.database.forSystem().run`
    update templates set may_exist = true, registration_error = null, claim_id = gen_random_uuid(),
      claimed_until = now() - interval '1 second'
    where id = ${id}`
  const { name, components } = (await acme.call('GET', `templates/${id}`)).body
  const there = platform.add(acme.account, { name, components, status: 'PENDING' })
  const asked = acme.requested()
  await acme.hurry(id)
  assert.equal((await acme.settled(id)).remote_template_id, there.id)
  assert.equal(acme.requested(), asked)
})

test('a name taken at the platform by equal content is adopted, by other content refused', async () => {
  const acme = await helpers.organization()
  const components = [{ type: 'BODY', text: 'Hello {{1}}, your parcel is here.' }]
  const same = platform.add(acme.account, {
    name: 'taken_by_us',
    // As the platform returns it: other case, examples, its own members.
    components: [
      { type: 'body', text: 'Hello {{1}}, your parcel is here.', example: { body_text: [['x']] }, extra: 1 },
    ],
  })
  const other = platform.add(acme.account, { name: 'taken_by_others' })
  const adopted = await acme.settled((await acme.create({ name: 'taken_by_us', components })).id)
  assert.equal(adopted.remote_template_id, same.id)
  assert.equal(adopted.status, 'APPROVED')
  const refused = await acme.settled((await acme.create({ name: 'taken_by_others', components })).id)
  assert.equal(refused.status, 'REJECTED')
  assert.equal(refused.remote_template_id, null)
  assert.match(refused.rejected_reason ?? '', /another template with this name and language already/)

  assert.equal((await acme.call('DELETE', `templates/${refused.id}`)).status, 200)
  assert.ok(platform.accounts.get(acme.account)?.includes(other), 'the other one is not ours to delete')
})

test('an expired token holds the registration until the channel has a new one, then it continues', async () => {
  const acme = await helpers.organization({ token: 'EAAexpired' })
  const { id } = await acme.create()
  const held = await acme.sees(id, ({ registration }) => registration === 'held')
  assert.equal(held.status, 'PENDING')
  assert.match(held.registration_error ?? '', /access token.*Error validating access token/)
  assert.doesNotMatch(JSON.stringify(held), /EAAexpired/)
  ok(await acme.call('PATCH', `channels/${acme.channel}`, { chat: { access_token: platform.token } }))
  assert.equal((await acme.settled(id)).registration, 'registered')
})

test('a sync notices that the platform accepts the same token again, and resumes what was held', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(190, { message: 'Error validating access token' }))
  const first = await acme.create()
  await acme.sees(first.id, ({ registration }) => registration === 'held')
  const second = await acme.create()
  await acme.sees(second.id, ({ registration_error }) => registration_error !== null)
  assert.equal((await acme.call('POST', 'templates/sync', {})).status, 200)
  for (const { id } of [first, second]) assert.equal((await acme.settled(id)).registration, 'registered')
})

test('throttling without a hint is retried within seconds, not minutes', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(80007, { message: 'Rate limit hit' }))
  const { id } = await acme.create()
  await acme.sees(id, ({ registration_error }) => registration_error !== null)
  const { seconds } = await app.database.forSystem().one(Type.Object({ seconds: Type.Number() }))`
    select extract(epoch from next_attempt_at - updated_at)::float8 as seconds from templates where id = ${id}`
  assert.ok(seconds >= 10 && seconds <= 30, String(seconds))
})

test('credentials changed while the old ones are being refused are tried at once', async () => {
  const acme = await helpers.organization({ token: 'EAAexpired' })
  const gate = Promise.withResolvers<void>()
  platform.next.create.push(() => gate.promise)
  const { id } = await acme.create()
  await until(async () => platform.next.create.length === 0)
  await acme.call('PATCH', `channels/${acme.channel}`, { chat: { access_token: platform.token } })
  await until(async () => {
    const row = await app.database.forSystem().one(Type.Object({ woken: Type.Boolean() }))`
      select woken_at is not null as woken from templates where id = ${id}`
    return row.woken
  })
  gate.resolve()
  assert.equal((await acme.settled(id)).registration, 'registered')
})

test('while an account is held, its other templates wait without requests', async () => {
  const acme = await helpers.organization({ token: 'EAAexpired' })
  const first = await acme.create()
  await acme.sees(first.id, ({ registration }) => registration === 'held')
  const asked = acme.requested()
  const second = await acme.create()
  await acme.sees(second.id, ({ registration_error }) => registration_error !== null)
  assert.equal(acme.requested(), asked)
  await acme.call('PATCH', `channels/${acme.channel}`, { chat: { access_token: platform.token } })
  for (const { id } of [first, second]) assert.equal((await acme.settled(id)).registration, 'registered')
})

test('one organization’s dead platform does not delay another’s templates', async () => {
  const [stuck, fine] = [await helpers.organization(), await helpers.organization()]
  const gate = Promise.withResolvers<void>()
  platform.next.create.push(
    () => gate.promise,
    () => gate.promise,
  )
  for (let i = 0; i < 6; i++) await stuck.create()
  await until(async () => platform.next.create.length === 0)
  const { id } = await fine.create()
  assert.equal((await fine.settled(id)).registration, 'registered')
  gate.resolve()
  await helpers.idle()
})

test('a template whose channel is deleted before registration waits, and says why', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(131057))
  const { id } = await acme.create()
  await acme.sees(id, ({ registration_error }) => registration_error !== null)
  await acme.call('DELETE', `channels/${acme.channel}`)
  await acme.hurry(id)
  const held = await acme.sees(id, ({ registration }) => registration === 'held')
  assert.match(held.registration_error ?? '', /No channel leads to this business account/)
  await acme.connect()
  assert.equal((await acme.settled(id)).registration, 'registered')
})

test('the sweep finds a registration whose job was lost', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(131057))
  const { id } = await acme.create()
  await acme.sees(id, ({ registration_error }) => registration_error !== null)
  await app.database.forSystem().run`update templates set next_attempt_at = now() - interval '1 hour' where id = ${id}`
  await app.database.forSystem().run`update template_accounts set held_until = null`
  await helpers.sweep()
  assert.equal((await acme.settled(id)).registration, 'registered')
})

test('fifty parallel requests for one name create one template, and the others get its id', async () => {
  const acme = await helpers.organization()
  const answers = await Promise.all(Array.from({ length: 50 }, () => acme.tryCreate({ name: 'only_one' })))
  const [created, ...more] = answers.filter(({ status }) => status === 201)
  assert.equal(more.length, 0)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assert.equal(answer.status, 409)
    assert.equal(answer.body.existing_id, created?.body.id)
  }
  await acme.settled(created?.body.id)
  assert.equal(platform.accounts.get(acme.account)?.length, 1)
})

test('two nodes with the same registration send one request', async () => {
  const acme = await helpers.organization()
  platform.next.create.push(refusal(131057))
  const { id } = await acme.create()
  await acme.sees(id, ({ registration_error }) => registration_error !== null)
  const asked = acme.requested()
  const gate = Promise.withResolvers<void>()
  platform.next.create.push(() => gate.promise)
  const second = await app.node()
  for (let i = 0; i < 5; i++) await acme.hurry(id)
  await until(async () => platform.next.create.length === 0)
  gate.resolve()
  assert.equal((await acme.settled(id)).registration, 'registered')
  await helpers.idle()
  assert.equal(acme.requested(), asked + 1)
  await second.close()
})

test('no secret appears in rows, answers or events', async () => {
  const Data = Type.Object({ data: Type.Unknown() })
  const stored = await app.database.forSystem().all(Data)`
    select to_jsonb(templates) as data from templates union all select data from events`
  assert.ok(stored.length > 0)
  assert.doesNotMatch(JSON.stringify(stored), /EAAtemplates|EAAexpired/)
})
