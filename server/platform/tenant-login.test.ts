import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { recoverDeliveriesJob } from '../features/webhooks/job-kinds.ts'
import { startTestApp } from '../testing/app.ts'
import { databaseUrl, runCommand } from '../testing/process.ts'
import { inDatabase } from '../testing/server.ts'
import type { TenantScope } from './database.ts'
import { newId } from './ids.ts'
import { migrate } from './migrate.ts'

/** What SQL injected into a request's connection can and cannot do. */

const app = await startTestApp()
const { connection, tenantConnection, database } = app
const [acme, globex] = [await app.organization({ name: 'Acme' }), await app.organization({ name: 'Globex' })]
const scope: TenantScope = { organizationId: acme.id, livemode: false }
const system = database.forSystem()
const ownerName = new pg.Client(connection).user as string
const refused = { code: '42501' }

/** A connection as requests use it, opened by the pool itself. */
async function inject<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pools.tenant.connect()
  try {
    return await work(client)
  } finally {
    client.release(true)
  }
}

test('a request connects as a login role that can become the tenant role and no other', () =>
  inject(async (client) => {
    const { rows } = await client.query(`select current_user, session_user, array(
      select rolname::text from pg_roles where pg_has_role(session_user, oid, 'member') order by 1) as roles`)
    const [{ current_user, session_user, roles }] = rows
    assert.equal(current_user, 'frontdesk_tenant')
    assert.notEqual(session_user, ownerName)
    assert.deepEqual(roles, ['frontdesk_limited', 'frontdesk_tenant', session_user].sort())
  }))

test('injected SQL cannot leave the tenant role', async () => {
  const owner = pg.escapeIdentifier(ownerName)
  const attacks = [
    ...['frontdesk_system', owner, 'postgres', 'pg_read_all_data', 'none'].map((role) => `set role ${role}`),
    ...['frontdesk_system', ownerName, 'none'].map((role) => `select set_config('role', '${role}', false)`),
    ...['default', owner, 'frontdesk_system'].map((role) => `set session authorization ${role}`),
    `select set_config('session_authorization', '${ownerName}', false)`,
    `do $$ begin execute 'set role frontdesk_system'; end $$`,
    `select query_to_xml('select set_config(''role'', ''frontdesk_system'', false)', true, true, '')`,
    'reset role',
    'reset session authorization',
    'reset all',
    'discard all',
    'set row_security = off',
    'grant frontdesk_system to current_user',
    `grant frontdesk_system to session_user`,
    'alter role current_user superuser',
    'alter table contacts no force row level security',
    'alter policy own_rows on contacts using (true)',
    'drop policy own_rows on contacts',
  ]
  for (const attack of attacks)
    await inject(async (client) => {
      await client.query(attack).catch(() => {})
      const { rows } = await client.query('select current_user, session_user')
      assert.ok([rows[0].session_user, 'frontdesk_tenant'].includes(rows[0].current_user), attack)
      for (const forbidden of ['signing_keys', 'sessions', 'sign_in_links', 'installation', 'pgboss.job'])
        await assert.rejects(client.query(`select from ${forbidden}`), refused, `${attack}; ${forbidden}`)
      await assert.rejects(client.query('select password_hash from users'), refused, attack)
      await assert.rejects(client.query('insert into organizations values (gen_random_uuid())'), refused, attack)
      // `row_security = off` makes the statement fail; otherwise it finds nothing, since no organization is set.
      const found = await client.query('select from keys').catch((error) => {
        assert.equal(error.code, refused.code, attack)
        return { rowCount: 0 }
      })
      assert.equal(found.rowCount, 0, attack)
    })
})

test('injected SQL leaves nothing behind that affects the next request', () =>
  inject(async (client) => {
    for (const attack of [
      'create temporary table contacts (id uuid)',
      'create temporary view contacts as select 1',
      'create table public.mine (id uuid)',
      `create function public.mine() returns int language sql as 'select 1'`,
      'create schema mine',
      'create extension dblink',
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
    ])
      await assert.rejects(client.query(attack), { code: /^(42501|0A000|58P01)$/ }, attack)
  }))

test('a tenant has no privileges on the queue’s tables', () =>
  inject(async (client) => {
    for (const attack of [
      `insert into pgboss.job (name, data) values ('webhooks.recover', '{}')`,
      `insert into pgboss.job_common (name, data) values ('webhooks.recover', '{}')`,
      `update pgboss.job set data = '{}'`,
      'delete from pgboss.job',
      'truncate pgboss.job_common',
      'select id from pgboss.job',
      `update pgboss.queue set retry_limit = 0`,
      `insert into pgboss.schedule (name, cron) values ('webhooks.sweep', '* * * * *')`,
      `select pgboss.delete_queue('webhooks.recover')`,
    ])
      await assert.rejects(client.query(attack), refused, attack)
  }))

test('a tenant adds jobs of its own organization and mode, and no others', async () => {
  const add = (job: object, queue = recoverDeliveriesJob.name, { organizationId, livemode } = scope) =>
    inject(async (client) => {
      await client.query('begin')
      await client.query(
        `select set_config('frontdesk.organization', $1, true), set_config('frontdesk.livemode', $2, true)`,
        [organizationId, livemode ? 'on' : 'off'],
      )
      const { rows } = await client.query('select enqueue_own_job($1, $2) as id', [JSON.stringify([job]), queue])
      await client.query('commit')
      return rows[0]?.id as string
    })
  const own = { organizationId: acme.id, livemode: false }
  for (const [data, groupId] of [
    [{}],
    [{ ...own, organizationId: globex.id }],
    [{ ...own, organization_id: globex.id }],
    [{ ...own, livemode: true }],
    [{ ...own, livemode: 'false' }],
    [{ organizationId: acme.id }],
    [own, `${globex.id} large`],
  ] as [object, string?][])
    await assert.rejects(add({ data, groupId }), refused, JSON.stringify({ data, groupId }))
  await assert.rejects(add({ data: own }, undefined, { ...scope, organizationId: '' }), refused)
  await assert.rejects(
    add({ data: {} }, 'http.clean-up'),
    refused,
    'work for all organizations is not a tenant’s to ask for',
  )

  const chosen = randomUUID()
  const greedy = {
    id: chosen,
    priority: 9,
    retryLimit: 99,
    deadLetter: 'http.clean-up',
    expireInSeconds: 1,
    blocked: true,
  }
  const id = await add({ data: own, ...greedy })
  const { rows } = await system.raw(
    `select j.data, priority, blocked, j.dead_letter, j.retry_limit = q.retry_limit and j.expire_seconds = q.expire_seconds as usual
     from pgboss.job j join pgboss.queue q using (name) where j.id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ data: own, priority: 0, blocked: false, dead_letter: null, usual: true }])
  assert.notEqual(id, chosen)
})

test('a role that could become more than a tenant, or belongs to another database, is refused at start', async (t) => {
  const owner = new pg.Client(connection)
  await owner.connect()
  const mighty = `frontdesk_test_${newId().replaceAll('-', '')}`
  t.after(async () => {
    await owner.query(`drop role if exists ${mighty}`)
    await owner.end()
  })
  const as = (user: string) => {
    if (!tenantConnection.connectionString) return { ...tenantConnection, user }
    const url = new URL(tenantConnection.connectionString)
    url.username = user
    return { connectionString: url.href }
  }
  // Created by the migration itself, with the password of the URL.
  await migrate(connection, { tenantConnection: as(mighty) })
  await owner.query(`grant frontdesk_system to ${mighty}`)
  await assert.rejects(migrate(connection, { tenantConnection: as(mighty) }), /can do more .*\(frontdesk_system\)/)
  const replica = { tenantConnection, replicaConnection: as(mighty) }
  await assert.rejects(migrate(connection, replica), /can do more .*own in REPLICA_DATABASE_URL/)
  await migrate(connection, { tenantConnection, replicaConnection: tenantConnection })
  const elsewhere = inDatabase(tenantConnection, 'postgres')
  await assert.rejects(migrate(connection, { tenantConnection: elsewhere }), /leads to another database/)
})

test('the doctor reports whether requests connect as the owner', async () => {
  const { SECRET_KEY = '', DATA_DIR } = app.settings
  const env = { DATABASE_URL: databaseUrl(connection), SECRET_KEY, DATA_DIR, PORT: '0' }
  const without = await runCommand(['doctor'], env)
  assert.match(without.stdout, /TENANT_DATABASE_URL is not set/)
  assert.equal(without.code, 0, without.stdout)
  const tenantUrl = databaseUrl(tenantConnection)
  const withIt = await runCommand(['doctor'], { ...env, TENANT_DATABASE_URL: tenantUrl })
  assert.match(withIt.stdout, /✓ Requests connect as a role that can only become frontdesk_tenant/)
  const replica = { ...env, TENANT_DATABASE_URL: tenantUrl, REPLICA_DATABASE_URL: env.DATABASE_URL }
  const asOwner = await runCommand(['doctor'], replica)
  assert.match(asOwner.stdout, /✗ The role .* can do more .* in REPLICA_DATABASE_URL/)
  assert.equal(asOwner.code, 1)
  const same = await runCommand(['doctor'], { ...env, TENANT_DATABASE_URL: env.DATABASE_URL })
  assert.match(same.stdout, /must name another user/)
})
