import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { endOfImport } from '../../../testing/imports.ts'
import { assertImportedOnce, holdImport, killAt, uploadTo } from '../../../testing/large-import.ts'
import { temporaryFolder } from '../../../testing/process.ts'

/** This node only serves requests: the tests start, stop and kill the workers. */
const app = await startTestApp({ settings: { ROLE: 'api' } })
const owner = await connectOwner(app)

test('an import whose worker is killed is continued by the next one, every row exactly once', async () => {
  const org = await app.organization()
  const id = await uploadTo(org)
  await killAt(app, { owner, folder: await temporaryFolder(), org, id, rows: [5_500] })
  const next = await app.node({ ROLE: 'worker' })
  await assertImportedOnce(owner, org, id)
  await next.close()
})

test('a stopping node releases its import at once, and the next one continues', async () => {
  const org = await app.organization()
  const id = await uploadTo(org)
  const hold = await holdImport(app, 1_500)
  const first = await app.node({ ROLE: 'worker' })
  await hold.reached()
  const closing = first.close()
  await hold.release()
  await closing
  const { rows } = await owner.query(
    `select state, start_after <= now() + interval '3 seconds' as soon from pgboss.job
     where name = 'contacts.import' and data ->> 'import_id' = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ state: 'retry', soon: true }])
  assert.equal((await org.call('GET', `contacts/imports/${id}`)).body.state, 'running')
  const second = await app.node({ ROLE: 'worker' })
  await assertImportedOnce(owner, org, id)
  await second.close()
})

test('two workers on one import, because one was thought dead, count and write every row once', async () => {
  const org = await app.organization()
  const id = await uploadTo(org)
  const hold = await holdImport(app, 4_500)
  const first = await app.node({ ROLE: 'worker' })
  await hold.reached()
  const { rowCount } = await owner.query(
    `update pgboss.job set state = 'retry', start_after = now() - interval '1 second' where state = 'active' and name = 'contacts.import'`,
  )
  assert.equal(rowCount, 1)
  const second = await app.node({ ROLE: 'worker' })
  await hold.release()
  await assertImportedOnce(owner, org, id)
  await Promise.all([first.close(), second.close()])
})

test('an import that cannot continue ends failed with a message, not running for ever', async () => {
  const org = await app.organization()
  await owner.query(`
    create function refuse_contacts() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
    create trigger refuse before insert on contacts for each row execute function refuse_contacts()`)
  const id = await uploadTo(org)
  await owner.query('update contact_imports set attempts = 9 where id = $1', [id])
  const worker = await app.node({ ROLE: 'worker' })
  const { state, error, counts } = await endOfImport(org.call, id)
  assert.equal(state, 'failed')
  assert.match(error ?? '', /stopped this import several times/)
  assert.doesNotMatch(error ?? '', /out of order/)
  assert.equal(counts.created, 0)
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 0)
  await worker.close()
  await owner.query('drop trigger refuse on contacts')
})
