import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { connectOwner } from '../connect-owner.ts'
import { until } from '../process.ts'

const app = await startTestApp()

test('a database without space answers 503 with Retry-After in each operation’s error shape, and stores nothing', async () => {
  const acme = await app.organization()
  const owner = await connectOwner(app)
  await owner.query(`create function run_out() returns trigger language plpgsql as $$
    begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  const tables = ['contacts', 'agents', 'write_probes', 'simulator_records']
  for (const table of tables)
    await owner.query(`create trigger run_out before insert on ${table} for each row execute function run_out()`)

  const message = 'Service Unavailable: no room to write, the disk is full; try again later'
  const key = { 'idempotency-key': 'one' }
  const contact = await acme.call('POST', 'contacts', { phone_number: '+14155550101' }, key)
  assert.deepEqual([contact.status, contact.body], [503, { detail: message }])
  assert.ok(Number(contact.headers['retry-after']) > 0)
  const agent = await acme.call('POST', 'agents', { name: 'Ada' })
  assert.equal(agent.status, 503)
  assert.deepEqual([agent.body.error, agent.body.message], [503, message])
  assert.ok(Number(agent.headers['retry-after']) > 0)
  const simulated = await acme.call('POST', 'simulator/messages', { from: '+14155550102', text: 'Hello' })
  assert.deepEqual([simulated.status, simulated.body], [503, { detail: message }])
  const ready = await app.call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body.checks.database], [503, 'cannot write'])

  for (const table of tables) await owner.query(`drop trigger run_out on ${table}`)
  const again = await acme.call('POST', 'contacts', { phone_number: '+14155550101' }, key)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, undefined])
  await until(async () => (await app.call('GET', '/readyz')).status === 200)
})
