import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import Type, { type Static } from 'typebox'
import { cloneDatabase, serverVariable } from '../testing/server.ts'
import { dropConstraints, insertRow, readTenantTables, type TenantTable } from '../testing/tenant-tables.ts'
import { createDatabase } from './create-database.ts'
import type { TenantScope } from './database.ts'
import { newId } from './ids.ts'

/**
 * Row-level security keeps organizations apart. These tests are generated from the database's catalog, so that every
 * new table is held to the same rules, or fails here.
 */

/** Tables without an organization_id that a tenant may read through a policy of their own, tested further down. */
const guardedOtherwise = ['organizations', 'users']

/** Tables that a tenant may read and not write. */
const readOnly = new Set(['audit_entries'])

/** Functions that see more than their caller, and why they reveal nothing. */
const privilegedFunctions = {
  audit_action: 'writes an entry of the caller’s own organization and mode',
  claim_chat_number: 'acts for the caller’s own organization and tells only whether another one holds the number',
  enqueue_own_job: 'adds jobs of the caller’s own organization and mode, tried further down',
  is_chat_number_taken: 'the same as claim_chat_number',
  is_unattended: 'the same as search_contacts',
  likely_duplicates: 'the same as search_contacts',
  promote_document: 'copies from the test mode of the caller’s own organization into its live mode; see its own tests',
  release_chat_number: 'the same as claim_chat_number',
  search_calls: 'the same as search_contacts',
  search_contacts: 'names the organization and the mode of the caller itself; tried further down',
  search_templates: 'the same',
  search_tickets: 'the same',
  sort_contacts: 'the same',
  unattended_contacts: 'the same',
}

/**
 * Unique keys across organizations. Everything else could be distributed by organization (Citus requires the
 * distribution column in every unique key); docs/guides/scaling.md says what these would need.
 */
const uniqueAcrossOrganizations = {
  calls_ticket_is_unique: 'a random ticket: the index finds the call, and two equal ones cannot happen',
  domains_verified_once: 'a domain belongs to the organization that has proven it, and to no other',
  invitations_token_is_unique: 'a random token, as with calls',
  keys_token_is_unique: 'a random token, as with calls',
}

async function ownDatabase() {
  const { connection, tenantConnection, drop } = await cloneDatabase(JSON.parse(process.env[serverVariable] ?? 'null'))
  const owner = new pg.Client(connection)
  await owner.connect()
  after(async () => {
    await owner.end()
    await drop()
  })
  return { connection, tenantConnection, owner }
}

const { owner } = await ownDatabase()
const rowsOf = async <T>(text: string, values: unknown[] = []): Promise<T[]> => (await owner.query(text, values)).rows
const tables = await readTenantTables(owner)
const byName = new Map(tables.map((table) => [table.name, table]))
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

/** A row in every table for each of three tenants, which the others then try to read and write. */
const playground = await ownDatabase()
await dropConstraints(playground.owner, tables)
const database = createDatabase({ ...playground, poolSize: 1 })
after(() => database.close())

const [acme, globex] = [newId(), newId()]
const acmeTest = { organizationId: acme, livemode: false }
const acmeLive = { organizationId: acme, livemode: true }
const globexTest = { organizationId: globex, livemode: false }
const stranger = { organizationId: newId(), livemode: false }

for (const organizationId of [acme, globex])
  await database.forSystem().run`insert into organizations (id, name) values (${organizationId}, ${organizationId})`
for (const table of tables) {
  const scopes = table.hasMode ? [acmeTest, acmeLive, globexTest] : [acmeTest, globexTest]
  for (const scope of scopes) await database.forSystem().raw(insertRow(table, scope), [])
}

test('the catalog query finds the tenant tables', () => {
  for (const name of ['contacts', 'tasks', 'events', 'keys']) assert.ok(byName.has(name), name)
})

test('every tenant table has forced row-level security and shows a tenant its own rows only', async () => {
  interface Guard {
    name: string
    forced: boolean
    policies: object[]
  }
  const guards = await rowsOf<Guard>(
    `select c.oid::regclass::text as name, relrowsecurity and relforcerowsecurity as forced,
       (select coalesce(json_agg(json_build_object('using', pg_get_expr(polqual, polrelid),
           'check', pg_get_expr(polwithcheck, polrelid), 'command', polcmd, 'permissive', polpermissive)), '[]')
         from pg_policy
         where polrelid = c.oid and polroles && array[0::oid, 'frontdesk_tenant'::regrole::oid]) as policies
     from pg_class c where c.oid = any ($1::regclass[])`,
    [names(tables)],
  )
  assert.equal(guards.length, tables.length)
  for (const { name, forced, policies } of guards) {
    const own = byName.get(name)?.hasMode
      ? '((organization_id = current_organization()) AND (livemode = current_livemode()))'
      : '(organization_id = current_organization())'
    assert.ok(forced, `${name} must enable and force row-level security`)
    assert.deepEqual(policies, [{ using: own, check: own, command: '*', permissive: true }], name)
  }
})

test('the tenant role owns nothing, bypasses nothing and can become no other role', async () => {
  const roles = await rowsOf(`
    select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin or rolreplication as mighty
    from pg_roles where rolname in ('frontdesk_tenant', 'frontdesk_system')`)
  assert.deepEqual(roles, [{ mighty: false }, { mighty: false }])
  const none = {
    owned: `select objid from pg_shdepend where refobjid = 'frontdesk_tenant'::regrole and deptype = 'o'`,
    memberships: `select roleid from pg_auth_members where member = 'frontdesk_tenant'::regrole`,
    schemas: `select nspname from pg_namespace
      where has_schema_privilege('frontdesk_tenant', oid, 'create') and nspname !~ '^pg_temp'`,
    truncatable: `select relname from pg_class where has_table_privilege('frontdesk_tenant', oid, 'truncate')`,
  }
  for (const [what, query] of Object.entries(none)) assert.deepEqual(await rowsOf(query), [], what)
})

test('every unique key of a tenant table begins with the organization, except the listed ones', async () => {
  const keys = await rowsOf<{ name: string; lead: string | null }>(
    `select indexrelid::regclass::text as name,
       (select attname from pg_attribute where attrelid = indrelid and attnum = indkey[0]) as lead
     from pg_index where indisunique and indrelid = any ($1::regclass[]) order by 1`,
    [names(tables)],
  )
  assert.ok(keys.length >= tables.length)
  assert.deepEqual(names(keys.filter(({ lead }) => lead !== 'organization_id')), Object.keys(uniqueAcrossOrganizations))
})

test('a row refers to rows of its own organization and mode only', async () => {
  interface ForeignKey {
    name: string
    source: string
    target: string
    pairs: [string, string][]
  }
  const keys = await rowsOf<ForeignKey>(`
    select conname as name, conrelid::regclass::text as source, confrelid::regclass::text as target,
      (select json_agg(json_build_array(s.attname, t.attname)) from unnest(conkey, confkey) k (s, t)
        join pg_attribute s on s.attrelid = conrelid and s.attnum = k.s
        join pg_attribute t on t.attrelid = confrelid and t.attnum = k.t) as pairs
    from pg_constraint where contype = 'f'`)
  const between = keys.filter(({ source, target }) => byName.has(source) && byName.has(target))
  assert.ok(between.length > 0)
  for (const { name, source, target, pairs } of between) {
    const haveMode = byName.get(source)?.hasMode && byName.get(target)?.hasMode
    for (const column of haveMode ? ['organization_id', 'livemode'] : ['organization_id'])
      assert.ok(
        pairs.some(([from, to]) => from === column && to === column),
        `${source}: ${name} must lead from ${column} to ${column}`,
      )
  }
  // Distributed tables may also refer to tables that every node has in full, but never the other way round.
  const outwards = keys.filter(({ source, target }) => byName.has(source) && !byName.has(target))
  assert.deepEqual([...new Set(outwards.map(({ target }) => target))].sort(), guardedOtherwise)
  assert.deepEqual(names(keys.filter(({ source, target }) => !byName.has(source) && byName.has(target))), [])
})

test('everything else that a tenant can read is listed and harmless', async () => {
  const readable = await rowsOf<{ name: string; guarded: boolean }>(`
    select c.oid::regclass::text as name, relrowsecurity and relforcerowsecurity as guarded
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and has_any_column_privilege('frontdesk_tenant', c.oid, 'select')
      and has_schema_privilege('frontdesk_tenant', n.oid, 'usage') order by 1`)
  const others = readable.filter(({ name }) => !byName.has(name))
  assert.deepEqual(names(others.filter(({ guarded }) => guarded)), guardedOtherwise)
  assert.deepEqual(names(others.filter(({ guarded }) => !guarded)), [])
})

test('no function that a tenant can call sees more than the tenant, except the listed ones', async () => {
  const functions = await rowsOf<{ name: string }>(`
    select p.oid::regproc::text as name from pg_proc p join pg_namespace n on n.oid = pronamespace
    where prosecdef and has_function_privilege('frontdesk_tenant', p.oid, 'execute')
      and has_schema_privilege('frontdesk_tenant', n.oid, 'usage')
      and nspname not in ('pg_catalog', 'information_schema') order by 1`)
  assert.deepEqual(names(functions), Object.keys(privilegedFunctions))
})

const as = (scope: TenantScope, text: string) => database.forTenant(scope).raw(text, [])
const refused = { code: '42501' }

/** Which rows a scope covers, for statements that try to reach beyond the policy. */
const covered = ({ hasMode }: TenantTable, { organizationId, livemode }: TenantScope) =>
  `organization_id = '${organizationId}'${hasMode ? ` and livemode = ${livemode}` : ''}`

async function reachesNothing({ name }: TenantTable, change: Promise<{ rowCount: number | null }>): Promise<void> {
  if (readOnly.has(name)) await assert.rejects(change, refused, name)
  else assert.equal((await change).rowCount, 0, name)
}

test('a tenant sees its own row of every table and no other', async () => {
  for (const table of tables) {
    const { name, hasMode } = table
    for (const scope of [acmeTest, acmeLive, globexTest, stranger]) {
      const { rows } = await as(scope, `select organization_id${hasMode ? ', livemode' : ''} from ${name}`)
      const { organizationId, livemode } = scope
      const own = { organization_id: organizationId, ...(hasMode && { livemode }) }
      assert.deepEqual(rows, scope === stranger ? [] : [own], name)
    }
  }
})

test('a tenant can neither change, delete nor insert another tenant’s row, nor give its own away', async () => {
  for (const table of tables) {
    const { name } = table
    const others = table.hasMode ? [acmeLive, globexTest] : [globexTest]
    for (const other of others) {
      const reach = covered(table, other)
      for (const change of [`update ${name} set organization_id = organization_id`, `delete from ${name}`])
        await reachesNothing(table, as(acmeTest, `${change} where ${reach}`))
      await assert.rejects(as(acmeTest, insertRow(table, other)), refused, name)
      const given = `organization_id = '${other.organizationId}'${table.hasMode ? `, livemode = ${other.livemode}` : ''}`
      await assert.rejects(as(acmeTest, `update ${name} set ${given}`), refused, name)
    }
    await reachesNothing(table, as(stranger, `delete from ${name}`))
    const { rows } = await database.forSystem().raw(`select from ${name}`, [])
    assert.equal(rows.length, table.hasMode ? 3 : 2, name)
  }
})

test('a connection without an organization sees and writes nothing, also after it served a tenant', async () => {
  const bare = (text: string) => database.pools.tenant.query(text)
  for (const table of tables) {
    await as(acmeTest, `select from ${table.name}`)
    assert.equal((await bare(`select from ${table.name}`)).rowCount, 0, table.name)
    await assert.rejects(bare(insertRow(table, acmeTest)), refused, table.name)
    await reachesNothing(table, bare(`delete from ${table.name}`))
  }
  for (const name of guardedOtherwise) assert.equal((await bare(`select id from ${name}`)).rowCount, 0, name)
})

test('a tenant sees its own organization and its own members, never a password', async () => {
  const [member, other] = [newId(), newId()]
  await database.inSystem(async (tx) => {
    await tx.run`delete from members`
    await tx.run`insert into users (id, email, password_hash) values (${member}, 'a@a', 'x'), (${other}, 'b@b', 'x')`
    await tx.run`insert into members (organization_id, user_id, role)
      values (${acme}, ${member}, 'owner'), (${globex}, ${other}, 'owner')`
  })
  assert.deepEqual((await as(acmeTest, 'select id from organizations')).rows, [{ id: acme }])
  assert.deepEqual((await as(acmeTest, 'select id from users')).rows, [{ id: member }])
  assert.deepEqual((await as(stranger, 'select id from users')).rows, [])
  assert.equal((await as(acmeTest, `update organizations set name = 'Mine' where id = '${globex}'`)).rowCount, 0)
  const forbidden = [
    'select password_hash from users',
    `update users set name = 'Mine'`,
    'delete from users',
    'delete from organizations',
    `insert into organizations (id, name) values (gen_random_uuid(), 'Mine')`,
    `update organizations set id = '${globex}'`,
    'select from sessions',
    'select from signing_keys',
    'select data from pgboss.job',
  ]
  for (const statement of forbidden) await assert.rejects(as(acmeTest, statement), { code: /42501|23505/ }, statement)
})

test('a search finds the caller’s contacts only', async () => {
  const Found = Type.Object({ id: Type.Unsafe<string | null>({}), total: Type.Integer() })
  const search = (scope: TenantScope) => database.forTenant(scope).all(Found)`
    select id, total from search_contacts(array['%'], '{}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`
  for (const scope of [acmeTest, acmeLive, globexTest]) {
    const { rows } = await as(scope, 'select id from contacts')
    assert.deepEqual(await search(scope), [{ id: rows[0]?.id, total: 1 }])
  }
  assert.deepEqual(await search(stranger), [{ id: null, total: 0 }])
})

test('sorted contacts, and those that no agent answers, are the caller’s only', async () => {
  const Found = Type.Object({ id: Type.String() })
  const Answer = Type.Object({ is_unattended: Type.Boolean() })
  const scopes = [acmeTest, acmeLive, globexTest]
  const waiting: string[] = []
  for (const scope of scopes) {
    await as(scope, `update tickets set status = 'open', ai_handling = true`)
    const { rows } = await as(scope, 'select contact_id from tickets')
    waiting.push(rows[0]?.contact_id as string)
  }
  for (const scope of [...scopes, stranger]) {
    const { rows } = await as(scope, 'select id from contacts')
    for (const key of ['name', 'last_activity_at'])
      assert.deepEqual(
        await database.forTenant(scope).all(Found)`select id from sort_contacts(${key}, false, null, '{}', 10)`,
        rows,
      )
    for (const [i, contact] of waiting.entries()) {
      const answer = await database.forTenant(scope).one(Answer)`select is_unattended(${contact}, '{}')`
      assert.deepEqual(answer, { is_unattended: scope === scopes[i] })
    }
  }
})

test('likely duplicates are the caller’s contacts only, whichever contact and numbers are named', async () => {
  const Found = Type.Object({ id: Type.String() })
  const Named = Type.Object({ id: Type.String(), phone_number: Type.String() })
  const scopes = [acmeTest, acmeLive, globexTest]
  const all: Static<typeof Named>[] = []
  for (const scope of scopes) {
    await as(scope, `update contacts set name = 'Ada Lovelace', custom_fields = '{"email": "ada@example.com"}'`)
    all.push(...(await database.forTenant(scope).all(Named)`select id, phone_number from contacts`))
  }
  assert.equal(all.length, scopes.length)
  const numbers = all.map(({ phone_number }) => phone_number)
  for (const scope of [...scopes, stranger])
    for (const { id } of all)
      assert.deepEqual(
        await database.forTenant(scope).all(Found)`select id from likely_duplicates(${id}, ${numbers}::text[])`,
        [],
      )
  // The same contacts within one organization and mode are found.
  const [own] = all as [Static<typeof Named>]
  const undone = new Error('undone')
  await assert.rejects(
    database.inTenant(acmeTest, async (tx) => {
      const id = newId()
      await tx.run`insert into contacts (id, phone_number, name, search_text) values (${id}, '+14155550177', 'Ada Lovelace', '')`
      assert.deepEqual(await tx.all(Found)`select id from likely_duplicates(${own.id}, ${numbers}::text[])`, [{ id }])
      throw undone
    }),
    undone,
  )
})

test('a search finds the caller’s tickets only, whether by a name or by a message', async () => {
  const Found = Type.Object({ id: Type.Unsafe<string | null>({}), total: Type.Integer() })
  const search = (scope: TenantScope, pattern: string) => database.forTenant(scope).all(Found)`
    select id, total from search_tickets(array[${pattern}::text], '{}', 10, 0)`
  for (const scope of [acmeTest, acmeLive, globexTest]) {
    const { rows } = await as(scope, 'select id from tickets')
    await as(scope, `update messages set ticket_id = '${rows[0]?.id}', body = 'A word of theirs'`)
    for (const pattern of ['%', '%word of%'])
      assert.deepEqual(await search(scope, pattern), [{ id: rows[0]?.id, total: 1 }])
  }
  for (const pattern of ['%', '%word of%']) assert.deepEqual(await search(stranger, pattern), [{ id: null, total: 0 }])
})

test('a search finds the caller’s templates only', async () => {
  const Found = Type.Object({ id: Type.Unsafe<string | null>({}), total: Type.Integer() })
  const search = (scope: TenantScope) =>
    database.forTenant(scope).all(Found)`select id, total from search_templates('%', '{}', 10, 0)`
  for (const scope of [acmeTest, acmeLive, globexTest]) {
    const { rows } = await as(scope, 'select id from templates')
    assert.deepEqual(await search(scope), [{ id: rows[0]?.id, total: 1 }])
  }
  assert.deepEqual(await search(stranger), [{ id: null, total: 0 }])
})

test('a tenant cannot shadow a table that a security definer function reads', async () => {
  // Migrations revoke the right to create temporary tables; even if the owner grants it again, the functions are safe.
  await playground.owner.query(`grant temporary on database ${playground.owner.database} to frontdesk_tenant`)
  const client = await database.pools.tenant.connect()
  try {
    await client.query('begin')
    await client.query(`create function pg_temp.spy() returns text language sql as 'select current_user::text'`)
    await client.query(`create temporary view contacts as select '${newId()}'::uuid as id, '${acme}'::uuid as organization_id,
      false as livemode, pg_temp.spy() as search_text`)
    await client.query('grant select on contacts to public')
    await client.query(
      `select set_config('frontdesk.organization', '${acme}', true), set_config('frontdesk.livemode', 'off', true)`,
    )
    const { rows } = await client.query(`select total from
      search_contacts(array['frontdesk_system'], '{}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 10)`)
    assert.deepEqual(rows, [{ total: 0 }])
  } finally {
    await client.query('rollback')
    client.release(true)
  }
})
