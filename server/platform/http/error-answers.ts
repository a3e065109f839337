import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, InvalidInput, RateLimited, StillRunning, Unavailable } from '../errors.ts'
import { unavailable } from '../unavailable.ts'

/**
 * The contract has several error shapes, one for each part of the API. Agents answer `{error, message}`, with `detail`
 * added where the contract names no shape for them; call logs and calls have their own text for 401; everything else is
 * `{detail}`.
 */
export type Dialect = 'agents' | 'calls' | 'standard'

export function dialectOf(url: string): Dialect {
  if (/^\/api\/v1\/agents(?:[/?]|$)/.test(url)) return 'agents'
  if (/^\/api\/v1\/(?:calls|call-logs)(?:[/?]|$)/.test(url)) return 'calls'
  return 'standard'
}

/** Checked before anything else in the request. */
export const misdirected = 'Misdirected Request: this host name is not served here (set PUBLIC_URL)'

const keyMessage = 'The API key or token is missing, malformed, unknown, expired or revoked'

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error)
  if (known.status >= 500) request.log.error({ err: error, request_id: request.id }, 'http: request failed')
  // Closing immediately would cut off a client that is still sending before it can read the response; its data is
  // discarded.
  if (known.status === 413) reply.removeHeader('connection')
  if (known instanceof RateLimited) reply.headers(rateLimitHeaders(known))
  if (known.status === 401) reply.header('www-authenticate', challenge(request))
  if (known instanceof StillRunning) reply.header('retry-after', '1')
  if (known instanceof Unavailable) reply.header('retry-after', String(known.retryAfterSeconds))
  const dialect = dialectOf(request.url)
  return reply.code(statusIn(dialect, known)).send(bodyIn(dialect, known))
}

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

export function statusIn(dialect: Dialect, error: AppError): number {
  return dialect === 'agents' && error.status === 422 ? 400 : error.status
}

export function bodyIn(dialect: Dialect, error: AppError): object {
  if (error instanceof RateLimited)
    return { error: 'rate_limit_exceeded', message: error.message, retry_after: error.retryAfterSeconds }
  if (error.status === 403 && 'requiredScope' in error.extra)
    return {
      detail: error.message,
      error: {
        code: 'invalid_api_key',
        message: error.message,
        type: 'authentication_error',
        reason: 'insufficient_scope',
        required_scope: error.extra.requiredScope,
      },
    }
  if (dialect === 'agents') return agentBody(statusIn(dialect, error), error)
  if (error.status === 401)
    return {
      detail: dialect === 'calls' ? 'Could not validate credentials' : 'Unauthorized',
      error: { code: 'invalid_api_key', message: keyMessage, type: 'authentication_error' },
    }
  if (error instanceof InvalidInput) return { detail: error.faults }
  return { detail: messageOf(error), ...error.extra }
}

/** The contract names 400, 401 and 500 for agents; for other statuses the general shape is added. */
function agentBody(status: number, error: AppError): object {
  const message = messageOf(error)
  const isNamed = status === 400 || status === 401 || status === 500
  return { error: status, message, ...(!isNamed && { detail: message, ...error.extra }) }
}

/** Agents have a single message where others have a list; an internal error reveals no details. */
function messageOf(error: AppError): string {
  return error.status === 500 ? 'Internal Server Error' : error.message
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
