import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { serviceClient } from '../connection.ts'
import type { Piece } from './archive.ts'
import { connectForCopy, copyIn } from './copy-rows.ts'
import { backedUpSchemas, readTables, restoreMarker, type Table } from './table-catalog.ts'

interface Loading {
  /** The rows of a table; returns how many there were. */
  load(piece: Piece): Promise<number>
}

/** Marks an empty database, so that it cannot be started before it is complete. */
export async function beginRestore(connection: ClientConfig): Promise<void> {
  const client = serviceClient(connection, 'frontdesk restore')
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
       order by 1 limit 1`,
    )
    if (rows[0])
      throw new Error(
        `the database "${client.database}" is not empty (it has ${rows[0].name}): restore into a new database`,
      )
    await client.query(`create table ${restoreMarker} (started_at timestamptz not null default now())`)
  } finally {
    await client.end()
  }
}

/**
 * Fills the tables of a new schema in one transaction, and removes the marker in it. Triggers do not run, because their
 * effects (counters, copies, events) are rows of the backup themselves. Indexes and foreign keys are built from the
 * complete tables, which is faster than row by row and checks every reference.
 */
export async function loadTables(
  connection: ClientConfig,
  backup: { tables: Table[]; sequences: { name: string; value: string }[] },
  work: (loading: Loading) => Promise<void>,
): Promise<void> {
  const client = await connectForCopy(connection, 'frontdesk restore')
  try {
    const tables = new Map(backup.tables.map((table) => [table.name, table]))
    await checkColumns(client, backup.tables)
    await client.query('begin')
    await client.query(`set local maintenance_work_mem = '256MB'`)
    const putBack = await takeAside(client)
    await client.query(`truncate ${[...tables.keys()].join(', ')}`)
    await work({
      async load({ name, bytes }) {
        const table = tables.get(name.replace('tables/', ''))
        if (!table) throw new Error(`the backup does not say which columns ${name} has`)
        return copyIn(client, `copy ${table.name} (${table.columns.join(', ')}) from stdin`, bytes)
      },
    })
    for (const statement of putBack) await client.query(statement)
    for (const { name, value } of backup.sequences) await client.query('select setval($1::regclass, $2)', [name, value])
    await client.query(`drop table ${restoreMarker}`)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkColumns(client: pg.Client, wanted: Table[]): Promise<void> {
  const found = new Map((await readTables(client, [])).map(({ name, columns }) => [name, new Set(columns)]))
  const missing = wanted.flatMap(({ name, columns }) =>
    found.has(name) ? columns.filter((column) => !found.get(name)?.has(column)).map((c) => `${name}.${c}`) : [name],
  )
  if (missing.length > 0)
    throw new Error(
      `this version has no place for ${missing.join(', ')}: restore with the version that made the backup, then upgrade`,
    )
}

/**
 * Drops foreign keys and indexes, disables triggers and lets the owner pass row-level security. Returns the statements
 * that put everything back as it was.
 */
async function takeAside(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ step: number; aside: string; back: string }>(
    `with relations as (
       select c.*, c.oid::regclass::text as name from pg_class c
       where c.relnamespace::regnamespace::text = any ($1) and c.relkind in ('r', 'p')
     )
     -- Indexes of constraints stay: they belong to the table.
     select 2 as step, format('drop index %s', i.indexrelid::regclass) as aside, pg_get_indexdef(i.indexrelid) as back
     from relations r join pg_index i on i.indrelid = r.oid
     where r.relkind = 'r' and not r.relispartition
       and not exists (select from pg_constraint where conindid = i.indexrelid and contype <> 'f')
     union all
     select 1, format('alter table %s drop constraint %I', r.name, conname),
       format('alter table %s add constraint %I %s', r.name, conname, pg_get_constraintdef(k.oid))
     from relations r join pg_constraint k on k.conrelid = r.oid where contype = 'f' and conparentid = 0
     union all
     select 3, format('alter table %s disable trigger %I', r.name, tgname),
       format('alter table %s %s trigger %I', r.name, case tgenabled
         when 'O' then 'enable' when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, tgname)
     from relations r join pg_trigger t on t.tgrelid = r.oid where not tgisinternal
     union all
     select 4, format('alter table %s no force row level security', name),
       format('alter table %s force row level security', name)
     from relations where relforcerowsecurity`,
    [backedUpSchemas],
  )
  const inOrder = (...steps: number[]) => steps.flatMap((step) => rows.filter((row) => row.step === step))
  // A foreign key may need an index that is no constraint.
  for (const { aside } of inOrder(1, 2, 3, 4)) await client.query(aside)
  // Foreign keys are checked while the owner still sees all rows.
  return inOrder(2, 1, 3, 4).map(({ back }) => back)
}
