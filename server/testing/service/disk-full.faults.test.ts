import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { formOf } from '../uploads.ts'

const run = promisify(execFile)

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
