import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Type from 'typebox'
import { lintOpenApi } from '../../docs/lint-openapi.ts'
import { agentErrors } from '../../features/agents/error-shape.ts'
import { callErrors } from '../../features/calls/error-shape.ts'
import { sharedTestApp } from '../../testing/app.ts'
import { examplesIn } from '../../testing/documented-requests.ts'
import { isUuid } from '../ids.ts'
import { parseInstant } from '../instants.ts'
import { errorShapeOf } from './error-shape.ts'
import { type About, buildOpenApi } from './openapi.ts'
import type { JsonSchema } from './openapi-schemas.ts'
import type { Documented } from './operation.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const { body: document, headers } = await app.call('GET', 'openapi.json')

const operations = Object.entries(document.paths as Record<string, JsonSchema>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

function resolve(schema: JsonSchema): JsonSchema {
  if (!schema.$ref) return schema
  return schema.$ref
    .slice(2)
    .split('/')
    .reduce((part: JsonSchema, name: string) => part[name], document)
}

/** The document's schemas with additional properties forbidden: an undocumented member fails the test. */
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('uuid', isUuid)
ajv.addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
ajv.addFormat('email', /@/)
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('binary', true)
ajv.addSchema(closed(document), 'document')

function closed(part: unknown): object {
  if (Array.isArray(part)) return part.map((each) => (typeof each === 'object' && each ? closed(each) : each))
  const copy = Object.fromEntries(
    Object.entries(part as JsonSchema).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? closed(value) : value,
    ]),
  )
  return copy.type === 'object' && copy.properties ? { ...copy, additionalProperties: false } : copy
}

const pointerTo = (...names: string[]) =>
  `document#/${names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

function assertFits(value: unknown, pointer: string, what: string): void {
  const check = ajv.getSchema(pointer)
  assert.ok(check, `${pointer} is in the document`)
  assert.ok(check(value), `${what}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`)
}

/** Pointer to the schema of this response, through the component that it may reference. */
function schemaOfAnswer(path: string, method: string, status: number): string {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
  assert.ok(response, `${method} ${path} documents its ${status}`)
  const place = response.$ref
    ? response.$ref.slice(2).split('/')
    : ['paths', path, method.toLowerCase(), 'responses', String(status)]
  return pointerTo(...place, 'content', Object.keys(resolve(response).content)[0] as string, 'schema')
}

// `npm run check` lints the whole document, which takes six seconds of CPU time.
test('a lint warning fails the check, also for ambiguous paths', async () => {
  const responses = { 200: { description: 'Done' }, 400: { description: 'Refused' } }
  const get = (operationId: string, name: string) => {
    const parameters = [{ name, in: 'path', required: true, schema: { type: 'string' } }]
    return { get: { operationId, summary: 'Get it', tags: ['Contacts'], parameters, responses } }
  }
  const paths = {
    '/api/v1/contacts/{contact_id}/notes': get('getContactNotes', 'contact_id'),
    '/api/v1/contacts/exports/{export_id}': get('getContactExport', 'export_id'),
  }
  const { securitySchemes } = document.components
  // Without its own paths and their schemas: linting them takes seconds.
  const [problem, ...more] = await lintOpenApi({ ...document, paths, components: { securitySchemes } })
  assert.match(problem ?? '', /^warn no-ambiguous-paths: /)
  assert.deepEqual(more, [])
})

test('the document may be cached and is not sent again while it is unchanged', async () => {
  assert.match(String(headers['cache-control']), /public, max-age=\d+/)
  const again = await app.call('GET', 'openapi.json', undefined, { 'if-none-match': String(headers.etag) })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
})

test('every route under /api/v1 is in the document, and nothing else', () => {
  const documented = operations.map(({ path, method }) => `${method} ${path}`)
  assert.deepEqual(registeredRoutes().sort(), documented.sort())
})

function registeredRoutes(): string[] {
  const above: string[] = []
  return app.server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods] = /^([│\s]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      if (indent === undefined || part === undefined) return []
      const depth = indent.length / 4
      above.length = depth
      above.push(part)
      const path = above.join('').replace(/:(\w+)/g, '{$1}')
      if (!path.startsWith('/api/v1/')) return []
      const own = (methods ?? '').split(', ').filter((method) => method && method !== 'HEAD' && method !== 'OPTIONS')
      return own.map((method) => `${method} ${path}`)
    })
}

test('every operation documents its scope, input and output, with complete and valid examples', () => {
  assert.equal(document.openapi, '3.1.0')
  const ids = new Set(operations.map(({ operation }) => operation.operationId))
  assert.equal(ids.size, operations.length)
  for (const { path, method, operation } of operations) {
    const what = `${method} ${path}`
    assert.ok(operation.summary && operation.description && operation.tags.length === 1, what)
    const isOpen = operation.security?.length === 0
    if (!isOpen) {
      const scope = operation['x-required-scope']
      const forAll = /any valid credential|For people who are signed in/
      assert.match(operation.description, scope === 'any' ? forAll : new RegExp(`\`${scope}\``), what)
      for (const status of [400, 401, 429]) assert.ok(operation.responses[status], `${what} ${status}`)
      const { required_scope } = resolve(operation.responses[403] ?? {}).content?.['application/json'].examples
        .insufficient_scope?.value.error ?? { required_scope: 'any' }
      assert.equal(required_scope, scope, what)
    }
    for (const [place, part] of [
      ...Object.keys(operation.responses)
        .filter((status) => Number(status) < 300)
        .map((status) => [['responses', status], operation.responses[status]] as const),
      ...(operation.requestBody ? [[['requestBody'], operation.requestBody] as const] : []),
    ])
      for (const [type, media] of Object.entries(part.content as Record<string, JsonSchema>)) {
        const pointer = pointerTo('paths', path, method.toLowerCase(), ...place, 'content', type, 'schema')
        for (const example of examplesIn(media)) {
          assert.notEqual(example, undefined, `${what} ${place.join(' ')} has an example`)
          assertFits(example, pointer, `${what} ${place.join(' ')}`)
        }
      }
  }
})

test('every error response is documented with examples of its exact shape', () => {
  for (const [name, response] of Object.entries(document.components.responses as Record<string, JsonSchema>)) {
    assert.ok(response.headers['X-Request-Id'])
    const { examples } = response.content['application/json']
    for (const { value } of Object.values(examples as Record<string, JsonSchema>))
      assertFits(value, pointerTo('components', 'responses', name, 'content', 'application/json', 'schema'), name)
  }
  assert.deepEqual(Object.keys(document.components.responses.RateLimited.headers).sort(), [
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'X-Request-Id',
  ])
})

test('internal keywords are not in the document', () => {
  assert.doesNotMatch(JSON.stringify(document), /maxDepth|~kind|~optional/)
})

test('the API’s responses match the document', async () => {
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const phone_number = '+14155550142'
  const contact = (await acme.call('POST', 'contacts', { phone_number, name: 'Ada', custom_fields: { a: { b: 1 } } }))
    .body
  const chat = {
    phone_number_id: '1',
    business_account_id: '2',
    access_token: 'a',
    app_secret: 'b',
    verify_token: 'c',
  }
  const channel = (await acme.call('POST', 'channels', { phone_number, chat })).body
  const task = (await acme.call('POST', 'crm/tasks', { contact_id: contact.id, title: 'Call' })).body
  const json = { 'content-type': 'application/json' }
  const calls: [number, string, string, string?, unknown?, Record<string, string>?][] = [
    [200, 'GET', '/me'],
    [200, 'GET', '/organization'],
    [200, 'GET', '/keys'],
    [201, 'POST', '/keys', '/keys', { name: 'x', scopes: ['contacts:read'], mode: 'test' }],
    [200, 'GET', '/members'],
    [200, 'GET', '/contacts'],
    [200, 'GET', '/contacts/{contact_id}', `/contacts/${contact.id}`],
    [200, 'PATCH', '/contacts/{contact_id}', `/contacts/${contact.id}`, { stage: 'engaged' }],
    [200, 'POST', '/contacts', '/contacts?on_conflict=return', { phone_number }],
    [201, 'POST', '/contacts', '/contacts', { phone_number: '+14155550143' }],
    [201, 'POST', '/contacts/{contact_id}/activities', `/contacts/${contact.id}/activities`, { note: 'x' }],
    [200, 'GET', '/contacts/{contact_id}/activities', `/contacts/${contact.id}/activities`],
    [200, 'GET', '/crm/tasks'],
    [200, 'GET', '/crm/tasks/{task_id}', `/crm/tasks/${task.id}`],
    [200, 'DELETE', '/crm/tasks/{task_id}', `/crm/tasks/${task.id}`],
    [200, 'GET', '/crm/dashboard'],
    [200, 'GET', '/events'],
    [200, 'GET', '/channels'],
    [200, 'GET', '/channels/{channel_id}', `/channels/${channel.id}`],
    [200, 'PATCH', '/channels/{channel_id}', `/channels/${channel.id}`, { chat: null }],
    [400, 'GET', '/contacts', '/contacts', undefined, { organization_id: 'x' }],
    [400, 'POST', '/contacts', '/contacts', '{'],
    [401, 'GET', '/contacts', '/contacts', undefined, { authorization: 'Bearer nonsense' }],
    [404, 'GET', '/channels/{channel_id}', '/channels/nonsense'],
    [409, 'POST', '/contacts', '/contacts', { phone_number }],
    [413, 'POST', '/contacts', '/contacts', { phone_number, notes: 'x'.repeat(1024 * 1024) }],
    [415, 'POST', '/contacts', '/contacts', 'x', { 'content-type': 'text/plain' }],
    [422, 'POST', '/contacts', '/contacts', {}, json],
    [422, 'GET', '/contacts', '/contacts?limit=0'],
  ]
  for (const [status, method, path, url = path, body, headers] of calls) {
    const answer = await acme.call(method, `/api/v1${url}`, body, headers)
    assert.equal(answer.status, status, `${method} ${url}: ${answer.text}`)
    assert.ok(answer.headers['x-request-id'])
    assertFits(answer.body, schemaOfAnswer(`/api/v1${path}`, method, status), `${method} ${url}`)
  }
  const forbidden = await reader('POST', 'contacts', { phone_number })
  assert.equal(forbidden.status, 403)
  assertFits(forbidden.body, schemaOfAnswer('/api/v1/contacts', 'POST', 403), 'a missing scope')
})

test('a 429 response matches the document, headers included', async () => {
  const slow = await app.node({ RATE_LIMIT_PER_MINUTE: 1 })
  const organization = await slow.organization()
  await organization.call('GET', 'contacts')
  const answer = await organization.call('GET', 'contacts')
  assert.equal(answer.status, 429)
  assertFits(answer.body, schemaOfAnswer('/api/v1/contacts', 'GET', 429), 'rate limit')
  for (const name of Object.keys(document.components.responses.RateLimited.headers))
    assert.ok(answer.headers[name.toLowerCase()] !== undefined, name)
  assert.equal(answer.headers['ratelimit-limit'], '1')
  assert.equal(answer.headers['retry-after'], String(answer.body.retry_after))
})

const about: About = {
  title: 'Test',
  version: '1',
  description: '',
  serverUrl: '/',
  cookie: 'cookie',
  tags: { Things: 'Things' },
  ids: {},
  errorExamples: {},
}
const Thing = Type.Object({ id: Type.String(), size: Type.Integer({ default: 3 }) }, { title: 'Thing' })
const operation = (url: string, more: Partial<Documented> = {}): Documented => ({
  id: url,
  method: 'POST',
  url,
  tag: 'Things',
  summary: 'Test',
  scope: 'things:write',
  response: Type.Object({ ok: Type.Boolean() }),
  ...more,
})

test('agents and calls document their own error shapes', () => {
  const { paths, components } = buildOpenApi(
    ['/agents', '/call-logs', '/calls', '/things'].map((url) =>
      operation(url, { body: Thing, errorShape: errorShapeOf([agentErrors, callErrors], url) }),
    ),
    about,
  )
  const refusal = (url: string, status: number) => {
    const { $ref } = paths[`/api/v1${url}`].post.responses[status] ?? {}
    return $ref && components.responses[$ref.split('/').at(-1)].content['application/json']
  }
  assert.equal(refusal('/agents', 422), undefined)
  assert.deepEqual(refusal('/agents', 400).schema, { $ref: '#/components/schemas/AgentError' })
  assert.equal(refusal('/agents', 400).examples.faults.value.error, 400)
  assert.deepEqual(refusal('/agents', 500).examples.fault.value, { error: 500, message: 'Internal Server Error' })
  assert.equal(refusal('/agents', 401).examples.unauthorized.value.error, 401)
  assert.equal(refusal('/agents', 403).examples.insufficient_scope.value.error.required_scope, 'things:write')
  assert.equal(refusal('/agents', 429).examples.rate_limited.value.error, 'rate_limit_exceeded')
  for (const url of ['/calls', '/call-logs'])
    assert.equal(refusal(url, 401).examples.unauthorized.value.detail, 'Could not validate credentials')
  assert.equal(refusal('/calls', 422), refusal('/things', 422))
  assert.equal(refusal('/things', 401).examples.unauthorized.value.detail, 'Unauthorized')
})

test('members with a default are optional in requests and required in responses', () => {
  const { paths, components } = buildOpenApi([operation('/things', { body: Thing, response: Thing })], about)
  const { requestBody, responses } = paths['/api/v1/things'].post
  const schemaOf = ({ content }: JsonSchema) =>
    components.schemas[content['application/json'].schema.$ref.split('/').at(-1)]
  assert.deepEqual(schemaOf(responses[200]).required, ['id', 'size'])
  assert.deepEqual(schemaOf(requestBody).required, ['id'])
})

test('forms and files have their own content types', () => {
  const { paths } = buildOpenApi(
    [
      operation('/things', { form: Type.Object({ file: Type.String({ format: 'binary' }) }), status: 202 }),
      operation('/either', { form: Type.Object({ file: Type.String({ format: 'binary' }) }), body: Thing }),
      operation('/things/export', { method: 'GET', contentType: 'text/csv', response: Type.String() }),
    ],
    about,
  )
  const either = paths['/api/v1/either'].post.requestBody
  assert.deepEqual(Object.keys(either.content), ['application/json', 'multipart/form-data'])
  const { requestBody, responses } = paths['/api/v1/things'].post
  assert.deepEqual(Object.keys(requestBody.content), ['multipart/form-data'])
  assert.ok(responses[202] && responses[413] && responses[415] && responses[422])
  assert.deepEqual(Object.keys(paths['/api/v1/things/export'].get.responses[200].content), ['text/csv'])
})

test('an inconsistent document is not written', () => {
  const other = Type.Object({ other: Type.String() }, { title: 'Thing' })
  assert.throws(
    () => buildOpenApi([operation('/a', { response: Thing }), operation('/b', { response: other })], about),
    /title Thing/,
  )
  assert.throws(() => buildOpenApi([operation('/a', { tag: 'Unknown' })], about), /tag Unknown/)
  assert.throws(() => buildOpenApi([operation('/a', { errors: [418] })], about), /418/)
})
