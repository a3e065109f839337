import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { bodyFrom } from '../call-service.ts'
import { connectOwner } from '../connect-owner.ts'
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
  /** What the service has said about the replica since its start. */
  const states = () =>
    [...output().matchAll(/"time":(\d+).*"event":"replica\.(\w+)"/g)].map(([, time, state]) => ({
      time: Number(time),
      state,
    }))
  const untilLast = (...wanted: string[]) => until(async () => wanted.includes(states().at(-1)?.state ?? ''))

  await untilLast('up_to_date')
  const first = await create()
  await until(() => isExported(first))

  const onReplica = await connectOwner({ connection: { connectionString: replica.url } })
  await onReplica.query('select pg_wal_replay_pause()')
  const second = await create()
  const isFromPrimary = await isExported(second)
  const exportedAt = Date.now()
  const [newest] = (await call('GET', 'contacts')).data
  assert.equal(newest.name, second, 'the list reads what was just written')
  const day = (await call('GET', 'crm/dashboard/daily?days=1')).data
  assert.equal(day.length, 1)
  assert.match(await exported('audit-log/export'), /contact\.exported/)

  // A busy replica may also answer the checks too late.
  await untilLast('too_far_behind', 'not_available')
  // On a slow machine the export can begin when the replica is no longer read.
  const wasRead = (states().at(-1)?.time as number) > exportedAt
  if (wasRead) assert.equal(isFromPrimary, false, 'the export reads from the replica')
  await until(() => isExported(second))

  await onReplica.query('select pg_wal_replay_resume()')
  await untilLast('up_to_date')
  const gone = new Promise((resolve) => onReplica.once('end', resolve))
  replica.kill()
  await gone
  const third = await create()
  // Each export must succeed. A server process of the replica can outlive the others for a moment.
  await until(() => isExported(third))
  await untilLast('not_available')
})
