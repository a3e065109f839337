import type { AppError } from '../errors.ts'
import { createErrorBook, type ErrorBook } from './openapi-errors.ts'
import { exampleOf } from './openapi-examples.ts'
import { fillInSentence, type IdSources, membersToFillIn, wordsFor } from './openapi-fill-in.ts'
import { createSchemaBook, hasDefault, type JsonSchema, type SchemaBook } from './openapi-schemas.ts'
import type { Documented } from './operation.ts'
import { anyScope } from './principal.ts'
import { prefix } from './routes.ts'

/** Content of the document besides its operations; the platform knows no feature's nouns. */
export interface About {
  title: string
  version: string
  description: string
  serverUrl: string
  /** Name of the cookie that signs the console in. */
  cookie: string
  /** Description of each tag, in display order. */
  tags: Record<string, string>
  /** Where callers find the ids that examples cannot contain. */
  ids: IdSources
  /** Replaces examples of `openapi-refusals.ts`, by their names. */
  errorExamples: Record<string, AppError>
}

/**
 * The OpenAPI 3.1 document of these operations, from the same schemas that validate requests and serialize responses.
 */
export function buildOpenApi(operations: readonly Documented[], about: About): JsonSchema {
  const schemas = createSchemaBook()
  const errors = createErrorBook(schemas, about.errorExamples)
  const paths: Record<string, JsonSchema> = {}
  // Responses first: they keep the plain names where a request has a variant of the same schema.
  for (const { response } of operations) schemas.write(response, 'response')
  for (const operation of operations) {
    const url = prefix + operation.url
    paths[url] ??= {}
    paths[url][operation.method.toLowerCase()] = describeOperation(operation, { schemas, errors, ids: about.ids })
  }
  const used = new Set(operations.map(({ tag }) => tag))
  for (const tag of used) if (!about.tags[tag]) throw new Error(`the tag ${tag} has no description`)
  const document = {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.serverUrl }],
    security: [{ bearer: [] }, { cookie: [] }],
    tags: Object.entries(about.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: securitySchemes(about.cookie),
      parameters,
      headers,
      responses: sorted(errors.components),
      schemas: sorted(schemas.components),
    },
  }
  return withoutUnused(document)
}

interface DocumentParts {
  schemas: SchemaBook
  errors: ErrorBook
  ids: IdSources
}

function describeOperation(operation: Documented, { schemas, errors, ids }: DocumentParts): JsonSchema {
  const { id, summary, tag, open, scope, narrowerScope, body, form } = operation
  return {
    operationId: id,
    summary,
    description: descriptionOf(operation),
    tags: [tag],
    ...(open ? { security: [] } : { 'x-required-scope': scope }),
    ...(narrowerScope && { 'x-narrower-scope': narrowerScope }),
    parameters: parametersOf(operation, schemas, ids),
    ...((body || form) && { requestBody: requestBodyOf(operation, schemas, ids) }),
    responses: { ...successesOf(operation, schemas), ...errors.responsesOf(operation) },
  }
}

function descriptionOf(operation: Documented): string {
  const { description, open, scope, peopleOnly, narrowerScope, rateLimit, secrets = [], idempotent } = operation
  const shownOnce = secrets.map((name) => `\`${name}\``).join(' and ')
  const sentences = [
    description,
    open
      ? 'Needs no credential.'
      : scope === anyScope
        ? peopleOnly
          ? 'For people who are signed in. API keys get 403.'
          : 'Accepts any valid credential.'
        : `Required scope: \`${scope}\`${narrowerScope ? ` or \`${narrowerScope}\`` : ''}.`,
    rateLimit && `Limited to ${rateLimit.perMinute} requests per minute.`,
    idempotent && shownOnce && `A replay by \`Idempotency-Key\` has null in place of ${shownOnce}.`,
  ]
  return sentences.filter(Boolean).join('\n\n')
}

function parametersOf(
  { params, query, open, idempotent }: Documented,
  schemas: SchemaBook,
  ids: IdSources,
): JsonSchema[] {
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...members(params).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      description: describeParameter(
        schema,
        `Id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`,
        wordsFor(schema, name, ids),
      ),
      schema: parameterSchema(schema, schemas),
      example: exampleOf(schema, name),
    })),
    ...members(query).map(([name, schema]) => {
      const required = isRequired(query as JsonSchema, name)
      return {
        name,
        in: 'query',
        required,
        description: describeParameter(
          schema,
          `Return only records with this ${name.replaceAll('_', ' ')}`,
          wordsFor(schema, name, ids),
        ),
        schema: parameterSchema(schema, schemas),
        ...(required ? { example: exampleOf(schema, name) } : suggestion(schema.examples?.[0] ?? schema.enum?.[0])),
      }
    }),
    ...(idempotent ? [shared('IdempotencyKey')] : []),
    ...(open ? [] : [shared('OrganizationId'), shared('XOrganizationId'), shared('Mode')]),
  ]
}

const describeParameter = ({ description }: JsonSchema, usual: string, source?: string): string =>
  source === undefined ? (description ?? usual) : `${description ?? usual} (${source})`

const members = (schema: object | undefined): [string, JsonSchema][] =>
  Object.entries((schema as JsonSchema | undefined)?.properties ?? {})

const isRequired = (schema: JsonSchema, name: string) => schema.required?.includes(name) && !hasDefault(schema, name)

const parameterSchema = ({ description: _, examples: __, ...schema }: JsonSchema, schemas: SchemaBook) =>
  schemas.write(schema as never, 'request')

/** An example that /docs shows without sending it: optional parameters stay disabled until the reader enables them. */
const suggestion = (value: unknown) =>
  value === undefined ? {} : { examples: { default: { value, 'x-disabled': true } } }

function requestBodyOf({ body, form }: Documented, schemas: SchemaBook, ids: IdSources): JsonSchema {
  const toFillIn = [body, form].flatMap((schema) => [
    ...(schema ? membersToFillIn(schema as JsonSchema, exampleOf(schema as JsonSchema), ids) : []),
  ])
  const description = fillInSentence(new Map(toFillIn))
  const media = (schema: JsonSchema) => ({
    schema: schemas.write(schema as never, 'request'),
    ...examplesOf(schema),
  })
  return {
    ...(description && { description }),
    required: ((form ?? body) as JsonSchema).default === undefined,
    content: {
      ...(body && { 'application/json': media(body as JsonSchema) }),
      ...(form && { 'multipart/form-data': media(form as JsonSchema) }),
    },
  }
}

/** Several examples are named by what distinguishes them: their last member. */
function examplesOf(schema: JsonSchema): JsonSchema {
  const all = (schema.examples ?? []) as object[]
  if (all.length < 2) return { example: exampleOf(schema) }
  return { examples: Object.fromEntries(all.map((value) => [Object.keys(value).at(-1), { value }])) }
}

const meanings: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted. Processing continues in the background',
}

function successesOf(operation: Documented, schemas: SchemaBook): Record<string, JsonSchema> {
  const { status = 200, otherStatus, contentType = 'application/json', response, idempotent } = operation
  const names = ['X-Request-Id', ...(idempotent ? ['Idempotent-Replayed'] : [])]
  const success = (description: string) => ({
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      [contentType]: { schema: schemas.write(response, 'response'), example: exampleOf(response as JsonSchema) },
    },
  })
  return {
    [status]: success(meanings[status] as string),
    ...(otherStatus && { [otherStatus]: success('The record already exists') }),
    // An operation that can answer 416 also serves ranges and sends an ETag.
    ...(operation.errors?.includes(416) && {
      206: success('The requested range'),
      304: { description: 'Not modified: the content matches `If-None-Match`' },
    }),
  }
}

const uuid = { type: 'string', format: 'uuid' }
const organization =
  'The organization to act in, for people who belong to several. Optional with a key; if you send it, it must be the key’s own organization.'

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe. For 24 hours, the same key with the same request returns the first response; the same key with a different request is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    ...suggestion('order-1042'),
  },
  OrganizationId: { name: 'organization_id', in: 'header', description: organization, schema: uuid },
  XOrganizationId: {
    name: 'X-Organization-Id',
    in: 'header',
    description: 'Same as `organization_id`, for proxies that drop headers with an underscore.',
    schema: uuid,
  },
  Mode: {
    name: 'X-Mode',
    in: 'header',
    description: 'The mode a person acts in: live by default. A key already has its mode.',
    schema: { type: 'string', enum: ['test', 'live'] },
    ...suggestion('test'),
  },
}

const seconds = { type: 'integer', minimum: 1, maximum: 60 }
const headers = {
  'X-Request-Id': {
    description: 'Identifies this request in the log; echoes the request’s own `X-Request-Id` if it has one',
    schema: { type: 'string' },
    example: '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d',
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750)',
    schema: { type: 'string' },
    example: 'Bearer realm="frontdesk"',
  },
  'Retry-After': { description: 'Seconds to wait before retrying', schema: seconds, example: 60 },
  'RateLimit-Limit': { description: 'Requests allowed per minute', schema: { type: 'integer' }, example: 6000 },
  'RateLimit-Remaining': { description: 'Requests left in this minute', schema: { type: 'integer' }, example: 0 },
  'RateLimit-Reset': { description: 'Seconds until the next minute starts', schema: seconds, example: 60 },
}

const securitySchemes = (cookie: string) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`svc_sk_test_…` or `svc_sk_live_…`), or the access token of a signed-in person.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookie,
    description:
      'The session cookie of the console. Ignored if there is an `Authorization` header; writes also need the header `X-Frontdesk`.',
  },
})

/** Drops shared components that no operation references. */
function withoutUnused(document: JsonSchema): JsonSchema {
  for (const kind of ['parameters', 'headers'])
    document.components[kind] = Object.fromEntries(
      Object.entries(document.components[kind]).filter(([name]) =>
        JSON.stringify(document).includes(`"#/components/${kind}/${name}"`),
      ),
    )
  return document
}

const sorted = (members: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
