import { createHash } from 'node:crypto'
import type { Database, TenantScope, TenantTx } from '../../platform/database.ts'
import { Answer } from '../../platform/http/answer.ts'
import type { ReceivedFile } from '../../platform/http/upload.ts'
import { newId } from '../../platform/ids.ts'
import { createStreamHead } from '../../platform/stream-head.ts'
import { type FileStore, fileKey, type StoredFile } from '../../providers/files/contract.ts'
import { announceFile, dropFile, keepFile, type NewDocument } from './queries.ts'

/** A file on its way in, and the transaction at its end. */
export interface Upload<Result> {
  /** Streams the file, then tells its name. */
  receive(store: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<ReceivedFile>
  /** Runs the last step in one transaction. The hash covers everything that was sent. */
  commit(last: (tx: TenantTx) => Promise<Result | Answer<Result>>, bodyHash: Buffer): Promise<unknown>
}

export type FileFacts = Pick<NewDocument, 'document_type' | 'file_kind' | 'source'>

interface Acceptance<Result> {
  /** How much of the file `accept` looks at. */
  headBytes: number
  /** Throws for a file that is not accepted. */
  accept(fileName: string, head: Buffer): FileFacts
  /** Returns an `Answer` when the file is not needed after all. */
  take(tx: TenantTx, made: NewDocument): Promise<Result | Answer<Result>>
}

/**
 * Stores the bytes as they stream in. The file is registered before there is a document that owns it, so that a process
 * that dies in between leaves nothing behind for long.
 */
export async function receiveDocument<Result>(
  { database, files }: { database: Database; files: FileStore },
  scope: TenantScope,
  { receive, commit }: Upload<Result>,
  { headBytes, accept, take }: Acceptance<Result>,
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
    const made = { id, file_name, file_key, size_bytes: size, sha256, ...accept(file_name, head.bytes()) }
    const bodyHash = createHash('sha256').update(sha256).update('\0').update(file_name).digest()
    return await commit(async (tx) => {
      const taken = await take(tx, made)
      isTaken = !(taken instanceof Answer)
      if (isTaken && (await keepFile(tx, file_key)) === 0)
        throw new Error('the file was given up before its upload ended')
      return taken
    }, bodyHash)
  } catch (error) {
    isTaken = false
    throw error
  } finally {
    if (!isTaken) await dropFile(sql, file_key)
  }
}
