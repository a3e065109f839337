import { createHash } from 'node:crypto'
import { type Database, type TenantScope, type TenantTx, TryAgain } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { Answer } from '../../platform/http/routes.ts'
import type { ReceivedFile } from '../../platform/http/upload.ts'
import { newId } from '../../platform/ids.ts'
import { createStreamHead } from '../../platform/stream-head.ts'
import { type FileStore, fileKey, type StoredFile } from '../../providers/files/contract.ts'
import { acceptedType, headBytes } from './accepted-type.ts'
import { enqueueIndexing } from './enqueue-indexing.ts'
import { documentCreated } from './events.ts'
import {
  announceFile,
  dropFile,
  insertDocument,
  keepFile,
  lockSameFile,
  type NewDocument,
  retryDocument,
} from './queries.ts'
import type { Document } from './schema.ts'

export interface Upload {
  /** Streams the file, then tells its name. */
  receive(store: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<ReceivedFile>
  /** Runs the last step in one transaction; the hash stands for everything that was sent. */
  commit(last: (tx: TenantTx) => Promise<Document | Answer<Document>>, bodyHash: Buffer): Promise<unknown>
}

/**
 * Stores the bytes as they stream in and enqueues the document's indexing. The file is registered before there is a
 * document that owns it, so that a process that dies in between leaves nothing behind for long.
 */
export async function uploadDocument(
  { database, files }: { database: Database; files: FileStore },
  scope: TenantScope,
  { receive, commit }: Upload,
): Promise<unknown> {
  const id = newId()
  const file_key = fileKey(scope, 'documents', id)
  const sql = database.forTenant(scope)
  await announceFile(sql, file_key)
  let isTaken = false
  try {
    let stored: StoredFile | undefined
    const head = createStreamHead(headBytes)
    const { fileName } = await receive(async (bytes) => {
      stored = await files.write(file_key, head.remembering(bytes))
    })
    const { size, sha256 } = stored as unknown as StoredFile
    const file_name = fileName.trim()
    const document_type = acceptedType(file_name, head.bytes())
    const made = { id, document_type, file_name, file_key, size_bytes: size, sha256 }
    const bodyHash = createHash('sha256').update(sha256).update('\0').update(file_name).digest()
    return await commit(async (tx) => {
      const taken = await takeDocument(tx, made)
      isTaken = !(taken instanceof Answer)
      return taken
    }, bodyHash)
  } catch (error) {
    isTaken = false
    throw error
  } finally {
    if (!isTaken) await dropFile(sql, file_key)
  }
}

/** The new document, or the existing one with these bytes under this name; a failed one is processed again. */
async function takeDocument(tx: TenantTx, made: NewDocument): Promise<Document | Answer<Document>> {
  const document = await insertDocument(tx, made)
  if (document) {
    if ((await keepFile(tx, made.file_key)) === 0) throw new Error('the file was given up before its upload ended')
    await enqueueIndexing(tx, document)
    await emit(tx, documentCreated, document)
    return document
  }
  const same = await lockSameFile(tx, made)
  // Deleted between the two statements: this upload is the only one again.
  if (!same) throw new TryAgain(new Error('the same document was deleted meanwhile'))
  if (same.status !== 'failed') return new Answer(200, same)
  await enqueueIndexing(tx, same)
  return new Answer(200, await retryDocument(tx, same.id))
}
