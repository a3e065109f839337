import type { Database } from '../../platform/database.ts'
import type { EventKind } from '../../platform/events.ts'
import { defineHandler } from '../../platform/jobs.ts'
import { continueRecovering } from './deliveries/recover-deliveries.ts'
import { sweepWebhooks } from './deliveries/sweep-webhooks.ts'
import { recoverDeliveriesJob, sweepWebhooksJob } from './job-kinds.ts'

export const webhookJobs = (
  database: Database,
  { retentionDays, kinds }: { retentionDays: number; kinds: EventKind[] },
) => [
  defineHandler({
    kind: sweepWebhooksJob,
    schedule: '29 * * * *',
    handle: (_, { signal }) => sweepWebhooks(database, retentionDays, signal),
  }),
  defineHandler({
    kind: recoverDeliveriesJob,
    concurrency: 2,
    handle: (payload, { signal }) => continueRecovering(database, payload, { kinds, signal }),
  }),
]
