import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperations } from './read-operations.ts'
import { typeOf } from './schema-types.ts'
import { writeOperations, writeTypes } from './write-types.ts'

const plain = (name: string) => name

test('schemas become the TypeScript types of the values they accept', () => {
  const types: [object, string][] = [
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
    [{ type: ['integer', 'null'] }, 'number | null'],
    [{ type: ['integer', 'number'] }, 'number'],
    [{ const: 7 }, '7'],
    [{ type: 'string', format: 'binary' }, 'Upload'],
    [{ $ref: '#/components/schemas/Contact' }, 'Contact'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Contact' } }, 'Contact[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
    [{ anyOf: [{ $ref: '#/components/schemas/Contact' }, { type: 'null' }] }, 'Contact | null'],
    [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    [{ type: 'object', properties: {} }, 'Record<string, never>'],
    [{}, 'unknown'],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'string', description: 'No */ end' }, 'b-c': {} } },
      '{\n  /** No *\\/ end */\n  a: string\n  "b-c"?: unknown\n}',
    ],
  ]
  for (const [schema, type] of types) assert.equal(typeOf(schema, plain), type)
})

const operation = (operationId: string, more: object = {}) => ({
  operationId,
  tags: ['Web hooks'],
  summary: operationId,
  responses: { 200: { content: { 'application/json': { schema: { type: 'string' } } } } },
  ...more,
})
const documentOf = (paths: object) => ({ paths, components: { schemas: {} } })

test('methods are named after their operation; on a collision the later one keeps its full name', () => {
  const operations = readOperations(
    documentOf({
      '/api/v1/a': { get: operation('listWebHooks'), post: operation('createWebHook'), parameters: [] },
      '/api/v1/b': { get: operation('listWebHook'), post: operation('rollWebHookSecret') },
      '/api/v1/c': { get: operation('webHooks'), put: operation('webHooksOff') },
    }),
  )
  assert.deepEqual(
    operations.map(({ resource, name }) => `${resource}.${name}`),
    ['list', 'create', 'listWebHook', 'rollSecret', 'webHooks', 'webHooksOff'].map((name) => `webHooks.${name}`),
  )
})

test('the document says which operations may be retried', () => {
  const key = { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }
  const operations = readOperations(
    documentOf({
      '/api/v1/a': { get: operation('a'), post: operation('b', key) },
      '/api/v1/search': { post: operation('c') },
      '/api/v1/auth/password': { post: operation('d') },
      '/api/v1/invitations/accept': { post: operation('e', { security: [] }) },
    }),
  )
  assert.deepEqual(
    operations.map(({ repeat }) => repeat),
    ['safe', 'keyed', 'safe', 'unsafe', 'unsafe'],
  )
})

test('streams, files and bodies with a query are distinguished', () => {
  const answers = (type: string) => ({ responses: { 200: { content: { [type]: { schema: { type: 'string' } } } } } })
  const limit = { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }
  const document = documentOf({
    '/api/v1/stream': { get: operation('streamEvents', answers('text/event-stream')) },
    '/api/v1/{x_id}/pdf': { get: operation('exportPdf', answers('application/pdf')) },
    '/api/v1/x': {
      post: operation('make', {
        parameters: [limit],
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
      }),
    },
  })
  const operations = readOperations(document)
  const written = writeOperations(operations)
  assert.match(written, /streamEvents\(options\?: StreamOptions\): EventStream/)
  assert.match(written, /exportPdf\(x_id: string, options\?: Options\): Promise<Response>/)
  assert.match(written, /make\(body\?: api\.MakeBody, options: OptionsWithQuery<api\.MakeQuery>\): Promise<string>/)
  assert.match(written, /streamEvents: \{ method: 'GET', path: '\/stream', answer: 'events', repeat: 'safe' \}/)
  assert.doesNotMatch(written, /CursorPage/)
  assert.match(writeTypes(document, operations), /export interface MakeQuery \{\n {2}limit: number\n\}/)
})
