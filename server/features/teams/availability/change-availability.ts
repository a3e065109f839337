import type { TenantTx } from '../../../platform/database.ts'
import { AppError, found } from '../../../platform/errors.ts'
import { may, type Principal, refuseTestKey } from '../../../platform/http/principal.ts'
import { emitChange, emitInBothModes } from '../../../platform/record-events.ts'
import { requestAssignment } from '../assignment/request-assignment.ts'
import { availabilityChanged } from '../events.ts'
import { findAvailability, storeAvailability } from './queries.ts'
import type { Availability, AvailabilityChanges, MemberAvailability } from './schema.ts'

/** Members set their own status. The status of others, and every capacity, needs the permission to manage members. */
export async function changeAvailability(
  tx: TenantTx,
  principal: Principal,
  memberId: string,
  changes: AvailabilityChanges,
): Promise<Availability> {
  refuseTestKey(principal, 'Availability and capacity hold for live mode too')
  const isOwn = principal.person?.userId === memberId && changes.capacity === undefined
  if (!isOwn && !may(principal, 'members:manage'))
    throw new AppError(403, 'Only your own status is yours to change: ask someone who manages members')
  const before = found(await findAvailability(tx, memberId), 'Member')
  await storeAvailability(tx, memberId, {
    status: changes.status ?? before.status,
    capacity: changes.capacity === undefined ? before.capacity : changes.capacity,
  })
  await requestAssignment(tx)
  const after = (await findAvailability(tx, memberId)) as Availability
  const change = { before: withoutCount(before), after: withoutCount(after) }
  await emitChange(tx, availabilityChanged, change, emitInBothModes)
  return after
}

/** Both modes have the same availability, but not the same number of open tickets. */
const withoutCount = ({ open_tickets: _, ...others }: Availability): MemberAvailability => others
