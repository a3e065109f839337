import type { TenantTx } from '../../../platform/database.ts'
import { deleteInvitationsBy, rolesOfferedBy } from './queries.ts'
import { exceeds, type GivenRole, managerWith } from './rules.ts'

/** Withdraws the open invitations of these members to roles that allow more than the one that they have now. */
export async function withdrawExcess(tx: TenantTx, memberIds: readonly string[], now: GivenRole): Promise<void> {
  const offered = await rolesOfferedBy(tx, memberIds)
  const tooHigh = offered.filter((given) => exceeds(managerWith(now), given)).map(({ role }) => role)
  if (tooHigh.length > 0) await deleteInvitationsBy(tx, memberIds, tooHigh)
}
