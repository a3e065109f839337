import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { unauthorized } from '../../../platform/errors.ts'
import { anyScope } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted } from '../../../platform/schemas.ts'
import type { Authentication } from '../credentials/authenticate.ts'
import type { SigningKeys } from '../credentials/signing-keys.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { closeSession } from './close-session.ts'
import { signedInHere } from './confirm-person.ts'
import type { Cookies } from './cookies.ts'
import { organizationsOfUser } from './queries.ts'
import { refreshSession } from './refresh-session.ts'
import { requestPasswordReset } from './request-password-reset.ts'
import {
  InvitationAcceptance,
  Joined,
  Login,
  PasswordChange,
  PasswordReset,
  Refresh,
  SignedIn,
  SignInLink,
  SignInOptions,
} from './schema.ts'
import { signIn } from './sign-in.ts'
import type { SignInServices } from './sign-in-services.ts'
import { useSignInLink } from './use-sign-in-link.ts'
import type { Welcome } from './welcome.ts'

const tag = 'Sign-in'

interface SignInDependencies extends SignInServices {
  welcome: Welcome
  cookies: Cookies
  identify: Authentication['identify']
  singleSignOn: Static<typeof SignInOptions>['single_sign_on']
}

export function signInRoutes(routes: Routes, deps: SignInDependencies): void {
  const { database, cookies, identify, sessionLimits, welcome } = deps

  /** The refresh token of the cookie, if our own page sent the request. */
  function refreshCookie(request: FastifyRequest): string | undefined {
    if (request.headers.authorization !== undefined) return undefined
    const token = cookies.refreshToken(request)
    if (token !== undefined) cookies.checkOrigin(request)
    return token
  }

  routes.open({
    id: 'login',
    method: 'POST',
    url: '/auth/login',
    tag,
    summary: 'Sign in with email and password',
    description:
      'Also sets the cookies that the console uses. Attempts are limited per minute for each IP address, and separately for each device that signed in before. Many attempts at one account slow it down for other devices. A person with a second factor gets a 401 with `error.code` `second_factor_required`: send the same request with `code`. A wrong code is `second_factor_invalid`.',
    body: Login,
    response: SignedIn,
    errors: [401, 429],
    handler: async ({ body, request, reply }) =>
      welcome.enter(request, reply, await signIn(deps, body, welcome.clientOf(request))),
  })

  routes.open({
    id: 'useSignInLink',
    method: 'POST',
    url: '/auth/link',
    tag,
    summary: 'Sign in with a one-time link',
    description:
      'Send the token from the link’s fragment. It works once, within 15 minutes. A second factor is required as for `POST /auth/login`; the link is not used up until then.',
    body: SignInLink,
    response: SignedIn,
    errors: [401, 429],
    handler: async ({ body, request, reply }) =>
      welcome.enter(request, reply, await useSignInLink(deps, body, welcome.clientOf(request))),
  })

  routes.open({
    id: 'getSignInOptions',
    method: 'GET',
    url: '/auth/options',
    tag,
    summary: 'Get how people can sign in here',
    response: SignInOptions,
    errors: [421],
    handler: async () => ({ password_reset: deps.sendsMail, single_sign_on: deps.singleSignOn }),
  })

  routes.open({
    id: 'requestPasswordReset',
    method: 'POST',
    url: '/auth/password-reset',
    tag,
    summary: 'Email a link to choose a new password',
    description:
      'The response is the same whether or not the address has an account. The link works once, within 60 minutes: send its token to `POST /auth/link`, then the new password to `POST /auth/password`, which ends all other sessions. 409 if this installation sends no email.',
    body: PasswordReset,
    response: Deleted,
    status: 202,
    errors: [409, 429],
    handler: async ({ body, request }) => {
      await requestPasswordReset(deps, body.email, request.ip)
      return { message: 'If this address has an account, a link is on its way' }
    },
  })

  routes.open({
    id: 'refresh',
    method: 'POST',
    url: '/auth/refresh',
    tag,
    summary: 'Refresh an access token',
    description:
      'Send the refresh token in the body or in the cookie; with the cookie, the next one is set there and the response has null. Each refresh token works once: store the one you get back. Requests that send the same token within ten seconds all get the same next token; after that, sending it again ends the session.',
    body: Refresh,
    response: SignedIn,
    errors: [401, 403],
    handler: async ({ body, request, reply }) => {
      const cookie = body.refresh_token === undefined ? refreshCookie(request) : undefined
      const token = body.refresh_token ?? cookie
      if (token === undefined) throw unauthorized()
      const session = await database.inSystem((tx) => refreshSession(tx, sessionLimits, token, request.ip))
      if (session && 'reusedSessionId' in session)
        request.log.warn({ sessionId: session.reusedSessionId }, 'sign-in: refresh token reused, session ended')
      if (!session || 'reusedSessionId' in session) throw unauthorized()
      const answer = await welcome.enter(request, reply, session)
      return cookie === undefined ? answer : { ...answer, refresh_token: null }
    },
  })

  routes.open({
    id: 'logout',
    method: 'POST',
    url: '/auth/logout',
    tag,
    summary: 'Sign out',
    description: 'Ends the session of the refresh token or access token, from the request or its cookies.',
    body: Refresh,
    response: Deleted,
    errors: [401, 403],
    handler: async ({ body, request, reply }) => {
      const refreshToken = body.refresh_token ?? refreshCookie(request)
      const person = refreshToken === undefined ? await identify(request) : undefined
      const session = refreshToken === undefined ? { sessionId: person?.sessionId ?? null } : { refreshToken }
      await database.inSystem((tx) => closeSession(tx, session))
      cookies.clear(request, reply)
      return { message: 'Signed out' }
    },
  })

  routes.stream({
    id: 'changePassword',
    method: 'POST',
    url: '/auth/password',
    tag,
    summary: 'Set a new password',
    description:
      'Requires the current password, unless there is none or the person signed in with a link. All other sessions end.',
    scope: anyScope,
    peopleOnly: true,
    organization: 'optional',
    body: PasswordChange,
    response: Deleted,
    errors: [403, 409],
    handler: async ({ body, principal: { person } }) => {
      await changePassword(deps, signedInHere(person, 'password'), body)
      return { message: 'Password changed successfully' }
    },
  })

  routes.open({
    id: 'acceptInvitation',
    method: 'POST',
    url: '/invitations/accept',
    tag,
    summary: 'Accept an invitation',
    description:
      'Send a new password if the email has no account yet. If it has one, send that account’s password, and a code if it has a second factor, or sign in to it first.',
    body: InvitationAcceptance,
    response: Joined,
    errors: [401, 403, 404, 409, 429],
    handler: async ({ body, request, reply }) => {
      const caller = { ...welcome.clientOf(request), identify: () => identify(request) }
      const { organization, userId, session } = await acceptInvitation(deps, body, caller)
      if (session) return { organization, ...(await welcome.enter(request, reply, session)) }
      const organizations = await organizationsOfUser(database.forSystem(), userId)
      const none = { access_token: null, expires_in: null, refresh_token: null }
      return { organization, ...none, token_type: 'Bearer', organizations }
    },
  })
}

/** Where other services find the keys that verify our tokens; outside the API, as the standard says. */
export function publishSigningKeys(server: FastifyInstance, signingKeys: SigningKeys): void {
  server.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(signingKeys.publicKeys()),
  )
}
