import type { TenantTx } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { deleteDocument } from '../delete-document.ts'
import { findFaqText } from './queries.ts'

/** Deletes the entry and its document. */
export async function deleteFaq(tx: TenantTx, id: string): Promise<void> {
  found(await findFaqText(tx, id), 'FAQ')
  await deleteDocument(tx, id)
}
