import type pg from 'pg'

/** Tables that a backup leaves out, or that every start writes. */
const notCompared = ['pgboss.version', 'pgboss.bam', 'pgboss.warning', 'pgboss.queue_stats', 'pgboss.queue']

/** The number of rows and a digest of all their values, for each table. */
export async function readContents(client: pg.Client): Promise<Record<string, string>> {
  await client.query(`set timezone = 'UTC'; set role frontdesk_system`)
  const { rows: tables } = await client.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name from pg_class
     where relnamespace::regnamespace::text in ('public', 'pgboss') and relkind in ('r', 'p') and not relispartition
       and relpersistence = 'p' order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !notCompared.includes(table.name))) {
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(r::text), '' order by md5(r::text))), '') as digest from ${name} r`,
    )
    contents[name] = rows[0].digest
  }
  await client.query('reset role')
  return contents
}

/** Columns, constraints, indexes, triggers, policies, privileges and functions, one line each. */
export async function readSchema(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    with relations as (
      select c.*, c.oid::regclass as name from pg_class c
      where relnamespace::regnamespace::text in ('public', 'pgboss') and not relispartition
    )
    select 'column ' || name || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' '
        || coalesce(pg_get_expr(adbin, adrelid), '') as line
      from relations r join pg_attribute a on attrelid = r.oid and attnum > 0 and not attisdropped
        left join pg_attrdef d on adrelid = attrelid and adnum = attnum where relkind in ('r', 'p')
    union all select 'constraint ' || name || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(c.oid)
      from relations r join pg_constraint c on conrelid = r.oid
    union all select 'index ' || indisvalid || ' ' || pg_get_indexdef(indexrelid) from relations r join pg_index on indrelid = r.oid
    union all select 'trigger ' || tgenabled::text || ' ' || pg_get_triggerdef(t.oid)
      from relations r join pg_trigger t on tgrelid = r.oid where not tgisinternal
    union all select 'policy ' || p::text from pg_policies p
    union all select 'security ' || name || ' ' || relrowsecurity || ' ' || relforcerowsecurity from relations
    union all select 'privileges ' || name || ' ' || coalesce(relacl::text, '') from relations
    union all select 'function ' || p.oid::regprocedure || ' ' || coalesce(p.proacl::text, '') || ' ' || md5(pg_get_functiondef(p.oid))
      from pg_proc p where pronamespace::regnamespace::text in ('public', 'pgboss') and prokind in ('f', 'p')
        and proname <> 'event_transaction_offset'
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
    order by 1`)
  return rows.map(({ line }) => line)
}
