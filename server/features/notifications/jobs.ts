import type { Database } from '../../platform/database.ts'
import { expireRows } from '../../platform/expire-rows.ts'
import { defineHandler, type JobHandler } from '../../platform/jobs.ts'
import { findDue } from './digests/queries.ts'
import { type DigestServices, sendDigest } from './digests/send-digest.ts'
import { digestJob, expireNotificationsJob, findDigestsJob, pushJob } from './job-kinds.ts'
import { type Pushing, sendPush } from './push/send-push.ts'
import { deleteOldNotifications } from './queries.ts'

const retentionDays = 30

export const notificationJobs = (deps: Pushing): JobHandler[] => [
  defineHandler({ kind: pushJob, concurrency: 8, perGroup: 4, handle: (payload) => sendPush(deps, payload) }),
  defineHandler({
    kind: expireNotificationsJob,
    schedule: '20 3 * * *',
    handle: (_, { signal }) => expireRows(deps.database.inSystem, { retentionDays, signal }, deleteOldNotifications),
  }),
]

/**
 * Handled without a mail server too: the schedule is stored, and after the setting was removed its jobs would wait
 * forever.
 */
export const digestJobs = ({
  mailer,
  ...services
}: Omit<DigestServices, 'mailer'> & { mailer: DigestServices['mailer'] | undefined }): JobHandler[] => [
  defineHandler({
    kind: findDigestsJob,
    schedule: '*/10 * * * *',
    async handle() {
      if (mailer) await enqueueDigests(services)
    },
  }),
  defineHandler({
    kind: digestJob,
    concurrency: 2,
    async handle({ userId, ...scope }) {
      if (mailer) await sendDigest({ ...services, mailer }, scope, userId)
    },
  }),
]

const enqueueDigests = ({ database }: { database: Database }) =>
  database.inSystem(async (tx) => {
    for (const { organization_id: organizationId, user_id: userId } of await findDue(tx))
      await tx.enqueue(digestJob, { organizationId, livemode: true, userId }, { group: { id: organizationId } })
  })
