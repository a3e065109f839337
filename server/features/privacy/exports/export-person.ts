import type { Database, TenantScope, TenantSql } from '../../../platform/database.ts'
import { lowestId } from '../../../platform/ids.ts'
import type { HeldTable, Person, PersonalTable } from '../../../platform/personal-data.ts'
import { writeZip, type ZipEntry } from '../../../platform/zip.ts'
import { FileMissing, type FileStore, fileKey } from '../../../providers/files/contract.ts'
import { findPerson } from '../../contacts/find-person.ts'
import { announceFile, completeExport, listRows, postponeExport, startExport } from './queries.ts'

interface Exporting {
  database: Database
  files: FileStore
  personalData: PersonalTable[]
}

const pageSize = 500

/**
 * Writes everything about a person to a ZIP in the file store: a JSON file per table, and the files. Streams
 * throughout.
 */
export async function exportPerson(
  { database, files, personalData }: Exporting,
  scope: TenantScope,
  exportId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const started = await startExport(sql, exportId)
  const person = started && (await database.inTenant(scope, (tx) => findPerson(tx, started.contact_id)))
  if (!person) return
  const key = fileKey(scope, 'exports', exportId)
  try {
    await announceFile(sql, key)
    const stored = await files.write(key, writeZip(entriesOf(sql, personalData, person, files)))
    const completed = await database.inTenant(scope, (tx) => completeExport(tx, exportId, { key, ...stored }))
    // The person was erased meanwhile.
    if (!completed) await files.remove(key)
  } catch (error) {
    await postponeExport(sql, exportId, 'It failed and is tried again')
    throw error
  }
}

interface Attachment {
  name: string
  key: string
}

async function* entriesOf(
  sql: TenantSql,
  tables: PersonalTable[],
  person: Person,
  files: FileStore,
): AsyncGenerator<ZipEntry> {
  for (const table of tables) {
    if ('exempt' in table || 'exempt' in table.export) continue
    const attachments: Attachment[] = []
    yield { name: `${table.table}.json`, bytes: rowsAsJson(sql, table, table.export.columns, person, attachments) }
    for (const { name, key } of attachments) {
      const bytes = await files.read(key).catch((error) => {
        if (!(error instanceof FileMissing)) throw error
      })
      if (bytes) yield { name, bytes }
    }
  }
}

/** One array, a page at a time. `file` of a row is the path of its file in the archive. */
async function* rowsAsJson(
  sql: TenantSql,
  { table, rows }: HeldTable,
  columns: Parameters<typeof listRows>[1]['columns'],
  person: Person,
  attachments: Attachment[],
): AsyncGenerator<string> {
  let separator = '[\n'
  for (let after: string | undefined = lowestId; after !== undefined; ) {
    const page = await listRows(sql, { table, columns, rows: rows(person), after, limit: pageSize })
    for (const { id, row } of page) {
      const {
        file_key: key,
        file_name: name,
        ...shown
      } = row as { file_key?: string | null; file_name?: string | null }
      const file = key ? `files/${table}/${id}${extensionOf(name ?? '')}` : undefined
      if (key && file) attachments.push({ name: file, key })
      yield separator + JSON.stringify({ ...shown, ...(name && { file_name: name }), ...(file && { file }) })
      separator = ',\n'
    }
    after = page.length === pageSize ? page.at(-1)?.id : undefined
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''
