import { AppError } from '../../platform/errors.ts'
import { defineHandler } from '../../platform/jobs.ts'
import { type Verifying, verifyChannel } from './connections/verify-channel.ts'
import { type CheckingHealth, checkHealth } from './health/check-health.ts'
import { listChannelsToCheck } from './health/health-queries.ts'
import { checkHealthJob, sweepHealthJob, verifyChannelJob } from './job-kinds.ts'

export const channelJobs = (deps: Verifying & CheckingHealth) => [
  defineHandler({
    kind: verifyChannelJob,
    concurrency: 4,
    perGroup: 2,
    handle: ({ organizationId, livemode, ...attempt }) => verifyChannel(deps, { organizationId, livemode }, attempt),
  }),
  defineHandler({
    kind: checkHealthJob,
    concurrency: 4,
    perGroup: 2,
    handle: ({ organizationId, livemode, channelId }) =>
      checkHealth(deps, { organizationId, livemode }, channelId).then(
        () => {},
        (error) => {
          // Deleted or disconnected since.
          if (!(error instanceof AppError && error.status < 500)) throw error
        },
      ),
  }),
  defineHandler({
    kind: sweepHealthJob,
    schedule: '*/10 * * * *',
    handle: () =>
      deps.database.inSystem(async (tx) => {
        for (const { organization_id, livemode, id } of await listChannelsToCheck(tx))
          await tx.enqueue(
            checkHealthJob,
            { organizationId: organization_id, livemode, channelId: id },
            { group: { id: organization_id } },
          )
      }),
  }),
]
