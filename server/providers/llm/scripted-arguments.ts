import { mentions } from './phrases.ts'

interface Property {
  type?: unknown
  enum?: unknown[]
}

/**
 * What a tool's parameters could be filled with from one sentence: words of an enum, numbers in their order, what stands
 * in quotes or behind the parameter's name, and something that looks like a reference.
 */
export function argumentsFrom(
  heard: string,
  schema: Record<string, unknown>,
): { filled: Record<string, unknown>; missing: string[] } {
  const properties = (schema.properties ?? {}) as Record<string, Property>
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const numbers = (heard.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
  const quoted = [...heard.matchAll(/["“«]([^"”»]+)["”»]/g)].map((match) => match[1] as string)
  const references = heard.match(/\b[\w-]*\d[\w-]*\b/g) ?? []

  const found = (name: string, { type, enum: words }: Property): unknown => {
    if (words) return words.find((word) => mentions(heard, String(word)))
    if (type === 'integer' || type === 'number') return numbers.shift()
    if (type === 'boolean') return mentions(heard, name.replaceAll('_', ' ')) ? true : undefined
    if (type !== 'string' && type !== undefined) return undefined
    return quoted.shift() ?? behind(heard, name) ?? references.shift()
  }
  const filled: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = found(name, property)
    if (value !== undefined) filled[name] = value
  }
  return { filled, missing: required.filter((name) => !(name in filled)).map((name) => name.replaceAll('_', ' ')) }
}

/** "order number is A-17" and "order number: A-17" alike. */
function behind(heard: string, name: string): string | undefined {
  const words = name
    .split(/[_-]+/)
    .join('[\\s_-]+')
    .replace(/[^\w\s[\]\\+-]/g, '')
  const match = new RegExp(`\\b${words}\\b(?:\\s+is|\\s*[:=])?\\s+([\\p{L}\\p{N}][\\p{L}\\p{N}_-]*)`, 'iu').exec(heard)
  return match?.[1]
}
