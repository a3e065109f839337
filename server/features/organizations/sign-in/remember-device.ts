import type { SystemSql } from '../../../platform/database.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import { keepDevice } from './queries.ts'

/** Browsers keep no cookie for longer than 400 days. */
export const deviceDays = 400
/** Clients without cookies create a new device at every sign-in: the least recently used ones are deleted. */
const mostDevices = 100

/**
 * Distinguishes the person's later attempts from this browser from those of others; returns the token for its cookie.
 */
export async function rememberDevice(sql: SystemSql, userId: string, deviceToken: string | undefined): Promise<string> {
  const token = deviceToken ?? randomToken()
  await keepDevice(sql, { userId, tokenHash: hashToken(token), days: deviceDays, most: mostDevices })
  return token
}
