import type { FastifyRequest } from 'fastify'
import { badRequest, unauthorized } from '../../platform/errors.ts'
import type { Authenticate, Principal } from '../../platform/http/principal.ts'
import { isUuid } from '../../platform/ids.ts'
import type { KeyCredentials } from './key-credentials.ts'

/** A key in the Authorization header says everything about the caller. */
export function createAuthenticate({ keys }: { keys: KeyCredentials }): Authenticate {
  return async (request) => {
    const token = bearerToken(request)
    if (token === undefined || !keys.isKey(token)) throw unauthorized()
    const principal = await keys.authenticate(token)
    checkOrganization(request, principal)
    return principal
  }
}

export function bearerToken(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? []
  if (!token) throw unauthorized()
  return token
}

/** The organization a request names, in the header of the contract or the one that proxies let through. */
export function namedOrganization(request: FastifyRequest): string | undefined {
  const named = request.headers.organization_id ?? request.headers['x-organization-id']
  return Array.isArray(named) ? named[0] : named
}

export const organizationHeaderRequired = () => badRequest('A valid organization_id header is required')

function checkOrganization(request: FastifyRequest, { scope }: Principal): void {
  const named = namedOrganization(request)
  if (named === undefined) return
  if (!isUuid(named) || named.toLowerCase() !== scope.organizationId) throw organizationHeaderRequired()
}
