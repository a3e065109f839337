import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { unauthorized } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { type Client, type OpenedSession, openSession } from '../sign-in/open-session.ts'
import { recordFailedSignIn } from '../sign-in/record-failed-sign-in.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { challengeMinutes } from './add-passkey.ts'
import { findPasskey, insertChallenge, notePasskeyUse } from './queries.ts'
import { type RelyingParty, webAuthn } from './relying-party.ts'
import { RefusedResponse, verifyResponse } from './verify-response.ts'

/** A challenge for any passkey that the browser has for this host name: it reveals no account. */
export async function challengePasskey(services: SignInServices, { id: rpID }: RelyingParty, client: Client) {
  const { database, rateLimiter, attemptsPerMinute: perMinute } = services
  await rateLimiter.take({ name: 'passkey challenge', perMinute }, networkOf(client.address))
  const { generateAuthenticationOptions } = await webAuthn()
  const timeout = challengeMinutes * 60_000
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout })
  await database.inSystem((tx) => insertChallenge(tx, hashToken(options.challenge), null, challengeMinutes))
  return options
}

/** Opens a session. The device has verified the person, so a passkey counts as both factors. */
export async function signInWithPasskey(
  services: SignInServices,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  given: Record<string, unknown>,
  client: Client,
): Promise<OpenedSession> {
  const { database, rateLimiter, sessionLimits, attemptsPerMinute: perMinute } = services
  await rateLimiter.take({ name: 'passkey', perMinute }, networkOf(client.address))
  const response = given as unknown as AuthenticationResponseJSON
  const passkey = typeof response.id === 'string' ? await findPasskey(database.forSystem(), response.id) : undefined
  if (!passkey?.is_member) throw unauthorized()
  const { id, user_id: userId, credential_id, public_key, counter } = passkey
  const { verifyAuthenticationResponse } = await webAuthn()
  const { verified, authenticationInfo } = await verifyResponse(database.forSystem(), null, (expectedChallenge) =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
    }),
  ).catch((error) => {
    if (error instanceof RefusedResponse) return { verified: false, authenticationInfo: undefined }
    throw error
  })
  if (!verified || !authenticationInfo) {
    await recordFailedSignIn(services, { account: userId, userId, reason: 'passkey', userAgent: client.userAgent })
    throw unauthorized()
  }
  return database.inSystem(async (tx) => {
    if ((await notePasskeyUse(tx, id, authenticationInfo.newCounter)) === 0) throw unauthorized()
    return openSession(tx, sessionLimits, { userId, signedInBy: 'passkey', client })
  })
}
