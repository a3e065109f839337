import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { faultIn } from '../platform/check-schema.ts'
import { isSecret } from './setting.ts'

type Environment = Record<string, string | undefined>

/** A setting as the environment has it, or its default. */
export function readSetting(name: string, schema: TSchema, env: Environment): { value?: unknown; problem?: string } {
  const { text, problem } = isSecret(schema) ? textOrFile(name, env) : { text: env[name]?.trim() }
  if (problem !== undefined) return { problem }
  if (!text) return { value: (schema as { default?: unknown }).default }
  const value = fromText(text, schema)
  const fault = faultIn(schema, value)
  return fault ? { problem: `${name} ${explain(schema, fault)}` } : { value }
}

/** The value of a secret, from the environment or from the file that `NAME_FILE` names. */
function textOrFile(name: string, env: Environment): { text?: string; problem?: string } {
  const text = env[name]?.trim() ?? ''
  const file = env[`${name}_FILE`]?.trim() ?? ''
  if (file === '') return { text }
  if (text !== '') return { problem: `${name} and ${name}_FILE are both set: remove one of them` }
  try {
    const content = readFileSync(file, 'utf8').trim()
    return content === '' ? { problem: `${name}_FILE: ${file} is empty` } : { text: content }
  } catch (error) {
    return { problem: `${name}_FILE cannot be read: ${(error as Error).message}` }
  }
}

const truths: Record<string, boolean> = { true: true, '1': true, yes: true, false: false, '0': false, no: false }

function fromText(text: string, schema: TSchema): unknown {
  const { type } = schema as { type?: string }
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return truths[text.toLowerCase()] ?? text
  if (type === 'array')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  return text
}

function explain(schema: TSchema, fault: string): string {
  const { anyOf, pattern } = schema as { anyOf?: { const: string }[]; pattern?: string }
  if (anyOf) return `must be one of ${anyOf.map((option) => option.const).join(', ')}`
  // Never echo the value: it may be a secret.
  return pattern ? `must match ${pattern}` : fault
}
