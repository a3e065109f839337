import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { documentDeleted } from './events.ts'
import { deleteDocumentRow } from './queries.ts'

/** Deletes the document and everything of it; a worker that is indexing it finds its row gone and stops. */
export async function deleteDocument(tx: TenantTx, id: string): Promise<void> {
  const document = found(await deleteDocumentRow(tx, id), 'Document')
  await emit(tx, documentDeleted, document)
}
