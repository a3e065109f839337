import type { FastifyRequest } from 'fastify'

/** Loaded with the first passkey: it would take a quarter of a second of every start. */
export const webAuthn = () => import('@simplewebauthn/server')

/** Where a passkey works: browsers bind it to the host name and refuse to use it for another. */
export interface RelyingParty {
  id: string
  origin: string
}

/** PUBLIC_URL, or the address of the request, whose host name the service has checked. */
export function relyingPartyOf(request: FastifyRequest, publicUrl: string | undefined): RelyingParty {
  const { hostname, origin } = new URL(publicUrl ?? `${request.protocol}://${request.host}`)
  return { id: hostname, origin }
}
