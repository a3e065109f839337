import { inText } from '../tools/rest-address.ts'
import type { TurnInput } from './turn.ts'

type Values = Pick<TurnInput, 'variables' | 'contact'>

/** Fills `{{name}}`, `{{contact.name}}` and the like; an unknown variable becomes empty. */
export function fillVariables(text: string, { variables = {}, contact }: Values): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, path: string) => {
    const own = Object.hasOwn(variables, path) ? variables[path] : undefined
    return inText(own ?? path.split('.').reduce<unknown>(memberOf, { ...variables, contact }))
  })
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
