import type { SystemTx, TenantScope, TenantTx } from '../../platform/database.ts'
import { indexDocumentJob } from './job-kinds.ts'

/** Has a worker bring the document's index up to date: all of it when it is new, its vectors when the model changed. */
export const enqueueIndexing = (tx: TenantTx, documentId: string) => enqueueFor(tx, tx.scope, documentId)

/** The same for the worker's own books; in its own time, behind what people wait for. */
export const enqueueLater = (tx: SystemTx, scope: TenantScope, documentId: string) =>
  enqueueFor(tx, scope, documentId, -1)

const enqueueFor = (
  tx: TenantTx | SystemTx,
  { organizationId, livemode }: TenantScope,
  documentId: string,
  priority = 0,
) =>
  tx.enqueue(
    indexDocumentJob,
    { organization_id: organizationId, livemode, document_id: documentId },
    { priority, group: { id: organizationId } },
  )
