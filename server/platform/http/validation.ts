import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { type Fault, InvalidInput, notFound } from '../errors.ts'
import { isUuid } from '../ids.ts'
import { parseInstant } from '../instants.ts'

/** Upper bound for the faults in one response. */
const maxFaults = 100

function ajv(options: { coerceTypes: boolean | 'array'; strictNumbers?: boolean }): Ajv {
  const made = new Ajv({
    ...options,
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    verbose: true,
    strict: 'log',
    logger: false,
  })
  made.addFormat('uuid', isUuid)
  made.addFormat('email', /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(\.[^\s@.]+)+$/)
  made.addFormat('uri', (text: string) => URL.canParse(text))
  made.addFormat(
    'date',
    (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(`${text}T00Z`) !== undefined,
  )
  made.addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
  made.addKeyword({
    keyword: 'maxDepth',
    type: 'object',
    validate: depthAtMost,
    error: { message: 'is nested too deeply' },
  })
  return made
}

export function depthAtMost(limit: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return false
    const below: unknown[] = []
    for (const each of level)
      if (each !== null && typeof each === 'object') for (const member of Object.values(each)) below.push(member)
    level = below
  }
  return true
}

/** JSON has typed values; query strings and paths are text only, so theirs are converted. */
const forBody = ajv({ coerceTypes: false })
// Text such as 1e999 becomes Infinity, which strict numbers would let past every bound.
const forText = ajv({ coerceTypes: 'array', strictNumbers: false })

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart, method }) => {
  const where = httpPart === 'querystring' ? 'query' : httpPart === 'params' ? 'path' : 'body'
  // Compiled at first use: compiling 60 operations at start would add 0.1 s to every start.
  let compiled: ValidateFunction | undefined
  const optional = where === 'body' && method === 'POST' ? optionalMembers(schema) : []
  const { default: absent } = schema as { default?: object }
  return (given: unknown) => {
    compiled ??= (where === 'body' ? forBody : forText).compile(schema)
    const check = compiled
    // Fastify passes null when there was no body; a schema with a default supplies the value.
    const value = where === 'body' && given === null && absent ? structuredClone(absent) : given
    if (value !== null && typeof value === 'object') dropNulls(value as Record<string, unknown>, optional)
    if (where === 'body' && (value === undefined || value === null))
      return { error: new InvalidInput([{ loc: ['body'], msg: 'A JSON body is required', type: 'missing' }]) }
    if (check(value)) return { value }
    if (where === 'path') return { error: unknownPath(check.errors ?? []) }
    return { error: new InvalidInput(faultsOf(check.errors ?? [], where)) }
  }
}

/** On create, null for an optional member means that it was omitted. */
function optionalMembers(schema: object): string[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: string | string[]; default?: unknown }>
    required?: string[]
  }
  const isOptional = (name: string) => !required.includes(name) || properties[name]?.default !== undefined
  return Object.keys(properties).filter((name) => isOptional(name) && ![properties[name]?.type].flat().includes('null'))
}

function dropNulls(body: Record<string, unknown>, optional: string[]): void {
  for (const name of optional) if (body[name] === null) delete body[name]
}

/** A malformed id identifies nothing: `/contacts/x` answers 404, not 400. */
function unknownPath(errors: ErrorObject[]): Error {
  const { instancePath = '', parentSchema = {} } = errors[0] ?? {}
  const { noun = instancePath.slice(1).replace(/_id$/, '').replaceAll('_', ' ') } = parentSchema as { noun?: string }
  return notFound(noun.charAt(0).toUpperCase() + noun.slice(1))
}

function faultsOf(errors: ErrorObject[], where: string): Fault[] {
  // Ajv reports a failed `if` in addition to the errors of its branch.
  const reported = errors.filter(({ keyword }) => keyword !== 'if')
  const faults = reported.slice(0, maxFaults).map((error) => {
    const path = error.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const loc = [where, ...path]
    if (error.keyword === 'required') loc.push(error.params.missingProperty)
    return { loc, ...describe(error, nameOf(loc)) }
  })
  // Ajv reports a union once for each branch: one fault per location is enough.
  const seen = new Set<string>()
  return faults.filter(({ loc }) => {
    const key = loc.join('\0')
    return !seen.has(key) && seen.add(key)
  })
}

/** An element is named by its list and index. */
function nameOf(loc: string[]): string {
  const [list = '', last = ''] = loc.slice(-2)
  return /^\d+$/.test(last) ? `${list}[${last}]` : last
}

function describe({ keyword, params, message = '', parentSchema }: ErrorObject, name: string): Omit<Fault, 'loc'> {
  switch (keyword) {
    case 'required':
      return { msg: 'Field required', type: 'missing' }
    case 'type': {
      // For a wrong type where an enum is expected, listing the values helps more than naming the type.
      const { enum: words } = parentSchema as { enum?: unknown[] }
      if (words) return { msg: `${name} must be ${either(words.filter((word) => word !== null))}`, type: 'enum' }
      return { msg: `Input should be ${[params.type].flat().join(' or ')}`, type: `${[params.type].flat()[0]}_type` }
    }
    case 'enum':
      return { msg: `${name} must be ${either(params.allowedValues)}`, type: 'enum' }
    case 'const':
      return { msg: `${name} must be ${params.allowedValue}`, type: 'enum' }
    case 'anyOf':
    case 'oneOf': {
      const options = (parentSchema as { anyOf?: { const?: unknown }[] }).anyOf?.map((option) => option.const) ?? []
      if (options.length > 0 && options.every((option) => option !== undefined))
        return { msg: `${name} must be ${either(options)}`, type: 'enum' }
      return { msg: 'Input has none of the allowed forms', type: 'union' }
    }
    case 'minLength':
      return params.limit === 1
        ? { msg: `${name} must not be empty`, type: 'string_too_short' }
        : { msg: `${name} must have at least ${params.limit} characters`, type: 'string_too_short' }
    case 'maxLength':
      return { msg: `${name} must have at most ${params.limit} characters`, type: 'string_too_long' }
    case 'minItems':
      return { msg: `${name} must have at least ${params.limit} items`, type: 'too_short' }
    case 'maxItems':
    case 'maxProperties':
      return { msg: `${name} must have at most ${params.limit} items`, type: 'too_long' }
    case 'minimum':
      return { msg: `${name} must be at least ${params.limit}`, type: 'greater_than_equal' }
    case 'maximum':
      return { msg: `${name} must be at most ${params.limit}`, type: 'less_than_equal' }
    case 'pattern':
      if (params.pattern === '\\S') return { msg: `${name} must not be empty`, type: 'string_too_short' }
      return {
        msg: `${name} ${patternWords[params.pattern] ?? `does not match ${params.pattern}`}`,
        type: 'string_pattern_mismatch',
      }
    case 'format':
      return formatFault(params.format, name)
    default:
      return { msg: `${name} ${message}`, type: keyword }
  }
}

/** Describes patterns in words, since few callers read regular expressions. */
const patternWords: Record<string, string> = {
  '^[a-z0-9_]+$': 'may hold lowercase letters (a to z), digits and underscores only',
  '^[a-zA-Z0-9_-]{1,64}$': 'must be 1 to 64 letters (a to z), digits, underscores or hyphens',
  '^\\S+$': 'must not hold spaces',
  '^https?://': 'must begin with http:// or https://',
  '^https?://\\S+$': 'must begin with http:// or https:// and hold no spaces',
}

function formatFault(format: string, name: string): Omit<Fault, 'loc'> {
  if (format === 'uuid') return { msg: `${name} must be a UUID`, type: 'uuid_parsing' }
  if (format === 'date-time')
    return { msg: `${name} must be an ISO 8601 date-time, such as 2026-03-01T09:00:00Z`, type: 'datetime_parsing' }
  if (format === 'date') return { msg: `${name} must be a date, such as 2026-03-01`, type: 'date_parsing' }
  return { msg: `${name} must be a valid ${format}`, type: `${format}_parsing` }
}

function either(values: unknown[]): string {
  const words = values.map(String)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
