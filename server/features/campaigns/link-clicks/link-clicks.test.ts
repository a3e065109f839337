import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { campaigner } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import { sweepLinkClicksJob } from '../jobs.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await campaigner(app)
const { call } = acme

const components = [
  { type: 'BODY', text: 'New plants are here.' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'URL', text: 'Shop now', url: 'https://example.com/plants' },
      { type: 'URL', text: 'Directions', url: 'https://example.com/way' },
      { type: 'QUICK_REPLY', text: 'Not now' },
    ],
  },
]
const template = (members: object = {}) => acme.template({ components, ...members })
const send = async (message_template_id: string) => {
  const { id } = await acme.send(await acme.contacts(1), { message_template_id })
  await acme.until(id, ({ status }) => status === 'completed')
  return id
}
const click = (templateId: string, members: object = {}) =>
  call('POST', `simulator/templates/${templateId}/events`, { event: 'click', ...members })
const report = async (id: string) => ok(await call('GET', `campaigns/${id}/report`))

async function duringOutage<T>(outage: object, work: () => Promise<T>): Promise<T> {
  await app.control('POST', 'outage', outage)
  try {
    return await work()
  } finally {
    await app.control('DELETE', 'knobs')
  }
}

/** Makes the campaign due, as five minutes do, and waits until the platform was asked. */
async function askPlatform(id: string) {
  const { links_at: before } = await report(id)
  await app.database.inTenant(
    acme.scope,
    (tx) => tx.run`
      update campaigns set link_clicks_due_at = now() - interval '1 second' where id = ${id} and link_clicks_due_at is not null`,
  )
  await app.database.inSystem((tx) => tx.enqueue(sweepLinkClicksJob, {}))
  await until(async () => (await report(id)).links_at !== before)
  return report(id)
}

test('clicks on links are read from the platform, and shown in the report and the PDF', async () => {
  const templateId = await template()
  const id = await send(templateId)
  assert.deepEqual([(await report(id)).links, (await report(id)).links_at], [[], null])
  const none = await askPlatform(id)
  assert.deepEqual(none.links, [
    { label: 'Shop now', clicks: 0, people: 0 },
    { label: 'Directions', clicks: 0, people: 0 },
  ])
  ok(await click(templateId, { count: 12 }), 202)
  ok(await click(templateId, { button: 'Directions' }), 202)
  const { links, links_error } = await askPlatform(id)
  assert.deepEqual(links, [
    { label: 'Shop now', clicks: 12, people: 12 },
    { label: 'Directions', clicks: 1, people: 1 },
  ])
  assert.equal(links_error, null)
  ok(await call('GET', `campaigns/${id}/export/pdf`))
})

test('counts that the platform has reset are kept, and an error says why there are none', async () => {
  const templateId = await template()
  const id = await send(templateId)
  ok(await click(templateId, { count: 3 }), 202)
  const [today] = new Date().toISOString().split('T')
  const seen = {
    '2026-01-01': { 'Shop now': { clicks: 5, people: 4 } },
    [today as string]: { Directions: { clicks: 2, people: 2 } },
  }
  await app.database.inTenant(acme.scope, (tx) => tx.run`update campaigns set link_clicks = ${seen} where id = ${id}`)
  assert.deepEqual((await askPlatform(id)).links, [
    { label: 'Shop now', clicks: 8, people: 7 },
    { label: 'Directions', clicks: 2, people: 2 },
  ])
  const failed = await duringOutage({ kind: 'error' }, () => askPlatform(id))
  assert.match(failed.links_error, /503/)
  assert.equal(failed.links[0].clicks, 8)
  assert.equal((await askPlatform(id)).links_error, null)
})

test('clicks are read from both APIs if the channel has switched since the campaign started', async () => {
  const templateId = await template()
  const id = await send(templateId)
  const useMarketingMessages = async (marketing_messages: boolean) =>
    ok(await call('PATCH', `channels/${acme.channelId}`, { marketing_messages }))
  ok(await click(templateId, { count: 3 }), 202)
  await useMarketingMessages(true)
  assert.equal((await askPlatform(id)).links[0].clicks, 3)
  ok(await click(templateId, { count: 4 }), 202)
  assert.deepEqual((await askPlatform(id)).links[0], { label: 'Shop now', clicks: 7, people: 7 })
  // A campaign that started after the switch was sent by one API alone.
  const later = await send(templateId)
  assert.equal((await askPlatform(later)).links[0].clicks, 4)
  await useMarketingMessages(false)
  assert.equal((await askPlatform(later)).links[0].clicks, 7)
  ok(await click(templateId, { count: 1, marketing_messages: true }), 202)
  assert.equal((await askPlatform(id)).links[0].clicks, 8)
  // If one API cannot be asked, the counts of the other one and the earlier ones are kept.
  await until(async () => {
    const { links, links_error } = await duringOutage({ kind: 'error', requests: 1 }, () => askPlatform(id))
    assert.equal(links[0].clicks, 8)
    // Another request may have met the outage.
    return links_error !== null && /503/.test(links_error)
  })
})

test('messages without links are not asked about, and the simulator refuses clicks on links that do not exist', async () => {
  const id = await send(acme.templateId)
  const { links_at } = await report(id)
  assert.equal(links_at, null)
  const none = await click(acme.templateId)
  assert.deepEqual([none.status, none.body.detail], [409, 'The template has no button that opens a website'])
  const { status, body } = await click(await template(), { button: 'Not now' })
  assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'button']])
  assert.match(body.detail[0].msg, /no such link; it has “Shop now”/)
})
