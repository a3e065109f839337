import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const globex = await app.organization()
let lastNumber = 0
const newNumber = () => `+1415555${String(++lastNumber).padStart(4, '0')}`

const create = async (input: object = {}) => {
  return ok(await acme.call('POST', 'contacts', { phone_number: newNumber(), ...input }), 201)
}

test('another tenant’s contact, or the other mode’s, answers like an unknown one, in every position', async () => {
  const ada = await create({ name: 'Ada' })
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const unknown = newId()
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PUT', '', { name: 'stolen' }],
    ['PATCH', '', { stage: 'lost' }],
    ['DELETE', ''],
    ['POST', '/handoff', { to: 'human' }],
    ['GET', '/activities'],
    ['POST', '/activities', { note: 'stolen' }],
  ]
  for (const call of [globex.call, live])
    for (const [method, path, body] of calls) {
      const foreign = await call(method, `contacts/${ada.id}${path}`, body)
      const absent = await call(method, `contacts/${unknown}${path}`, body)
      assert.deepEqual([foreign.status, foreign.body], [404, { detail: 'Contact not found' }], `${method} ${path}`)
      assert.deepEqual(foreign.body, absent.body)
    }
  const { identities: _, handled_by: __, ...after } = (await acme.call('GET', `contacts/${ada.id}`)).body
  assert.deepEqual(after, ada)
  for (const call of [globex.call, live]) {
    const twin = await call('POST', 'contacts', { phone_number: ada.phone_number })
    assert.equal(twin.status, 201, 'a number is unique within an organization and mode only')
    assert.equal(twin.body.livemode, call === live)
  }
})

test('reading and writing have separate scopes', async () => {
  const { id } = await create()
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const writer = app.as((await app.key(acme.id, { scopes: ['contacts:write'] })).secret)
  const neither = app.as((await app.key(acme.id, { scopes: ['agents:read', 'calls:read'] })).secret)
  const writes: [string, string, object?][] = [
    ['POST', 'contacts', { phone_number: newNumber() }],
    ['PUT', `contacts/${id}`, {}],
    ['PATCH', `contacts/${id}`, {}],
    ['POST', `contacts/${id}/handoff`, { to: 'ai' }],
    ['POST', `contacts/${id}/activities`, { note: 'x' }],
    ['DELETE', `contacts/${id}`],
  ]
  const reads = ['contacts', 'contacts/export', `contacts/${id}`, `contacts/${id}/activities`]
  for (const path of reads) {
    assert.equal((await reader('GET', path)).status, 200)
    for (const call of [writer, neither]) assert.equal((await call('GET', path)).status, 403)
    const refused = await app.call('GET', path)
    assert.deepEqual([refused.status, refused.body.detail], [401, 'Unauthorized'])
  }
  for (const [method, path, body] of writes) {
    for (const call of [reader, neither]) {
      const refused = await call(method, path, body)
      assert.equal(refused.status, 403)
      assert.equal(refused.body.error.required_scope, 'contacts:write')
    }
    assert.equal((await app.call(method, path, body)).status, 401)
    assert.ok([200, 201].includes((await writer(method, path, body)).status))
  }
})

test('a word in place of an id is its own route, or no contact', async () => {
  assert.equal((await acme.call('GET', 'contacts/imports')).status, 200)
  assert.match((await acme.call('GET', 'contacts/export')).text, /^id,phone_number/)
  for (const path of ['contacts/nonsense', 'contacts/123', 'contacts/exports', `contacts/${newId()}x`])
    assert.deepEqual([path, (await acme.call('GET', path)).body], [path, { detail: 'Contact not found' }])
  const wrong = await acme.call('PUT', 'contacts', {})
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD, POST'])
})
