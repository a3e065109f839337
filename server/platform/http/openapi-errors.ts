import type { TSchema } from 'typebox'
import type { AppError } from '../errors.ts'
import { bodyIn, type Dialect, dialectOf, statusIn } from './error-answers.ts'
import { AgentError, forbidden, type Refusal, refusals } from './openapi-refusals.ts'
import type { JsonSchema, SchemaBook } from './openapi-schemas.ts'
import { anyScope } from './principal.ts'
import type { Operation } from './routes.ts'

/** The statuses implied by the operation's shape, and those that it declares. */
function statusesOf({ method, open, scope, params, query, body, form, idempotent, errors = [] }: Documented): number[] {
  const statuses = new Set([...errors, 500, 503])
  const add = (...more: number[]) => more.forEach((status) => void statuses.add(status))
  // 400: the organization_id header may be sent with any credential and must name its organization.
  if (!open) add(400, 401, 429)
  if (!open && (scope !== anyScope || method !== 'GET')) add(403)
  if (params) add(404)
  if (query) add(422)
  if (body || form) add(400, 413, 415, 422)
  if (idempotent) add(409)
  return [...statuses]
}

export type Documented = Operation & { open?: boolean }

export interface ErrorBook {
  responsesOf(operation: Documented, url: string): Record<string, JsonSchema>
  readonly components: Record<string, JsonSchema>
}

export function createErrorBook(book: SchemaBook): ErrorBook {
  const components: Record<string, JsonSchema> = {}

  function refer(refusal: Refusal, dialect: Dialect): JsonSchema {
    const key = refusal.name + suffix(refusal, dialect)
    components[key] ??= {
      description: refusal.description,
      headers: Object.fromEntries(
        ['X-Request-Id', ...(refusal.headers ?? [])].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      content: {
        'application/json': {
          schema: book.write(schemaIn(dialect, refusal), 'response'),
          examples: Object.fromEntries(
            Object.entries(refusal.examples).map(([name, error]) => [
              name,
              { summary: error.message, value: bodyIn(dialect, error) },
            ]),
          ),
        },
      },
    }
    return { $ref: `#/components/responses/${key}` }
  }

  return {
    components,
    responsesOf(operation, url) {
      const dialect = dialectOf(url)
      const responses = statusesOf(operation).map((status) => {
        const refusal = refusalOf(status, operation, dialect)
        if (!refusal) throw new Error(`${operation.id} answers ${status}, which the documentation does not know`)
        const [example] = Object.values(refusal.examples) as [AppError]
        return [String(statusIn(dialect, example)), refer(refusal, dialect)] as const
      })
      return Object.fromEntries(responses.sort(([a], [b]) => Number(a) - Number(b)))
    },
  }
}

function refusalOf(status: number, { open, scope }: Documented, dialect: Dialect): Refusal | undefined {
  if (status === 403 && !open && scope !== anyScope) return forbidden(scope)
  const { 400: badRequest, 422: invalid } = refusals
  // Agents answer 400 to both.
  if (dialect === 'agents' && badRequest && (status === 400 || status === 422))
    return { ...badRequest, examples: { ...invalid?.examples, ...badRequest.examples } }
  return refusals[status]
}

/** Where a dialect has the general shape, it shares the general component. */
function suffix(refusal: Refusal, dialect: Dialect): string {
  const bodies = (spoken: Dialect) =>
    JSON.stringify(Object.values(refusal.examples).map((each) => bodyIn(spoken, each)))
  return bodies(dialect) === bodies('standard') ? '' : `-${dialect}`
}

function schemaIn(dialect: Dialect, refusal: Refusal): TSchema {
  return dialect === 'agents' && suffix(refusal, dialect) !== '' ? AgentError : refusal.schema
}
