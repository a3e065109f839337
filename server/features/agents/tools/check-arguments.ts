import { Ajv, type ValidateFunction } from 'ajv'
import { depthAtMost } from '../../../platform/http/validation.ts'

/** Limits of a tool's parameters and of a model's arguments, in characters of JSON. */
const longestSchema = 32_768
const longestArguments = 65_536
const deepest = 32

/**
 * Schemas come from customers. Their regular expressions are left to the model: run here, one with catastrophic
 * backtracking would block the process.
 */
const everything = Object.assign(() => ({ test: () => true }), { code: 'everything' })
const makeAjv = () =>
  new Ajv({
    strict: false,
    validateFormats: false,
    logger: false,
    allErrors: true,
    code: { regExp: everything as never },
  })

const remembered = 500
const compiled = new Map<string, ValidateFunction | string>()

/** A text says what is wrong with the schema. The same schema is used in every turn, so it is compiled once. */
function validatorOf(schema: Record<string, unknown>): ValidateFunction | string {
  const key = JSON.stringify(schema)
  const found = compiled.get(key)
  if (found !== undefined) return found
  const made = compile(schema)
  if (compiled.size >= remembered) compiled.delete(compiled.keys().next().value as string)
  compiled.set(key, made)
  return made
}

function compile(schema: Record<string, unknown>): ValidateFunction | string {
  try {
    // A separate instance: an `$id` of one customer must not clash with another's.
    return makeAjv().compile(withoutName(schema))
  } catch (error) {
    const [first = ''] = (error as Error).message.replace(/^schema is invalid: data\//, '').split(', data/')
    return first.slice(0, longestFault)
  }
}
const longestFault = 300

const withoutName = ({ $id: _, $schema: __, ...schema }: Record<string, unknown>) => schema

/** Why this cannot be the parameters of a tool, or undefined. */
export function faultInSchema(schema: Record<string, unknown>): string | undefined {
  if (JSON.stringify(schema).length > longestSchema) return `Longer than ${longestSchema} characters`
  if (!depthAtMost(deepest, schema)) return 'Nested too deeply'
  if (schema.type !== 'object') return 'A JSON Schema with "type": "object"'
  const validator = validatorOf(schema)
  return typeof validator === 'string' ? `Not a JSON Schema that can be used: ${validator}` : undefined
}

/** What is wrong with the arguments, in words for the model, or undefined. */
export function faultInArguments(schema: Record<string, unknown>, given: Record<string, unknown>): string | undefined {
  if (JSON.stringify(given).length > longestArguments || !depthAtMost(deepest, given))
    return 'The arguments are too long'
  const check = validatorOf(schema)
  if (typeof check === 'string') return 'The parameters of this tool are no usable JSON Schema'
  if (check(given)) return undefined
  const faults = (check.errors ?? []).slice(0, 10)
  return `The arguments do not fit: ${faults.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join('; ')}`
}
