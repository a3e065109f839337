import Type, { type TSchema } from 'typebox'
import {
  AppError,
  addressNotAllowed,
  badRequest,
  conflict,
  InvalidInput,
  insufficientScope,
  notFound,
  organizationSuspended,
  RateLimited,
  StillRunning,
  Unavailable,
  unauthorized,
} from '../errors.ts'
import { OneOf } from '../schemas.ts'
import { misdirected } from './error-answers.ts'

/** Every error response of the API: its shape, with examples made from the errors that the server throws. */

const detail = Type.String({ description: 'Human-readable error message' })

const ErrorDetail = Type.Object({ detail }, { title: 'ErrorDetail' })
export const ConflictError = Type.Object(
  {
    detail,
    existing_id: Type.Optional(Type.String({ format: 'uuid', description: 'Id of the existing record' })),
  },
  { title: 'ConflictError' },
)
const ValidationError = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.String(), {
          description: 'Location: `body`, `query` or `path`, followed by the path to the field',
        }),
        msg: Type.String({ description: 'Human-readable message' }),
        type: Type.String({ description: 'Machine-readable error type' }),
      }),
      { description: 'One entry per error' },
    ),
  },
  { title: 'ValidationError' },
)
const keyError = {
  code: OneOf(['invalid_api_key', 'second_factor_required', 'second_factor_invalid', 'second_factor_setup_required']),
  message: Type.String(),
  type: Type.Literal('authentication_error'),
}
const AuthenticationError = Type.Object({ detail, error: Type.Object(keyError) }, { title: 'AuthenticationError' })
const forbiddenCode = OneOf(['address_not_allowed', 'organization_suspended'] as const, {
  description: 'Present if the credential is valid but cannot be used now or from this address',
})
const ForbiddenError = Type.Object(
  {
    detail,
    error: Type.Optional(
      Type.Object(
        {
          ...keyError,
          reason: Type.Optional(Type.Literal('insufficient_scope')),
          required_scope: Type.Optional(Type.String()),
        },
        { description: 'Present when a scope is missing, which it names, or when a second factor has to be set up' },
      ),
    ),
    code: Type.Optional(forbiddenCode),
  },
  { title: 'ForbiddenError' },
)
const RateLimitError = Type.Object(
  {
    error: Type.Literal('rate_limit_exceeded'),
    message: Type.String(),
    retry_after: Type.Integer({ minimum: 1, maximum: 60, description: 'Seconds to wait before retrying' }),
  },
  { title: 'RateLimitError' },
)
export const UpstreamError = Type.Object(
  {
    detail,
    upstream: Type.Object({
      code: Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
      message: Type.String(),
    }),
  },
  { title: 'UpstreamError' },
)
export interface Refusal {
  name: string
  description: string
  schema: TSchema
  /** The same error objects that the server throws, so the examples match its responses. */
  examples: Record<string, AppError>
  headers?: string[]
}

export const refusals: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed, or refers to something it cannot use',
    schema: ErrorDetail,
    examples: {
      organization: badRequest('A valid organization_id header is required'),
      malformed: badRequest('The body is not valid JSON'),
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing, malformed, unknown, expired or revoked',
    schema: AuthenticationError,
    examples: { unauthorized: unauthorized() },
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The credential does not permit this request',
    schema: ForbiddenError,
    examples: {
      address_not_allowed: addressNotAllowed(),
      organization_suspended: organizationSuspended(),
      cookie: new AppError(403, 'A write with a cookie needs the Origin of this service and the header X-Frontdesk'),
    },
  },
  404: {
    name: 'NotFound',
    description: 'No such record in this organization and mode',
    schema: ErrorDetail,
    examples: { not_found: notFound('Record') },
  },
  409: {
    name: 'Conflict',
    description:
      'Conflicts with an existing record, or with an earlier request that has the same Idempotency-Key. With `Retry-After`: that request is still running',
    schema: ConflictError,
    headers: ['Retry-After'],
    examples: {
      taken: conflict('A record with this name exists already', '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'),
      key_reused: conflict('This Idempotency-Key was used with a different request'),
      key_running: new StillRunning('A request with this Idempotency-Key is still running'),
    },
  },
  410: {
    name: 'Gone',
    description: 'The record existed but can no longer be used',
    schema: ErrorDetail,
    examples: { gone: new AppError(410, 'This has been used already') },
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than this operation accepts',
    schema: ErrorDetail,
    examples: { too_large: new AppError(413, 'The body is too large') },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'This operation does not accept this content type',
    schema: ErrorDetail,
    examples: { content_type: new AppError(415, 'Unsupported Media Type: send application/json') },
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The file does not have the requested range',
    schema: ErrorDetail,
    examples: { range: new AppError(416, 'The file has 48,213 bytes') },
  },
  421: {
    name: 'Misdirected',
    description: 'This host name is not served here',
    schema: ErrorDetail,
    examples: { host: new AppError(421, misdirected) },
  },
  422: {
    name: 'Invalid',
    description: 'Fields of the body or query are invalid; each is named',
    schema: ValidationError,
    examples: {
      faults: new InvalidInput([{ loc: ['body', 'phone_number'], msg: 'Field required', type: 'missing' }]),
    },
  },
  429: {
    name: 'RateLimited',
    description: 'This credential has sent too many requests in this minute',
    schema: RateLimitError,
    examples: { rate_limited: new RateLimited(60, 6000) },
    headers: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  },
  500: {
    name: 'ServerError',
    description: 'Internal error. Find it in the log by the request id',
    schema: ErrorDetail,
    examples: { fault: new AppError(500, 'Internal Server Error') },
  },
  502: {
    name: 'UpstreamFailed',
    description: 'The messaging platform or carrier refused the request or cannot be reached',
    schema: UpstreamError,
    examples: {
      upstream: new AppError(502, 'The messaging platform refused', {
        upstream: { code: 190, message: 'Access token has expired' },
      }),
    },
  },
  503: {
    name: 'Unavailable',
    description: 'The database cannot be reached or the disk is full. Retry after `Retry-After`',
    schema: ErrorDetail,
    headers: ['Retry-After'],
    examples: {
      unavailable: new Unavailable('the database cannot be reached, try again', 5),
      disk_full: new Unavailable('no room to write, the disk is full; try again later', 30),
    },
  },
}

export const forbidden = (scope: string): Refusal => ({
  name: `Forbidden-${scope.replace(':', '-')}`,
  description: `The credential lacks the scope \`${scope}\`, or does not permit this request`,
  schema: ForbiddenError,
  examples: {
    insufficient_scope: insufficientScope(scope),
    address_not_allowed: addressNotAllowed(),
    organization_suspended: organizationSuspended(),
  },
})
