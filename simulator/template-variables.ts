export interface Variables {
  /** Each once, in order of appearance. */
  names: string[]
  count: number
  fault?: string
}

const variable = /\{\{([^{}]*)\}\}/g

/** Templates are few and sent often. */
const known = new Map<string, Variables>()

/** The variables of a text, and what is wrong with them. */
export function variablesIn(text: string): Variables {
  const found = known.get(text) ?? parse(text)
  if (known.size > 1_000) known.clear()
  known.set(text, found)
  return found
}

function parse(text: string): Variables {
  const names = [...new Set([...text.matchAll(variable)].map(([, name = '']) => name.trim()))]
  const count = names.length
  const found = { names, count }
  if (/\{\{|\}\}/.test(text.replace(variable, ''))) return { ...found, fault: 'Variables have mismatched curly braces' }
  const named = names.filter((name) => !/^\d+$/.test(name))
  if (named.some((name) => !/^[a-z0-9_]+$/.test(name)))
    return { ...found, fault: 'Variables hold only digits, or only lower-case letters, digits and underscores' }
  if (named.length === 0 && names.some((name, i) => !names.includes(String(i + 1)) || Number(name) > count))
    return { ...found, fault: 'Variables must be numbered from 1 without gaps' }
  return found
}

/** Two variables with only spaces between them. */
export const hasTouchingVariables = (text: string): boolean => /\}\}\s*\{\{/.test(text)

export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(variable, (whole, name: string) => values[name.trim()] ?? whole)
