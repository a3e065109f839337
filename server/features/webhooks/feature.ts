import type { Database } from '../../platform/database.ts'
import type { EventKind } from '../../platform/events.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createOutboundHttp, type OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Signals } from '../../platform/signals.ts'
import type { Tracer } from '../../platform/tracing/trace.ts'
import { eraseDeliveries } from './deliveries/erase-deliveries.ts'
import { fanOut } from './deliveries/fan-out.ts'
import { deliveryGauge, deliveryQueueGauge } from './deliveries/gauges.ts'
import { deleteTenantDeliveriesBelow } from './deliveries/sweep-queries.ts'
import { webhookEvents } from './events.ts'
import { webhookJobKinds } from './job-kinds.ts'
import { webhookJobs } from './jobs.ts'
import { webhookRoutes } from './routes.ts'
import { startSending } from './sending/start-sending.ts'

/**
 * Webhooks: every event of an organization is posted to its subscribed endpoints, at least once.
 *
 * A webhook is the subscription; its endpoint is the address that receives. The files of this folder create and change
 * webhooks, `deliveries/` has the rows of the delivery log, and `sending/` posts them (ADR 19).
 *
 * The life of a delivery: `deliveries/fan-out.ts` follows the event stream, inserts a `pending` delivery for each
 * subscribed webhook and makes its endpoint due. A worker leases the endpoint (`sending/endpoint-leases.ts`), reads its
 * due deliveries into a queue, signs each event and posts it (`sending/delivery-source.ts`). A response of 2xx makes the
 * delivery `succeeded`. Anything else makes it due again after the next delay of the retry schedule, and `failed` after
 * the last one. An endpoint that returns 410, or fails for days, is disabled. `deliveries/recover-deliveries.ts` queues
 * missed events again, and `deliveries/sweep-webhooks.ts` deletes deliveries past the retention of events.
 *
 * The credential that set up a webhook decides which types it receives (`receivable-types.ts`).
 */
export const webhooks: Feature<{
  database: Database
  http: OutboundHttp
  secrets: SecretBox
  signals: Signals
  log: Log
  metrics: Metrics
  tracer: Tracer
  eventKinds: EventKind[]
  settings: {
    EVENT_RETENTION_DAYS: number
    OUTBOUND_ALLOW: string[]
    DNS_SERVERS: string[]
    WEBHOOK_RETRY_SECONDS: string[]
    WEBHOOK_TIMEOUT_SECONDS: number
    WEBHOOK_DISABLE_AFTER_SECONDS: number
    WEBHOOK_CONCURRENCY: number
  }
}> = {
  jobKinds: webhookJobKinds,
  eventKinds: webhookEvents,
  personalMentions: [{ table: 'webhook_deliveries', erase: eraseDeliveries }],
  retention: [{ kind: 'events', table: 'webhook_deliveries', expire: deleteTenantDeliveriesBelow }],
  open: ({ database, http, secrets, signals, log, metrics, tracer, eventKinds, settings }) => ({
    routes: (routes) => webhookRoutes(routes, { http, secrets, eventKinds }),
    gauges: [deliveryGauge(database)],
    queues: [deliveryQueueGauge(database)],
    jobs: webhookJobs(database, { retentionDays: settings.EVENT_RETENTION_DAYS, kinds: eventKinds }),
    subscriptions: [fanOut(eventKinds)],
    work: () =>
      startSending(
        {
          database,
          secrets,
          log,
          metrics,
          tracer,
          eventKinds,
          // Connections of its own, so that drain can close them without affecting other requests.
          http: createOutboundHttp({ allow: settings.OUTBOUND_ALLOW, dnsServers: settings.DNS_SERVERS }),
        },
        signals,
        {
          retryDelaysMs: settings.WEBHOOK_RETRY_SECONDS.map((seconds) => Number(seconds) * 1000),
          timeLimitMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
          disableAfterMs: settings.WEBHOOK_DISABLE_AFTER_SECONDS * 1000,
          concurrency: settings.WEBHOOK_CONCURRENCY,
        },
      ),
  }),
}
