/** Keywords that only our own validator knows, and those that only cost the model tokens. */
const leftOut = new Set(['maxDepth', 'fillIn', 'examples', 'title'])

type ObjectSchema = Record<string, unknown> & { type: 'object' }

/** A tool's input as JSON Schema that any validator accepts. Members with a default are optional. */
export const inputSchemaOf = (schema: object) => plain(schema, { withDefaults: false }) as ObjectSchema

/** The same for a tool's output, where members with a default are always present. */
export const outputSchemaOf = (schema: object) => plain(schema, { withDefaults: true }) as ObjectSchema

/** `withDefaults`: whether `required` includes members that have a default. */
function plain(schema: object, options: { withDefaults: boolean }): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { default?: unknown }> }
  const isRequired = (name: string) => options.withDefaults || properties[name]?.default === undefined
  const entries = Object.entries(schema)
    .filter(([keyword]) => !leftOut.has(keyword))
    .map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, mapped(value, options)]
      if (keyword === 'required') return [keyword, (value as string[]).filter(isRequired)]
      const isSchema = keyword === 'items' || keyword === 'additionalProperties'
      return [keyword, isSchema && typeof value === 'object' ? plain(value, options) : value]
    })
  return Object.fromEntries(entries)
}

const mapped = (members: Record<string, object>, options: { withDefaults: boolean }) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member, options)]))
