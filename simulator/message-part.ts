import { Refusal } from './refusals.ts'

/** Reads parts of an outgoing message with the platform's errors. */

export type Part = Record<string, unknown>

export const missing = (name: string) => new Refusal(131008, `Parameter ${name} is required`)
export const bad = (details: string) => new Refusal(131009, details)
export const isObject = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function text(part: Part, name: string, where: string, most: number): string {
  const value = part[name]
  if (value === undefined || value === null || value === '') throw missing(`${where}['${name}']`)
  if (typeof value !== 'string') throw bad(`Param ${where}['${name}'] must be a string.`)
  if (value.length > most && [...value].length > most)
    throw new Refusal(100, `Param ${where}['${name}'] must be at most ${most} characters long.`)
  return value
}

export function optionalText(part: Part, name: string, where: string, most: number): void {
  if (part[name] !== undefined && part[name] !== null && part[name] !== '') text(part, name, where, most)
}
