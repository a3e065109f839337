import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg, { type ClientConfig } from 'pg'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate, readMigrations } from '../platform/migrate.ts'
import { callTo } from '../testing/call-service.ts'
import { readContents, readSchema } from '../testing/database-contents.ts'
import { dataFolder, runCommand, startProcess, temporaryFolder, until } from '../testing/process.ts'
import { formOf } from '../testing/uploads.ts'

/** What else can happen to a backup and its restore is in restore.faults.test.ts. */

const key = `svc_sk_test_${'b'.repeat(40)}`
const env = { SECRET_KEY: 'the secret key of the installation that is backed up', BOOTSTRAP_API_KEY: key }

async function onDatabase<T>(
  dataDir: string,
  work: (client: pg.Client, connection: ClientConfig) => Promise<T>,
): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const client = new pg.Client(server.connection)
    await client.connect()
    return await work(client, server.connection).finally(() => client.end())
  } finally {
    await server.close()
  }
}
const restore = (file: string, into: string) => runCommand(['restore', file, '--into', into], env)

test('every row, file, index, policy and privilege is the same after a restore, which needs an empty database', async () => {
  const [source, target, folder] = [await dataFolder(), await temporaryFolder(), await temporaryFolder()]
  const running = await startProcess(source, env)
  const call = callTo(running.url, key)
  const form = await formOf({ file: 'Opening hours: nine to five.', fileName: 'hours.txt', fileType: 'text/plain' })
  const uploaded = await call('POST', 'knowledge-base/upload', form.body, form.headers)
  assert.ok(uploaded.status < 300, JSON.stringify(uploaded))
  await until(async () => (await call('GET', `knowledge-base/${uploaded.body.id}`)).body.status === 'ready')
  assert.equal(await running.stop(), 0)

  const file = join(folder, 'backup.tar.zst')
  const made = await runCommand(['backup', '--to', file], { ...env, DATA_DIR: source })
  assert.equal(made.code, 0, made.stderr)
  const restored = await restore(file, target)
  assert.equal(restored.code, 0, restored.stderr)
  const read = async (client: pg.Client) => [await readContents(client), await readSchema(client)]
  const before = await onDatabase(source, read)
  assert.deepEqual(await onDatabase(target, read), before)
  const filesIn = (dataDir: string) => readdir(join(dataDir, 'files/kept'), { recursive: true })
  const kept = await filesIn(source)
  assert.ok(kept.length > 0)
  assert.deepEqual(await filesIn(target), kept)

  const full = await restore(file, target)
  assert.equal(full.code, 1)
  assert.match(full.stderr, /is not empty \(it has .+\): restore into a new database/)
})

test('a backup of an older schema is migrated, and one of a newer schema is refused', async () => {
  const [old, folder] = [await temporaryFolder(), await temporaryFolder()]
  const known = await readMigrations()
  const organization = '018f3f3e-0000-7000-8000-000000000001'
  await onDatabase(old, async (client, connection) => {
    await migrate(connection, { restoring: known.slice(0, -1) })
    await client.query(`insert into organizations (id, name) values ($1, 'Old')`, [organization])
    await client.query(`insert into contacts (organization_id, livemode, id, name, phone_number)
      values ('${organization}', true, gen_random_uuid(), 'José', '+14155550100')`)
  })
  const backup = join(folder, 'old.tar.zst')
  const made = await runCommand(['backup', '--to', backup], { ...env, DATA_DIR: old })
  assert.equal(made.code, 0, made.stderr)
  const target = await temporaryFolder()
  const restored = await restore(backup, target)
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, new RegExp(`applied migration ${String(known.at(-1)?.number).padStart(4, '0')}`))
  await onDatabase(target, async (client) => {
    const { rows } = await client.query('select name, search_text from contacts')
    assert.deepEqual(rows, [{ name: 'José', search_text: 'jose +14155550100' }])
    const { rows: counts } = await client.query('select sum(n)::int as n from contact_counts')
    assert.equal(counts[0].n, 1, 'counted once, by the trigger in the source')
  })

  await onDatabase(old, (client) =>
    client.query(`insert into migrations (number, name) values (9999, 'from_the_future')`),
  )
  const newer = join(folder, 'newer.tar.zst')
  assert.equal((await runCommand(['backup', '--to', newer], { ...env, DATA_DIR: old })).code, 0)
  const refused = await restore(newer, await temporaryFolder())
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /has migration 9999 \(from_the_future\), which this version does not know/)
})
