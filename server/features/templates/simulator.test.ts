import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import type { Template } from './schema.ts'

/** In test mode, with the simulator's own review and webhooks. */
const app = await sharedTestApp()
await app.listen()
const acme = await app.organization()
const [channel] = (await acme.call('GET', 'channels')).body.data

const create = async (members: object): Promise<Template> => {
  return ok(
    await acme.call('POST', 'templates', {
      channel_id: channel.id,
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' }],
      ...members,
    }),
    201,
  )
}
const sees = async (id: string, condition: (template: Template) => boolean): Promise<Template> => {
  let template: Template | undefined
  await until(async () => {
    template = (await acme.call('GET', `templates/${id}`)).body
    return condition(template as Template)
  })
  return template as Template
}

test('a template is registered, reviewed and approved, and can be deleted', async () => {
  const { id } = await create({ name: 'pickup_ready' })
  const approved = await sees(id, ({ status }) => status === 'APPROVED')
  assert.equal(approved.platform_status, 'APPROVED')
  assert.ok(approved.remote_template_id)
  const sync = ok(await acme.call('POST', 'templates/sync', {}))
  assert.equal(sync.removed + sync.updated + sync.added, 0)
  assert.equal(sync.unchanged, 1)
  assert.equal((await acme.call('DELETE', `templates/${id}`)).status, 200)
  assert.equal((await acme.call('GET', `templates/${id}`)).status, 404)
})

test('a rejected template says why', async () => {
  const { id } = await create({ name: 'reject_promotional' })
  const rejected = await sees(id, ({ status }) => status === 'REJECTED')
  assert.equal(rejected.rejected_reason, 'PROMOTIONAL')
  assert.equal(rejected.registration, 'registered')
})

test('a refused template says why', async () => {
  const { id } = await create({ name: 'refused', components: [{ type: 'BODY', text: '{{1}} is your code' }] })
  const refused = await sees(id, ({ status }) => status === 'REJECTED')
  assert.equal(refused.registration, 'refused')
  assert.match(refused.rejected_reason ?? '', /2388299/)
})

test('quality, pauses and categories follow the platform’s webhooks', async () => {
  const { id } = await create({ name: 'watched' })
  const { remote_template_id } = await sees(id, ({ status }) => status === 'APPROVED')
  const event = async (body: object) => {
    ok(await app.control('POST', `templates/${remote_template_id}/events`, body))
  }
  await event({ event: 'quality', score: 'YELLOW' })
  await sees(id, ({ quality_score }) => quality_score === 'YELLOW')
  await event({ event: 'pause' })
  const paused = await sees(id, ({ platform_status }) => platform_status === 'PAUSED')
  assert.equal(paused.status, 'APPROVED')
  // Likely within the same second: then the platform is asked.
  await event({ event: 'unpause' })
  await sees(id, ({ platform_status }) => platform_status === 'APPROVED')
  await event({ event: 'recategorize', category: 'MARKETING' })
  await sees(id, ({ category }) => category === 'MARKETING')
})

test('library templates are approved at once', async () => {
  const [item] = (await acme.call('GET', 'templates/library?category=UTILITY')).body.items
  const answer = ok(
    await acme.call('POST', `templates/library/${item.name}/create?channel_id=${channel.id}`, {
      language: 'en_US',
    }),
    201,
  )
  assert.equal(answer.status, 'APPROVED')
  const template = (await acme.call('GET', `templates/${answer.template_id}`)).body
  assert.equal(template.status, 'APPROVED')
  assert.ok(template.components.length > 0)
  const again = await acme.call('POST', `templates/library/${item.name}/create?channel_id=${channel.id}`, {
    language: 'en_US',
  })
  assert.equal(again.status, 400)
  assert.match(again.body.detail, /^Failed to create template from library: /)
})
