import type { TenantTx } from '../../../platform/database.ts'
import { conflict } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueueIndexing } from '../enqueue-indexing.ts'
import { type DocumentFile, findDocument } from '../queries.ts'
import type { Document } from '../schema.ts'
import { deleteReplacement, findTwin, insertReplacement, restartWithFile } from './queries.ts'

/** Gives a locked document a new version, unless another document has this content under the same name. */
export async function replaceContent(tx: TenantTx, document: Document, file: DocumentFile): Promise<Document> {
  const twin = await findTwin(tx, document.id, file)
  if (twin) throw conflict(`Another document has the same content under the name ${file.file_name}`, twin.id)
  return putContent(tx, document, file)
}

/**
 * The same where no other document has it. A document that answers keeps doing so until the new version is ready; any
 * other starts again. A replacement that was waiting is dropped.
 */
export async function putContent(tx: TenantTx, { id, status }: Document, file: DocumentFile): Promise<Document> {
  await deleteReplacement(tx, id)
  if (status !== 'ready') {
    const restarted = await restartWithFile(tx, id, file)
    await enqueueIndexing(tx, restarted)
    return restarted
  }
  await insertReplacement(tx, id, newId(), file)
  await enqueueIndexing(tx, { ...file, id })
  return (await findDocument(tx, id)) as Document
}
