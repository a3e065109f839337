import type { Database } from '../../../platform/database.ts'
import type { RateLimiter } from '../../../platform/http/rate-limit.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'

/** What checking a password needs. */
export interface PasswordChecks {
  database: Database
  rateLimiter: RateLimiter
  attemptsPerMinute: number
  /** Whether the installation has a mail server. */
  sendsMail: boolean
  pause(ms: number): Promise<unknown>
}

/** What every way to sign in needs. */
export interface SignInServices extends PasswordChecks {
  sessionLimits: SessionLimits
  secrets: SecretBox
}
