import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApp } from '../app.ts'
import { connectOwner } from '../connect-owner.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { formOf } from '../uploads.ts'

const run = promisify(execFile)
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

/** A file system of this size, or the reason why none can be created. */
async function smallDisk(folder: string, size: string): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  return run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    for (let size = 1024 * 1024; size >= 4096; ) {
      const fault = await handle.write(Buffer.alloc(size)).catch((error) => error)
      if (fault.code === 'ENOSPC' || fault.bytesWritten < size) size /= 2
    }
  } finally {
    await handle.close()
  }
}

test('with a full disk the node is not ready, writes and uploads answer 503, and it recovers once there is space', async (t) => {
  const dataDir = join(await temporaryFolder(), 'data')
  await mkdir(dataDir)
  const cannot = await smallDisk(dataDir, '300m')
  if (cannot) return t.skip(cannot)
  const key = `svc_sk_test_${'q'.repeat(40)}`
  const running = await startProcess(dataDir, { BOOTSTRAP_API_KEY: key, DEMO_DATA: 'false' }).catch(async (error) => {
    await run('umount', ['--lazy', dataDir])
    throw error
  })
  try {
    const authorization = `Bearer ${key}`
    const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${running.url}/api/v1/${path}`, { method: 'POST', headers: { authorization, ...headers }, body })
    let n = 0
    const create = () =>
      post('contacts', JSON.stringify({ phone_number: `+1415${5_550_000 + ++n}` }), {
        'content-type': 'application/json',
      })
    assert.equal((await create()).status, 201)

    const filler = join(dataDir, 'filler')
    await fill(filler)
    // PostgreSQL may have reserved space for a few more rows.
    let refused = await create()
    for (; refused.status === 201 && n < 2_000; ) refused = await create()
    assert.equal(refused.status, 503)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.match(((await refused.json()) as { detail: string }).detail, /^Service Unavailable: /)
    const form = await formOf({ file: 'word '.repeat(100_000), fileName: 'long.txt' })
    const upload = await post('knowledge-base/upload', form.body as Uint8Array<ArrayBuffer>, form.headers)
    assert.equal(upload.status, 503)
    assert.ok(Number(upload.headers.get('retry-after')) > 0)
    const ready = await fetch(`${running.url}/readyz`)
    assert.equal(ready.status, 503)
    assert.equal(((await ready.json()) as { checks: { disk: string } }).checks.disk, 'full')
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200)

    await rm(filler)
    await until(async () => (await fetch(`${running.url}/readyz`)).status === 200)
    await until(async () => (await create()).status === 201)
  } finally {
    await running.stop()
    await run('umount', ['--lazy', dataDir])
  }
})
