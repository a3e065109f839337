import assert from 'node:assert/strict'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Type from 'typebox'
import type { TenantScope, TenantTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { FileMissing, fileKey } from '../../providers/files/contract.ts'
import { createDiskFiles } from '../../providers/files/disk.ts'
import { startTestApp } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import { until } from '../../testing/process.ts'
import { sweepFilesJob } from './jobs.ts'

const app = await startTestApp()
const folder = join(app.settings.DATA_DIR, 'files')
const files = createDiskFiles(folder)
const scope: TenantScope = { organizationId: (await app.organization()).id, livemode: false }

async function keep(of = scope): Promise<string> {
  const key = fileKey(of, 'media', newId())
  await files.write(key, Readable.from([Buffer.from('kept')]))
  return key
}

const isKept = (key: string) =>
  files.read(key).then(
    (bytes) => !!bytes.destroy(),
    (error) => {
      if (error instanceof FileMissing) return false
      throw error
    },
  )

const remove = (keys: string[], due = 'now', of = scope) =>
  app.database.inTenant(
    of,
    (tx) =>
      tx.run`insert into removed_files (key, created_at) select key, ${due}::timestamptz from unnest(${keys}::text[]) key`,
  )

const sweep = () => app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))

const remaining = async () =>
  (await app.database.forSystem().all(Type.Object({ key: Type.String() }))`select key from removed_files`).map(
    ({ key }) => key,
  )

const forgotten = (keys: string[]) =>
  until(async () => {
    const left = new Set(await remaining())
    return keys.every((key) => !left.has(key))
  })

test('a removed file is deleted, then its row, and no other file', async () => {
  const live = { ...scope, livemode: true }
  const [gone, alsoGone, other] = [await keep(), await keep(live), await keep()]
  await remove([gone])
  await remove([alsoGone], 'now', live)
  await sweep()
  await forgotten([gone, alsoGone])
  assert.deepEqual([await isKept(gone), await isKept(alsoGone), await isKept(other)], [false, false, true])
})

test('deleting a row deletes its file if, and only if, the deletion commits', async () => {
  const owner = await connectOwner(app)
  await owner.query(`
    create table things (
      organization_id uuid not null default current_organization(),
      livemode boolean not null default current_livemode(),
      file_key text,
      primary key (organization_id, livemode, file_key));
    call protect_tenant_table('things');
    create trigger things_take_their_files after delete on things for each row execute function remove_file()`)
  const [deleted, rolledBack] = [await keep(), await keep()]
  const within = (work: (tx: TenantTx) => Promise<unknown>) => app.database.inTenant(scope, work)
  await within((tx) => tx.run`insert into things (file_key) values (${deleted}), (${rolledBack})`)
  await within((tx) => tx.run`delete from things where file_key = ${deleted}`)
  await assert.rejects(
    within(async (tx) => {
      await tx.run`delete from things where file_key = ${rolledBack}`
      throw new Error('changed my mind')
    }),
  )
  await sweep()
  await forgotten([deleted])
  assert.deepEqual([await isKept(deleted), await isKept(rolledBack)], [false, true])
})

test('a file that is not due yet is left alone', async () => {
  const [due, later] = [await keep(), await keep()]
  await remove([later], 'tomorrow')
  await remove([due])
  await sweep()
  await forgotten([due])
  assert.equal(await isKept(later), true)
  assert.ok((await remaining()).includes(later))
})

test('more files than one batch are deleted in one run, and missing files count as deleted', async () => {
  const keys = Array.from({ length: 450 }, () => fileKey(scope, 'media', newId()))
  await remove(keys)
  await sweep()
  await forgotten(keys)
})

test('a file that cannot be deleted stays recorded, blocks no other, and is retried when due', async () => {
  const [stuck, free] = [fileKey(scope, 'media', newId()), await keep()]
  const obstacle = join(folder, 'kept', stuck)
  await mkdir(obstacle)
  await remove([stuck], 'yesterday')
  await remove([free])
  await sweep()
  await forgotten([free])
  assert.ok((await remaining()).includes(stuck))
  await rmdir(obstacle)
  await files.write(stuck, Readable.from([Buffer.from('kept')]))
  await app.database.forSystem()
    .run`update removed_files set created_at = now() - interval '1 second' where key = ${stuck}`
  await sweep()
  await forgotten([stuck])
  assert.equal(await isKept(stuck), false)
})

test('several nodes in parallel delete every file', async () => {
  await app.node()
  const keys = await Promise.all(Array.from({ length: 60 }, () => keep()))
  await remove(keys)
  await Promise.all([sweep(), sweep(), sweep()])
  await forgotten(keys)
  assert.deepEqual(
    await Promise.all(keys.map(isKept)),
    keys.map(() => false),
  )
})

test('due files are found by an index', async () => {
  const keys = Array.from({ length: 5_000 }, () => fileKey(scope, 'media', newId()))
  await remove(keys, 'infinity')
  await app.database.forSystem().run`analyze removed_files`.catch(() => {})
  const plan = await app.database.forSystem().all(Type.Object({ 'QUERY PLAN': Type.String() }))`
    explain select key from removed_files where created_at <= now() order by created_at limit 200 for update skip locked`
  assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /removed_files_due/)
})
