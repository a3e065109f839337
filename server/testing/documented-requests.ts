import type { JsonSchema } from '../platform/http/openapi-schemas.ts'
import { isUuid } from '../platform/ids.ts'

/** Builds requests as the OpenAPI document describes them. */

export interface DocumentedOperation {
  id: string
  method: string
  path: string
  operation: JsonSchema
}

export const operationsOf = (document: JsonSchema): DocumentedOperation[] =>
  Object.entries(document.paths as Record<string, JsonSchema>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )

/** The parameters of the path and the query; header parameters are shared by all operations. */
export const parametersOf = ({ operation }: DocumentedOperation, where: 'path' | 'query'): JsonSchema[] =>
  operation.parameters.filter((parameter: JsonSchema) => parameter.in === where)

export function resolve(document: JsonSchema, schema: JsonSchema): JsonSchema {
  if (!schema.$ref) return schema
  const names: string[] = schema.$ref.slice(2).split('/')
  return names.reduce((part: JsonSchema, name) => part[name], document)
}

/** The examples of a body: one, or several with names. */
export const examplesIn = ({ example, examples }: JsonSchema): unknown[] =>
  examples ? Object.values(examples as Record<string, JsonSchema>).map(({ value }) => value) : [example]

/** The URL of the operation with these ids in its path and every required query parameter. */
export function addressOf(operation: DocumentedOperation, ids: Record<string, string>): string {
  const sampleOf = ({ name, example, schema }: JsonSchema) =>
    encodeURIComponent(schema.format === 'uuid' ? idOf(name, ids) : String(example))
  const path = parametersOf(operation, 'path').reduce(
    (filled, parameter) => filled.replace(`{${parameter.name}}`, sampleOf(parameter)),
    operation.path,
  )
  const required = parametersOf(operation, 'query').filter((parameter) => parameter.required)
  return `${path}?${required.map((parameter) => `${parameter.name}=${sampleOf(parameter)}`).join('&')}`
}

/** The example with existing ids instead of invented ones, and other members that the test fills in. */
export function filledIn(example: unknown, values: Record<string, unknown>, name = ''): unknown {
  if (Array.isArray(example)) return example.map((element) => filledIn(element, values, name))
  if (example !== null && typeof example === 'object')
    return Object.fromEntries(
      Object.entries(example).map(([member, value]) => [member, filledIn(value, values, member)]),
    )
  return typeof example === 'string' && isUuid(example) ? idOf(name, values as Record<string, string>) : example
}

function idOf(name: string, ids: Record<string, string>): string {
  const id = ids[name]
  if (id === undefined) throw new Error(`the test has no id for ${name}`)
  return id
}
