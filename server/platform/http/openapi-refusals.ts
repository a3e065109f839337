import Type, { type TSchema } from 'typebox'
import {
  AppError,
  badRequest,
  conflict,
  InvalidInput,
  insufficientScope,
  RateLimited,
  StillRunning,
  Unavailable,
  unauthorized,
} from '../errors.ts'
import { misdirected } from './error-answers.ts'

/** Every error response of the API: its shape, with examples made from the errors that the server throws. */

const detail = Type.String({ description: 'What is wrong, in words' })

const ErrorDetail = Type.Object({ detail }, { title: 'ErrorDetail' })
const ConflictError = Type.Object(
  {
    detail,
    existing_id: Type.Optional(Type.String({ format: 'uuid', description: 'The record that is there already' })),
  },
  { title: 'ConflictError' },
)
const ValidationError = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.String(), { description: 'Where: `body`, `query` or `path`, then the way to the member' }),
        msg: Type.String({ description: 'What is wrong there, in words' }),
        type: Type.String({ description: 'What is wrong there, for programs' }),
      }),
      { description: 'One entry for each fault' },
    ),
  },
  { title: 'ValidationError' },
)
const keyError = {
  code: Type.Literal('invalid_api_key'),
  message: Type.String(),
  type: Type.Literal('authentication_error'),
}
const AuthenticationError = Type.Object({ detail, error: Type.Object(keyError) }, { title: 'AuthenticationError' })
const ForbiddenError = Type.Object(
  {
    detail,
    error: Type.Optional(
      Type.Object(
        { ...keyError, reason: Type.Literal('insufficient_scope'), required_scope: Type.String() },
        { description: 'Where a scope is missing, and which' },
      ),
    ),
  },
  { title: 'ForbiddenError' },
)
const RateLimitError = Type.Object(
  {
    error: Type.Literal('rate_limit_exceeded'),
    message: Type.String(),
    retry_after: Type.Integer({ minimum: 1, maximum: 60, description: 'Seconds until another try makes sense' }),
  },
  { title: 'RateLimitError' },
)
const UpstreamError = Type.Object(
  {
    detail,
    upstream: Type.Object({
      code: Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
      message: Type.String(),
    }),
  },
  { title: 'UpstreamError' },
)
/** Agents have one shape for everything except a missing scope and the rate limit. */
export const AgentError = Type.Object(
  {
    error: Type.Integer({ description: 'The status' }),
    message: Type.String(),
    detail: Type.Optional(Type.String({ description: 'The same as `message`; not with 400, 401 and 500' })),
    existing_id: ConflictError.properties.existing_id,
    upstream: Type.Optional(UpstreamError.properties.upstream),
  },
  { title: 'AgentError' },
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
    description: 'The request cannot be understood, or names something that this request cannot use',
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
    description: 'This caller may not do this, or not in this way',
    schema: ForbiddenError,
    examples: {
      cookie: new AppError(403, 'A write with a cookie needs the Origin of this service and the header X-Frontdesk'),
    },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such record in this organization and mode',
    schema: ErrorDetail,
    examples: { not_found: new AppError(404, 'Contact not found') },
  },
  409: {
    name: 'Conflict',
    description:
      'It clashes with what is there already, or with an earlier request of the same Idempotency-Key. With `Retry-After`: that request is still running',
    schema: ConflictError,
    headers: ['Retry-After'],
    examples: {
      taken: conflict(
        'A contact with the phone number +14155550100 exists already',
        '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d',
      ),
      key_reused: conflict('This Idempotency-Key was used with a different request'),
      key_running: new StillRunning('A request with this Idempotency-Key is still running'),
    },
  },
  410: {
    name: 'Gone',
    description: 'It was there and can no longer be used',
    schema: ErrorDetail,
    examples: { gone: new AppError(410, 'This has been used already') },
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than this operation takes',
    schema: ErrorDetail,
    examples: { too_large: new AppError(413, 'The body is too large') },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is of another content type than this operation takes',
    schema: ErrorDetail,
    examples: { content_type: new AppError(415, 'Unsupported Media Type: send application/json') },
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The file has no such stretch',
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
    description: 'Members of the body or of the query break a rule; each is named',
    schema: ValidationError,
    examples: {
      faults: new InvalidInput([{ loc: ['body', 'phone_number'], msg: 'Field required', type: 'missing' }]),
    },
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests with this credential in this minute',
    schema: RateLimitError,
    examples: { rate_limited: new RateLimited(60, 6000) },
    headers: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  },
  500: {
    name: 'ServerError',
    description: 'A fault of ours; the log knows it by its request id',
    schema: ErrorDetail,
    examples: { fault: new AppError(500, 'Internal Server Error') },
  },
  502: {
    name: 'UpstreamFailed',
    description: 'The messaging platform or the carrier refused, or cannot be reached',
    schema: UpstreamError,
    examples: {
      upstream: new AppError(502, 'The messaging platform refused', {
        upstream: { code: 190, message: 'Access token has expired' },
      }),
    },
  },
  503: {
    name: 'Unavailable',
    description: 'The database cannot be reached, or there is no room to write: try again after `Retry-After`',
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
  description: `The credential lacks the scope \`${scope}\``,
  schema: ForbiddenError,
  examples: { insufficient_scope: insufficientScope(scope) },
})
