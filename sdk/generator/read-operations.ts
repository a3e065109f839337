import type { JsonSchema } from './schema-types.ts'

/** What a list needs to request its next page. */
interface Paging {
  by: 'cursor' | 'offset' | 'page'
  /** Which member of a page holds its items. */
  items: string
  /** Which query parameter sets the page size. */
  size: string
}

export interface DocumentedOperation {
  id: string
  resource: string
  name: string
  method: string
  /** Below `/api/v1`, with its parameters in braces. */
  path: string
  pathParameters: string[]
  query: JsonSchema[]
  json: JsonSchema | undefined
  form: JsonSchema | undefined
  bodyRequired: boolean
  answer: JsonSchema
  contentType: string
  paging: Paging | undefined
  /** Whether a request may be retried: always, with its Idempotency-Key, or not at all. */
  repeat: 'safe' | 'keyed' | 'unsafe'
  summary: string
  description: string
}

const prefix = '/api/v1'
const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Resource names where the default (the tag in camel case) would be clumsy. */
const resourceNames: Record<string, string> = { 'Business hours': 'schedules', 'Knowledge base': 'knowledge' }

export function readOperations(document: JsonSchema): DocumentedOperation[] {
  const taken = new Set<string>()
  return Object.entries(document.paths as Record<string, JsonSchema>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => {
        const read = readOperation(document, path, method, operation)
        // If two operations would get the same name, the later one keeps its full name.
        if (taken.has(`${read.resource}.${read.name}`)) read.name = read.id
        taken.add(`${read.resource}.${read.name}`)
        return read
      }),
  )
}

function readOperation(document: JsonSchema, path: string, method: string, operation: JsonSchema): DocumentedOperation {
  const resource = resourceNames[operation.tags[0]] ?? camelCase(operation.tags[0])
  const parameters = operation.parameters ?? []
  const query = parameters.filter((parameter: JsonSchema) => parameter.in === 'query')
  const bodies = operation.requestBody?.content ?? {}
  const [[contentType, { schema: answer }]] = Object.entries(successOf(operation).content) as [[string, JsonSchema]]
  const keyed = parameters.some(({ $ref }: JsonSchema) => $ref?.endsWith('/IdempotencyKey'))
  return {
    id: operation.operationId,
    resource,
    name: methodName(operation.operationId, resource),
    method: method.toUpperCase(),
    path: path.slice(prefix.length),
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    query,
    json: bodies['application/json']?.schema,
    form: bodies['multipart/form-data']?.schema,
    bodyRequired: operation.requestBody?.required ?? false,
    answer,
    contentType,
    paging: pagingOf(document, query, answer),
    repeat: keyed ? 'keyed' : isSignIn(path, operation) ? 'unsafe' : 'safe',
    summary: operation.summary,
    description: operation.description ?? '',
  }
}

/** Every POST that writes takes a key, except signing in; a POST without key and password only reads. */
const isSignIn = (path: string, { security }: JsonSchema) =>
  path.startsWith(`${prefix}/auth/`) || (security?.length === 0 && path !== `${prefix}/openapi.json`)

function successOf(operation: JsonSchema): JsonSchema {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) as [
    string,
    JsonSchema,
  ]
  return success
}

function pagingOf(document: JsonSchema, query: JsonSchema[], answer: JsonSchema): Paging | undefined {
  const asked = new Set(query.map(({ name }) => name))
  const schema = answer.$ref ? document.components.schemas[answer.$ref.split('/').pop()] : answer
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const lists = members.filter(([, { type }]) => type === 'array').map(([name]) => name)
  const [items] = lists
  if (!items || lists.length !== 1) return undefined
  const size = asked.has('page_size') ? 'page_size' : 'limit'
  if (asked.has('starting_after')) return { by: 'cursor', items, size }
  if (asked.has('offset')) return { by: 'offset', items, size }
  return asked.has('page') ? { by: 'page', items, size } : undefined
}

/** `listContacts` of `contacts` is `list`, `createTemplateFromLibrary` of `templates` is `createFromLibrary`. */
function methodName(operationId: string, resource: string): string {
  const plural = resource.charAt(0).toUpperCase() + resource.slice(1)
  const words = [plural, plural.replace(/ies$/, 'y').replace(/s$/, '')]
  for (const word of words) {
    const shorter = operationId.replace(new RegExp(`${word}(?=[A-Z]|$)`), '')
    if (shorter !== operationId && shorter !== '') return shorter
  }
  return operationId
}

const camelCase = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word, i) => (i === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join('')
