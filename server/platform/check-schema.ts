import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

/**
 * Uses Ajv, which validates requests anyway: TypeBox's own checker would add 0.1 s to every start. Skipping validation
 * of our own schemas saves half of Ajv's share.
 */
const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Returns what is wrong with the value, or undefined when it matches the schema. */
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
