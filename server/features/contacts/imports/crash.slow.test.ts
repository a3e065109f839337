import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { holdWrites } from '../../../testing/hold-writes.ts'
import { endOfImport } from '../../../testing/imports.ts'
import { databaseUrl, startProcess, temporaryFolder, until } from '../../../testing/process.ts'
import { upload } from '../../../testing/uploads.ts'

/** This node only serves requests: the tests start, stop and kill the workers. */
const app = await startTestApp({ settings: { ROLE: 'api' } })
const owner = await connectOwner(app)

const phone = (i: number) => `+1202${String(5_550_000 + i)}`
const numbers = Array.from({ length: 9_000 }, (_, i) => i)
/** Every tenth row repeats an earlier number, every fifteenth has none. */
const file = [
  'phone,name,tags,city',
  ...numbers.map((i) =>
    i % 15 === 14 ? `nothing ${i},x,,` : `${phone(i % 10 === 9 ? i - 9 : i)},Person ${i},"a;t${i % 3}",City ${i % 7}`,
  ),
].join('\n')
const expected = new Map(
  numbers
    .filter((i) => i % 15 !== 14 && (i % 10 !== 9 || (i - 9) % 15 === 14))
    .map((i) => [phone(i % 10 === 9 ? i - 9 : i), i]),
)

async function uploadTo(org: TestOrganization): Promise<string> {
  const answer = await upload(org.call, 'contacts/imports', { file })
  assert.equal(answer.status, 202, answer.text)
  return answer.body.id
}

const rowsDone = async (org: TestOrganization, id: string): Promise<number> =>
  (await org.call('GET', `contacts/imports/${id}`)).body.counts.rows

/** No worker gets past the batch with this row, however late the test stops it. */
const holdImport = (row: number) => holdWrites(app, `insert on contacts for each row when (new.name = 'Person ${row}')`)

/** Compares the contacts with the file, one by one. */
async function assertImportedOnce(org: TestOrganization, id: string): Promise<void> {
  const { state, counts, errors } = await endOfImport(org.call, id)
  const valid = numbers.filter((i) => i % 15 !== 14).length
  assert.equal(state, 'completed')
  assert.deepEqual(counts, {
    rows: numbers.length,
    created: expected.size,
    updated: 0,
    skipped: valid - expected.size,
    invalid: numbers.length - valid,
  })
  assert.deepEqual(
    errors.map(({ row }) => row),
    numbers.filter((i) => i % 15 === 14).map((i) => i + 2),
  )
  const { rows } = await owner.query(
    `select c.phone_number, c.name, c.tags, c.custom_fields, c.activity_counts,
       (select count(*)::int from activities a where a.contact_id = c.id) as activities,
       (select count(*)::int from events e where e.organization_id = c.organization_id
          and e.data -> 'object' ->> 'phone_number' = c.phone_number) as events
     from contacts c where organization_id = $1`,
    [org.id],
  )
  assert.equal(rows.length, expected.size)
  for (const row of rows) {
    const i = expected.get(row.phone_number)
    assert.deepEqual(row, {
      phone_number: row.phone_number,
      name: `Person ${i}`,
      tags: ['a', `t${(i as number) % 3}`],
      custom_fields: { city: `City ${(i as number) % 7}` },
      activity_counts: { contact_created: 1 },
      activities: 1,
      events: 1,
    })
  }
  const left = await owner.query('select count(*)::int as n from contact_import_chunks')
  assert.equal(left.rows[0].n, 0)
}

test('workers that are killed repeatedly import every row exactly once', async () => {
  const org = await app.organization()
  const id = await uploadTo(org)
  await owner.query(
    `create index if not exists events_for_test on events (organization_id, (data -> 'object' ->> 'phone_number'))`,
  )
  const folder = await temporaryFolder()
  const env = {
    ROLE: 'worker',
    DATABASE_URL: databaseUrl(app.connection),
    SECRET_KEY: 'a secret key that only tests would use',
  }
  for (const farthest of [2_500, 5_500, 8_500]) {
    const hold = await holdImport(farthest)
    const before = await rowsDone(org, id)
    const worker = await startProcess(folder, env)
    await until(async () => (await rowsDone(org, id)) >= before + 1000)
    await worker.stop('SIGKILL')
    await hold.release()
    // As if the time had passed after which a silent worker's job is retried, and as if it were the first try.
    await owner.query(
      `update pgboss.job set heartbeat_on = now() - interval '1 minute', retry_count = 0 where state = 'active'`,
    )
  }
  assert.ok((await rowsDone(org, id)) < numbers.length)
  const last = await startProcess(folder, env)
  await assertImportedOnce(org, id)
  assert.equal(await last.stop('SIGTERM'), 0)
})

test('a stopping node releases its import at once, and the next one continues', async () => {
  const org = await app.organization()
  const id = await uploadTo(org)
  const hold = await holdImport(1_500)
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
  await assertImportedOnce(org, id)
  await second.close()
})

test('two workers on one import, because one was thought dead, count and write every row once', async () => {
  const org = await app.organization()
  const id = await uploadTo(org)
  const hold = await holdImport(4_500)
  const first = await app.node({ ROLE: 'worker' })
  await hold.reached()
  const { rowCount } = await owner.query(
    `update pgboss.job set state = 'retry', start_after = now() - interval '1 second' where state = 'active' and name = 'contacts.import'`,
  )
  assert.equal(rowCount, 1)
  const second = await app.node({ ROLE: 'worker' })
  await hold.release()
  await assertImportedOnce(org, id)
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
  assert.match(error ?? '', /could not go on/)
  assert.doesNotMatch(error ?? '', /out of order/)
  assert.equal(counts.created, 0)
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 0)
  await worker.close()
  await owner.query('drop trigger refuse on contacts')
})
