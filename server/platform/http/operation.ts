import type { TSchema } from 'typebox'
import type { ErrorShape } from './error-shape.ts'
import type { Requirement } from './principal.ts'
import type { RateLimit } from './rate-limit.ts'

/** One operation of the API: everything that is validated and documented about it, besides its handler. */
export interface Operation<P = TSchema | undefined, Q = TSchema | undefined, B = TSchema | undefined, R = TSchema>
  extends Requirement {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  tag: string
  summary: string
  description?: string
  /** The scope that a credential needs; `any` for every valid credential. */
  scope: string
  /** Refuses API keys: the account of a person who is signed in. */
  peopleOnly?: true
  /** Whether a person who belongs to several organizations may omit the organization. */
  organization?: 'optional'
  params?: P
  query?: Q
  body?: B
  /**
   * The parts of a multipart form: documented here, read and validated by the handler as they stream in. With `body`
   * beside it the caller may send either.
   */
  form?: TSchema
  /** The body of the response, or the content of a file. */
  response: R
  status?: 200 | 201 | 202
  /** A second success status, where there is one. */
  otherStatus?: 200
  contentType?: string
  /** The 4xx and 5xx statuses besides those that its shape implies. */
  errors?: number[]
  rateLimit?: RateLimit
  bodyLimit?: number
  /** Members of the response that are shown once: replays of an idempotent request contain null instead. */
  secrets?: string[]
  /** Whether it supports Idempotency-Key: every POST that is a write does; a stream sets it itself. */
  idempotent?: boolean
  /** For a read whose figures may be seconds old: it may come from a replica. */
  isReport?: boolean
  /** For frequent writes that the audit log does not cover: they do not pay for naming who is acting. */
  unaudited?: boolean
}

/** An operation as the API reference describes it. */
export type Documented = Operation & { open?: boolean; errorShape?: ErrorShape | undefined }
