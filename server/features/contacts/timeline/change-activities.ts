import type { TenantTx } from '../../../platform/database.ts'
import { deleteActivities, updateActivityPayload } from './queries.ts'

/** For entries that quote a record which can change. The contact must be locked. */
export const changeActivity = (tx: TenantTx, id: string, payload: Record<string, unknown>) =>
  updateActivityPayload(tx, id, payload)

/** The same for records that are deleted. */
export const removeActivities = (tx: TenantTx, ids: string[]) => deleteActivities(tx, ids)
