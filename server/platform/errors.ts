/** One fault of a request: where it is and what is wrong. */
export interface Fault {
  loc: string[]
  msg: string
  type: string
}

/**
 * A mistake of the caller or a missing permission, in words meant for the caller. Any other thrown error is a bug: it
 * is logged in full and answered with a bare 500.
 */
export class AppError extends Error {
  readonly status: number
  /** Members of the response besides its message. */
  readonly extra: Record<string, unknown>
  /** A valid credential that is refused before the request has a principal: for the log, never for the response. */
  credential?: string
  constructor(status: number, message: string, extra: Record<string, unknown> = {}, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.extra = extra
  }
}

export class InvalidInput extends AppError {
  readonly faults: Fault[]
  constructor(faults: Fault[]) {
    super(422, faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '))
    this.faults = faults
  }
}

export class RateLimited extends AppError {
  readonly retryAfterSeconds: number
  readonly perMinute: number
  constructor(retryAfterSeconds: number, perMinute: number) {
    super(429, `Too many requests. Try again in ${retryAfterSeconds} seconds.`)
    this.retryAfterSeconds = retryAfterSeconds
    this.perMinute = perMinute
  }
}

/** The request is valid and may be sent again after this long. */
export class Unavailable extends AppError {
  readonly retryAfterSeconds: number
  constructor(reason: string, retryAfterSeconds: number, cause?: unknown) {
    super(503, `Service Unavailable: ${reason}`, {}, cause)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An earlier request with the same Idempotency-Key has no response yet: the same request may be sent again soon. */
export class StillRunning extends AppError {
  constructor(message: string) {
    super(409, message)
  }
}

/** The credential is missing or invalid; the response never says which. */
export const unauthorized = () => new AppError(401, 'Unauthorized')

/** `purpose` continues the sentence where only a part of the request needs the scope. */
export const insufficientScope = (requiredScope: string, purpose = '') =>
  new AppError(403, `This credential lacks the scope ${requiredScope}${purpose}`, { requiredScope })

/** Says neither which addresses are allowed nor what the key may do. */
export const addressNotAllowed = () =>
  new AppError(403, 'This key may not be used from this address', { code: 'address_not_allowed' })

export const organizationSuspended = () =>
  new AppError(403, 'This organization is suspended: ask the operator of this service', {
    code: 'organization_suspended',
  })

/** Names the credential to the log. */
export function refusedTo(credential: string, error: AppError): AppError {
  error.credential = credential
  return error
}

export const badRequest = (message: string) => new AppError(400, message)
export const notFound = (noun: string) => new AppError(404, `${noun} not found`)
/** The record, or 404 where there is none. */
export function found<T>(record: T, noun: string): NonNullable<T> {
  if (!record) throw notFound(noun)
  return record
}
export const conflict = (message: string, existingId?: string) =>
  new AppError(409, message, existingId ? { existing_id: existingId } : {})
export const invalid = (loc: string[], msg: string, type = 'value_error') => new InvalidInput([{ loc, msg, type }])

/** Whether the error is a violation of this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return (error as { constraint?: string } | null)?.constraint === constraint
}
