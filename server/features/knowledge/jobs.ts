import { defineHandler } from '../../platform/jobs.ts'
import { type Indexing, indexDocument } from './indexing/index-document.ts'
import { sweepDocuments } from './indexing/sweep-documents.ts'
import { indexDocumentJob, sweepKnowledgeJob } from './job-kinds.ts'

export const knowledgeJobs = (deps: Indexing) => [
  defineHandler({
    kind: indexDocumentJob,
    // One document is read while another is embedded; an organization with a thousand does not delay the others.
    concurrency: 3,
    perGroup: 1,
    handle: ({ organization_id, livemode, document_id }, { signal }) =>
      indexDocument(deps, { scope: { organizationId: organization_id, livemode }, documentId: document_id, signal }),
  }),
  defineHandler({
    kind: sweepKnowledgeJob,
    schedule: '*/5 * * * *',
    handle: () => sweepDocuments(deps.database, deps.embedders),
  }),
]
