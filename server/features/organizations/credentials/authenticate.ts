import type { FastifyRequest } from 'fastify'
import { AppError, badRequest, organizationSuspended, refusedTo, unauthorized } from '../../../platform/errors.ts'
import { type Authenticate, noOrganization, type Principal } from '../../../platform/http/principal.ts'
import { originOf } from '../../../platform/http/routes.ts'
import { isUuid } from '../../../platform/ids.ts'
import { withOrigin } from '../../../platform/origin.ts'
import type { Cookies } from '../sign-in/cookies.ts'
import type { KeyCredentials } from './key-credentials.ts'
import type { Person, PersonCredentials } from './person-credentials.ts'

export interface Authentication {
  /** Who is calling, in which organization and mode. */
  authenticate: Authenticate
  /** The person who is calling, whatever their organization. */
  identify(request: FastifyRequest): Promise<Person>
}

interface AuthenticationDependencies {
  keys: KeyCredentials
  people: PersonCredentials
  cookies: Cookies
}

export function createAuthentication({ keys, people, cookies }: AuthenticationDependencies): Authentication {
  function personToken(request: FastifyRequest): string {
    const token = bearerToken(request)
    if (token !== undefined) return token
    const cookie = cookies.accessToken(request)
    if (cookie === undefined) throw unauthorized()
    if (!isRead(request)) cookies.checkOrigin(request)
    return cookie
  }
  // A token of the trusted issuer can admit a new member, which the audit log records.
  const identify = (request: FastifyRequest) =>
    withOrigin(originOf(request), () => people.identify(personToken(request)))

  return {
    identify,
    async authenticate(request, options) {
      const token = bearerToken(request)
      if (token !== undefined && keys.isKey(token)) return checkKey(request, await keys.authenticate(token, request.ip))
      return principalOf(request, await identify(request), options?.organization === 'optional')
    },
  }
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

function bearerToken({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? []
  if (!token) throw unauthorized()
  return token
}

/** An API key determines organization and mode: headers of the request must agree with it. */
function checkKey(request: FastifyRequest, principal: Principal): Principal {
  const { organizationId, livemode } = principal.scope
  const organization = organizationOf(request)
  if (organization !== undefined && organization !== organizationId) throw organizationHeaderRequired()
  const mode = modeOf(request)
  if (mode !== undefined && (mode === 'live') !== livemode)
    throw badRequest(`This key acts in ${livemode ? 'live' : 'test'} mode: X-Mode cannot change that`)
  return principal
}

/** People choose the organization, if they belong to several, and the mode. */
function principalOf(
  request: FastifyRequest,
  { userId, sessionId, usesSingleSignOn, memberships, closed }: Person,
  organizationIsOptional: boolean,
): Principal {
  if (memberships.size === 0) throw unauthorized()
  const credential = `user ${userId}`
  const only = memberships.size === 1 ? [...memberships.keys()][0] : undefined
  const organizationId = organizationOf(request) ?? only
  if (organizationId === undefined && organizationIsOptional)
    return {
      credential,
      scope: { organizationId: noOrganization, livemode: modeOf(request) !== 'test' },
      scopes: new Set(),
      actor: { type: 'user', id: userId },
      person: { userId, sessionId, usesSingleSignOn, role: 'member' },
    }
  const membership = organizationId && memberships.get(organizationId)
  if (!organizationId || !membership) throw organizationHeaderRequired()
  // Such a member can still call what needs no organization: reading their own account and setting up a second factor.
  const { isSuspended } = membership
  if (isSuspended && !organizationIsOptional) throw refusedTo(credential, organizationSuspended())
  const needsSecondFactor = closed.has(organizationId)
  if (needsSecondFactor && !organizationIsOptional)
    throw refusedTo(credential, secondFactorMissing('This organization requires'))
  return {
    credential,
    scope: { organizationId, livemode: modeOf(request) !== 'test', ...(membership.isLimited && { limitedTo: userId }) },
    scopes: needsSecondFactor || isSuspended ? new Set() : membership.scopes,
    requestsPerMinute: membership.requestsPerMinute,
    actor: { type: 'user', id: userId },
    person: { userId, sessionId, usesSingleSignOn, role: membership.role, needsSecondFactor, isSuspended },
  }
}

export function secondFactorMissing(reason: string): AppError {
  const message = `${reason} a second factor: set one up first, with POST /auth/authenticator`
  const error = { code: 'second_factor_setup_required', message, type: 'authentication_error' }
  return new AppError(403, message, { error })
}

const organizationHeaderRequired = () => badRequest('A valid organization_id header is required')

/** The organization that a request names, in the header of the contract or in the one that proxies pass on. */
function organizationOf(request: FastifyRequest): string | undefined {
  const { organization_id, 'x-organization-id': alias } = request.headers
  const named = organization_id ?? alias ?? queryOfCookie(request, 'organization_id')
  if (named === undefined) return undefined
  if (!isUuid(named) || (organization_id !== undefined && alias !== undefined && organization_id !== alias))
    throw organizationHeaderRequired()
  return named.toLowerCase()
}

function modeOf(request: FastifyRequest): 'test' | 'live' | undefined {
  const mode = request.headers['x-mode'] ?? queryOfCookie(request, 'mode')
  if (mode === undefined || mode === 'test' || mode === 'live') return mode
  throw badRequest('X-Mode must be test or live')
}

/**
 * Media players and downloads in a page cannot send headers; their requests use the cookie and name both in the query.
 */
function queryOfCookie(request: FastifyRequest, name: string): unknown {
  if (request.headers.authorization !== undefined || !isRead(request)) return undefined
  return (request.query as Record<string, unknown>)[name]
}
