import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import { originOf } from '../../../platform/http/routes.ts'
import { withOrigin } from '../../../platform/origin.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import type { Welcome } from '../sign-in/welcome.ts'
import { signInWithIdentity } from './sign-in-with-identity.ts'
import { type PendingSignOn, SignOnError, type SignOnProvider } from './sign-on-provider.ts'

export const signOnPath = '/auth/single-sign-on'
export const callbackPath = `${signOnPath}/callback`

/** Providers let their codes expire within ten minutes. */
const pendingSeconds = 600
const context = 'pending single sign-on'

/** Why a person was not signed in; the console shows a sentence for each. */
type Refusal = 'denied' | 'expired' | 'mismatch' | 'not_admitted' | 'unavailable' | 'failed' | 'too_many'

interface SignOnDependencies extends SignInServices {
  provider: SignOnProvider
  welcome: Welcome
  publicUrl: string
}

type Callback = FastifyRequest<{ Querystring: Record<string, unknown> }>

/** For browsers: to the provider, and back from it. Both answer with a redirect. */
export function signOnRoutes(server: FastifyInstance, deps: SignOnDependencies): void {
  const { provider, welcome, secrets, rateLimiter, attemptsPerMinute: perMinute, publicUrl } = deps
  const secure = publicUrl.startsWith('https:')
  const cookie = `${secure ? '__Secure-' : ''}frontdesk_sign_on`
  // `lax`: the provider's page, another site, leads back here.
  const options = { path: signOnPath, httpOnly: true, sameSite: 'lax', secure } as const

  const pendingOf = (request: FastifyRequest): PendingSignOn | undefined => {
    try {
      const { until, ...pending } = JSON.parse(
        secrets.open(Buffer.from(request.cookies[cookie] ?? '', 'base64url'), context),
      )
      return until > Date.now() ? pending : undefined
    } catch {
      return undefined
    }
  }
  const refuse = (reply: FastifyReply, refusal: Refusal) => reply.redirect(`/#sign-in-error=${refusal}`)
  const refuseFor = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    if (error instanceof AppError && error.status === 429) return refuse(reply, 'too_many')
    if (!(error instanceof SignOnError)) throw error
    request.log.warn({ err: error }, 'sign-in: single sign-on failed')
    return refuse(reply, error.fault)
  }
  const limit = (request: FastifyRequest) =>
    rateLimiter.take({ name: 'single sign-on', perMinute }, networkOf(request.ip))

  server.get(signOnPath, async (request, reply) => {
    try {
      await limit(request)
      const { url, pending } = await provider.begin()
      const value = secrets
        .seal(JSON.stringify({ ...pending, until: Date.now() + pendingSeconds * 1000 }), context)
        .toString('base64url')
      return reply.setCookie(cookie, value, { ...options, maxAge: pendingSeconds }).redirect(url)
    } catch (error) {
      return refuseFor(request, reply, error)
    }
  })

  server.get(callbackPath, async (request: Callback, reply) => {
    const pending = pendingOf(request)
    // Each attempt is used once.
    reply.clearCookie(cookie, options)
    if (!pending) return refuse(reply, 'expired')
    // Otherwise another site could sign this browser in to an account of its own.
    if (request.query.state !== pending.state) return refuse(reply, 'mismatch')
    if (request.query.error !== undefined)
      return refuse(reply, request.query.error === 'access_denied' ? 'denied' : 'failed')
    try {
      await limit(request)
      const identity = await provider.finish(new URL(request.url, publicUrl), pending)
      const session = await withOrigin(originOf(request), () =>
        signInWithIdentity(deps, identity, welcome.clientOf(request)),
      )
      if (!session) return refuse(reply, 'not_admitted')
      await welcome.enter(request, reply, session)
      return reply.redirect('/')
    } catch (error) {
      return refuseFor(request, reply, error)
    }
  })
}
