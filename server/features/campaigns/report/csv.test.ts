import assert from 'node:assert/strict'
import { readdir, readlink } from 'node:fs/promises'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { newId } from '../../../platform/ids.ts'
import { sharedTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import type { Campaign } from '../schema.ts'

const app = await sharedTestApp()
const address = await app.listen()
let org: Campaigner

before(async () => {
  org = await campaigner(app)
})

/** The rows as an independent parser reads them, by column name. */
async function exported(campaignId: string): Promise<Record<string, string>[]> {
  const answer = await org.call('GET', `campaigns/${campaignId}/export/csv`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(Number(answer.headers['content-length']), Buffer.byteLength(answer.text))
  return parse(answer.text, { columns: true, relax_column_count: false })
}

const isOver = ({ status, read_count, failed_count, skipped_count, total_contacts_count }: Campaign) =>
  status === 'completed' && read_count + failed_count + skipped_count === total_contacts_count

/** A large campaign, as if it had been sent. */
async function crowded(count: number, tag: string): Promise<string> {
  await org.crowd(count, tag)
  const { id } = await org.send(null, {
    audience_type: 'tags',
    audience_tags: [tag],
    scheduled_at: '2100-01-01T00:00:00Z',
  })
  await app.database.inTenant(
    org.scope,
    (tx) => tx.run`
      insert into deliveries (id, campaign_id, contact_id, phone_number, status, accepted_at)
      select new_id(), ${id}, id, phone_number, 'sent', now() from contacts where tags @> array[${tag}::text]`,
  )
  return id
}

test('each delivery has a row, with the reason of its failure in plain text', async () => {
  const [read = '', failed = '', missing = ''] = await org.contacts(['0100', '0102', '0100'], { name: '' })
  for (const [id, name] of Object.entries({ [read]: 'Zoë "Z" Ångström', [failed]: '=HYPERLINK("http://x")' }))
    assert.equal((await org.call('PATCH', `contacts/${id}`, { name })).status, 200)
  const [optedOut = ''] = await org.contacts(1, { name: '@cmd' })
  await org.call('PATCH', `contacts/${optedOut}`, { opted_out: true })
  const { id } = await org.send([read, failed, missing, optedOut], { name: 'Neuigkeiten für Zoë/…' })
  await org.until(id, isOver)
  const answer = await org.call('GET', `campaigns/${id}/export/csv`)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  const name = `Neuigkeiten für Zoë … ${new Date().toISOString().slice(0, 10)}.csv`
  assert.equal(
    answer.headers['content-disposition'],
    `attachment; filename="${name.replace(/[^ -~]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  )
  assert.equal(
    answer.text.split('\r\n')[0],
    'delivery_id,contact_id,contact_name,phone_number,whatsapp_user_id,status,sent_at,delivered_at,read_at,updated_at,' +
      'attempts,code,reason,detail,explanation,what_to_do,chat_message_id,replied_at,tapped_buttons,time_zone',
  )
  const rows = await exported(id)
  const deliveries = await org.deliveries(id)
  assert.equal(rows.length, 4)
  const rowOf = (contactId: string) => rows.find(({ contact_id }) => contact_id === contactId) ?? {}
  for (const delivery of deliveries) {
    const row = rowOf(delivery.contact_id as string)
    assert.equal(row.delivery_id, delivery.id)
    assert.equal(row.phone_number, delivery.phone_number)
    assert.match(row.phone_number ?? '', /^\+\d+$/)
    assert.equal(row.status, delivery.status)
    assert.equal(row.chat_message_id, delivery.chat_message_id ?? '')
    assert.equal(row.explanation, delivery.explanation ?? '')
    assert.equal(row.what_to_do, delivery.what_to_do ?? '')
    for (const column of ['sent_at', 'delivered_at', 'read_at', 'updated_at'] as const)
      assert.equal(row[column], delivery[column] ?? '')
  }
  assert.equal(rowOf(read).contact_name, 'Zoë "Z" Ångström')
  assert.equal(deliveries.find(({ contact_id }) => contact_id === read)?.contact_name, 'Zoë "Z" Ångström')
  assert.equal(rowOf(read).explanation, '')
  assert.equal(rowOf(failed).contact_name, `'=HYPERLINK("http://x")`)
  assert.equal(rowOf(failed).code, '131026')
  assert.match(rowOf(failed).explanation ?? '', /cannot get the message/)
  assert.match(rowOf(failed).what_to_do ?? '', /Check these numbers/)
  assert.equal(rowOf(missing).code, 'missing_variable')
  assert.equal(rowOf(missing).detail, 'No value for 1')
  assert.equal(rowOf(optedOut).contact_name, `'@cmd`)
  assert.deepEqual([rowOf(optedOut).status, rowOf(optedOut).code], ['skipped', 'opted_out'])
})

test('the report’s data is available as JSON', async () => {
  const own = await campaigner(app, { category: 'UTILITY' })
  const [good = '', bad = ''] = await own.contacts(['0100', '0102'])
  const { id } = await own.send([good, bad])
  await own.until(id, ({ read_count, failed_count }) => read_count + failed_count === 2)
  const { status, body } = await own.call('GET', `campaigns/${id}/report?timezone=Europe/Berlin`)
  assert.equal(status, 200)
  const total = (what: string) =>
    body.stretches.reduce((sum: number, each: Record<string, number>) => sum + (each[what] ?? 0), 0)
  assert.deepEqual([total('sent'), total('delivered'), total('read')], [2, 1, 1])
  assert.equal(body.template_components[0].text, 'Hello {{1}}, we are open today.')
  assert.match(body.example['1'], /^Person/)
  assert.equal(body.failures.length, 1)
  assert.deepEqual([body.failures[0].code, body.failures[0].count, body.failures[0].status], ['131026', 1, 'failed'])
  assert.match(body.failures[0].what_to_do, /Check these numbers/)
  assert.equal((await own.call('GET', `campaigns/${id}/report?timezone=Nowhere/Land`)).status, 422)
  assert.equal((await own.call('GET', `campaigns/${newId()}/report`)).status, 404)
})

test('a deleted contact keeps its row, and external text cannot become a formula', async () => {
  const [id = ''] = await org.contacts(1)
  const campaign = await org.send([id])
  await org.until(campaign.id, isOver)
  assert.equal((await org.call('DELETE', `contacts/${id}`)).status, 200)
  await app.database.inTenant(
    org.scope,
    (tx) => tx.run`
      update deliveries set status = 'failed', code = '-1+1', reason = E'\t=1', detail = E'+x,"y"\nz',
        whatsapp_user_id = '＝1' where campaign_id = ${campaign.id}`,
  )
  const [row = {}] = await exported(campaign.id)
  assert.deepEqual([row.contact_id, row.contact_name], ['', ''])
  assert.equal(row.code, `'-1+1`)
  assert.equal(row.reason, `'\t=1`)
  assert.equal(row.detail, `'+x,"y"\nz`)
  assert.equal(row.whatsapp_user_id, `'＝1`)
})

test('the CSV of a campaign that has not started is only a header', async () => {
  const { id } = await org.send(null, { scheduled_at: '2100-01-01T00:00:00Z' })
  assert.deepEqual(await exported(id), [])
})

test('all rows come from one snapshot, although deliveries change while they are read', async () => {
  const id = await crowded(4_500, 'moment')
  let goesOn = true
  const changing = (async () => {
    for (let n = 1; goesOn; n++)
      await app.database.inTenant(
        org.scope,
        (tx) => tx.run`update deliveries set attempts = ${n} where campaign_id = ${id}`,
      )
  })()
  const seen = new Set<string>()
  after(() => {
    goesOn = false
  })
  // Several reads: each time, all rows came from one moment.
  await until(async () => {
    const rows = await exported(id)
    assert.equal(rows.length, 4_500)
    assert.equal(new Set(rows.map(({ delivery_id }) => delivery_id)).size, 4_500)
    const moments = new Set(rows.map(({ attempts }) => attempts as string))
    assert.equal(moments.size, 1)
    for (const moment of moments) seen.add(moment)
    return seen.size >= 3
  })
  goesOn = false
  await changing
})

test('a client that disconnects leaves no file and no connection behind', {
  skip: process.platform !== 'linux',
}, async () => {
  const id = await crowded(20_000, 'abandoned')
  const openExports = async () => {
    const names = await readdir('/proc/self/fd')
    const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
    return targets.filter((target) => target.includes('frontdesk-export-')).length
  }
  const headers = { authorization: `Bearer ${org.key}` }
  const url = `${address}/api/v1/campaigns/${id}/export/csv`
  // One client disconnects at the first bytes of the response, one before them.
  await new Promise<void>((resolve, reject) => {
    const request = get(url, { headers }, (answer) => {
      assert.equal(answer.statusCode, 200)
      answer.once('readable', () => {
        request.destroy()
        resolve()
      })
    })
    request.once('error', reject)
  }).catch(() => {})
  const early = get(url, { headers })
  early.once('error', () => {})
  await until(async () => (await openExports()) > 0)
  early.destroy()
  await until(async () => (await openExports()) === 0)
  const { pools } = app.database
  await until(async () => pools.tenant.idleCount === pools.tenant.totalCount)
  assert.equal((await exported(id)).length, 20_000)
})
