import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const strangers = await app.organization()
const reader = app.as((await app.key(acme.id, { scopes: ['knowledge:read'] })).secret)
const path = 'knowledge-base/collections'
const [pool, parking, sauna] = await Promise.all([
  addDocument(acme.call, 'The pool opens at seven in the morning.', 'pool.txt'),
  addDocument(acme.call, 'Parking costs nine euros a day.', 'parking.txt'),
  addDocument(acme.call, 'The sauna opens at noon.', 'sauna.txt'),
])
const newCollection = async (name: string, document_ids: string[] = []) =>
  ok(await acme.call('POST', path, { name, document_ids }), 201)
const namesOf = (found: { results: { file_name: string }[] }) =>
  [...new Set(found.results.map(({ file_name }) => file_name))].sort()

test('a collection is created, read, changed, listed and deleted', async () => {
  const made = ok(
    await acme.call('POST', path, { name: ' Hours ', description: 'When we open', document_ids: [pool.id] }),
    201,
  )
  assert.deepEqual([made.name, made.description, made.document_count], ['Hours', 'When we open', 1])
  assert.deepEqual(ok(await reader('GET', `${path}/${made.id}`)), made)
  const renamed = ok(await acme.call('PATCH', `${path}/${made.id}`, { name: 'Opening hours' }))
  assert.deepEqual([renamed.name, renamed.description], ['Opening hours', 'When we open'])
  const { data, total_count } = ok(await acme.call('GET', `${path}?search=opening`))
  assert.deepEqual([data.map(({ id }: { id: string }) => id), total_count], [[made.id], 1])
  ok(await acme.call('DELETE', `${path}/${made.id}`))
  assert.equal((await acme.call('GET', `${path}/${made.id}`)).status, 404)
  assert.equal((await acme.call('GET', `knowledge-base/${pool.id}`)).status, 200, 'its documents stay')
  const types = ok(await acme.call('GET', 'events?limit=100')).data.map(({ type }: { type: string }) => type)
  for (const type of ['collection.created', 'collection.updated', 'collection.deleted']) assert.ok(types.includes(type))
})

test('a document may be in several collections, and shows them', async () => {
  const [a, b] = [await newCollection('A', [pool.id]), await newCollection('B')]
  const put = () => acme.call('PUT', `${path}/${b.id}/documents/${pool.id}`)
  assert.equal(ok(await put()).document_count, 1)
  assert.equal(ok(await put()).document_count, 1, 'nothing changes the second time')
  const shown = ok(await acme.call('GET', `knowledge-base/${pool.id}`))
  assert.deepEqual(shown.collection_ids, [a.id, b.id].sort())
  const remove = () => acme.call('DELETE', `${path}/${a.id}/documents/${pool.id}`)
  assert.equal(ok(await remove()).document_count, 0)
  assert.equal(ok(await remove()).document_count, 0)
  const { documents } = ok(await acme.call('GET', 'knowledge-base'))
  assert.deepEqual(documents.find(({ id }: { id: string }) => id === pool.id).collection_ids, [b.id])
})

test('a deleted document leaves its collections', async () => {
  const gone = await addDocument(acme.call, 'The bar is closed.', 'bar.txt')
  const { id } = await newCollection('Bar', [gone.id])
  ok(await acme.call('DELETE', `knowledge-base/${gone.id}`))
  assert.equal(ok(await acme.call('GET', `${path}/${id}`)).document_count, 0)
})

test('a search is limited to collections, and to the documents named beside them', async () => {
  const { id } = await newCollection('Wellness', [pool.id, sauna.id])
  const search = async (more: object) =>
    namesOf(
      ok(await acme.call('POST', 'knowledge-base/search', { query: 'When does the pool open? Parking?', ...more })),
    )
  assert.deepEqual(await search({ collection_ids: [id] }), ['pool.txt', 'sauna.txt'])
  assert.deepEqual(await search({ collection_ids: [id], document_ids: [parking.id] }), [
    'parking.txt',
    'pool.txt',
    'sauna.txt',
  ])
  assert.deepEqual(await search({ collection_ids: [newId()] }), [], 'an unknown collection is empty')
  assert.deepEqual(await search({ collection_ids: null }), ['parking.txt', 'pool.txt', 'sauna.txt'])
})

test('mistakes are refused: names, ids, scopes and other tenants', async () => {
  const made = await newCollection('Taken')
  const theirs = await addDocument(strangers.call, 'Their secret is blue.', 'secret.txt')
  const of = async (method: string, url: string, body?: object, call = acme.call) =>
    (await call(method, url, body)).status
  assert.equal(await of('POST', path, { name: 'tAKEN' }), 409)
  assert.equal(await of('PATCH', `${path}/${(await newCollection('Free')).id}`, { name: 'Taken' }), 409)
  for (const body of [{}, { name: ' ' }, { name: 'x'.repeat(101) }, { name: 'X', document_ids: ['x'] }])
    assert.equal(await of('POST', path, body), 422, JSON.stringify(body))
  assert.equal(await of('PATCH', `${path}/${made.id}`, {}), 422)
  assert.equal(await of('POST', path, { name: 'Mixed', document_ids: [pool.id, theirs.id] }), 404)
  assert.equal(await of('GET', `${path}?search=Mixed`), 200)
  assert.equal(ok(await acme.call('GET', `${path}?search=Mixed`)).total_count, 0, 'nothing was created')
  for (const documentId of [theirs.id, newId()])
    assert.equal(await of('PUT', `${path}/${made.id}/documents/${documentId}`), 404)
  assert.equal(await of('PUT', `${path}/${newId()}/documents/${pool.id}`), 404)
  for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
    assert.equal(await of(method, `${path}/${made.id}`, body, strangers.call), 404)
    assert.equal(await of(method, `${path}/${newId()}`, body), 404)
  }
  assert.equal(await of('PUT', `${path}/${made.id}/documents/${theirs.id}`, undefined, strangers.call), 404)
  assert.equal(await of('POST', path, { name: 'No' }, reader), 403)
  for (const method of ['PATCH', 'DELETE'])
    assert.equal(await of(method, `${path}/${made.id}`, { name: 'No' }, reader), 403)
  assert.equal((await app.call('GET', path)).status, 401)
})

test('two members add the same document at once, and it is in the collection once', async () => {
  const { id } = await newCollection('Busy')
  const put = ({ id: documentId }: { id: string }) => acme.call('PUT', `${path}/${id}/documents/${documentId}`)
  for (const answer of await Promise.all([put(pool), put(pool), put(parking), put(sauna)])) ok(answer)
  assert.equal(ok(await acme.call('GET', `${path}/${id}`)).document_count, 3)
})
