import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { bodyFrom } from '../call-service.ts'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'

/** Exports read from a streaming replica while it is up to date, and from the primary otherwise. */

const key = `svc_sk_test_${'r'.repeat(40)}`

test('exports come from the replica, and from the primary when it lags or is gone', async (t) => {
  const primary = await startInstalledPostgres()
  if (!primary) return t.skip('no PostgreSQL of the distribution is installed')
  t.after(() => primary.stop())
  const replica = await startInstalledPostgres({}, { replicaOf: primary })
  assert.ok(replica)
  t.after(() => replica.stop())
  const { url, output } = await startProcess(await temporaryFolder(), {
    DATABASE_URL: primary.url,
    REPLICA_DATABASE_URL: replica.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: key,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'info',
  })
  const call = bodyFrom(url, key)
  let last = 100
  const create = async (): Promise<string> =>
    (await call('POST', 'contacts', { phone_number: `+14155550${++last}`, name: `Person ${last}` })).name
  const exported = async (path: string) => {
    const answer = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(answer.status, 200)
    return answer.text()
  }
  const isExported = async (name: string) => (await exported('contacts/export')).includes(name)
  const logged = (event: string) => until(async () => output().includes(`"event":"${event}"`))

  await logged('replica.up_to_date')
  const first = await create()
  await until(() => isExported(first))

  const onReplica = new pg.Client(replica.url)
  await onReplica.connect()
  onReplica.on('error', () => {})
  await onReplica.query('select pg_wal_replay_pause()')
  const second = await create()
  assert.equal(await isExported(second), false, 'the export reads from the replica')
  const [newest] = (await call('GET', 'contacts')).data
  assert.equal(newest.name, second, 'the list reads what was just written')
  const day = (await call('GET', 'crm/dashboard/daily?days=1')).data
  assert.equal(day.length, 1)
  assert.match(await exported('audit-log/export'), /contact\.exported/)

  await logged('replica.too_far_behind')
  assert.equal(await isExported(second), true, 'the primary serves while the replica is behind')

  await onReplica.query('select pg_wal_replay_resume()')
  await until(async () => output().split('"event":"replica.up_to_date"').length === 3)
  replica.kill()
  const third = await create()
  assert.equal(await isExported(third), true, 'no export fails when the replica is gone')
  await logged('replica.not_available')
})
