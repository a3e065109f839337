import { found, invalid } from '../../../platform/errors.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { announceAccountChange } from '../mails/announce-account-change.ts'
import { checkCode, useCode, wrongCode } from '../second-factors/check-code.ts'
import { dropUnneededRecoveryCodes, findSecondFactor } from '../second-factors/queries.ts'
import { confirmPerson, type SignedInPerson } from '../sign-in/confirm-person.ts'
import { isFreshBy, lockUser } from '../sign-in/queries.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { deletePasskey } from './queries.ts'

/**
 * Removes a passkey. The last second factor needs proof besides the password: a code, or a session that a passkey has
 * just opened.
 */
export async function removePasskey(
  services: SignInServices,
  person: SignedInPerson,
  passkeyId: string,
  given: { current_password?: string; code?: string; deviceToken: string | undefined },
): Promise<void> {
  const { userId, sessionId } = person
  await confirmPerson(services, person, given.current_password)
  const checked =
    given.code === undefined ? undefined : await checkCode(services, userId, given.code, given.deviceToken)
  if (given.code !== undefined && !checked) throw wrongCode()
  await services.database.inSystem(async (tx) => {
    // Of two requests that each remove one of two passkeys, the second finds that its own is the last.
    await lockUser(tx, userId)
    found(await deletePasskey(tx, userId, passkeyId), 'Passkey')
    if (!(await findSecondFactor(tx, userId)).has_factor) {
      if (checked && !(await useCode(tx, checked))) throw wrongCode()
      if (!checked && !(await isFreshBy(tx, sessionId, 'passkey'))?.fresh)
        throw invalid(['body', 'code'], 'Field required: this passkey is your last second factor', 'missing')
      await dropUnneededRecoveryCodes(tx, userId)
    }
    await announceAccountChange(tx, services, userId, 'passkey_removed')
    tx.signal(credentialsChannel)
  })
}
