import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { type Reply, sharedTestApp } from '../../testing/app.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const { body: ada } = await acme.call('POST', 'contacts', { phone_number: '+14155550100', name: 'Ada' })

/** Every operation with a body, and a valid body for it. */
const operations: [string, string, Record<string, unknown>][] = [
  ['POST', 'contacts', { phone_number: '+14155550199' }],
  ['PUT', `contacts/${ada.id}`, {}],
  ['PATCH', `contacts/${ada.id}`, {}],
  ['POST', `contacts/${ada.id}/activities`, {}],
  ['POST', `contacts/${ada.id}/handoff`, { to: 'ai' }],
]

const state = async () => [
  (await acme.call('GET', 'contacts')).text,
  (await acme.call('GET', `contacts/${ada.id}/activities`)).text,
]
const before = await state()

/** Refused with a location in the body; after all of them nothing has changed. */
function assertFault({ status, body, text }: Reply, loc: string[], about: string): void {
  assert.equal(status, 422, `${about}: ${text}`)
  const places = body.detail.map((fault: { loc: string[] }) => fault.loc.slice(0, loc.length).join('.'))
  assert.ok(places.includes(loc.join('.')), `${about}: ${text}`)
  for (const fault of body.detail) {
    assert.deepEqual(Object.keys(fault).sort(), ['loc', 'msg', 'type'])
    assert.ok(fault.loc.every((part: unknown) => typeof part === 'string'))
  }
}

test('malformed JSON is 400, a missing or foreign body 422 or 415', async () => {
  for (const [method, path] of operations) {
    for (const text of ['{', '{"a":}', 'nonsense', '{"a":1}}', '\ufeff\ufeff{}', "{'a':1}"]) {
      const answer = await acme.call(method, path, text)
      assert.equal(answer.status, 400, `${method} ${path} ${text}`)
      assert.equal(typeof answer.body.detail, 'string')
    }
    const broken = await acme.call(method, path, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
    assert.equal(broken.status, 400, 'not UTF-8')
    for (const value of [[], 'text', 1, true, null]) {
      const answer = await acme.call(method, path, JSON.stringify(value))
      assertFault(answer, ['body'], `${method} ${path} ${JSON.stringify(value)}`)
    }
    assert.equal((await acme.call(method, path, '')).status, 422)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])
      assert.equal((await acme.call(method, path, '{}', { 'content-type': type })).status, 415, type)
  }
})

test('each member of the wrong type is refused with its location', async () => {
  const wrong: Record<string, unknown[]> = {
    phone_number: [1, true, [], {}, '', 'abc', '12', '+1', `+${'1'.repeat(80)}`, '4155550100'],
    name: [1, true, [], {}, 'x'.repeat(256)],
    tags: [
      'vip',
      1,
      {},
      [1],
      [null],
      [['a']],
      [''],
      ['x'.repeat(101)],
      Array.from({ length: 1000 }, (_, i) => `t${i}`),
    ],
    notes: [1, true, [], {}, 'x'.repeat(65_537)],
    custom_fields: ['x', 1, true, [], [{}]],
  }
  const more: Record<string, unknown[]> = {
    stage: [1, true, [], {}, 'unknown', '', 'New'],
    ai_handling: ['true', 1, 0, [], {}, 'yes'],
  }
  const activity: Record<string, unknown[]> = {
    type: [1, true, [], {}, 'unknown', ''],
    note: [1, true, [], {}, 'x'.repeat(65_537)],
    payload: ['x', 1, true, []],
  }
  const handoff: Record<string, unknown[]> = {
    to: [1, null, [], {}, 'robot', '', undefined],
    reason: [1, true, [], {}, 'x'.repeat(2001)],
  }
  const members = [{ ...wrong, ...more }, wrong, { ...wrong, ...more }, activity, handoff]
  for (const [at, [method, path, good]] of operations.entries())
    for (const [name, values] of Object.entries(members[at] as Record<string, unknown[]>))
      for (const value of values) {
        const answer = await acme.call(method, path, { ...good, [name]: value })
        assertFault(answer, ['body', name], `${method} ${name} ${JSON.stringify(value)?.slice(0, 60)}`)
      }
  assertFault(await acme.call('POST', 'contacts', {}), ['body', 'phone_number'], 'missing')
  assertFault(await acme.call('POST', 'contacts', { phone_number: null }), ['body', 'phone_number'], 'null')
})

test('null is refused on update for members that cannot be empty', async () => {
  for (const method of ['PUT', 'PATCH'])
    for (const name of ['name', 'phone_number', 'tags', 'notes', 'custom_fields'])
      assertFault(await acme.call(method, `contacts/${ada.id}`, { [name]: null }), ['body', name], `${method} ${name}`)
  for (const name of ['stage', 'ai_handling'])
    assertFault(await acme.call('PATCH', `contacts/${ada.id}`, { [name]: null }), ['body', name], name)
})

test('all faults of a body are reported at once', async () => {
  const answer = await acme.call('POST', 'contacts', { phone_number: 1, name: 2, tags: [3, ''], stage: 'x' })
  const places = answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()
  assert.deepEqual(places, ['body.name', 'body.phone_number', 'body.stage', 'body.tags.0', 'body.tags.1'])
})

test('NUL characters and lone surrogates are refused everywhere, also in keys', async () => {
  for (const evil of ['\\u0000', 'a\\u0000b', '\\ud800', 'x\\udc00', '\\ud83d\\ud83d']) {
    const bodies: [string, string, string, string[]][] = [
      ['POST', 'contacts', `{"phone_number":"+14155550198","name":"${evil}"}`, ['body', 'name']],
      ['POST', 'contacts', `{"phone_number":"${evil}"}`, ['body', 'phone_number']],
      ['PUT', `contacts/${ada.id}`, `{"tags":["ok","${evil}"]}`, ['body', 'tags', '1']],
      ['PATCH', `contacts/${ada.id}`, `{"notes":"${evil}"}`, ['body', 'notes']],
      [
        'PUT',
        `contacts/${ada.id}`,
        `{"custom_fields":{"a":{"b":["${evil}"]}}}`,
        ['body', 'custom_fields', 'a', 'b', '0'],
      ],
      ['PUT', `contacts/${ada.id}`, `{"custom_fields":{"${evil}":1}}`, ['body', 'custom_fields']],
      ['POST', `contacts/${ada.id}/activities`, `{"note":"${evil}"}`, ['body', 'note']],
      ['POST', `contacts/${ada.id}/activities`, `{"payload":{"k":"${evil}"}}`, ['body', 'payload', 'k']],
      ['POST', `contacts/${ada.id}/handoff`, `{"to":"human","reason":"${evil}"}`, ['body', 'reason']],
    ]
    for (const [method, path, body, loc] of bodies)
      assertFault(await acme.call(method, path, body), loc, `${path} ${body}`)
  }
  const fine = await acme.call('PUT', `contacts/${ada.id}`, '{"name":"\\ud83d\\ude00 \\\\u0000"}')
  assert.deepEqual([fine.status, fine.body.name], [200, '😀 \\u0000'])
  await acme.call('PUT', `contacts/${ada.id}`, { name: 'Ada' })
})

test('a thousand levels of nesting are refused with a location, and a hundred thousand do no harm', async () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  for (const depth of [1000, 100_000]) {
    for (const deep of [nested(depth), `{"a":${lists(depth)}}`]) {
      assertFault(
        await acme.call('POST', 'contacts', `{"phone_number":"+14155550197","custom_fields":${deep}}`),
        ['body', 'custom_fields'],
        `${depth}`,
      )
      assertFault(
        await acme.call('PUT', `contacts/${ada.id}`, `{"custom_fields":${deep}}`),
        ['body', 'custom_fields'],
        '',
      )
      assertFault(
        await acme.call('POST', `contacts/${ada.id}/activities`, `{"payload":${deep}}`),
        ['body', 'payload'],
        '',
      )
    }
    assertFault(await acme.call('POST', 'contacts', `{"phone_number":${lists(depth)}}`), ['body', 'phone_number'], '')
    assertFault(await acme.call('PUT', `contacts/${ada.id}`, `{"tags":${lists(depth)}}`), ['body', 'tags'], '')
    assertFault(await acme.call('PUT', `contacts/${ada.id}`, `{"name":${nested(depth)}}`), ['body', 'name'], '')
    const ignored = await acme.call('PUT', `contacts/${ada.id}`, `{"unknown":${nested(depth)}}`)
    assert.equal(ignored.status, 200, 'unknown members are ignored, however deep')
    assertFault(await acme.call('PUT', `contacts/${ada.id}`, lists(depth)), ['body'], '')
  }
})

test('ten megabytes are too large, with or without Content-Length', async () => {
  const huge = JSON.stringify({ phone_number: '+14155550196', notes: 'x'.repeat(10 * 1024 * 1024) })
  for (const [method, path] of operations) {
    const answer = await acme.call(method, path, huge)
    assert.deepEqual([answer.status, answer.body], [413, { detail: 'The body is too large' }])
  }
})

test('a path that cannot be an id is not found', async () => {
  const ids = [
    'x',
    '1',
    newId().slice(1),
    `${newId()}0`,
    newId().replaceAll('-', ''),
    '%20',
    "'",
    '%F0%9F%98%80',
    '..%2f..',
  ]
  for (const id of ids)
    for (const [method, path, good] of operations.slice(1)) {
      const answer = await acme.call(method, path.replace(ada.id, id), good)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Contact not found' }], `${method} ${id}`)
    }
  for (const id of ids) {
    assert.equal((await acme.call('DELETE', `contacts/${id}`)).status, 404)
    assert.equal((await acme.call('GET', `contacts/${id}`)).status, 404)
  }
  const upper = await acme.call('GET', `contacts/${ada.id.toUpperCase()}`)
  assert.deepEqual([upper.status, upper.body.id], [200, ada.id], 'the case of an id does not matter')
  for (const path of ['contacts/%', 'contacts/%zz', 'contacts/%ff']) {
    const answer = await acme.call('GET', path)
    assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`)
    assert.ok(answer.body.detail)
  }
  assert.ok([404, 414].includes((await acme.call('GET', `contacts/${'x'.repeat(5000)}`)).status))
})

test('keys of JavaScript’s own objects are ordinary keys', async () => {
  const raw = '{"custom_fields":{"__proto__":{"x":1},"constructor":"c","toString":"t","hasOwnProperty":1}}'
  const answer = await acme.call('PUT', `contacts/${ada.id}`, raw)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.text.includes('"__proto__":{"x":1}'), answer.text)
  assert.equal(answer.body.custom_fields.constructor, 'c')
  const poisoned = await acme.call(
    'PUT',
    `contacts/${ada.id}`,
    '{"__proto__":{"name":"evil"},"constructor":{"name":"evil"}}',
  )
  assert.deepEqual([poisoned.status, poisoned.body.name], [200, 'Ada'])
  await acme.call('PUT', `contacts/${ada.id}`, { custom_fields: {} })
})

test('after all of this nothing has changed', async () => {
  const parse = ([contacts, activities]: string[]) => {
    const { data, ...rest } = JSON.parse(contacts as string)
    return [
      { ...rest, data: data.map((each: object) => ({ ...each, updated_at: '' })) },
      JSON.parse(activities as string),
    ]
  }
  assert.deepEqual(parse(await state()), parse(before))
})
