import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

/**
 * Ajv, which checks requests anyway: TypeBox's own checker would add a tenth of a second to every start, and half of that
 * is saved by taking our own schemas as they are.
 */
const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** What is wrong with the value, or undefined when it has the shape of the schema. */
export function faultIn(schema: TSchema, value: unknown): string | undefined {
  let check = compiled.get(schema)
  if (!check) {
    check = ajv.compile(schema)
    compiled.set(schema, check)
  }
  if (check(value)) return undefined
  const [first] = check.errors ?? []
  return `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim()
}
