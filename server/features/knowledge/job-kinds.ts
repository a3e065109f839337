import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Retried without a limit of the queue's own: the document counts starts without progress, and fails after some. */
export const indexDocumentJob = defineJob(
  'knowledge.index',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), document_id: Id }),
  { retryLimit: 10_000, retryDelayMax: 10, expireInSeconds: 23 * 3600 },
)

export const sweepKnowledgeJob = defineJob('knowledge.sweep', Type.Object({}))
