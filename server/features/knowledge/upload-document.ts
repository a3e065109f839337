import { type Database, type TenantScope, type TenantTx, TryAgain } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { Answer } from '../../platform/http/answer.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { acceptedType, headBytes } from './accepted-type.ts'
import { enqueueIndexing } from './enqueue-indexing.ts'
import { documentCreated } from './events.ts'
import { insertDocument, lockSameFile, type NewDocument, retryDocument } from './queries.ts'
import { receiveDocument, type Upload } from './receive-document.ts'
import type { Document } from './schema.ts'

/** Stores a PDF, DOCX or TXT file and enqueues its indexing. */
export const uploadDocument = (
  deps: { database: Database; files: FileStore },
  scope: TenantScope,
  upload: Upload<Document>,
): Promise<unknown> =>
  receiveDocument(deps, scope, upload, {
    headBytes,
    accept: (fileName, head) => ({ document_type: acceptedType(fileName, head), file_kind: null, source: null }),
    take: takeDocument,
  })

/** The new document, or the existing one with these bytes under this name; a failed one is processed again. */
export async function takeDocument(tx: TenantTx, made: NewDocument): Promise<Document | Answer<Document>> {
  const document = await insertDocument(tx, made)
  if (document) {
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
