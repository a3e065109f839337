import assert from 'node:assert/strict'
import type pg from 'pg'
import { ok, type TestApp, type TestOrganization } from './app.ts'
import { holdWrites } from './hold-writes.ts'
import { endOfImport } from './imports.ts'
import { environmentOf, startProcess, until } from './process.ts'
import { upload } from './uploads.ts'

/** An import of several batches, for tests that kill or stop its workers. */

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

export async function uploadTo(org: TestOrganization): Promise<string> {
  const answer = ok(await upload(org.call, 'contacts/imports', { file }), 202)
  return answer.id
}

const rowsDone = async (org: TestOrganization, id: string): Promise<number> =>
  (await org.call('GET', `contacts/imports/${id}`)).body.counts.rows

/** No worker gets past the batch with this row, however late the test stops it. */
export const holdImport = (app: TestApp, row: number) =>
  holdWrites(app, `insert on contacts for each row when (new.name = 'Person ${row}')`)

/** Starts a worker process for each row and kills it before it gets there. */
export async function killAt(
  app: TestApp,
  {
    owner,
    folder,
    org,
    id,
    rows,
  }: { owner: pg.Client; folder: string; org: TestOrganization; id: string; rows: number[] },
): Promise<void> {
  const env = {
    ROLE: 'worker',
    ...environmentOf(app),
  }
  for (const row of rows) {
    const hold = await holdImport(app, row)
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
}

/** Compares the contacts with the file, one by one. */
export async function assertImportedOnce(owner: pg.Client, org: TestOrganization, id: string): Promise<void> {
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
  await owner.query(
    `create index if not exists events_for_test on events (organization_id, (data -> 'object' ->> 'phone_number'))`,
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
