import type pg from 'pg'

/** The schema of the job queue; see jobs.ts. */
export const backedUpSchemas = ['public', 'pgboss']

/** Held by backups in shared mode. Migrations wait for it, because they would change the tables under the backup. */
export const backupLock = 7_236_114_034

/**
 * Exists from the first statement of a restore until the transaction that completes it. While it exists, the database
 * does not start.
 */
export const restoreMarker = 'public.unfinished_restore'

/** Tables of the job queue that describe this installation of it, not its jobs. */
const ofTheInstallation = ['pgboss.version', 'pgboss.bam', 'pgboss.warning', 'pgboss.queue_stats']

export interface Table {
  /** Such as `public.contacts`: names of our tables need no quotes. */
  name: string
  /** Quoted where necessary; without generated columns, which are computed again. */
  columns: string[]
}

/**
 * The tables whose rows a backup holds: partitions are read through their parents, unlogged tables are empty after a
 * crash anyway, and `except` names tables that are derived from others.
 */
export async function readTables(client: pg.Client, except: string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname || '.' || c.relname as name,
       array(select quote_ident(attname) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
       and n.nspname || '.' || c.relname <> all ($2)
     order by 1`,
    [backedUpSchemas, [...ofTheInstallation, ...except]],
  )
  return rows
}
