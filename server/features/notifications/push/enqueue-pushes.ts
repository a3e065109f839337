import type { SystemTx } from '../../../platform/database.ts'
import { pushJob } from '../job-kinds.ts'
import { findDevices } from './queries.ts'

/** A tab in use has this long to claim a notification before it is pushed to the member's browsers. */
const pushAfterSeconds = 5

interface Stored {
  organization_id: string
  livemode: boolean
  id: string
  user_id: string
}

/** One job per browser, so that one that fails is retried alone. */
export async function enqueuePushes(tx: SystemTx, notifications: Stored[]): Promise<void> {
  if (notifications.length === 0) return
  const devices = await findDevices(tx, [...new Set(notifications.map(({ user_id }) => user_id))])
  for (const { organization_id: organizationId, livemode, id: notificationId, user_id } of notifications)
    for (const { id: subscriptionId } of devices.filter((device) => device.user_id === user_id))
      await tx.enqueue(
        pushJob,
        { organizationId, livemode, notificationId, subscriptionId },
        { startAfter: pushAfterSeconds, group: { id: organizationId } },
      )
}
