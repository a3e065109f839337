import type { SystemTx } from '../../platform/database.ts'
import { hashToken, randomToken } from '../../platform/secrets.ts'
import { insertSignInLink } from './sign-in/queries.ts'

const linkMinutes = 15

/** The token of a link that signs this person in, once: put it behind `/#sign-in=`, where no server log sees it. */
export async function createSignInLink(tx: SystemTx, userId: string): Promise<string> {
  const token = randomToken()
  await insertSignInLink(tx, hashToken(token), userId, linkMinutes)
  return token
}
