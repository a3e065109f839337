import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import type { Campaign } from '../features/campaigns/schema.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { startTestApp } from '../testing/app.ts'
import { campaigner } from '../testing/campaigns.ts'
import { databaseUrl, runCommand, startProcess, temporaryFolder, until } from '../testing/process.ts'

const recipients = 5_000
const rounds = 3

/** Each counter table, and the rows that it counts. */
const counters: [string, string][] = [
  ['event_counts', 'events'],
  ['contact_counts', 'contacts'],
  ['contact_tag_counts', 'contact_tags'],
  ['ticket_counts', 'tickets'],
  ['campaign_counts', 'campaigns'],
  ['webhook_delivery_counts', 'webhook_deliveries'],
]

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
await app.listen()

test('a backup taken under load holds every row that was committed before it, and its counts agree', async () => {
  const acme = await campaigner(app)
  await acme.crowd(recipients, 'crowd')
  const { id } = await acme.send(null, { audience_type: 'tags', audience_tags: ['crowd'] })
  const acknowledged = new Set<string>()
  let isLoaded = true
  let n = 0
  const write = async () => {
    while (isLoaded) {
      const phone_number = `+1415${5_550_000 + ++n}`
      const answer = await acme.call('POST', 'contacts', { phone_number })
      assert.equal(answer.status, 201, answer.text)
      acknowledged.add(answer.body.id)
      const inbound = await acme.call('POST', 'simulator/messages', { from: phone_number, text: `Hello ${n}` })
      assert.ok(inbound.status < 300, inbound.text)
    }
  }
  const writers = Promise.all([write(), write()])
  const folder = await temporaryFolder()
  const url = databaseUrl(app.connection)
  const env = { SECRET_KEY: app.settings.SECRET_KEY as string, DATA_DIR: folder }
  const backups: { file: string; committed: string[] }[] = []
  for (let round = 0; round < rounds; round++) {
    const sent = (round + 1) * Math.floor(recipients / (rounds + 2))
    await acme.until(id, (campaign) => campaign.sent_count >= sent)
    const file = join(folder, `${round}.tar.zst`)
    const committed = [...acknowledged]
    const made = await runCommand(['backup', '--to', file], { ...env, DATABASE_URL: url })
    assert.equal(made.code, 0, made.stderr)
    backups.push({ file, committed })
  }
  isLoaded = false
  await writers
  await acme.until(id, ({ status }) => status === 'completed')

  for (const { file, committed } of backups) {
    const target = await temporaryFolder()
    const restored = await runCommand(['restore', file, '--into', target], env)
    assert.equal(restored.code, 0, restored.stderr)
    const server = await startEmbeddedPostgres({ dataDir: target, log: () => {} })
    const client = new pg.Client(server.connection)
    await client.connect()
    try {
      const { rows } = await client.query('select id from contacts')
      const found = new Set(rows.map((row) => row.id))
      assert.deepEqual(
        committed.filter((contact) => !found.has(contact)),
        [],
        'acknowledged before the backup, and not in it',
      )
      for (const [counts, counted] of counters) {
        const { rows: sums } = await client.query(
          `select (select coalesce(sum(n), 0) from ${counts})::int as counted, (select count(*) from ${counted})::int as rows`,
        )
        assert.equal(sums[0].counted, sums[0].rows, counted)
      }
      const { rows: deliveries } = await client.query(`
        select (select sum(pending) from delivery_counts)::int as pending,
          (select count(*) from deliveries where status = 'pending')::int as really_pending,
          (select count(*) from deliveries)::int as total`)
      const { pending, really_pending, total } = deliveries[0]
      assert.deepEqual([pending, total], [really_pending, recipients])
      assert.ok(pending > 0, 'the backup was taken while the campaign was sending')
    } finally {
      await client.end()
      await server.close()
    }
  }

  // The copy goes on where the last backup was taken: what was in flight is unknown or settled by its receipt.
  const last = await temporaryFolder()
  const restored = await runCommand(['restore', backups.at(-1)?.file as string, '--into', last], env)
  assert.match(restored.stderr, /1 campaign will go on when a worker starts/)
  const running = await startProcess(last, { ...env, DATA_DIR: last, SIMULATOR_SPEED: '0' })
  const see = async (): Promise<Campaign> =>
    (
      await fetch(`${running.url}/api/v1/campaigns/${id}`, { headers: { authorization: `Bearer ${acme.key}` } })
    ).json() as never
  await until(async () => (await see()).status === 'completed')
  const { total_contacts_count, pending_count, sending_count } = await see()
  assert.deepEqual([total_contacts_count, pending_count, sending_count], [recipients, 0, 0])
  assert.equal(await running.stop(), 0)
})
