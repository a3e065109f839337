import { defineHandler } from '../../platform/jobs.ts'
import { groupQuestions } from './gaps/group-questions.ts'
import { bringUpToDate } from './indexing/bring-up-to-date.ts'
import type { Indexing } from './indexing/index-document.ts'
import { sweepDocuments } from './indexing/sweep-documents.ts'
import { crawlJob, groupGapsJob, indexDocumentJob, sweepKnowledgeJob } from './job-kinds.ts'
import type { Crawling } from './websites/crawl.ts'
import { crawlWebsite } from './websites/crawl-website.ts'
import { startDueCrawls } from './websites/start-due-crawls.ts'

export const knowledgeJobs = (deps: Indexing & Crawling) => [
  defineHandler({
    kind: indexDocumentJob,
    // One document is read while another is embedded; an organization with a thousand does not delay the others.
    concurrency: 3,
    perGroup: 1,
    handle: ({ organization_id, livemode, document_id }, { signal }) =>
      bringUpToDate(deps, { scope: { organizationId: organization_id, livemode }, documentId: document_id, signal }),
  }),
  defineHandler({
    kind: groupGapsJob,
    concurrency: 2,
    perGroup: 1,
    handle: ({ organization_id, livemode }, { signal }) =>
      groupQuestions(deps, { organizationId: organization_id, livemode }, signal),
  }),
  defineHandler({
    kind: sweepKnowledgeJob,
    schedule: '*/5 * * * *',
    handle: async () => {
      await sweepDocuments(deps.database, deps.embedders)
      await startDueCrawls(deps.database)
    },
  }),
  defineHandler({
    kind: crawlJob,
    // Crawls mostly wait for other servers.
    concurrency: 4,
    perGroup: 2,
    handle: ({ organization_id, livemode, website_id, crawl_id }, { signal }) =>
      crawlWebsite(deps, {
        scope: { organizationId: organization_id, livemode },
        websiteId: website_id,
        crawlId: crawl_id,
        signal,
      }),
  }),
]
