import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

/** Sends one notification to one browser. Later than this it would be of no use. */
export const pushJob = defineJob(
  'notifications.push',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), notificationId: Id, subscriptionId: Id }),
  { retryLimit: 6, retryDelay: 5, retryDelayMax: 300, expireInSeconds: 60 },
)

/** Finds the members whose digest is due. */
export const findDigestsJob = defineJob('notifications.find-digests', Type.Object({}))

export const digestJob = defineJob(
  'notifications.mail-digest',
  Type.Object({ organizationId: Id, livemode: Type.Boolean(), userId: Id }),
  { retryLimit: 3, retryDelay: 60 },
)

export const expireNotificationsJob = defineJob('notifications.expire', Type.Object({}))

export const notificationJobKinds = [pushJob, findDigestsJob, digestJob, expireNotificationsJob]
