import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, startProcess, temporaryFolder } from '../testing/process.ts'

test('the doctor finds no problem in a healthy service and explains each problem of an unhealthy one', async () => {
  const dataDir = await temporaryFolder()
  const healthy = await runCommand(['doctor'], { DATA_DIR: dataDir, PORT: '0' })
  assert.equal(healthy.code, 0, healthy.stdout)
  assert.match(healthy.stdout, /first start will migrate/)
  const running = await startProcess(dataDir, { DEMO_DATA: 'false' })
  const env = { DATA_DIR: dataDir, PORT: new URL(running.url).port }
  const migrated = await runCommand(['doctor'], env)
  assert.equal(migrated.code, 0, migrated.stdout)
  assert.match(migrated.stdout, /Row-level security is enforced/)
  assert.match(migrated.stdout, /✓ Requests connect as a role that can only become frontdesk_tenant/)
  const wrongKey = await runCommand(['doctor'], { ...env, SECRET_KEY: 'not the key that this was sealed with' })
  assert.equal(wrongKey.code, 1)
  assert.match(wrongKey.stdout, /✗ SECRET_KEY does not match the stored secrets/)
  const unreachable = await runCommand(['doctor'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SECRET_KEY: 'x'.repeat(32),
    PORT: '0',
  })
  assert.equal(unreachable.code, 1)
  assert.match(unreachable.stdout, /✗ Cannot connect to the database/)
})

test('the doctor reports an unusable DATA_DIR and stops', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  // /proc refuses new folders for every user, even root.
  for (const DATA_DIR of [join(folder, 'file'), join(folder, 'file/below'), '/proc/frontdesk/data']) {
    const { code, stdout } = await runCommand(['doctor'], { DATA_DIR, PORT: '0' })
    assert.equal(code, 1, stdout)
    assert.ok(stdout.includes(`✗ DATA_DIR ${DATA_DIR} cannot be used`), stdout)
    assert.doesNotMatch(stdout, /Cannot connect to the database/)
    const start = await runCommand(['start'], { DATA_DIR, PORT: '0' })
    assert.equal(start.code, 1)
    assert.ok(start.stderr.includes(`Cannot create the data folder ${DATA_DIR}`), start.stderr)
  }
})
