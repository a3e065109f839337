import type { ClientConfig } from 'pg'
import { serviceClient } from './connection.ts'
import { findPending, type Migration, readMigrations } from './migrate.ts'

interface PlannedMigration {
  number: number
  name: string
  /** The first sentence of its comment. */
  purpose: string
  /** What it does to tables that exist already. */
  effects: string[]
}

/** What `frontdesk migrate` would do, without doing it. */
export async function planMigrations(connection: ClientConfig): Promise<PlannedMigration[]> {
  const client = serviceClient(connection, 'frontdesk migrate')
  await client.connect()
  try {
    const known = await readMigrations()
    const { rows } = await client.query(`select to_regclass('public.migrations') is not null as exists`)
    return describeMigrations(rows[0].exists ? await findPending(client, known) : known)
  } finally {
    await client.end()
  }
}

/** Patterns of statements, with what they do to the table that they name. */
const statements: [RegExp, (table: string) => string][] = [
  [/\balter table (?:if exists )?(?:only )?([\w.]+)/g, (table) => `locks ${table} for a moment (alter table)`],
  [/\bdrop table (?:if exists )?([\w.]+)/g, (table) => `drops ${table}`],
  [
    /\bcreate (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (?:only )?([\w.]+)/g,
    (table) => `builds an index on ${table}; writes to it wait meanwhile`,
  ],
  [
    /\bcreate (?:unique )?index concurrently (?:if not exists )?\w+ on ([\w.]+)/g,
    (table) => `builds an index on ${table} concurrently; reads and writes continue`,
  ],
  [/\bcreate trigger \w+ [^;]*? on ([\w.]+)/g, (table) => `blocks writes to ${table} for a moment (create trigger)`],
  [/\bupdate ([\w.]+)(?: \w+)? set\b/g, (table) => `updates rows of ${table}`],
  [/\bdelete from ([\w.]+)/g, (table) => `deletes rows of ${table}`],
]

/** Tables that the pending migrations create themselves are empty: locking them affects no one. */
export function describeMigrations(pending: Migration[]): PlannedMigration[] {
  const created = new Set<string>()
  return pending.map(({ number, name, text }) => {
    const isInBatches = text.startsWith('-- In batches: ')
    // Function bodies run later; the body of a migration in batches is what it does.
    const body = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase()
    const plain = isInBatches ? body : body.replace(/\$(\w*)\$.*?\$\1\$/g, '')
    for (const [, table] of plain.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?([\w.]+)/g))
      created.add(table as string)
    const effects = new Set<string>()
    for (const [pattern, effect] of statements)
      for (const [, table] of plain.matchAll(pattern))
        if (!created.has(table as string)) effects.add(`${effect(table as string)}${isInBatches ? ', in batches' : ''}`)
    return { number, name, purpose: purposeOf(text), effects: [...effects] }
  })
}

function purposeOf(text: string): string {
  const comment =
    /^(?:--.*\n)+/
      .exec(text)?.[0]
      .replace(/^--\s*/gm, '')
      .replace(/\s+/g, ' ') ?? ''
  return /^(?:In batches: |Concurrently: )?(.+?\.)(?:\s|$)/.exec(comment)?.[1] ?? 'no description'
}
