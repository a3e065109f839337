import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors.ts'

/**
 * The console stores its tokens in cookies that scripts cannot read. Browsers send cookies automatically, so a write by
 * cookie must prove that our own page sent it (CSRF).
 */
export interface Cookies {
  accessToken(request: FastifyRequest): string | undefined
  refreshToken(request: FastifyRequest): string | undefined
  /** Marks a browser that signed in before; it grants no access. */
  deviceToken(request: FastifyRequest): string | undefined
  /** Throws unless the request comes from our own pages. */
  checkOrigin(request: FastifyRequest): void
  keep(request: FastifyRequest, reply: FastifyReply, tokens: KeptTokens): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/** The content of each cookie and its lifetime in seconds. */
type KeptTokens = Record<keyof typeof paths, { value: string; seconds: number }>

/** The refresh token is sent only to the paths that use it; the device token only to those that check passwords. */
const paths = { token: '/', refresh: '/api/v1/auth', device: '/api/v1' } as const

/** The prefixes keep sibling host names from setting these cookies; browsers accept them over https only. */
export const cookieName = (kind: keyof typeof paths, secure: boolean) =>
  `${secure ? { token: '__Host-', refresh: '__Secure-', device: '__Secure-' }[kind] : ''}frontdesk_${kind}`

export function createCookies(publicUrl: string | undefined): Cookies {
  const isSecure = (request: FastifyRequest) => publicUrl?.startsWith('https:') || request.protocol === 'https'
  const nameOf = (request: FastifyRequest, kind: keyof typeof paths) => cookieName(kind, isSecure(request))
  const options = (request: FastifyRequest, kind: keyof typeof paths) =>
    ({ path: paths[kind], httpOnly: true, sameSite: 'strict', secure: isSecure(request) }) as const
  const read = (request: FastifyRequest, kind: keyof typeof paths) =>
    request.cookies[nameOf(request, kind)] || undefined

  return {
    accessToken: (request) => read(request, 'token'),
    refreshToken: (request) => read(request, 'refresh'),
    deviceToken: (request) => read(request, 'device'),
    checkOrigin(request) {
      const { origin } = request.headers
      const isOurs = origin !== undefined && (origin === publicUrl || hostOf(origin) === request.host)
      if (!isOurs || !request.headers['x-frontdesk'])
        throw new AppError(403, 'A write with a cookie needs the Origin of this service and the header X-Frontdesk')
    },
    keep(request, reply, tokens) {
      for (const kind of ['token', 'refresh', 'device'] as const) {
        const { value, seconds } = tokens[kind]
        reply.setCookie(nameOf(request, kind), value, { ...options(request, kind), maxAge: seconds })
      }
    },
    // The device stays known after a logout: it lets this person sign in while others guess the password.
    clear(request, reply) {
      for (const kind of ['token', 'refresh'] as const) reply.clearCookie(nameOf(request, kind), options(request, kind))
    },
  }
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)
