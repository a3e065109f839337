import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { refusal, startTemplatePlatform } from '../../../testing/template-platform.ts'
import { templatesOf } from '../../../testing/templates.ts'
import { findTemplate, isSendable, whyNotSendable } from '../find-template.ts'
import type { Template } from '../schema.ts'
import { recordTemplateUpdates, type TemplateChange, type TemplateUpdate } from './record-template-updates.ts'

const platform = await startTemplatePlatform()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url } })
const helpers = templatesOf(app, platform)
type Organization = Awaited<ReturnType<typeof helpers.organization>>

/** Long before the tests, so that updates of a test are newer than its setup. */
const past = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const registeredLongAgo = async (acme: Organization, members: object = {}) => {
  const template = await acme.settled((await acme.create(members)).id)
  await app.database.forSystem().run`
    update templates set status_at = 'epoch', platform_status_at = 'epoch', quality_at = 'epoch', category_at = 'epoch'
    where id = ${template.id}`
  return template
}

const about = (acme: Organization, template: Template, at: Date, change: TemplateChange): TemplateUpdate => ({
  businessAccountId: acme.account,
  at,
  templateId: template.remote_template_id as string,
  name: template.name,
  language: template.language,
  change,
})
const status = (event: string, reason: string | null = 'NONE', info?: string): TemplateChange => ({
  kind: 'status',
  event,
  reason,
  ...(info && { info }),
})
const record = (acme: Organization, ...updates: TemplateUpdate[]) =>
  app.database.inTenant(acme.scope, (tx) => recordTemplateUpdates(tx, updates))
const read = async (acme: Organization, { id }: Template): Promise<Template> =>
  (await acme.call('GET', `templates/${id}`)).body
const states = async (acme: Organization, template: Template) => {
  const { status: verdict, platform_status } = await read(acme, template)
  return [verdict, platform_status]
}

test('an approval makes it sendable and emits one event, however often it arrives', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  const approval = about(acme, template, past(1), status('APPROVED'))
  await record(acme, approval)
  await record(acme, approval, approval)
  assert.deepEqual(await states(acme, template), ['APPROVED', 'APPROVED'])
  assert.deepEqual((await acme.eventTypes(template.id)).slice(2), ['template.approved'])
  const found = await findTemplate(app.database.forTenant(acme.scope), template.id)
  assert.ok(found && isSendable(found))
  assert.equal(whyNotSendable(found, acme.account), undefined)
  assert.match(whyNotSendable(found, 'another') ?? '', /another business account/)
})

test('a rejection carries its reason and the platform’s explanation', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  await record(acme, about(acme, template, past(1), status('REJECTED', 'INVALID_FORMAT', 'Mind the braces')))
  const rejected = await read(acme, template)
  assert.equal(rejected.status, 'REJECTED')
  assert.equal(rejected.rejected_reason, 'INVALID_FORMAT: Mind the braces')
  assert.equal((await acme.eventTypes(template.id)).at(-1), 'template.rejected')
  await record(acme, about(acme, template, past(2), status('IN_APPEAL')))
  assert.deepEqual(await states(acme, template), ['REJECTED', 'IN_APPEAL'])
  await record(acme, about(acme, template, past(3), status('APPROVED')))
  assert.equal((await read(acme, template)).rejected_reason, null)
})

test('a pause keeps the verdict and makes the template unsendable until it is reinstated', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  await record(acme, about(acme, template, past(1), status('APPROVED')))
  for (const event of ['FLAGGED', 'PAUSED', 'DISABLED', 'LOCKED', 'ARCHIVED', 'PENDING_DELETION', 'NEVER_HEARD_OF']) {
    await record(acme, about(acme, template, past(2), status(event)))
    await app.database.forSystem().run`update templates set platform_status_at = 'epoch' where id = ${template.id}`
    const present = await read(acme, template)
    assert.deepEqual([present.status, present.platform_status], ['APPROVED', event])
    assert.equal(isSendable(present), false)
    assert.match(whyNotSendable(present, acme.account) ?? '', new RegExp(event))
  }
  await record(acme, about(acme, template, past(3), status('REINSTATED')))
  assert.deepEqual(await states(acme, template), ['APPROVED', 'APPROVED'])
})

test('updates lead to the same state in any order', async () => {
  const story: [number, TemplateChange][] = [
    [1, status('PENDING')],
    [2, status('APPROVED')],
    [2, { kind: 'quality', score: 'GREEN' }],
    [3, { kind: 'category', category: 'MARKETING' }],
    [4, { kind: 'quality', score: 'RED' }],
    [4, status('PAUSED')],
    // The same second: the order is unknown, so the further status wins.
    [5, status('APPROVED')],
    [5, status('FLAGGED')],
    [6, { kind: 'category', category: 'UTILITY' }],
    [7, { kind: 'quality', score: 'UNKNOWN' }],
  ]
  const orders = [story, story.toReversed(), [...story.slice(5), ...story.slice(0, 5)]]
  for (const order of orders) {
    for (const batches of [order.map((each) => [each]), [order], [...order, ...order].map((each) => [each])]) {
      // Its own organization: a listing that an earlier round requested would tell of this template.
      const acme = await helpers.organization()
      const template = await registeredLongAgo(acme)
      // What a listing would say if one were requested.
      for (const there of platform.accounts.get(acme.account) ?? []) there.status = 'FLAGGED'
      for (const batch of batches)
        await record(acme, ...batch.map(([at, change]) => about(acme, template, past(at), change)))
      const { status: verdict, platform_status, quality_score, category } = await read(acme, template)
      assert.deepEqual([verdict, platform_status, quality_score, category], ['APPROVED', 'FLAGGED', '', 'UTILITY'])
    }
  }
})

test('a batch for many templates is applied completely, with one event each', async () => {
  const acme = await helpers.organization()
  const [one, two] = [await registeredLongAgo(acme), await registeredLongAgo(acme)]
  await record(
    acme,
    about(acme, one, past(1), status('APPROVED')),
    about(acme, two, past(1), status('REJECTED', 'SCAM')),
    about(acme, one, past(2), { kind: 'quality', score: 'GREEN' }),
  )
  assert.deepEqual((await acme.eventTypes(one.id)).slice(2), ['template.approved'])
  assert.deepEqual((await acme.eventTypes(two.id)).slice(2), ['template.rejected'])
  assert.equal((await read(acme, one)).quality_score, 'GREEN')
})

test('an announced category is shown until it takes effect or is superseded', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  const notice = about(acme, template, past(1), { kind: 'category', category: 'MARKETING', notice: true })
  await record(acme, notice)
  const announced = await read(acme, template)
  assert.deepEqual([announced.category, announced.upcoming_category], ['UTILITY', 'MARKETING'])
  await record(acme, about(acme, template, past(2), { kind: 'category', category: 'MARKETING' }))
  await record(acme, notice)
  const changed = await read(acme, template)
  assert.deepEqual([changed.category, changed.upcoming_category], ['MARKETING', null])
})

test('an update from the future does not block later ones', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  await record(acme, about(acme, template, new Date('2999-01-01'), status('PAUSED')))
  await app.database.forSystem().run`
    update templates set platform_status_at = platform_status_at - interval '2 seconds' where id = ${template.id}`
  await record(acme, about(acme, template, new Date(), status('APPROVED')))
  assert.deepEqual(await states(acme, template), ['APPROVED', 'APPROVED'])
  await record(acme, { ...about(acme, template, past(9), status('PAUSED')), at: 'nonsense' })
})

test('a webhook that overtakes the answer to our request identifies the template, and its status stays', async () => {
  const acme = await helpers.organization()
  const gate = Promise.withResolvers<void>()
  platform.next.create.push({ afterwards: () => gate.promise })
  const template = await acme.create()
  await until(async () => platform.accounts.has(acme.account))
  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  const { name, language } = template
  const named = { businessAccountId: acme.account, templateId: there.id, name, language }
  await record(acme, { ...named, at: new Date(), change: status('APPROVED') })
  const approved = await read(acme, template)
  assert.equal(approved.remote_template_id, there.id)
  assert.equal(isSendable(approved), true)
  gate.resolve()
  await helpers.idle()
  assert.deepEqual(await states(acme, template), ['APPROVED', 'APPROVED'])
  assert.deepEqual(await acme.eventTypes(template.id), ['template.created', 'template.approved'])
})

test('a webhook settles a request whose answer was lost', async () => {
  const acme = await helpers.organization()
  platform.next.create.push('do it and hang up')
  const { id } = await acme.create()
  const lost = await acme.sees(id, ({ registration }) => registration === 'uncertain')
  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  await record(acme, { ...about(acme, lost, new Date(), status('PENDING')), templateId: there.id })
  const template = await read(acme, lost)
  assert.equal(template.remote_template_id, there.id)
  assert.equal(template.registration, 'registered')
  assert.equal(template.registration_error, null)
  const asked = acme.requested()
  await acme.hurry(id)
  await helpers.idle()
  assert.deepEqual(await read(acme, lost), template)
  assert.equal(acme.requested(), asked)
})

test('a template that was never requested, or was refused, is not matched by name', async () => {
  const acme = await helpers.organization({ token: 'EAAexpired' })
  const held = await acme.create()
  await acme.sees(held.id, ({ registration }) => registration === 'held')
  const globex = await helpers.organization()
  platform.next.create.push(refusal(100))
  const refused = await globex.settled((await globex.create()).id)
  for (const [org, template] of [[acme, held] as const, [globex, refused] as const]) {
    const before = await read(org, template)
    await record(org, { ...about(org, template, new Date(), status('APPROVED')), templateId: '123' })
    assert.deepEqual(await read(org, template), before)
  }
})

test('an account’s update reaches the templates of that account and organization only', async () => {
  const [acme, globex] = [await helpers.organization(), await helpers.organization()]
  const template = await registeredLongAgo(acme)
  const approval = about(acme, template, past(1), status('APPROVED'))
  await record(globex, approval)
  await record(acme, { ...approval, businessAccountId: globex.account })
  assert.deepEqual(await states(acme, template), ['PENDING', 'PENDING'])
})

test('new content, an unknown template and a deletion trigger a sync', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  there.components = [{ type: 'BODY', text: 'Edited at the platform.' }]
  await record(acme, about(acme, template, past(1), { kind: 'components' }))
  await acme.sees(
    template.id,
    ({ components }) => (components[0] as { text: string }).text === 'Edited at the platform.',
  )

  const stranger = platform.add(acme.account, { name: 'made_elsewhere' })
  const named = { businessAccountId: acme.account, templateId: stranger.id, name: stranger.name, language: 'en_US' }
  await record(acme, { ...named, at: past(2), change: status('APPROVED') })
  const names = async () => (await acme.call('GET', 'templates')).body.items.map(({ name }: Template) => name)
  await until(async () => (await names()).includes('made_elsewhere'))

  platform.accounts.set(acme.account, [stranger])
  await record(acme, about(acme, template, past(3), status('DELETED')))
  await until(async () => !(await names()).includes(template.name))
})

test('two contradicting updates of one second are settled by a listing', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  there.status = 'APPROVED'
  const at = new Date()
  await record(acme, about(acme, template, at, status('PAUSED')))
  await record(acme, about(acme, template, at, status('APPROVED')))
  await acme.sees(template.id, ({ platform_status }) => platform_status === 'APPROVED')
})

test('a listing older than a webhook changes nothing', async () => {
  const acme = await helpers.organization()
  const template = await registeredLongAgo(acme)
  const [there] = platform.accounts.get(acme.account) ?? []
  assert.ok(there)
  const gate = Promise.withResolvers<void>()
  platform.next.list.push(async () => {
    await gate.promise
    setImmediate(() => Object.assign(there, { status: 'APPROVED' }))
  })
  const syncing = acme.call('POST', 'templates/sync')
  await until(async () => platform.next.list.length === 0)
  await record(acme, about(acme, template, new Date(Date.now() + 900), status('APPROVED')))
  gate.resolve()
  assert.equal((await syncing).status, 200)
  assert.equal((await states(acme, template))[0], 'APPROVED')
})
