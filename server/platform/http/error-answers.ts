import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, InvalidInput, RateLimited, StillRunning, Unavailable } from '../errors.ts'
import { unavailable } from '../unavailable.ts'
import { type ErrorShape, errorShapeOf } from './error-shape.ts'
import { prefix } from './routes.ts'

/** Checked before anything else in the request. */
export const misdirected = 'Misdirected Request: this host name is not served here (set PUBLIC_URL)'

const keyMessage = 'The API key or token is missing, malformed, unknown, expired or revoked'

export const createErrorAnswers =
  (shapes: readonly ErrorShape[]) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toAppError(error)
    // A platform, carrier or model refused or failed, often because of the customer's own token: not a fault of ours.
    if (known.status === 502) request.log.warn(refusalOf(request, known), 'http: upstream failed')
    else if (known.status >= 500) request.log.error({ err: error, request_id: request.id }, 'http: request failed')
    if (known.status === 401 || known.status === 403)
      request.log.info(refusalOf(request, known), 'http: access refused')
    // Closing immediately would cut off a client that is still sending before it can read the response; its data is
    // discarded.
    if (known.status === 413) reply.removeHeader('connection')
    if (known instanceof RateLimited) reply.headers(rateLimitHeaders(known))
    if (known.status === 401) reply.header('www-authenticate', challenge(request))
    if (known instanceof StillRunning) reply.header('retry-after', '1')
    if (known instanceof Unavailable) reply.header('retry-after', String(known.retryAfterSeconds))
    const { url } = request
    const shape = url.startsWith(prefix) ? errorShapeOf(shapes, url.slice(prefix.length)) : undefined
    return reply.code(statusIn(shape, known.status)).send(bodyIn(shape, known))
  }

/** The route, not the path, which may contain tokens. */
const refusalOf = (
  { id, method, routeOptions, ip, principal }: FastifyRequest,
  { status, message, credential }: AppError,
) => ({
  request_id: id,
  method,
  route: routeOptions.url,
  ip_address: ip,
  credential: principal?.credential ?? credential,
  status,
  reason: message,
})

const realm = 'Bearer realm="frontdesk"'

/** RFC 6750: the challenge names an error only if the caller presented a credential. */
function challenge({ headers }: FastifyRequest): string {
  const hasCredential = headers.authorization || headers.cookie?.includes('frontdesk_token=')
  return hasCredential ? `${realm}, error="invalid_token", error_description="${keyMessage}"` : realm
}

const rateLimitHeaders = ({ retryAfterSeconds, perMinute }: RateLimited) => ({
  'retry-after': String(retryAfterSeconds),
  'ratelimit-limit': String(perMinute),
  'ratelimit-remaining': '0',
  'ratelimit-reset': String(retryAfterSeconds),
})

export const statusIn = (shape: ErrorShape | undefined, status: number): number => shape?.statusOf?.(status) ?? status

export function bodyIn(shape: ErrorShape | undefined, error: AppError): object {
  if (error instanceof RateLimited)
    return { error: 'rate_limit_exceeded', message: error.message, retry_after: error.retryAfterSeconds }
  if (error.status === 403 && 'requiredScope' in error.extra)
    return {
      detail: error.message,
      error: { ...keyError(error.message), reason: 'insufficient_scope', required_scope: error.extra.requiredScope },
    }
  const general = generalBody(error)
  // Why a valid credential is refused reads the same everywhere, as a missing scope does.
  if (error.status === 403 && 'code' in error.extra) return general
  return shape ? shape.bodyOf(error, general) : general
}

const keyError = (message: string) => ({ code: 'invalid_api_key', message, type: 'authentication_error' })

function generalBody(error: AppError): object {
  if (error.status === 401 && !error.extra.error) return { detail: 'Unauthorized', error: keyError(keyMessage) }
  if (error instanceof InvalidInput) return { detail: error.faults }
  return { detail: error.message, ...error.extra }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { statusCode = 500, code, validation } = error as FastifyError
  if (validation === undefined && statusCode < 500) {
    if (statusCode === 413) return new AppError(413, 'The body is too large')
    if (statusCode === 415) return new AppError(415, 'Unsupported Media Type: send application/json')
    if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
      return new AppError(400, 'The body does not have the announced length')
    return new AppError(statusCode, (error as Error).message)
  }
  return unavailable(error) ?? new AppError(500, 'Internal Server Error', {}, error)
}
