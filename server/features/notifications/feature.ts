import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mail.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { SessionLimits } from '../organizations/sessions/session-limits.ts'
import { notificationJobKinds } from './job-kinds.ts'
import { digestJobs, notificationJobs } from './jobs.ts'
import { notifyMembers } from './notify-members.ts'
import { openPushSender } from './push/open-push-sender.ts'
import { moveUnread } from './queries.ts'
import { notificationRoutes } from './routes.ts'

export const notifications: Feature<{
  database: Database
  http: OutboundHttp
  secrets: SecretBox
  mailer: Mailer | undefined
  log: Log
  sessionLimits: SessionLimits
  settings: { PUBLIC_URL?: string | undefined }
}> = {
  jobKinds: notificationJobKinds,
  personalData: [
    {
      table: 'notifications',
      exempt: 'they name a ticket, hold no text and are deleted with it',
      merge: (tx, pair) => moveUnread(tx, pair),
    },
  ],
  open: ({ mailer, settings, ...services }) => {
    const publicUrl = settings.PUBLIC_URL ?? ''
    const pushSender = openPushSender(services, publicUrl)
    return {
      routes: (routes) => notificationRoutes(routes, { ...services, sendsMail: mailer !== undefined, pushSender }),
      jobs: [...notificationJobs({ ...services, pushSender }), ...digestJobs({ ...services, mailer, publicUrl })],
      subscriptions: [notifyMembers],
    }
  },
}
