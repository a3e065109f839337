import { createHash } from 'node:crypto'
import type { Database, TenantScope, TenantSql, TenantTx } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { newId } from '../../../platform/ids.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { createEncodingDetector } from '../../../platform/text-encoding/encoding-detector.ts'
import { importContactsJob } from './jobs.ts'
import { discardUpload, insertChunk, insertImport } from './queries.ts'
import type { Import, ImportOptions, RenamedColumns } from './schema.ts'

const chunkBytes = 256 * 1024

export interface Upload {
  /** Streams the file, then the other fields of the form. */
  receive(store: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<ReceivedFile>
  options: ImportOptions
  phones: PhoneNumbers
}

/**
 * Stores the file in the database while it streams in, then queues it in one transaction, which `commit` runs. Whatever
 * fails, including a disconnect, nothing of the file stays.
 */
export async function receiveImport(
  database: Database,
  scope: TenantScope,
  { receive, options, phones }: Upload,
  commit: (queue: (tx: TenantTx) => Promise<Import>, bodyHash: Buffer) => Promise<unknown>,
): Promise<unknown> {
  const id = newId()
  const sql = database.forTenant(scope)
  let isQueued = false
  try {
    const file = createFileKeeper(sql, id)
    const { fileName, fields } = await receive(file.keep)
    const { totalBytes, encoding, hash } = file.kept()
    const wanted = { dry_run: false, on_conflict: 'skip' as const, ...options, ...optionsOf(fields) }
    phones.requireCountry(wanted.default_country, ['body', 'default_country'])
    const renamedColumns = renamedColumnsOf(fields.get('columns'))
    const queue = async (tx: TenantTx) => {
      // Kept with the import: a later change of the organization's country does not split the file in two.
      const default_country = wanted.default_country ?? (await phones.countryOf(tx))
      const stored = { encoding, totalBytes, renamedColumns }
      const made = await insertImport(tx, { id, file_name: fileName, ...stored, ...wanted, default_country })
      await tx.enqueue(importContactsJob, {
        organization_id: scope.organizationId,
        livemode: scope.livemode,
        import_id: id,
      })
      isQueued = true
      return made
    }
    const form = JSON.stringify([fileName, [...fields].sort()])
    return await commit(queue, createHash('sha256').update(hash).update(form).digest())
  } catch (error) {
    isQueued = false
    throw error
  } finally {
    // A replayed answer left this copy of the file unused; after a lost connection only the database knows.
    if (!isQueued) await discardUpload(sql, id)
  }
}

function createFileKeeper(sql: TenantSql, importId: string) {
  const hash = createHash('sha256')
  const detector = createEncodingDetector()
  let totalBytes = 0
  let number = 0
  const keepChunk = async (pieces: Buffer[]) => {
    const chunk = Buffer.concat(pieces)
    hash.update(chunk)
    detector.see(chunk)
    totalBytes += chunk.length
    await insertChunk(sql, importId, number++, chunk)
  }
  return {
    async keep(bytes: AsyncIterable<Buffer>) {
      let pieces: Buffer[] = []
      let waiting = 0
      for await (const piece of bytes) {
        pieces.push(piece)
        waiting += piece.length
        if (waiting < chunkBytes) continue
        await keepChunk(pieces)
        pieces = []
        waiting = 0
      }
      if (waiting > 0) await keepChunk(pieces)
    },
    kept: () => ({ totalBytes, encoding: detector.encoding() ?? 'windows-1252', hash: hash.digest() }),
  }
}

/** Form fields win over the query. */
function optionsOf(fields: Map<string, string>): ImportOptions {
  const dryRun = fields.get('dry_run')
  const onConflict = fields.get('on_conflict')
  if (dryRun && !['true', 'false'].includes(dryRun))
    throw invalid(['body', 'dry_run'], 'dry_run must be true or false', 'bool_parsing')
  if (onConflict && onConflict !== 'skip' && onConflict !== 'update')
    throw invalid(['body', 'on_conflict'], 'on_conflict must be skip or update', 'enum')
  const country = fields.get('default_country')
  return {
    ...(country && { default_country: country }),
    ...(dryRun && { dry_run: dryRun === 'true' }),
    ...(onConflict && { on_conflict: onConflict as 'skip' | 'update' }),
  }
}

function renamedColumnsOf(part: string | undefined): RenamedColumns {
  if (!part) return {}
  let given: unknown
  try {
    given = JSON.parse(part)
  } catch {}
  const isObject = given !== null && typeof given === 'object' && !Array.isArray(given)
  const isReadable = (value: unknown) =>
    value === null || (typeof value === 'string' && value.trim() !== '' && !/[\0\ufffd]/.test(value))
  if (!isObject || !Object.values(given as object).every(isReadable))
    throw invalid(['body', 'columns'], 'columns must be a JSON object of names, each with a name or null', 'json_type')
  return given as RenamedColumns
}
