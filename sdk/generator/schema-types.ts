// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is JSON, and its readers look at every member anyway
export type JsonSchema = Record<string, any>

/** How a reference to a shared type is written; operations see them through a namespace. */
type Refer = (name: string) => string

/** The TypeScript type of the values that a JSON Schema accepts, as far as TypeScript can express it. */
export function typeOf(schema: JsonSchema, refer: Refer, indent = ''): string {
  if (schema.$ref) return refer(schema.$ref.split('/').pop())
  if (schema.enum) return union(schema.enum.map((value: unknown) => JSON.stringify(value)))
  if ('const' in schema) return JSON.stringify(schema.const)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return union(options.map((option: JsonSchema) => typeOf(option, refer, indent)))
  return union([schema.type].flat().map((type) => plainType(type, schema, refer, indent)))
}

function plainType(type: unknown, schema: JsonSchema, refer: Refer, indent: string): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'Upload' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return type
    case 'array': {
      const item = schema.items ? typeOf(schema.items, refer, indent) : 'unknown'
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`
    }
    case 'object':
      return schema.properties ? objectType(schema, refer, indent) : recordType(schema, refer, indent)
    default:
      return 'unknown'
  }
}

function recordType({ additionalProperties }: JsonSchema, refer: Refer, indent: string): string {
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, refer, indent) : 'unknown'
  return `Record<string, ${value}>`
}

/** `absent` is what an optional member may be besides missing. */
export function objectType(
  { properties, required = [] }: JsonSchema,
  refer: Refer,
  indent: string,
  absent = '',
): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, member]) => {
    const type = typeOf(member, refer, inner)
    return [
      ...comment([member.description], inner),
      `${inner}${propertyName(name)}${required.includes(name) ? `: ${type}` : `?: ${type}${absent}`}`,
    ]
  })
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`
}

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const union = (types: string[]): string => [...new Set(types)].join(' | ') || 'never'

/** A doc comment of these paragraphs; empty where there are none. */
export function comment(paragraphs: (string | undefined)[], indent: string): string[] {
  const text = paragraphs.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/')
  if (!text) return []
  const lines = text.split('\n')
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}
