/** Base class of everything this library throws, except the reason of the caller's own AbortSignal. */
export class FrontdeskError extends Error {
  override name = 'FrontdeskError'
}

/** No response arrived: it is unknown whether the service processed the request. */
export class ConnectionError extends FrontdeskError {
  override name = 'ConnectionError'
}

/** No response arrived in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** One fault of a request: where it is and what is wrong. */
export interface Fault {
  loc: string[]
  msg: string
  type: string
}

/** The service refused the request or failed. */
export class ApiError extends FrontdeskError {
  override name = 'ApiError'
  readonly status: number
  /** What is wrong, as text. */
  readonly detail: string
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  readonly headers: Headers
  /** The response body: an object if it was JSON, otherwise text. */
  readonly body: unknown
  constructor(response: Response, body: unknown) {
    const detail = detailOf(body) ?? (response.statusText || 'no reason given')
    super(`${response.status} ${detail}`)
    this.status = response.status
    this.detail = detail
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.headers = response.headers
    this.body = body
  }
}

/** 400 and 422: the request is invalid. `faults` says where. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'
  get faults(): Fault[] {
    const detail = member(this.body, 'detail')
    return Array.isArray(detail) ? detail : faultsIn(this.detail)
  }
}

/** 401: the credential is missing, malformed, unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 403: the credential lacks the permission. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
  get requiredScope(): string | undefined {
    return member(member(this.body, 'error'), 'required_scope') as string | undefined
  }
}

/** 404: the record does not exist, or not for this credential. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
  get existingId(): string | undefined {
    return member(this.body, 'existing_id') as string | undefined
  }
}

/** 429: too many requests in this minute. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
  get retryAfterSeconds(): number | undefined {
    return retryAfterSeconds(this.headers)
  }
}

const kinds: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  return new (kinds[response.status] ?? ApiError)(response, parsed(text))
}

/** HTTP allows seconds or a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const member = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

/** The API has several error shapes; each has a message for people. */
/** For agents the service joins all faults in one sentence: `body.name: …; body.agent_config.tools.0.url: …`. */
function faultsIn(sentence: string): Fault[] {
  const places = sentence
    .split(/; (?=(?:body|query|path)\.)/)
    .map((each) => /^((?:body|query|path)\.\S+): (.*)$/s.exec(each))
  return places.flatMap((found) =>
    found ? [{ loc: (found[1] as string).split('.'), msg: found[2] as string, type: 'value_error' }] : [],
  )
}

function detailOf(body: unknown): string | undefined {
  const detail = member(body, 'detail')
  if (Array.isArray(detail)) return detail.map(({ loc, msg }: Fault) => `${loc.join('.')}: ${msg}`).join('; ')
  const message = detail ?? member(body, 'message') ?? member(member(body, 'error'), 'message')
  return typeof message === 'string' ? message : undefined
}
