import { faultInSchema } from '../tools/check-arguments.ts'
import type { ResultSettings } from './schema.ts'

const mostProperties = 50

/** What a schema cannot check about result settings. */
export function checkResults(
  { extract, contact_fields, success_criteria, dispositions }: ResultSettings,
  add: (loc: (string | number)[], msg: string) => void,
): void {
  const fault = extract && faultInExtract(extract)
  if (fault) add(['results', 'extract'], fault)
  for (const [index, { property, field }] of contact_fields.entries()) {
    if (!Object.hasOwn((extract?.properties ?? {}) as object, property))
      add(['results', 'contact_fields', index, 'property'], `${property} is none of the properties of extract`)
    if (contact_fields.findIndex((other) => other.field === field) !== index)
      add(['results', 'contact_fields', index, 'field'], `${field} is filled twice`)
  }
  for (const [list, entries] of Object.entries({ success_criteria, dispositions }))
    for (const [index, { name }] of entries.entries())
      if (entries.findIndex((other) => other.name === name) !== index)
        add(['results', list, index, 'name'], `The name ${name} is taken`)
}

function faultInExtract(schema: Record<string, unknown>): string | undefined {
  const fault = faultInSchema(schema)
  if (fault) return fault
  const { properties } = schema
  if (properties === null || typeof properties !== 'object') return 'Name its properties'
  if (Object.keys(properties).length === 0) return 'Name its properties'
  if (Object.keys(properties).length > mostProperties) return `More than ${mostProperties} properties`
  // The model gets the schema inside of another one, where references would lead elsewhere.
  return hasReference(schema) ? '$ref is not supported: write the schema out' : undefined
}

function hasReference(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Object.hasOwn(value, '$ref') && typeof (value as { $ref: unknown }).$ref === 'string') return true
  return Object.values(value).some(hasReference)
}
