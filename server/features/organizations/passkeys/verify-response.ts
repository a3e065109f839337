import type { SystemSql } from '../../../platform/database.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { takeChallenge } from './queries.ts'

/** The library refused a response. Its message says what is wrong. */
export class RefusedResponse extends Error {}

/**
 * Runs a verification of the library, which takes the challenge through `expectedChallenge`. A failure of the database
 * there says nothing about the response: it is thrown as it is, every other error as `RefusedResponse`.
 */
export async function verifyResponse<T>(
  sql: SystemSql,
  userId: string | null,
  verify: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  let fault: { error: unknown } | undefined
  try {
    return await verify(async (challenge) => {
      const taken = await takeChallenge(sql, hashToken(challenge), userId).catch((error) => {
        fault = { error }
        throw error
      })
      if (!taken) throw new Error('The challenge is unknown, expired or already used. Start again.')
      return true
    })
  } catch (error) {
    throw fault ? fault.error : new RefusedResponse((error as Error).message)
  }
}
