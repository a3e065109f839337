import type { SystemTx } from '../../../platform/database.ts'
import { deleteClaim, lockClaim } from './claim-queries.ts'

/** For the operator: ends the reservation of a deleted channel's number, so that any organization can connect it. */
export async function releaseNumber(tx: SystemTx, phoneNumberId: string): Promise<{ organizationName: string }> {
  const claim = await lockClaim(tx, phoneNumberId)
  if (!claim) throw new Error(`no organization holds the phone number id ${phoneNumberId}: any may connect it`)
  if (claim.channel_id)
    throw new Error(
      `the phone number id ${phoneNumberId} is in use by the channel ${claim.channel_id} of ${claim.organization_name} (${claim.organization_id}): delete that channel first`,
    )
  await deleteClaim(tx, phoneNumberId)
  return { organizationName: claim.organization_name }
}
