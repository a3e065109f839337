import type { SystemTx } from '../../platform/database.ts'
import { hashToken, randomToken } from '../../platform/secrets.ts'
import { insertSignInLink } from './sign-in/queries.ts'

const linkMinutes = 15

/**
 * Creates the token of a one-time sign-in link: put it after `/#sign-in=` or `/#reset-password=`, in the fragment,
 * which no server log sees.
 */
export async function createSignInLink(tx: SystemTx, userId: string, minutes = linkMinutes): Promise<string> {
  const token = randomToken()
  await insertSignInLink(tx, hashToken(token), userId, minutes)
  return token
}
