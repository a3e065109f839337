import type { CsvRecord } from '../../../platform/csv-parser.ts'
import type { Database, TenantScope, TenantSql } from '../../../platform/database.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { readRecords, UnreadableFile } from '../../../platform/read-records.ts'
import { type Columns, describeColumns, readHeader, requirePhones } from './columns.ts'
import { type Batch, importBatch } from './import-batch.ts'
import { endImport, keepColumns, readChunk, startImport } from './queries.ts'
import { isRowError, type NormalizePhone, readRow } from './read-row.ts'
import type { RenamedColumns } from './schema.ts'

const batchRows = 1000
/** Rows with long notes make smaller batches, so that memory stays constant. */
const batchCharacters = 2 * 1024 * 1024
/** Starts without progress in between; restarts that made progress do not count. */
const maxAttempts = 10

const givenUp =
  'An internal error stopped this import several times. The counted rows are done; import the file again for the rest'

interface Work {
  scope: TenantScope
  importId: string
  /** Aborted when this node stops: the import is then released between two batches. */
  signal: AbortSignal
}

/** Imports the rest of the file; after a crash the next worker continues after the last committed batch. */
export async function runImport(
  database: Database,
  phones: PhoneNumbers,
  { scope, importId, signal }: Work,
): Promise<void> {
  const started = await database.inTenant(scope, (tx) => startImport(tx, importId))
  if (!started) return
  const end = (error: string | null) => database.inTenant(scope, (tx) => endImport(tx, importId, error))
  if (started.attempts > maxAttempts) {
    await end(givenUp)
    return
  }
  const { encoding, rows, invalid, renamed_columns: renamed, default_country: country } = started
  const normalize: NormalizePhone = (text) => phones.normalize(text, country)
  const settings = { id: importId, dry_run: started.dry_run, on_conflict: started.on_conflict }
  const chunks = readFile(database.forTenant(scope), importId)
  const onColumns = (columns: Columns) =>
    database.inTenant(scope, (tx) => keepColumns(tx, importId, describeColumns(columns)))
  // The next batch is read while the database writes the last one.
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const batch of readBatches({ chunks, encoding, normalize, rows, invalid, renamed, onColumns })) {
      await writing
      signal.throwIfAborted()
      writing = database.inTenant(scope, (tx) => importBatch(tx, settings, batch))
      // Awaited in the next round; until then it must not become an unhandled rejection.
      writing.catch(() => {})
    }
    await writing
  } catch (error) {
    await writing
    if (!(error instanceof UnreadableFile)) throw error
    await end(error.message)
    return
  }
  await end(null)
}

async function* readFile(sql: TenantSql, importId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const chunk = await readChunk(sql, importId, number)
    if (!chunk) return
    yield chunk.bytes
  }
}

interface Source {
  chunks: AsyncIterable<Buffer>
  encoding: string
  normalize: NormalizePhone
  /** Rows that an earlier worker has done, and how many of them were invalid. */
  rows: number
  invalid: number
  renamed: RenamedColumns
  /** Reported before a file without numbers is refused, so that the caller can map the column. */
  onColumns(columns: Columns): Promise<unknown>
}

async function* readBatches(source: Source): AsyncGenerator<Batch> {
  const { chunks, encoding, normalize, rows: done, invalid, renamed } = source
  let columns: Columns | undefined
  let row = 0
  let invalidBehind = invalid
  let batch: Batch | undefined
  let characters = 0
  for await (const { records, readBytes } of readRecords(chunks, encoding)) {
    for (const record of records) {
      if (isBlank(record)) continue
      if (!columns) {
        columns = readHeader(record.cells, renamed)
        await source.onColumns(columns)
        requirePhones(columns)
        continue
      }
      if (row++ < done) continue
      batch ??= { behind: row - 1, invalidBehind, rows: 0, contacts: [], errors: [], readBytes }
      const read = readRow(record, columns, normalize)
      if (isRowError(read)) batch.errors.push(read)
      else batch.contacts.push(read)
      batch.rows++
      for (const cell of record.cells) characters += cell.length
      if (batch.rows < batchRows && characters < batchCharacters) continue
      yield { ...batch, readBytes }
      invalidBehind += batch.errors.length
      batch = undefined
      characters = 0
    }
  }
  if (!columns) throw new UnreadableFile('The file is empty')
  if (batch) yield batch
}

const isBlank = ({ cells, problem }: CsvRecord) => !problem && cells.every((cell) => cell.trim() === '')
