import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import { refusal, startTemplatePlatform } from '../../testing/template-platform.ts'
import { templatesOf } from '../../testing/templates.ts'

const platform = await startTemplatePlatform()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url } })
const helpers = templatesOf(app, platform)
type Organization = Awaited<ReturnType<typeof helpers.organization>>

const registered = async (acme: Organization, members: object = {}) => acme.settled((await acme.create(members)).id)
const remove = (acme: Organization, id: string, query = '') => acme.call('DELETE', `templates/${id}${query}`)
const isHere = async (acme: Organization, id: string) => (await acme.call('GET', `templates/${id}`)).status === 200
const namesThere = (acme: Organization) => (platform.accounts.get(acme.account) ?? []).map(({ name }) => name)

test('a template is deleted at the platform by id, in its language only, then here', async () => {
  const acme = await helpers.organization()
  const english = await registered(acme, { name: 'two_languages' })
  const german = await registered(acme, { name: 'two_languages', language: 'de' })
  const answer = ok(await remove(acme, english.id))
  assert.deepEqual(answer, { message: 'Template deleted successfully' })
  const { query } = platform.requests('delete').at(-1) ?? {}
  assert.deepEqual(query, { hsm_id: english.remote_template_id, name: 'two_languages' })
  assert.deepEqual(
    platform.accounts.get(acme.account)?.map(({ id }) => id),
    [german.remote_template_id],
  )
  assert.equal(await isHere(acme, english.id), false)
  assert.equal(await isHere(acme, german.id), true)
  assert.equal((await acme.eventTypes(english.id)).at(-1), 'template.deleted')
  assert.equal((await remove(acme, english.id)).status, 404)
})

test('a template that the platform no longer has is still deleted here', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  platform.accounts.set(acme.account, [])
  assert.equal((await remove(acme, template.id)).status, 200)
  assert.equal(await isHere(acme, template.id), false)
})

test('when the platform refuses or is unreachable the answer is 502, nothing is lost, and a retry is possible', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  platform.next.delete.push(refusal(200, { message: 'Permissions error.' }))
  const refused = await remove(acme, template.id)
  assert.equal(refused.status, 502)
  assert.equal(refused.body.detail, 'The platform did not delete the template: Permissions error')
  assert.deepEqual(refused.body.upstream, { code: 200, message: 'Permissions error.' })
  platform.next.delete.push('hang up')
  const silent = await remove(acme, template.id)
  assert.equal(silent.status, 502)
  assert.equal(silent.body.upstream.code, 'no_answer')
  assert.deepEqual((await acme.call('GET', `templates/${template.id}`)).body, template)
  assert.deepEqual(namesThere(acme), [template.name])
  assert.equal((await remove(acme, template.id)).status, 200)
})

test('repeating a deletion whose answer was lost succeeds', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  platform.next.delete.push('do it and hang up')
  assert.equal((await remove(acme, template.id)).status, 502)
  assert.equal(await isHere(acme, template.id), true)
  assert.equal((await remove(acme, template.id)).status, 200)
})

test('a template whose deleter died between platform and database is free again in seconds, then deleted', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  platform.accounts.set(acme.account, [])
  await app.database.forSystem().run`
    update templates set claim_id = gen_random_uuid(), claimed_until = now() + interval '1 second'
    where id = ${template.id}`
  assert.equal((await remove(acme, template.id)).status, 200)
})

test('a template that was never registered is deleted without a request', async () => {
  const acme = await helpers.organization({ token: 'EAAexpired' })
  const { id } = await acme.create()
  await acme.sees(id, ({ registration }) => registration === 'held')
  // Templates of the other numbers may still be being read.
  const asked = platform.requests('delete').length
  assert.equal((await remove(acme, id)).status, 200)
  assert.equal(platform.requests('delete').length, asked)
  await acme.hurry(id)
  await helpers.idle()
  assert.deepEqual(namesThere(acme), [])
})

test('a deletion waits for a pending registration, and deletes what it created', async () => {
  const acme = await helpers.organization()
  const gate = Promise.withResolvers<void>()
  platform.next.create.push(() => gate.promise)
  const { id } = await acme.create()
  await until(async () => platform.next.create.length === 0)
  const deletion = remove(acme, id)
  for (let looks = 0; looks < 30; looks++) assert.equal(await isHere(acme, id), true)
  gate.resolve()
  assert.equal((await deletion).status, 200)
  assert.deepEqual(namesThere(acme), [])
  assert.equal(await isHere(acme, id), false)
})

test('a template that may have been accepted is looked up by name and language before it is deleted', async () => {
  const acme = await helpers.organization()
  platform.next.create.push('do it and hang up')
  const { id, name } = await acme.create()
  await acme.sees(id, ({ registration }) => registration === 'uncertain')
  assert.deepEqual(namesThere(acme), [name])
  platform.add(acme.account, { name, language: 'de' })
  assert.equal((await remove(acme, id)).status, 200)
  assert.deepEqual(
    platform.accounts.get(acme.account)?.map(({ language }) => language),
    ['de'],
  )
})

test('another template that took the same name meanwhile is left alone', async () => {
  const acme = await helpers.organization()
  platform.next.create.push('hang up')
  const { id, name } = await acme.create()
  await acme.sees(id, ({ registration }) => registration === 'uncertain')
  platform.add(acme.account, { name })
  assert.equal((await remove(acme, id)).status, 200)
  assert.deepEqual(namesThere(acme), [name])
})

test('a template that the platform creates after it was deleted here is deleted there', async () => {
  const acme = await helpers.organization()
  const gate = Promise.withResolvers<void>()
  platform.next.create.push(() => gate.promise)
  const { id } = await acme.create()
  await until(async () => platform.next.create.length === 0)
  // An expired claim, as after a long database outage: another request may delete meanwhile.
  await app.database.forSystem().run`delete from templates where id = ${id}`
  gate.resolve()
  await until(async () => platform.requests('delete').at(-1)?.account === acme.account)
  await helpers.idle()
  assert.deepEqual(namesThere(acme), [])
})

test('without a channel to its business account a template is kept, unless local_only is requested', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  await acme.call('DELETE', `channels/${acme.channel}`)
  const refused = await remove(acme, template.id)
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, /no channel leads to its business account.*local_only=true/s)
  assert.equal(await isHere(acme, template.id), true)
  assert.equal((await remove(acme, template.id, '?local_only=true')).status, 200)
  assert.equal(await isHere(acme, template.id), false)
  assert.deepEqual(namesThere(acme), [template.name])
})

test('any channel of the business account can delete its templates; local_only is then ignored', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  await acme.connect()
  await acme.call('DELETE', `channels/${acme.channel}`)
  assert.equal((await remove(acme, template.id, '?local_only=true')).status, 200)
  assert.deepEqual(namesThere(acme), [])
})

test('two parallel deletions delete once', async () => {
  const acme = await helpers.organization()
  const template = await registered(acme)
  const answers = await Promise.all([remove(acme, template.id), remove(acme, template.id)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
})

test('another organization’s template, one of the other mode and a malformed id are not found', async () => {
  const [acme, globex] = [await helpers.organization(), await helpers.organization()]
  const template = await registered(acme)
  const asked = platform.requests('delete').length
  const testMode = app.as((await app.key(acme.id)).secret)
  for (const answer of [
    await remove(globex, template.id),
    await testMode('DELETE', `templates/${template.id}`),
    await remove(acme, 'nonsense'),
  ]) {
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, { detail: 'Template not found' })
  }
  assert.equal(platform.requests('delete').length, asked)
  assert.equal(await isHere(acme, template.id), true)
})
