import type { Database, TenantScope } from '../../../platform/database.ts'
import type { PushSender } from '../../../platform/web-push.ts'
import type { SessionLimits } from '../../organizations/sessions/session-limits.ts'
import { hasDevice } from './queries.ts'

interface Services {
  database: Database
  sessionLimits: SessionLimits
  pushSender(): Promise<PushSender | undefined>
}

/** Whether notifications that no app in use shows are pushed to a browser of this member. */
export async function isPushed(
  { database, sessionLimits, pushSender }: Services,
  { livemode }: TenantScope,
  userId: string,
): Promise<boolean> {
  if (!livemode || !(await pushSender())) return false
  return (await hasDevice(database.forSystem(), sessionLimits, userId)).has_device
}
