import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { refusal, startTemplatePlatform } from '../../../testing/template-platform.ts'
import { templatesOf } from '../../../testing/templates.ts'

const platform = await startTemplatePlatform()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url } })
const helpers = templatesOf(app, platform)
type Organization = Awaited<ReturnType<typeof helpers.organization>>

const item = (name: string, category: string, body: string) => ({
  id: name,
  name,
  language: 'en_US',
  category,
  topic: 'ORDER_MANAGEMENT',
  usecase: 'DELIVERY_UPDATE',
  industry: ['E_COMMERCE'],
  body,
  body_params: ['12345'],
  body_param_types: ['TEXT'],
  buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com' }],
})
platform.library.push(
  item('delivery_update_1', 'UTILITY', 'Your order {{1}} is on its way.'),
  item('verify_code_1', 'AUTHENTICATION', '{{1}} is your code.'),
)

const take = (acme: Organization, name: string, body: object = { language: 'en_US' }, channel = acme.channel) =>
  acme.call('POST', `templates/library/${name}/create?channel_id=${channel}`, body)
const list = async (acme: Organization) => (await acme.call('GET', 'templates')).body.items

test('the library is listed, searched and filtered', async () => {
  const acme = await helpers.organization()
  const names = async (query = '') => {
    const answer = ok(await acme.call('GET', `templates/library${query}`))
    return answer.items.map(({ name }: { name: string }) => name)
  }
  assert.deepEqual(await names(), ['delivery_update_1', 'verify_code_1'])
  assert.deepEqual(await names('?search=order'), ['delivery_update_1'])
  assert.deepEqual(await names('?category=AUTHENTICATION'), ['verify_code_1'])
  assert.deepEqual(await names(`?category=MARKETING&channel_id=${acme.channel}`), [])
  const [first] = (await acme.call('GET', 'templates/library')).body.items
  assert.deepEqual(first, { ...item('delivery_update_1', 'UTILITY', 'Your order {{1}} is on its way.'), header: '' })
})

test('a library that fails and a missing channel are reported differently', async () => {
  const acme = await helpers.organization()
  platform.next.library.push('hang up')
  const silent = await acme.call('GET', 'templates/library')
  assert.equal(silent.status, 502)
  assert.equal(silent.body.upstream.code, 'no_answer')
  assert.equal((await acme.call('GET', `templates/library?channel_id=${acme.id}`)).status, 404)
  assert.equal((await acme.call('GET', 'templates/library?category=NONE')).status, 422)
  const alone = await app.organization({ mode: 'live' })
  const answer = await alone.call('GET', 'templates/library')
  assert.equal(answer.status, 409)
  assert.match(answer.body.detail, /No channel is connected/)
})

test('a library template is created at once: the answer is the platform’s, and it is stored with its text', async () => {
  const acme = await helpers.organization()
  platform.verdict = { status: 'APPROVED' }
  const answer = await take(acme, 'delivery_update_1')
  platform.verdict = { status: 'PENDING' }
  assert.equal(answer.status, 201, answer.text)
  const { id, status, category, template_id } = answer.body
  assert.equal(id, platform.accounts.get(acme.account)?.[0]?.id)
  assert.deepEqual({ status, category }, { status: 'APPROVED', category: 'UTILITY' })
  const { json } = platform.requests('create').at(-1) ?? {}
  assert.deepEqual(json, {
    name: 'delivery_update_1',
    language: 'en_US',
    category: 'UTILITY',
    library_template_name: 'delivery_update_1',
  })
  const template = (await acme.call('GET', `templates/${template_id}`)).body
  assert.equal(template.remote_template_id, id)
  assert.equal(template.name, 'delivery_update_1')
  assert.equal(template.status, 'APPROVED')
  assert.equal(template.platform_status, 'APPROVED')
  assert.equal(template.channel_id, acme.channel)
  assert.deepEqual(template.components, [{ type: 'BODY', text: 'Your order {{1}} is on its way.' }])
  assert.deepEqual(await acme.eventTypes(template_id), ['template.created', 'template.approved'])
})

test('a custom name, button inputs and the library’s category are passed on', async () => {
  const acme = await helpers.organization()
  const button_inputs = [{ type: 'URL', url: { base_url: 'https://example.com/{{1}}', url_suffix_example: 'demo' } }]
  ok(await take(acme, 'verify_code_1', { language: 'de', name: 'our_code', button_inputs }), 201)
  const { json } = platform.requests('create').at(-1) ?? {}
  assert.equal(json.name, 'our_code')
  assert.equal(json.language, 'de')
  assert.equal(json.category, 'AUTHENTICATION')
  assert.equal(json.library_template_name, 'verify_code_1')
  assert.deepEqual(JSON.parse(json.library_template_button_inputs), button_inputs)
})

test('a refusal by the platform is 400 in the contract’s words, and nothing is stored', async () => {
  const acme = await helpers.organization()
  const unknown = await take(acme, 'no_such_template')
  assert.equal(unknown.status, 400)
  assert.equal(
    unknown.body.detail,
    'Failed to create template from library: There is no library template no_such_template',
  )
  platform.add(acme.account, { name: 'delivery_update_1' })
  const there = await take(acme, 'delivery_update_1')
  assert.equal(there.status, 400)
  assert.match(there.body.detail, /^Failed to create template from library: There is already/)
  assert.deepEqual(await list(acme), [])
})

test('a template that exists here is refused without a request, with its id', async () => {
  const acme = await helpers.organization()
  const { template_id } = (await take(acme, 'delivery_update_1')).body
  const asked = acme.requested()
  const again = await take(acme, 'delivery_update_1')
  assert.equal(again.status, 400)
  assert.equal(again.body.existing_id, template_id)
  assert.match(again.body.detail, /^Failed to create template from library: .*exists already for this language/)
  assert.equal(acme.requested(), asked)
})

test('a silent or failing platform is 502, and a template it created anyway is synced', async () => {
  const acme = await helpers.organization()
  platform.next.create.push('do it and hang up')
  const silent = await take(acme, 'delivery_update_1')
  assert.equal(silent.status, 502)
  assert.match(silent.body.detail, /did not say whether it created the template/)
  assert.equal(silent.body.upstream.code, 'no_answer')
  assert.deepEqual(await list(acme), [])
  // A sync is due within a minute.
  await app.database.forSystem().run`
    update template_accounts set next_sync_at = next_sync_at - interval '1 minute'
    where business_account_id = ${acme.account}`
  await helpers.sweep()
  await until(async () => (await list(acme)).length === 1)

  platform.next.create.push(refusal(131057, { message: 'Maintenance' }))
  const refused = await take(acme, 'verify_code_1')
  platform.next.create.push({ status: 404, text: 'Nobody here' })
  assert.equal((await take(acme, 'verify_code_1')).status, 502)
  assert.equal(refused.status, 502)
  assert.equal(refused.body.detail, 'The platform did not create the template: Maintenance')
})

test('a template whose text cannot be read back is stored, and its text follows', async () => {
  const acme = await helpers.organization()
  platform.next.get.push('hang up')
  const answer = ok(await take(acme, 'delivery_update_1'), 201)
  const template = await acme.sees(answer.template_id, ({ components }) => components.length > 0)
  assert.deepEqual(template.components, [{ type: 'BODY', text: 'Your order {{1}} is on its way.' }])
})

test('templates can be created from a server that does not list its library', async () => {
  const acme = await helpers.organization()
  platform.next.library.push({ status: 404, json: { error: { message: 'Unknown path', code: 2500 } } })
  assert.equal((await take(acme, 'delivery_update_1')).status, 201)
})

test('a repeated request with the same key creates one', async () => {
  const acme = await helpers.organization()
  const ask = () =>
    acme.call(
      'POST',
      `templates/library/delivery_update_1/create?channel_id=${acme.channel}`,
      { language: 'en_US' },
      { 'idempotency-key': 'once' },
    )
  const [first, second] = [await ask(), await ask()]
  assert.equal(first.status, 201)
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers['idempotent-replayed'], 'true')
})

test('unknown channels are 404, unconnected ones 409, and invalid requests 422 with locations', async () => {
  const [acme, globex] = [await helpers.organization(), await helpers.organization()]
  const asked = platform.asked.length
  assert.equal((await take(acme, 'delivery_update_1', undefined, globex.channel)).status, 404)
  const bare = (await acme.call('POST', 'channels', { phone_number: '+14155550998' })).body.id
  assert.equal((await take(acme, 'delivery_update_1', undefined, bare)).status, 409)
  const faulty = await take(acme, 'delivery_update_1', { language: 'English', name: 'Not a name' })
  assert.equal(faulty.status, 422)
  assert.deepEqual(faulty.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort(), [
    'body.language',
    'body.name',
  ])
  const nowhere = await acme.call('POST', 'templates/library/delivery_update_1/create', { language: 'en_US' })
  assert.deepEqual(nowhere.body.detail[0].loc, ['query', 'channel_id'])
  assert.equal(platform.asked.length, asked)
})
