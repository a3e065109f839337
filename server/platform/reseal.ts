import type { Database } from './database.ts'
import type { SecretBox } from './secrets.ts'

/** A column that holds sealed secrets. Features declare theirs; `server/sealed-columns.ts` lists them all. */
export interface SealedColumn {
  table: string
  column: string
  /** The columns of the primary key, in order, with their types. */
  key: Record<string, string>
  /** What the secret of a row is bound to: the context that it was sealed with. */
  context(row: Record<string, unknown>): string
}

type Value<T> = T extends 'boolean' ? boolean : T extends 'integer' ? number : string

/** Types the row that `context` receives by the types of its key. */
export const sealedColumn = <const K extends Record<string, 'uuid' | 'text' | 'boolean' | 'integer'>>(
  column: Omit<SealedColumn, 'key' | 'context'> & { key: K; context(row: { [N in keyof K]: Value<K[N]> }): string },
): SealedColumn => column as unknown as SealedColumn

interface Resealed {
  resealed: number
  /** Already sealed with SECRET_KEY. */
  current: number
  /** Opened by neither key: left unchanged. */
  unreadable: number
}

const batchSize = 500

/**
 * Seals again with SECRET_KEY what SECRET_KEY_PREVIOUS sealed, one batch per statement, while nodes that know both keys
 * keep running. A row that changes meanwhile is skipped: its writer sealed it with SECRET_KEY. If interrupted, run it
 * again.
 */
export async function resealColumn(database: Database, secrets: SecretBox, sealed: SealedColumn): Promise<Resealed> {
  const { table, column, key } = sealed
  const names = Object.keys(key)
  const columns = names.join(', ')
  const counts = { resealed: 0, current: 0, unreadable: 0 }
  let last: unknown[] | undefined
  for (;;) {
    const after = last ? `and (${columns}) > (${names.map((name, i) => `$${i + 1}::${key[name]}`).join(', ')})` : ''
    const { rows } = await database.forSystem().raw(
      `select ${columns}, ${column} as sealed from ${table} where ${column} is not null ${after}
       order by ${columns} limit ${batchSize}`,
      last ?? [],
    )
    const changed: { row: Record<string, unknown>; fresh: Buffer }[] = []
    for (const row of rows)
      try {
        const fresh = secrets.reseal(row.sealed as Buffer, sealed.context(row))
        if (fresh) changed.push({ row, fresh })
        else counts.current++
      } catch {
        counts.unreadable++
      }
    if (changed.length > 0) {
      const types = [...names.map((name) => key[name]), 'bytea', 'bytea']
      const same = names.map((name) => `t.${name} = v.${name}`).join(' and ')
      await database.forSystem().raw(
        `update ${table} t set ${column} = v.fresh
         from unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) v (${columns}, former, fresh)
         where ${same} and t.${column} = v.former`,
        [
          ...names.map((name) => changed.map(({ row }) => row[name])),
          changed.map(({ row }) => row.sealed),
          changed.map(({ fresh }) => fresh),
        ],
      )
      counts.resealed += changed.length
    }
    if (rows.length < batchSize) return counts
    last = names.map((name) => rows.at(-1)?.[name])
  }
}
