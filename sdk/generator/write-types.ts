import type { DocumentedOperation } from './read-operations.ts'
import { comment, type JsonSchema, objectType, typeOf } from './schema-types.ts'

const heading = '// Written by `npm run docs` from docs/openapi.json. Do not edit.\n'

const pascalCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const queryTypeName = ({ id }: DocumentedOperation) => `${pascalCase(id)}Query`
const formTypeName = ({ id }: DocumentedOperation) => `${pascalCase(id)}Form`
const bodyTypeName = ({ id }: DocumentedOperation) => `${pascalCase(id)}Body`

/** src/generated/types.ts: every record, body and query of the API. */
export function writeTypes(document: JsonSchema, operations: DocumentedOperation[]): string {
  const own = (name: string) => name
  const declare = (name: string, schema: JsonSchema) => {
    const { description, properties } = schema
    const lead = comment([description], '')
    if (schema.type === 'object' && properties)
      return [...lead, `export interface ${name} ${objectType(schema, own, '')}`].join('\n')
    return [...lead, `export type ${name} = ${typeOf(schema, own)}`].join('\n')
  }
  const components = Object.entries(document.components.schemas as Record<string, JsonSchema>)
  const declarations = components.map(([name, schema]) => declare(name, schema))
  for (const operation of operations) {
    if (operation.query.length > 0)
      declarations.push(
        `export interface ${queryTypeName(operation)} ${objectType(asObject(operation.query), own, '', ' | undefined')}`,
      )
    const { json, form } = operation
    if (json && !json.$ref) declarations.push(declare(bodyTypeName(operation), json))
    if (form && !form.$ref) declarations.push(declare(formTypeName(operation), form))
  }
  return `${heading}\nimport type { Upload } from '../form.ts'\n\n${declarations.join('\n\n')}\n`
}

const asObject = (parameters: JsonSchema[]): JsonSchema => ({
  type: 'object',
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description: description }]),
  ),
})

const api = (name: string) => `api.${name}`

/** src/generated/operations.ts: the signature of each operation, for the compiler and for the client. */
export function writeOperations(operations: DocumentedOperation[]): string {
  const resources = Map.groupBy(operations, ({ resource }) => resource)
  const interfaces = [...resources].map(([name, all]) => {
    const members = all.map((operation) =>
      [
        ...comment([operation.summary, operation.description], '  '),
        `  ${operation.name}(${parametersOf(operation)}): ${answerOf(operation)}`,
      ].join('\n'),
    )
    return `export interface ${pascalCase(name)} {\n${members.join('\n\n')}\n}`
  })
  const table = [...resources].map(([name, all]) => {
    const rows = all.map((operation) => `    ${operation.name}: ${rowOf(operation)},`)
    return `  ${name}: {\n${rows.join('\n')}\n  },`
  })
  const members = [...resources.keys()].map((name) => `  readonly ${name}: ${pascalCase(name)}`)
  const written = `${interfaces.join('\n\n')}

/** Every operation of the API, by what it is about. */
export interface Resources {
${members.join('\n')}
}

export const operations = {
${table.join('\n')}
} satisfies Record<string, Record<string, Operation>>
`
  return `${heading}\n${importsOf(written)}\nimport type * as api from './types.ts'\n\n${written}`
}

const importable: Record<string, string[]> = {
  '../list.ts': ['CursorPage', 'List'],
  '../operation.ts': ['Operation'],
  '../options.ts': ['Options', 'OptionsWithQuery'],
  '../stream.ts': ['EventStream', 'StreamOptions'],
}

/** Imports only what is used: an API without lists or streams would not compile otherwise. */
function importsOf(written: string): string {
  const lines = Object.entries(importable).flatMap(([path, names]) => {
    const used = names.filter((name) => new RegExp(`(?<!\\.)\\b${name}\\b`).test(written))
    return used.length > 0 ? [`import type { ${used.join(', ')} } from '${path}'`] : []
  })
  return lines.join('\n')
}

const isEventStream = ({ contentType }: DocumentedOperation) => contentType === 'text/event-stream'

function parametersOf(operation: DocumentedOperation): string {
  const { pathParameters, query, json, form, bodyRequired } = operation
  const ids = pathParameters.map((name) => `${name}: string`)
  const hasBody = json !== undefined || form !== undefined
  const queryRequired = query.some(({ required }) => required)
  if (hasBody) {
    const types = [
      json && (json.$ref ? typeOf(json, api) : api(bodyTypeName(operation))),
      form && (form.$ref ? typeOf(form, api) : api(formTypeName(operation))),
    ]
    const body = `body${bodyRequired ? '' : '?'}: ${types.filter(Boolean).join(' | ')}`
    if (query.length === 0) return [...ids, body, 'options?: Options'].join(', ')
    return [...ids, body, `options${queryRequired ? '' : '?'}: ${optionsWithQuery(operation, queryRequired)}`].join(
      ', ',
    )
  }
  const asked = query.length > 0 ? [`query${queryRequired ? '' : '?'}: ${api(queryTypeName(operation))}`] : []
  return [...ids, ...asked, isEventStream(operation) ? 'options?: StreamOptions' : 'options?: Options'].join(', ')
}

const optionsWithQuery = (operation: DocumentedOperation, required: boolean) =>
  required
    ? `OptionsWithQuery<${api(queryTypeName(operation))}>`
    : `Partial<OptionsWithQuery<${api(queryTypeName(operation))}>>`

function answerOf(operation: DocumentedOperation): string {
  const { answer, contentType, paging } = operation
  if (isEventStream(operation)) return 'EventStream'
  if (contentType !== 'application/json') return 'Promise<Response>'
  const body = typeOf(answer, api, '  ')
  if (!paging) return `Promise<${body}>`
  if (paging.by === 'cursor' && isPlainCursorPage(answer)) {
    const item = typeOf(itemsOf(answer, paging.items), api, '  ')
    return `List<${item}, CursorPage<${item}>>`
  }
  const items = answer.$ref ? `${body}['${paging.items}'][number]` : typeOf(itemsOf(answer, paging.items), api, '  ')
  return `List<${items}, ${body}>`
}

const cursorMembers = ['data', 'has_more', 'next_cursor', 'total_count']
const isPlainCursorPage = ({ properties = {} }: JsonSchema) => Object.keys(properties).join() === cursorMembers.join()

const itemsOf = ({ properties }: JsonSchema, name: string): JsonSchema => properties[name].items

/** What the client has to know about the operation; see src/operation.ts. */
function rowOf(operation: DocumentedOperation): string {
  const { method, path, query, json, form, contentType, paging, repeat } = operation
  return literal({
    method,
    path,
    ...(query.length > 0 && { query: true }),
    ...(json && { json: true }),
    ...(form && { form: true }),
    ...(contentType !== 'application/json' && { answer: isEventStream(operation) ? 'events' : 'file' }),
    ...(paging && { list: paging }),
    repeat,
  })
}

const literal = (value: unknown): string =>
  value !== null && typeof value === 'object'
    ? `{ ${Object.entries(value)
        .map(([name, member]) => `${name}: ${literal(member)}`)
        .join(', ')} }`
    : typeof value === 'string'
      ? `'${value}'`
      : String(value)
