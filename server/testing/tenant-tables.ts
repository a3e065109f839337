import assert from 'node:assert/strict'
import type pg from 'pg'
import type { TenantScope } from '../platform/database.ts'

export interface TenantTable {
  name: string
  hasMode: boolean
  columns: { name: string; type: string; needed: boolean }[]
}

/** Every table whose rows belong to an organization, from the catalog. Partitions are part of their table. */
export async function readTenantTables(owner: pg.Client): Promise<TenantTable[]> {
  const { rows } = await owner.query(`
    select c.oid::regclass::text as name, bool_or(attname = 'livemode') as "hasMode",
      json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null),
        'needed', attnotnull and not atthasdef) order by attnum) as columns
    from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p') and not relispartition and relnamespace <> 'pg_catalog'::regnamespace
    group by c.oid having bool_or(attname = 'organization_id') order by 1`)
  return rows
}

const values: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'md5(random()::text)',
  bytea: `decode(md5(random()::text), 'hex')`,
  boolean: 'false',
  smallint: '1',
  integer: '1',
  bigint: '1',
  numeric: '1',
  'double precision': '1',
  jsonb: `'{}'`,
  date: 'now()',
  'timestamp with time zone': 'now()',
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
}

/** A row with nothing but its organization and mode. */
export function insertRow({ name, columns, hasMode }: TenantTable, { organizationId, livemode }: TenantScope): string {
  const given: Record<string, string> = { organization_id: `'${organizationId}'` }
  if (hasMode) given.livemode = String(livemode)
  for (const { name: column, type, needed } of columns) {
    if (!needed || column in given) continue
    const value = values[type]
    assert.ok(value, `${name}.${column}: no value of the type ${type} here yet, add one`)
    given[column] = value
  }
  return `insert into ${name} (${Object.keys(given).join(', ')}) values (${Object.values(given).join(', ')})`
}

/** Drops constraints, so that `insertRow` can insert into every table; row-level security stays. */
export async function dropConstraints(owner: pg.Client, tables: TenantTable[]): Promise<void> {
  const { rows } = await owner.query(
    `select conrelid::regclass::text as name, quote_ident(conname) as rule from pg_constraint
     where contype in ('f', 'c') and conparentid = 0 and conrelid = any ($1::regclass[])`,
    [tables.map(({ name }) => name)],
  )
  for (const { name, rule } of rows) await owner.query(`alter table ${name} drop constraint ${rule}`)
  for (const { name } of tables) await owner.query(`alter table ${name} disable trigger user`)
}
