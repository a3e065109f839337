import type { SystemTx } from '../../../platform/database.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { deleteAuthenticator, deletePasskeys, deleteRecoveryCodes } from './queries.ts'

/** Removes every second factor of a person; returns whether there was one. */
export async function removeSecondFactors(tx: SystemTx, userId: string): Promise<boolean> {
  const removed = (await deleteAuthenticator(tx, userId)) + (await deletePasskeys(tx, userId))
  await deleteRecoveryCodes(tx, userId)
  tx.signal(credentialsChannel)
  return removed > 0
}
