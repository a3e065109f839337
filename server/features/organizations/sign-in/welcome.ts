import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/database.ts'
import type { SigningKeys } from '../credentials/signing-keys.ts'
import type { Cookies } from './cookies.ts'
import type { Client, OpenedSession } from './open-session.ts'
import { organizationsOfUser } from './queries.ts'
import { deviceDays, rememberDevice } from './remember-device.ts'
import type { SignedIn } from './schema.ts'

export interface Welcome {
  clientOf(request: FastifyRequest): Client
  /** Returns the tokens of a session, in the response and as cookies. */
  enter(request: FastifyRequest, reply: FastifyReply, session: OpenedSession): Promise<SignedIn>
}

/** How every way to sign in ends. */
export const createWelcome = ({
  database,
  signingKeys,
  cookies,
}: {
  database: Database
  signingKeys: SigningKeys
  cookies: Cookies
}): Welcome => ({
  clientOf: (request) => ({
    address: request.ip,
    userAgent: request.headers['user-agent'],
    deviceToken: cookies.deviceToken(request),
  }),
  async enter(request, reply, { userId, sessionId, refreshToken, secondsLeft, openedAt }) {
    const accessToken = await signingKeys.issue({ userId, sessionId, issuedAt: Math.floor(openedAt) })
    const accessSeconds = signingKeys.lifetimeSeconds
    const deviceToken = await rememberDevice(database.forSystem(), userId, cookies.deviceToken(request))
    cookies.keep(request, reply, {
      token: { value: accessToken, seconds: accessSeconds },
      refresh: { value: refreshToken, seconds: secondsLeft },
      device: { value: deviceToken, seconds: deviceDays * 24 * 3600 },
    })
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: accessSeconds,
      refresh_token: refreshToken,
      organizations: await organizationsOfUser(database.forSystem(), userId),
    }
  },
})
