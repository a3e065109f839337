import { exampleId, Id } from '../schemas.ts'
import type { JsonSchema } from './openapi-schemas.ts'

const byFormat: Record<string, string> = {
  'date-time': '2026-03-01T09:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/path',
}

/** Members that mean the same in every schema; together they form a consistent page. */
const byName: Record<string, unknown> = {
  limit: 50,
  offset: 0,
  page: 1,
  size: 1,
  total: 1,
  has_more: false,
  livemode: false,
  email: 'ada@example.com',
}

const [anyId] = (Id as JsonSchema).examples as [string]

/** A complete value of this schema, with every optional member: the schema's own example if it has one. */
export function exampleOf(schema: JsonSchema, name = 'text'): unknown {
  const [example] = schema.examples ?? []
  if (schema.format === 'uuid' && (example === undefined || example === anyId)) return exampleId(name)
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined && schema.type !== 'object') return schema.default
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options) return exampleOf(options[0], name)
  const types = [schema.type].flat()
  const [type] = types.filter((each) => each !== 'null')
  if (name in byName && type !== 'object') return byName[name]
  if (type === 'object')
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([member, value]) => [
        member,
        exampleOf(value, member),
      ]),
    )
  if (type === 'array') return [exampleOf(schema.items, name)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'boolean') return true
  if (type !== 'string') return types.includes('null') ? null : {}
  if (byFormat[schema.format]) return byFormat[schema.format]
  return types.includes('null') ? null : name.replaceAll('_', ' ')
}
