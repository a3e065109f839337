/** Keywords that only our own validator knows, and what would only cost the model's attention. */
const leftOut = new Set(['maxDepth', 'examples', 'title'])

/** A tool's input as JSON Schema that anybody's validator takes. What has a default need not be given. */
export function inputSchemaOf(schema: object): Record<string, unknown> & { type: 'object' } {
  return plain(schema) as never
}

function plain(schema: object): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { default?: unknown }> }
  const entries = Object.entries(schema)
    .filter(([keyword]) => !leftOut.has(keyword))
    .map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, mapped(value)]
      if (keyword === 'required')
        return [keyword, (value as string[]).filter((name) => properties[name]?.default === undefined)]
      const isSchema = keyword === 'items' || keyword === 'additionalProperties'
      return [keyword, isSchema && typeof value === 'object' ? plain(value) : value]
    })
  return Object.fromEntries(entries)
}

const mapped = (members: Record<string, object>) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member)]))
