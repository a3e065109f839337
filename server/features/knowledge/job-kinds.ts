import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Retried without a limit of the queue's own: the document counts starts without progress, and fails after some. */
export const indexDocumentJob = defineJob(
  'knowledge.index',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), document_id: Id }),
  { retryLimit: 10_000, retryDelayMax: 10, expireInSeconds: 23 * 3600 },
)

/** Groups all questions of the organization and mode that are in no group yet. */
export const groupGapsJob = defineJob(
  'knowledge.group-gaps',
  Type.Object({ organization_id: Id, livemode: Type.Boolean() }),
)

/** A part of a crawl; it enqueues the next one. */
export const crawlJob = defineJob(
  'knowledge.crawl',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), website_id: Id, crawl_id: Id }),
  { retryLimit: 10, retryDelayMax: 60 },
)

export const sweepKnowledgeJob = defineJob('knowledge.sweep', Type.Object({}))
