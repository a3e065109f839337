import Type from 'typebox'
import type { TenantTx } from '../../platform/database.ts'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Enqueues its own next attempt while the platform is unreachable. The queue's retries are for our own errors. */
export const verifyChannelJob = defineJob(
  'channels.verify',
  Type.Object({
    organizationId: Id,
    livemode: Type.Boolean(),
    channelId: Id,
    /** The series of attempts that this one belongs to; see the column `verification_id`. */
    verificationId: Id,
    attempt: Type.Integer(),
  }),
  { retryLimit: 100, retryDelayMax: 300 },
)

/** Reads the health of a number. The next sweep tries again, so a failure is not retried for long. */
export const checkHealthJob = defineJob(
  'channels.check_health',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), channelId: Id }),
  { retryLimit: 2 },
)

/** Enqueues a check for each number that was not read within the last hour. */
export const sweepHealthJob = defineJob('channels.sweep_health', Type.Object({}))

export const enqueueHealthCheck = (tx: Pick<TenantTx, 'enqueue' | 'scope'>, channelId: string) =>
  tx.enqueue(checkHealthJob, { ...tx.scope, channelId }, { group: { id: tx.scope.organizationId } })

export const channelJobKinds = [verifyChannelJob, checkHealthJob, sweepHealthJob]

/** Seconds before each attempt; the last value repeats until the platform answers. */
const delays = [5, 15, 60, 300]

export const enqueueVerification = (
  tx: Pick<TenantTx, 'enqueue' | 'scope'>,
  { channelId, verificationId, attempt }: { channelId: string; verificationId: string; attempt: number },
  seconds = delays[attempt] ?? delays.at(-1),
) =>
  tx.enqueue(
    verifyChannelJob,
    { ...tx.scope, channelId, verificationId, attempt },
    { group: { id: tx.scope.organizationId }, startAfter: seconds as number },
  )
