import type { SystemSql } from '../../../platform/database.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import { keepDevice } from './queries.ts'

/** Browsers keep no cookie for longer than 400 days. */
export const deviceDays = 400
/** Clients that keep no cookies make a new one at every sign-in: the least recently used ones are forgotten. */
const mostDevices = 100

/** Lets the person's later attempts from this browser be told from a stranger's; answers the token that its cookie holds. */
export async function rememberDevice(sql: SystemSql, userId: string, deviceToken: string | undefined): Promise<string> {
  const token = deviceToken ?? randomToken()
  await keepDevice(sql, { userId, tokenHash: hashToken(token), days: deviceDays, most: mostDevices })
  return token
}
