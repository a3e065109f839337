import { createHash } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'

/** Field types that every feature uses. */

const anyId = '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'
export const Id = Type.String({ format: 'uuid', examples: [anyId] })

/** An id in a path whose parameter is not named after its noun; a malformed id answers that the noun is not found. */
export const IdOf = (noun: string) => Type.String({ format: 'uuid', examples: [anyId], noun })

const ownIds = new Set(['id', 'next_cursor', 'starting_after'])

/** An id for examples. Ids of different kinds look different; a cursor is the id of the record above it. */
export function exampleId(name: string): string {
  if (ownIds.has(name)) return anyId
  return anyId.slice(0, 24) + createHash('sha256').update(name).digest('hex').slice(0, 12)
}

/** A future time for examples: it must not pass while the software is in use. */
export const exampleFuture = '2099-03-01T09:00:00.000Z'

/** The maximum of a column of type `integer`, and so of every number that is compared with one. */
export const largestInteger = 2 ** 31 - 1

export const Instant = Type.String({ format: 'date-time', examples: ['2026-03-01T09:00:00.000Z'] })

/** A plain `type: [x, null]`: the serializer has a fast path for it, and OpenAPI 3.1 supports it. */
export const Nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: words } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(words && { enum: [...words, null] }) })
}

/** A string enum. */
export const OneOf = <const T extends readonly string[]>(words: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: words, ...options })

/** A number of records; none in examples. */
export const Count = (description: string) => Type.Integer({ description, examples: [0] })

/** A free key-value map, stored as given. */
export const FreeObject = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, maxDepth: 64, ...options })

export const Deleted = Type.Object(
  { message: Type.String({ examples: ['Deleted successfully'] }) },
  { title: 'Deleted' },
)
export const deleted = (noun: string) => ({ message: `${noun} deleted successfully` })
