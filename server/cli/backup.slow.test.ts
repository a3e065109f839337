import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { callTo } from '../testing/call-service.ts'
import { readContents, readSchema } from '../testing/database-contents.ts'
import { dataFolder, runCommand, startProcess, temporaryFolder, until } from '../testing/process.ts'
import { formOf } from '../testing/uploads.ts'

/** What else can happen to a backup and its restore is in restore.faults.test.ts. */

const key = `svc_sk_test_${'b'.repeat(40)}`
const env = { SECRET_KEY: 'the secret key of the installation that is backed up', BOOTSTRAP_API_KEY: key }

async function databaseIn(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const client = new pg.Client(server.connection)
  try {
    await client.connect()
    return [await readContents(client), await readSchema(client)]
  } finally {
    await client.end()
    await server.close()
  }
}

test('every row, file, index, policy and privilege is the same after a restore', async () => {
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
  const restored = await runCommand(['restore', file, '--into', target], env)
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual(await databaseIn(target), await databaseIn(source))
  const filesIn = (dataDir: string) => readdir(join(dataDir, 'files/kept'), { recursive: true })
  const kept = await filesIn(source)
  assert.ok(kept.length > 0)
  assert.deepEqual(await filesIn(target), kept)
})
