import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '../platform/http/openapi-schemas.ts'
import { type CallAs, startTestApp } from '../testing/app.ts'
import { demoRecords } from '../testing/demo-records.ts'
import {
  addressOf,
  type DocumentedOperation,
  examplesIn,
  filledIn,
  operationsOf,
  parametersOf,
  resolve,
} from '../testing/documented-requests.ts'

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
await app.listen()
const demo = await demoRecords(app)
const { body: document } = await app.call('GET', 'openapi.json')

/**
 * As written in JSON and query strings: beyond `integer`, beyond JavaScript's safe integers, beyond `bigint`, nearly
 * infinite.
 */
const extremes = ['2147483648', '9007199254740992', '9223372036854775808', '1e308', '-1', '-2147483649']

const isNumber = (schema: JsonSchema) => [schema.type].flat().some((type) => type === 'integer' || type === 'number')

/** The path of one number in a body; a list is written as `[]`. */
interface Place {
  path: string[]
  schema: JsonSchema
}

function numbersIn(schema: JsonSchema, path: string[] = []): Place[] {
  const own = resolve(document, schema)
  const below = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])].flatMap((each) =>
    numbersIn(each, path),
  )
  return [
    ...(isNumber(own) ? [{ path, schema: own }] : []),
    ...below,
    ...Object.entries((own.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, member]) =>
      numbersIn(member, [...path, name]),
    ),
    ...(own.items ? numbersIn(own.items, [...path, '[]']) : []),
  ]
}

/** A marker that is replaced by the number in the serialized body: JSON.stringify would round it. */
const marker = 'the number'

/** The example with the marker at this path; a list element that the example lacks gets its required members. */
function withMarker(example: unknown, schema: JsonSchema, [name, ...rest]: string[]): unknown {
  if (name === undefined) return marker
  const own = concrete(schema)
  if (name === '[]') {
    const [first] = Array.isArray(example) && example.length > 0 ? example : [requiredOf(concrete(own.items))]
    return [withMarker(first, own.items, rest)]
  }
  const members = (example ?? {}) as Record<string, unknown>
  return { ...members, [name]: withMarker(members[name], own.properties[name], rest) }
}

const concrete = (schema: JsonSchema): JsonSchema => {
  const own = resolve(document, schema)
  return own.anyOf ? resolve(document, own.anyOf[0]) : own
}

const requiredOf = ({ required = [], properties = {} }: JsonSchema) =>
  Object.fromEntries(
    required.map((name: string) => {
      const { examples, enum: words } = resolve(document, properties[name])
      return [name, examples?.[0] ?? words?.[0] ?? 'x']
    }),
  )

const operations = operationsOf(document)
const credential: CallAs = (method, path, ...rest) =>
  (path.startsWith('/api/v1/operator/') ? demo.owner : demo).call(method, path, ...rest)

function check(
  answer: { status: number; text: string },
  { path }: DocumentedOperation,
  schema: JsonSchema,
  value: string,
  what: string,
) {
  const number = Number(value)
  const isAllowed = number >= (schema.minimum ?? -Infinity) && number <= (schema.maximum ?? Infinity)
  assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text}`)
  const refused = path.startsWith('/api/v1/agents') ? 400 : 422
  if (!isAllowed) assert.equal(answer.status, refused, `${what}: ${answer.text}`)
}

test('every number in a request has bounds that its column can hold', () => {
  for (const each of operations) {
    const places = [...parametersOf(each, 'path'), ...parametersOf(each, 'query')].flatMap(({ name, schema }) =>
      numbersIn(schema, [name]),
    )
    for (const { schema } of Object.values((each.operation.requestBody?.content ?? {}) as Record<string, JsonSchema>))
      places.push(...numbersIn(schema))
    for (const { path, schema } of places) {
      const what = `${each.id} ${path.join('.')}`
      assert.ok(schema.minimum >= -(2 ** 31) && schema.maximum < 2 ** 31, `${what} is between two bounds`)
    }
  }
})

test('no number in a query causes a 500', async () => {
  let sent = 0
  for (const each of operations)
    for (const { name, schema } of parametersOf(each, 'query').filter((parameter) => isNumber(parameter.schema)))
      for (const value of [...extremes, String(schema.minimum), String(schema.maximum)]) {
        const address = `${addressOf(each, demo.ids)}&${name}=${value}`
        check(await credential(each.method, address), each, schema, value, `${each.method} ${address}`)
        sent++
      }
  assert.ok(sent > 200)
})

test('no number in a body causes a 500, however deeply it is nested', async () => {
  let sent = 0
  for (const each of operations) {
    const { schema, ...media } = each.operation.requestBody?.content['application/json'] ?? {}
    const [example] = examplesIn(media)
    for (const place of schema ? numbersIn(schema) : [])
      for (const value of [...extremes, String(place.schema.minimum), String(place.schema.maximum)]) {
        const body = JSON.stringify(withMarker(filledIn(example, demo.ids), schema, place.path)).replace(
          `"${marker}"`,
          value,
        )
        const answer = await credential(each.method, addressOf(each, demo.ids), body)
        check(answer, each, place.schema, value, `${each.id} ${body}`)
        sent++
      }
  }
  assert.ok(sent > 100)
})

test('a number in place of an id answers 404', async () => {
  for (const each of operations)
    for (const { name } of parametersOf(each, 'path').filter(({ schema }) => schema.format === 'uuid'))
      for (const value of extremes) {
        const address = addressOf(each, { ...demo.ids, [name]: value })
        const answer = await credential(each.method, address)
        assert.ok(
          answer.status >= 400 && answer.status < 500,
          `${each.method} ${address}: ${answer.status} ${answer.text}`,
        )
      }
})
