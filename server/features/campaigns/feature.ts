import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Signals } from '../../platform/signals.ts'
import type { Tracer } from '../../platform/tracing/trace.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { campaignGauge, deliveryQueueGauge } from './campaign-gauges.ts'
import { campaignEvents } from './events.ts'
import { campaignJobs, followDeletions, readLinkClicksJob, stopCampaignsJob, sweepLinkClicksJob } from './jobs.ts'
import { campaignData } from './personal-data.ts'
import { campaignRetention } from './retention.ts'
import { campaignRoutes } from './routes.ts'
import { startSending } from './sending/start-sending.ts'

export const campaigns: Feature<{
  database: Database
  chatConnections: ChatConnections
  files: FileStore
  log: Log
  metrics: Metrics
  signals: Signals
  tracer: Tracer
  settings: { RATE_LIMIT_CAMPAIGNS_PER_MINUTE: number; CAMPAIGN_LEASE_SECONDS: number }
}> = {
  jobKinds: [stopCampaignsJob, readLinkClicksJob, sweepLinkClicksJob],
  eventKinds: campaignEvents,
  personalData: campaignData,
  retention: campaignRetention,
  open: ({ database, chatConnections, files, log, metrics, signals, tracer, settings }) => ({
    routes: (routes) =>
      campaignRoutes(routes, { database, chatConnections, createsPerMinute: settings.RATE_LIMIT_CAMPAIGNS_PER_MINUTE }),
    gauges: [campaignGauge(database)],
    queues: [deliveryQueueGauge(database)],
    jobs: campaignJobs({ database, chatConnections }),
    subscriptions: [followDeletions],
    work: () =>
      startSending(
        { database, chatConnections, files, log, metrics, tracer, leaseSeconds: settings.CAMPAIGN_LEASE_SECONDS },
        signals,
      ),
  }),
}
