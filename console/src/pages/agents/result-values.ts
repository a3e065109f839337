import type { api as types } from '@frontdesk/sdk'
import { newKey } from './row-keys.ts'

/** Memory and results of an agent in its form. */

export interface NamedRow {
  key: string
  name: string
  description: string
}
export interface ContactFieldRow extends types.AgentContactField {
  key: string
}

export interface ResultValues {
  memory_enabled: boolean
  memory_conversations: number
  /** The JSON Schema as text, which may be invalid while it is typed. */
  extract: string
  contact_fields: ContactFieldRow[]
  success_criteria: NamedRow[]
  dispositions: NamedRow[]
}

const noProperties = JSON.stringify({ type: 'object', properties: {} }, null, 2)

export const newResultValues = (): ResultValues => ({
  memory_enabled: true,
  memory_conversations: 3,
  extract: noProperties,
  contact_fields: [],
  success_criteria: [],
  dispositions: [],
})

export function resultValuesOf({ memory, results }: types.AgentConfig): ResultValues {
  const keyed = <T extends object>(rows: T[]) => rows.map((row) => ({ ...row, key: newKey() }))
  return {
    memory_enabled: memory.enabled,
    memory_conversations: memory.conversations,
    extract: results.extract ? JSON.stringify(results.extract, null, 2) : noProperties,
    contact_fields: keyed(results.contact_fields),
    success_criteria: keyed(results.success_criteria),
    dispositions: keyed(results.dispositions),
  }
}

/** The names of the properties to extract; none while the text is invalid. */
export function propertiesOf(extract: string): string[] {
  try {
    return Object.keys(JSON.parse(extract).properties ?? {})
  } catch {
    return []
  }
}

/** A schema without properties asks for nothing. */
export function resultInputOf(values: ResultValues) {
  const schema = JSON.parse(values.extract) as Record<string, unknown>
  const isEmpty = propertiesOf(values.extract).length === 0 && Object.keys(schema).length <= 2
  const unkeyed = <T extends { key: string }>(rows: T[]) => rows.map(({ key, ...row }) => row)
  return {
    memory: { enabled: values.memory_enabled, conversations: values.memory_conversations },
    results: {
      extract: isEmpty ? null : schema,
      contact_fields: unkeyed(values.contact_fields),
      success_criteria: unkeyed(values.success_criteria),
      dispositions: unkeyed(values.dispositions),
    },
  }
}
