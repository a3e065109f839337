import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Tried again as often as it takes: the document itself counts starts that got nowhere, and fails after some. */
export const indexDocumentJob = defineJob(
  'knowledge.index',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), document_id: Id }),
  { retryLimit: 10_000, retryDelayMax: 10, expireInSeconds: 23 * 3600 },
)

export const sweepKnowledgeJob = defineJob('knowledge.sweep', Type.Object({}))
