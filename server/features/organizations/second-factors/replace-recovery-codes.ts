import type { SystemTx } from '../../../platform/database.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { deleteRecoveryCodes, insertRecoveryCodes } from './queries.ts'
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts'

/** Creates new recovery codes; the previous ones stop working. Only their digests are stored. */
export async function replaceRecoveryCodes(tx: SystemTx, secrets: SecretBox, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryCodeDigest(secrets, userId, code)),
  )
  return codes
}
