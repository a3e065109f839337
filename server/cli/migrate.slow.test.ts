import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { inSnapshot } from '../platform/backup/dump-tables.ts'
import { type Migration, migrate, readMigrations } from '../platform/migrate.ts'
import { describeMigrations } from '../platform/plan-migrations.ts'
import { readSchema } from '../testing/database-contents.ts'
import { databaseUrl, runCommand, temporaryFolder, until } from '../testing/process.ts'
import { cloneDatabase, inDatabase, serverVariable } from '../testing/server.ts'

const { connection, drop } = await cloneDatabase(JSON.parse(process.env[serverVariable] ?? 'null'))
const owner = new pg.Client(connection)
await owner.connect()
after(async () => {
  await owner.end()
  await drop()
})
const env = { DATABASE_URL: databaseUrl(connection), SECRET_KEY: 'a secret key that only tests would use' }
const known = await readMigrations()

test('migrate --plan prints pending migrations and changes nothing', async () => {
  const upToDate = await runCommand(['migrate', '--plan'], env)
  assert.deepEqual([upToDate.code, upToDate.stdout], [0, 'The database is up to date.\n'], upToDate.stderr)

  await owner.query('delete from migrations where number in (39, 42)')
  const before = await readSchema(owner)
  const { code, stdout, stderr } = await runCommand(['migrate', '--plan'], env)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^0039 near_numbers: The numbers of calls, read from their end/m)
  assert.match(stdout, /^ {7}builds an index on calls; writes to it wait meanwhile$/m)
  assert.match(stdout, /^0042 fold_existing_names: each is a transaction of its own/m)
  assert.match(stdout, /^ {7}updates rows of contacts, in batches$/m)
  assert.match(stdout, /^2 migrations would be applied\.$/m)
  assert.deepEqual(await readSchema(owner), before)
  await owner.query(`insert into migrations (number, name) values (39, 'near_numbers'), (42, 'fold_existing_names')`)

  const nothing = await runCommand(['migrate', '--plan'], { DATA_DIR: await temporaryFolder() })
  assert.deepEqual([nothing.code, /There is no database in .* yet/.test(nothing.stdout)], [0, true])
})

test('tables that pending migrations create are not listed as locked', () => {
  const all = describeMigrations(known)
  assert.equal(all.length, known.length)
  assert.deepEqual(all.find(({ number }) => number === 5)?.effects, [])
  const [described] = describeMigrations([
    { number: 1, name: 'x', text: '-- Concurrently: finds old calls.\ncreate index concurrently a on calls (id);\n' },
  ])
  assert.deepEqual(described?.effects, ['builds an index on calls concurrently; reads and writes continue'])
  assert.equal(described?.purpose, 'finds old calls.')
})

test('a migration whose connection is lost between two statements fails, and its process does not end', async () => {
  const cutOff = async () => {
    const own = `application_name = 'frontdesk migrate' and datname = current_database()`
    await owner.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${own}`)
    const isGone = async () => (await owner.query(`select from pg_stat_activity where ${own}`)).rowCount === 0
    await until(isGone)
  }
  await assert.rejects(migrate(connection, { afterwards: cutOff }), /terminat|connection/i)
  assert.equal(await migrate(connection), 0)
})

const concurrent: Migration = {
  number: 9_000,
  name: 'concurrent',
  text: `-- Concurrently: two indexes.
create index concurrently tasks_by_title on tasks (title);
create index concurrently tasks_by_due on tasks (due_at) where due_at is not null;
`,
}

test('an index that an interrupted build left invalid is built again, while other nodes wait', async () => {
  await owner.query('create index tasks_by_title on tasks (title)')
  await owner.query(`update pg_index set indisvalid = false where indexrelid = 'tasks_by_title'::regclass`)
  // Two nodes at once: the one that waits must not hold the snapshot that the build waits for.
  const applied = await Promise.all([1, 2].map(() => migrate(connection, { restoring: [...known, concurrent] })))
  assert.deepEqual(applied.sort(), [0, 1])
  const { rows } = await owner.query(`
    select indexrelid::regclass::text as name, indisvalid from pg_index
    where indexrelid in ('tasks_by_title'::regclass, 'tasks_by_due'::regclass) order by 1`)
  assert.deepEqual(rows, [
    { name: 'tasks_by_due', indisvalid: true },
    { name: 'tasks_by_title', indisvalid: true },
  ])
})

test('migrations wait for a running backup', async () => {
  const lines: string[] = []
  let migrating: Promise<number> | undefined
  await inSnapshot(connection, [], async () => {
    const next = { number: 9_001, name: 'next', text: 'create table after_the_backup (id integer)' }
    migrating = migrate(connection, { restoring: [...known, concurrent, next], log: (line) => lines.push(line) })
    await until(async () => lines.length > 0)
    assert.deepEqual(lines, ['database: waiting for a backup to end before the migrations'])
  })
  assert.equal(await migrating, 1)
  assert.equal(lines.at(-1), 'database: applied migration 9001 next')
})

test('a database that is not UTF8 is refused before anything is created', async () => {
  const name = `${owner.database}_ascii`
  await owner.query(
    `create database ${name} encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
  )
  const ascii = inDatabase(connection, name)
  const client = new pg.Client(ascii)
  try {
    const itsEnv = { ...env, DATABASE_URL: databaseUrl(ascii), DATA_DIR: await temporaryFolder() }
    const { code, stderr } = await runCommand(['migrate'], itsEnv)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /has the encoding SQL_ASCII instead of UTF8. Create it anew: create database .* encoding 'UTF8'/,
    )
    const doctor = await runCommand(['doctor'], { ...itsEnv, PORT: '0' })
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, /✗ The database ".*" has the encoding SQL_ASCII instead of UTF8/)
    await client.connect()
    const { rows } = await client.query(`select from pg_tables where schemaname = 'public'`)
    assert.equal(rows.length, 0)
  } finally {
    await client.end()
    await owner.query(`drop database ${name} with (force)`)
  }
})

test('rows from before the partitions are in the first one, counted and deleted with their organization', async () => {
  const name = `${owner.database}_old`
  await owner.query(`create database ${name}`)
  const old = inDatabase(connection, name)
  const client = new pg.Client(old)
  try {
    await migrate(old, { restoring: known.filter(({ number }) => number < 57) })
    await client.connect()
    await client.query('set role frontdesk_system')
    await client.query(`
      insert into organizations (id, name) values (new_id(), 'Acme');
      insert into events (organization_id, livemode, id, type, data)
      select id, false, new_id(), 'contact.updated', '{"object": {}}' from organizations, generate_series(1, 100);
      insert into audit_entries (organization_id, action, actor_type, object_type)
      select id, 'key.created', 'system', 'key' from organizations`)
    await migrate(old)
    const read = async () =>
      (
        await client.query(`
          select (select count(*)::int from events where tableoid = to_regclass('events_first')) as events,
            (select sum(n)::int from event_counts) as counted, (select count(*)::int from audit_entries) as entries`)
      ).rows[0]
    assert.deepEqual(await read(), { events: 100, counted: 100, entries: 1 })
    await client.query('delete from organizations')
    assert.deepEqual(await read(), { events: 0, counted: 0, entries: 0 })
  } finally {
    await client.end()
    await owner.query(`drop database ${name} with (force)`)
  }
})
