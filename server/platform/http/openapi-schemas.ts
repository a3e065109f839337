import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is JSON, and its readers look at every member anyway
export type JsonSchema = Record<string, any>

/** Request bodies may omit members with a default; response bodies always have them. */
type Direction = 'request' | 'response'

export interface SchemaBook {
  /** The schema as the document writes it: titled schemas become components and are referenced. */
  write(schema: TSchema, direction: Direction): JsonSchema
  readonly components: Record<string, JsonSchema>
}

/** Internal keywords that other tools do not understand. */
const privateKeywords = new Set(['maxDepth', 'fillIn', 'noun'])

export function createSchemaBook(): SchemaBook {
  const components: Record<string, JsonSchema> = {}

  function write(schema: JsonSchema, direction: Direction): JsonSchema {
    const { title } = schema
    if (title === undefined) return members(schema, direction)
    if (!Array.isArray(schema.type)) return refer(title, members(schema, direction), direction)
    // A nullable use of a titled schema: the component itself is never null.
    const [type] = schema.type.filter((each: string) => each !== 'null')
    return { anyOf: [refer(title, members({ ...schema, type }, direction), direction), { type: 'null' }] }
  }

  function refer(title: string, written: JsonSchema, direction: Direction): JsonSchema {
    // A schema that differs between request and response gets two names.
    for (const name of direction === 'request' ? [title, `${title}Input`] : [title]) {
      components[name] ??= written
      if (isDeepStrictEqual(components[name], written)) return { $ref: `#/components/schemas/${name}` }
    }
    throw new Error(`two different schemas have the title ${title}`)
  }

  function members(schema: JsonSchema, direction: Direction): JsonSchema {
    const written: JsonSchema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (privateKeywords.has(keyword)) continue
      if (keyword === 'properties' || keyword === 'patternProperties')
        written[keyword] = Object.fromEntries(
          Object.entries(value as JsonSchema).map(([name, member]) => [name, write(member, direction)]),
        )
      else if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
        Object.assign(written, alternatives(keyword, value, direction))
      else if (keyword === 'required') {
        const required = value.filter((name: string) => direction === 'response' || !hasDefault(schema, name))
        if (required.length > 0) written.required = required
      } else if ((keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object')
        written[keyword] = write(value, direction)
      else written[keyword] = value
    }
    return written
  }

  /** A union of string constants is written as an enum. */
  function alternatives(keyword: string, options: JsonSchema[], direction: Direction): JsonSchema {
    if (options.every((option) => typeof option.const === 'string'))
      return { type: 'string', enum: options.map((option) => option.const) }
    return { [keyword]: options.map((option) => write(option, direction)) }
  }

  return { write: (schema, direction) => write(schema as JsonSchema, direction), components }
}

export const hasDefault = (schema: JsonSchema, name: string): boolean =>
  schema.properties?.[name]?.default !== undefined
