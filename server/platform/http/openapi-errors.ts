import { isDeepStrictEqual } from 'node:util'
import type { AppError } from '../errors.ts'
import { bodyIn, statusIn } from './error-answers.ts'
import type { ErrorShape } from './error-shape.ts'
import { forbidden, type Refusal, refusals } from './openapi-refusals.ts'
import type { JsonSchema, SchemaBook } from './openapi-schemas.ts'
import type { Documented } from './operation.ts'
import { anyScope } from './principal.ts'

/** The statuses implied by the operation's shape, and those that it declares. */
function statusesOf({ open, params, query, body, form, idempotent, errors = [] }: Documented): number[] {
  const statuses = new Set([...errors, 500, 503])
  const add = (...more: number[]) => more.forEach((status) => void statuses.add(status))
  // 400: the organization_id header may be sent with any credential and must name its organization.
  // 403: a key may be limited to addresses.
  if (!open) add(400, 401, 403, 429)
  if (params) add(404)
  if (query) add(422)
  if (body || form) add(400, 413, 415, 422)
  if (idempotent) add(409)
  return [...statuses]
}

export interface ErrorBook {
  responsesOf(operation: Documented): Record<string, JsonSchema>
  readonly components: Record<string, JsonSchema>
}

export function createErrorBook(book: SchemaBook, examples: Record<string, AppError>): ErrorBook {
  const components: Record<string, JsonSchema> = {}

  function refer(refusal: Refusal, shape: ErrorShape | undefined): JsonSchema {
    const errors = Object.entries(refusal.examples).map(([name, error]) => [name, examples[name] ?? error] as const)
    const bodiesIn = (each?: ErrorShape) => errors.map(([, error]) => bodyIn(each, error))
    const bodies = bodiesIn(shape)
    // Where a shape writes the general bodies, it shares the general component.
    const own = isDeepStrictEqual(bodies, bodiesIn()) ? undefined : shape
    const key = own ? `${refusal.name}-${own.name}` : refusal.name
    components[key] ??= {
      description: refusal.description,
      headers: Object.fromEntries(
        ['X-Request-Id', ...(refusal.headers ?? [])].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      content: {
        'application/json': {
          schema: book.write(own?.schema ?? refusal.schema, 'response'),
          examples: Object.fromEntries(
            errors.map(([name, { message }], i) => [name, { summary: message, value: bodies[i] }]),
          ),
        },
      },
    }
    return { $ref: `#/components/responses/${key}` }
  }

  return {
    components,
    responsesOf(operation) {
      const { id, errorShape } = operation
      const responses = statusesOf(operation).map((status) => {
        const refusal = refusalOf(status, operation)
        if (!refusal) throw new Error(`${id} answers ${status}, which the documentation does not know`)
        return [String(statusIn(errorShape, status)), refer(refusal, errorShape)] as const
      })
      return Object.fromEntries(responses.sort(([a], [b]) => Number(a) - Number(b)))
    },
  }
}

function refusalOf(status: number, { open, scope, errorShape }: Documented): Refusal | undefined {
  if (status === 403 && !open && scope !== anyScope) return forbidden(scope)
  const answered = statusIn(errorShape, status)
  const refusal = refusals[answered]
  // A shape may answer several errors with one status: the response has the examples of all of them.
  const alike = Object.keys(refusals).filter((each) => statusIn(errorShape, Number(each)) === answered)
  const examples = Object.assign({}, ...alike.reverse().map((each) => refusals[Number(each)]?.examples))
  return refusal && { ...refusal, examples }
}
