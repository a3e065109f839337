import type { TSchema } from 'typebox'
import type { AppError } from '../errors.ts'

/** How a feature writes its errors, where the contract gives it a shape of its own. */
export interface ErrorShape {
  /** Requests to these paths and below have this shape, also those that match no operation. */
  paths: string[]
  /** Suffix of its responses in the API reference. */
  name: string
  /** Schema of its bodies, if it differs from the general one. */
  schema?: TSchema
  statusOf?(status: number): number
  /** The body, given the general one. A missing scope and the rate limit have the general body in every shape. */
  bodyOf(error: AppError, general: object): object
}

/** `path` is below the prefix of the API and may have a query. */
export const errorShapeOf = (shapes: readonly ErrorShape[], path: string): ErrorShape | undefined =>
  shapes.find(({ paths }) => paths.some((each) => path.startsWith(each) && /^[/?]|^$/.test(path.slice(each.length))))
