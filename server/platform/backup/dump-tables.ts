import type pg from 'pg'
import type { ClientConfig } from 'pg'
import type { Piece } from './archive.ts'
import { connectForCopy, copyOut } from './copy-rows.ts'
import { backedUpSchemas, backupLock, readTables, restoreMarker, type Table } from './table-catalog.ts'

export interface Snapshot {
  postgres: string
  migrations: { number: number; name: string }[]
  tables: Table[]
  /** The last value of each sequence. */
  sequences: { name: string; value: string }[]
  /** The rows of each table, as the snapshot has them. */
  pieces(onRows: (table: string, rows: number) => void): AsyncGenerator<Piece>
  /** The files that rows refer to, by their key. */
  fileKeys(): AsyncGenerator<string>
}

/**
 * Reads the whole database in one snapshot, while the service runs: every piece shows the same moment. The transaction
 * only reads and so has no id: it delays no event. It does keep VACUUM from removing rows that die meanwhile.
 */
export async function inSnapshot<T>(
  connection: ClientConfig,
  derivedTables: string[],
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await connectForCopy(connection, 'frontdesk backup')
  try {
    await client.query('select pg_advisory_lock_shared($1)', [backupLock])
    const { rows } = await client.query(
      `select to_regclass('public.migrations') is not null and to_regclass($1) is null as is_complete`,
      [restoreMarker],
    )
    if (!rows[0].is_complete)
      throw new Error(`the database "${client.database}" is empty or half restored: there is nothing to back up`)
    await client.query('begin isolation level repeatable read read only')
    // As the owner: only the owner of a sequence sees its value.
    const tables = await readTables(client, derivedTables)
    const { rows: sequences } = await client.query(
      `select schemaname || '.' || sequencename as name, last_value::text as value from pg_sequences
       where schemaname = any ($1) and last_value is not null order by 1`,
      [backedUpSchemas],
    )
    // Row-level security is forced on the tables: an owner that is no superuser sees no rows.
    await client.query('set local role frontdesk_system')
    const { rows: migrations } = await client.query('select number, name from public.migrations order by number')
    const { rows: versions } = await client.query(`select current_setting('server_version') as postgres`)
    return await work({
      postgres: versions[0].postgres,
      migrations,
      tables,
      sequences,
      pieces: (onRows) => piecesOf(client, tables, onRows),
      fileKeys: () => fileKeysOf(client, tables),
    })
  } finally {
    // Ends the session, and with it the snapshot and the lock.
    await client.end().catch(() => {})
  }
}

async function* piecesOf(
  client: pg.Client,
  tables: Table[],
  onRows: (table: string, rows: number) => void,
): AsyncGenerator<Piece> {
  for (const { name, columns } of tables) {
    async function* bytes() {
      const rows = yield* copyOut(client, `copy (select ${columns.join(', ')} from ${name}) to stdout`)
      onRows(name, rows)
    }
    yield { name: `tables/${name}`, bytes: bytes() }
  }
}

/** A table whose rows own files outside the database has a column `file_key`. */
async function* fileKeysOf(client: pg.Client, tables: Table[]): AsyncGenerator<string> {
  for (const { name } of tables.filter(({ columns }) => columns.includes('file_key'))) {
    await client.query(`declare keys no scroll cursor for
      select file_key from ${name} where file_key is not null`)
    for (;;) {
      const { rows } = await client.query<{ file_key: string }>('fetch 1000 from keys')
      for (const { file_key } of rows) yield file_key
      if (rows.length === 0) break
    }
    await client.query('close keys')
  }
}
