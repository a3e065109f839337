import type { SystemTx } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/secrets.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { findAuthenticator, findKnownDevice, findRecoveryCode, takeRecoveryCode, takeStep } from './queries.ts'
import { recoveryCodeDigest } from './recovery-codes.ts'
import { openTotpSecret } from './sealed-secret.ts'
import { stepOfCode } from './totp.ts'

/** A code that was right when it was checked. */
type CheckedCode = { userId: string } & ({ step: number } | { digest: Buffer })

/**
 * Checks a code of the app or a recovery code, or returns undefined. Attempts are limited per account, whatever address
 * they come from, because six digits can be guessed; a device that signed in since the first second factor was added
 * has attempts of its own.
 */
export async function checkCode(
  { database, rateLimiter, secrets, attemptsPerMinute: perMinute }: SignInServices,
  userId: string,
  code: string,
  deviceToken: string | undefined,
): Promise<CheckedCode | undefined> {
  const sql = database.forSystem()
  const device = deviceToken === undefined ? undefined : hashToken(deviceToken)
  const isKnown = device && (await findKnownDevice(sql, userId, device))
  const caller = isKnown ? `${userId} ${device.toString('hex')}` : userId
  await rateLimiter.take({ name: 'second factor', perMinute }, caller)
  const authenticator = await findAuthenticator(sql, userId)
  if (authenticator?.confirmed_at) {
    const secret = openTotpSecret(secrets, userId, authenticator.sealed_secret)
    const step = stepOfCode(secret, code.replaceAll(' ', ''), authenticator.time)
    if (step !== undefined) return step > authenticator.last_step ? { userId, step } : undefined
  }
  const digest = recoveryCodeDigest(secrets, userId, code)
  return (await findRecoveryCode(sql, userId, digest)) && { userId, digest }
}

/** Uses the code up; false if another request has used it since it was checked. */
export async function useCode(tx: SystemTx, checked: CheckedCode): Promise<boolean> {
  const { userId } = checked
  const taken =
    'step' in checked ? await takeStep(tx, userId, checked.step) : await takeRecoveryCode(tx, userId, checked.digest)
  return taken > 0
}

export const wrongCode = () => invalid(['body', 'code'], 'The code is incorrect, has expired or was used already')
