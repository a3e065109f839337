import type { SystemTx, TenantScope, TenantTx } from '../../platform/database.ts'
import { indexDocumentJob } from './job-kinds.ts'

interface ToIndex {
  id: string
  size_bytes: number
  source?: { kind: string } | null
}

/**
 * Enqueues the job that brings the document's index up to date: all of it when it is new, its vectors when the model
 * changed.
 */
export const enqueueIndexing = (tx: TenantTx, document: ToIndex) =>
  // A person waits for a file or an answer, and no one for one of a thousand pages.
  enqueueFor(tx, tx.scope, document, document.source?.kind === 'web_page' ? -1 : 0)

/** The same for what a job leaves of a long document: documents that wait go first. */
export const enqueueRest = (tx: TenantTx, document: ToIndex & { status: string }) =>
  document.status === 'ready' ? enqueueFor(tx, tx.scope, document, -1) : enqueueIndexing(tx, document)

/** The same for the sweep, with a lower priority than jobs that a person waits for. */
export const enqueueLater = (tx: SystemTx, scope: TenantScope, document: ToIndex) => enqueueFor(tx, scope, document, -1)

/** A few pages, and a few seconds of work. */
const smallBytes = 64 << 10

/**
 * Documents of a group take turns. An organization has two groups: a note does not wait for a book.
 */
const groupOf = (organizationId: string, { size_bytes }: ToIndex) => ({
  id: `${organizationId} ${size_bytes <= smallBytes ? 'small' : 'large'}`,
})

const enqueueFor = (
  tx: TenantTx | SystemTx,
  { organizationId, livemode }: TenantScope,
  document: ToIndex,
  priority = 0,
) =>
  tx.enqueue(
    indexDocumentJob,
    { organization_id: organizationId, livemode, document_id: document.id },
    { priority, group: groupOf(organizationId, document) },
  )
