import { mentions, plainWords } from './phrases.ts'

interface Property {
  type?: unknown
  enum?: unknown[]
}

/**
 * Values for a tool's parameters from one sentence: enum values, text after the parameter's name or in quotes, and for
 * required parameters also numbers and references, in order.
 */
export function argumentsFrom(
  heard: string,
  schema: Record<string, unknown>,
): { filled: Record<string, unknown>; missing: string[] } {
  const properties = (schema.properties ?? {}) as Record<string, Property>
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const numbers = (heard.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
  const quoted = [...heard.matchAll(/["“«]([^"”»]+)["”»]/g)].map((match) => match[1] as string)
  const references = heard.match(/\b[\w-]*\d[\w-]*\b/g) ?? []

  const found = (name: string, isNeeded: boolean): unknown => {
    const { type, enum: words } = properties[name] ?? {}
    if (words) return words.find((word) => mentions(heard, String(word)))
    if (type === 'boolean') return mentions(heard, name.replaceAll('_', ' ')) ? true : undefined
    const named = wordBehind(heard, name)
    if (type === 'integer' || type === 'number')
      return named !== undefined && /^\d/.test(named)
        ? Number.parseFloat(named)
        : isNeeded
          ? numbers.shift()
          : undefined
    if (type !== 'string' && type !== undefined) return undefined
    return named ?? quoted.shift() ?? (isNeeded ? references.shift() : undefined)
  }
  const filled: Record<string, unknown> = {}
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  for (const name of [...required, ...optional]) {
    const value = found(name, required.includes(name))
    if (value !== undefined) filled[name] = value
  }
  return { filled, missing: required.filter((name) => !(name in filled)).map((name) => name.replaceAll('_', ' ')) }
}

/** Matches "order number is A-17", "order number: A-17" and "order number A-17". */
function wordBehind(heard: string, name: string): string | undefined {
  const words = plainWords(name.replaceAll('_', ' '))
  if (words.length === 0) return undefined
  const before = words.join('[\\s_-]+')
  const pattern = new RegExp(`\\b${before}\\b(?:\\s+is|\\s*[:=])?\\s+([\\p{L}\\p{N}][\\p{L}\\p{N}_-]*)`, 'iu')
  return pattern.exec(heard)?.[1]
}
