import type { Feature } from '../../platform/feature.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { collectionRoutes } from './collections/routes.ts'
import { collectionEvents, documentEvents } from './events.ts'
import { gapRetention } from './gaps/retention.ts'
import { gapRoutes } from './gaps/routes.ts'
import type { Indexing } from './indexing/index-document.ts'
import { crawlJob, groupGapsJob, indexDocumentJob, sweepKnowledgeJob } from './job-kinds.ts'
import { knowledgeJobs } from './jobs.ts'
import { knowledgeData } from './personal-data.ts'
import { type KnowledgeDependencies, knowledgeRoutes } from './routes.ts'
import { websiteEvents } from './websites/events.ts'

export const knowledge: Feature<{
  knowledge: Omit<KnowledgeDependencies, 'maxUploadBytes' | 'uploadsPerMinute' | 'websiteLimits'> & Indexing
  http: OutboundHttp
  settings: {
    MAX_UPLOAD_BYTES: number
    RATE_LIMIT_UPLOADS_PER_MINUTE: number
    CRAWL_MAX_PAGES: number
    CRAWL_DELAY_MS: number
    CRAWL_USER_AGENT: string
    OUTBOUND_ALLOW: string[]
  }
}> = {
  jobKinds: [indexDocumentJob, crawlJob, groupGapsJob, sweepKnowledgeJob],
  eventKinds: [...documentEvents, ...collectionEvents, ...websiteEvents],
  personalData: knowledgeData,
  retention: gapRetention,
  open: ({ knowledge, http, settings }) => ({
    routes: (routes) => {
      knowledgeRoutes(routes, {
        ...knowledge,
        maxUploadBytes: settings.MAX_UPLOAD_BYTES,
        uploadsPerMinute: settings.RATE_LIMIT_UPLOADS_PER_MINUTE,
        websiteLimits: {
          maxPages: settings.CRAWL_MAX_PAGES,
          isForbiddenAddress: http.isForbiddenAddress,
          allowedHosts: settings.OUTBOUND_ALLOW,
        },
      })
      collectionRoutes(routes)
      gapRoutes(routes)
    },
    jobs: knowledgeJobs({
      ...knowledge,
      http,
      crawl: {
        delayMs: settings.CRAWL_DELAY_MS,
        userAgent: settings.CRAWL_USER_AGENT,
        maxFileBytes: settings.MAX_UPLOAD_BYTES,
      },
    }),
  }),
}
