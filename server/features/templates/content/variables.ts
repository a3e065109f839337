/** Variables in a template's text: `{{1}}`, or `{{name}}` where the platform allows names. */

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The name in each pair of braces, in order, including repetitions. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(variable)].map(([, inside]) => inside as string)

/** Braces that belong to no variable. */
export const hasLooseBraces = (text: string): boolean => /\{\{|\}\}/.test(text.replace(variable, ''))

export const isPositional = (name: string): boolean => /^[1-9]\d*$/.test(name)

/** The variables that need examples: each number once, from 1 to the highest; each name once. */
export function distinctVariables(text: string): string[] {
  const names = [...new Set(variablesIn(text))]
  return names.every(isPositional) ? names.sort((one, other) => Number(one) - Number(other)) : names
}

export const fillVariables = (text: string, value: string): string => text.replace(variable, value)
