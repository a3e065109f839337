import { conflict } from '../../../platform/errors.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { announceAccountChange } from '../mails/announce-account-change.ts'
import { confirmPerson, type SignedInPerson } from '../sign-in/confirm-person.ts'
import { endAccessWithoutFactor } from '../sign-in/queries.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { wrongCode } from './check-code.ts'
import { confirmAuthenticator, findAuthenticator, keepNewAuthenticator } from './queries.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'
import { openTotpSecret, sealTotpSecret } from './sealed-secret.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

const alreadySetUp = () => conflict('An authenticator app is set up already: remove it first')

/** Creates the secret of an authenticator app. It is not asked for until a first code confirms it. */
export async function beginAuthenticator(
  services: SignInServices,
  person: SignedInPerson,
  currentPassword: string | undefined,
): Promise<{ secret: string; uri: string }> {
  const { database, secrets } = services
  const { id, email } = await confirmPerson(services, person, currentPassword)
  const secret = newTotpSecret()
  const sealed = sealTotpSecret(secrets, id, secret)
  const kept = await database.inSystem((tx) => keepNewAuthenticator(tx, id, sealed))
  if (kept === 0) throw alreadySetUp()
  return { secret, uri: totpUri(secret, email) }
}

/** Turns the authenticator app on and ends the other sessions, which were opened without it. */
export async function finishAuthenticator(
  services: SignInServices,
  { userId, sessionId }: SignedInPerson,
  code: string,
): Promise<string[]> {
  const { database, rateLimiter, secrets, attemptsPerMinute: perMinute } = services
  await rateLimiter.take({ name: 'second factor', perMinute }, userId)
  const found = await findAuthenticator(database.forSystem(), userId)
  if (!found) throw conflict('Create the secret of an authenticator app first')
  const secret = openTotpSecret(secrets, userId, found.sealed_secret)
  const step = stepOfCode(secret, code.replaceAll(' ', ''), found.time)
  if (step === undefined) throw wrongCode()
  return database.inSystem(async (tx) => {
    if ((await confirmAuthenticator(tx, userId, found.sealed_secret, step)) === 0) throw alreadySetUp()
    await endAccessWithoutFactor(tx, userId, sessionId)
    await announceAccountChange(tx, services, userId, 'authenticator_added')
    tx.signal(credentialsChannel)
    return replaceRecoveryCodes(tx, secrets, userId)
  })
}
