import type { SystemTx } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Client } from '../sign-in/open-session.ts'
import { recordFailedSignIn } from '../sign-in/record-failed-sign-in.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { checkCode, useCode } from './check-code.ts'
import { findSecondFactor } from './queries.ts'

const refused = (code: string, message: string) =>
  new AppError(401, message, { error: { code, message, type: 'authentication_error' } })

const secondFactorRequired = () =>
  refused(
    'second_factor_required',
    'Send a code of your authenticator app or a recovery code as `code`, or sign in with a passkey',
  )
const secondFactorInvalid = () =>
  refused('second_factor_invalid', 'The code is incorrect, has expired or was used already')

/**
 * Checks the second factor of a person who has one, before a session is opened. The returned step uses the code up in
 * the transaction that opens the session.
 */
export async function requireSecondFactor(
  services: SignInServices,
  userId: string,
  code: string | undefined,
  client: Client,
): Promise<(tx: SystemTx) => Promise<void>> {
  const { has_factor } = await findSecondFactor(services.database.forSystem(), userId)
  if (!has_factor) return async () => {}
  if (code === undefined) throw secondFactorRequired()
  const checked = await checkCode(services, userId, code, client.deviceToken)
  if (!checked) {
    await recordFailedSignIn(services, {
      account: userId,
      userId,
      reason: 'second_factor',
      userAgent: client.userAgent,
    })
    throw secondFactorInvalid()
  }
  return async (tx) => {
    if (!(await useCode(tx, checked))) throw secondFactorInvalid()
  }
}
