import type { Feature } from '../../platform/feature.ts'
import { documentEvents } from './events.ts'
import type { Indexing } from './indexing/index-document.ts'
import { indexDocumentJob, sweepKnowledgeJob } from './job-kinds.ts'
import { knowledgeJobs } from './jobs.ts'
import { knowledgeData } from './personal-data.ts'
import { type KnowledgeDependencies, knowledgeRoutes } from './routes.ts'

export const knowledge: Feature<{
  knowledge: Omit<KnowledgeDependencies, 'maxUploadBytes' | 'uploadsPerMinute'> & Indexing
  settings: { MAX_UPLOAD_BYTES: number; RATE_LIMIT_UPLOADS_PER_MINUTE: number }
}> = {
  jobKinds: [indexDocumentJob, sweepKnowledgeJob],
  eventKinds: documentEvents,
  personalData: knowledgeData,
  open: ({ knowledge, settings }) => ({
    routes: (routes) =>
      knowledgeRoutes(routes, {
        ...knowledge,
        maxUploadBytes: settings.MAX_UPLOAD_BYTES,
        uploadsPerMinute: settings.RATE_LIMIT_UPLOADS_PER_MINUTE,
      }),
    jobs: knowledgeJobs(knowledge),
  }),
}
