import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { conflict, invalid } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { announceAccountChange } from '../mails/announce-account-change.ts'
import { countRecoveryCodes } from '../second-factors/queries.ts'
import { replaceRecoveryCodes } from '../second-factors/replace-recovery-codes.ts'
import { confirmPerson, type SignedInPerson } from '../sign-in/confirm-person.ts'
import { endAccessWithoutFactor } from '../sign-in/queries.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { credentialsOf, insertChallenge, insertPasskey } from './queries.ts'
import { type RelyingParty, webAuthn } from './relying-party.ts'
import type { NewPasskey } from './schema.ts'
import { RefusedResponse, verifyResponse } from './verify-response.ts'

/** As long as the browser's own dialog may stay open. */
export const challengeMinutes = 5

/** EdDSA, ES256 and RS256, which devices support today. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** What the browser needs to create a passkey. It must verify the person: a passkey replaces password and code. */
export async function beginPasskey(
  services: SignInServices,
  person: SignedInPerson,
  { id: rpID }: RelyingParty,
  currentPassword: string | undefined,
) {
  const { database } = services
  const { id, email, name } = await confirmPerson(services, person, currentPassword)
  const { generateRegistrationOptions } = await webAuthn()
  const stored = await credentialsOf(database.forSystem(), id)
  const options = await generateRegistrationOptions({
    rpName: 'Frontdesk',
    rpID,
    userID: new Uint8Array(Buffer.from(id)),
    userName: email,
    userDisplayName: name || email,
    attestationType: 'none',
    excludeCredentials: stored.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
    timeout: challengeMinutes * 60_000,
  })
  await database.inSystem((tx) => insertChallenge(tx, hashToken(options.challenge), id, challengeMinutes))
  return options
}

/** Stores the passkey; with the first second factor the person also gets recovery codes. */
export async function addPasskey(
  services: SignInServices,
  { userId, sessionId }: SignedInPerson,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { name, response }: NewPasskey,
) {
  const { database, secrets } = services
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyResponse(database.forSystem(), userId, (expectedChallenge) =>
    verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      supportedAlgorithmIDs,
    }),
  ).catch((error) => {
    throw error instanceof RefusedResponse ? invalid(['body', 'response'], error.message) : error
  })
  if (!registrationInfo) throw invalid(['body', 'response'], 'The response of the browser is not valid')
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  return database.inSystem(async (tx) => {
    const passkey = { userId, credentialId, publicKey: Buffer.from(publicKey), counter, name: name.trim() }
    const added = await insertPasskey(tx, passkey)
    if (!added) throw conflict('This passkey is stored already')
    const { n } = await countRecoveryCodes(tx, userId)
    // With the first second factor: the other sessions were opened without one.
    if (n === 0) await endAccessWithoutFactor(tx, userId, sessionId)
    await announceAccountChange(tx, services, userId, 'passkey_added')
    tx.signal(credentialsChannel)
    return { ...added, recovery_codes: n === 0 ? await replaceRecoveryCodes(tx, secrets, userId) : null }
  })
}
