import type { Database, TenantScope, TenantTx } from '../../platform/database.ts'
import { badRequest, conflict, found, notFound, violates } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { Answer } from '../../platform/http/answer.ts'
import { newId } from '../../platform/ids.ts'
import { FileMissing, type FileStore, fileKey } from '../../providers/files/contract.ts'
import { documentCreated, documentReady } from './events.ts'
import {
  announceFile,
  copyTestDocument,
  dropFile,
  findDocument,
  findStoredDocument,
  keepFile,
  lockSameFile,
} from './queries.ts'
import type { Document } from './schema.ts'
import type { VectorIndex } from './vectors/contract.ts'

interface Promoting {
  database: Database
  files: FileStore
  vectorIndex: VectorIndex
}

/** Copies a ready test-mode document with its file, chunks and vectors into the live mode of the same organization. */
export async function promoteDocument(
  { database, files, vectorIndex }: Promoting,
  scope: TenantScope,
  sourceId: string,
): Promise<Document | Answer<Document>> {
  if (!scope.livemode) throw badRequest('Promoting needs a live credential')
  const source = found(
    await findStoredDocument(database.forTenant({ ...scope, livemode: false }), sourceId),
    'Document',
  )
  if (source.status !== 'ready')
    throw conflict(`Only a document that is ready can be promoted; this one is ${source.status}`)
  const live = database.forTenant(scope)
  const id = newId()
  const key = fileKey(scope, 'documents', id)
  await announceFile(live, key)
  let isTaken = false
  try {
    // An FAQ has no file.
    if (source.source?.kind !== 'faq') await files.write(key, await files.read(source.file_key))
    const copy = async (tx: TenantTx) => {
      isTaken = false
      const chunkIds = Array.from({ length: source.chunk_count }, newId)
      const isCopied = await copyTestDocument(tx, { sourceId, id, key, chunkIds })
      if (!isCopied) return undefined
      isTaken = true
      await keepFile(tx, key)
      const made = (await findDocument(tx, id)) as Document
      if (made.embedding_model !== null) await vectorIndex.add(tx, id, made.embedding_model)
      await Promise.all([emit(tx, documentCreated, made), emit(tx, documentReady, made)])
      return made
    }
    const made = await database.inTenant(scope, copy)
    if (made) return made
    const same = await database.inTenant(scope, (tx) => lockSameFile(tx, source))
    if (same) return new Answer(200, same)
    throw notFound('Document')
  } catch (error) {
    isTaken = false
    if (violates(error, 'faqs_question_is_unique')) throw conflict('The question exists already in live mode')
    throw error instanceof FileMissing ? notFound('Document') : error
  } finally {
    if (!isTaken) await dropFile(live, key)
  }
}
