import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { migrateEverything } from '../cli/migrate-everything.ts'
import { startTestApp } from '../testing/app.ts'
import { until } from '../testing/process.ts'
import { connectionTo } from './connection.ts'
import { createDatabase } from './create-database.ts'

const app = await startTestApp()

test('every connection of the service has JIT disabled, even when the database enables it by default', async (t) => {
  const owner = new pg.Client({ ...app.connection, application_name: 'the test' })
  await owner.connect()
  t.after(() => owner.end())
  const name = pg.escapeIdentifier(owner.database as string)
  await owner.query(`alter database ${name} set jit = on`)
  // Records the JIT setting of each session: at every login (PostgreSQL 17 and later), and when the job queue takes a
  // job.
  await owner.query(`
    create table seen_sessions (application text, jit text);
    create function note_session() returns void language sql security definer set search_path = public as $$
      insert into seen_sessions values (current_setting('application_name'), current_setting('jit')) $$;
    create function note_job() returns trigger language plpgsql as $$
      begin perform public.note_session(); return new; end $$;
    grant execute on function note_session() to public;
    create trigger note_job before update on pgboss.job_common for each row execute function note_job()`)
  const { rows } = await owner.query(`select current_setting('server_version_num')::int >= 170000 as "knowsLogins",
    rolsuper from pg_roles where rolname = current_user`)
  const seesLogins = rows[0].knowsLogins && rows[0].rolsuper
  if (seesLogins)
    await owner.query(`
      create function note_login() returns event_trigger language plpgsql as $$
        begin perform public.note_session(); end $$;
      create event trigger note_login on login execute function note_login();
      alter event trigger note_login enable always`)

  const node = await app.node()
  for (const pool of [node.database.pools.tenant, node.database.pools.system])
    assert.deepEqual((await pool.query('show jit')).rows, [{ jit: 'off' }])
  await migrateEverything(app)
  const acme = await node.organization()
  const form =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\n+14155550100\r\n--b--\r\n'
  const { status } = await acme.call('POST', 'contacts/imports', form, {
    'content-type': 'multipart/form-data; boundary=b',
  })
  assert.equal(status, 202)
  const seen = async () => (await owner.query('select distinct application, jit from seen_sessions')).rows
  const expected = ['jobs', ...(seesLogins ? ['frontdesk_system', 'frontdesk_tenant', 'migrate', 'signals'] : [])]
  const names = new Set<string>()
  await until(async () => {
    for (const { application } of await seen()) names.add(application)
    return expected.every((each) => names.has(`frontdesk ${each}`))
  })
  for (const { application, jit } of await seen()) assert.equal(jit, 'off', application)
})

test('options in DATABASE_URL do not replace the options of the service', async () => {
  const { options, connectionString } = connectionTo(
    'postgres://a@localhost/b?options=-c%20work_mem%3D7MB&sslmode=disable',
  )
  assert.deepEqual([options, connectionString], ['-c work_mem=7MB', 'postgres://a@localhost/b?sslmode=disable'])
  const database = createDatabase({
    connection: { ...app.connection, options },
    tenantConnection: { ...app.tenantConnection, options },
    poolSize: 1,
  })
  try {
    const { rows } = await database.pools.tenant.query(
      `select current_user as role, current_setting('work_mem') as memory, current_setting('jit') as jit`,
    )
    assert.deepEqual(rows, [{ role: 'frontdesk_tenant', memory: '7MB', jit: 'off' }])
  } finally {
    await database.close()
  }
})
