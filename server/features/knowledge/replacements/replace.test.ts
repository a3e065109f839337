import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { type CallAs, sharedTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { until, untilWithoutGap } from '../../../testing/process.ts'
import { type Upload, upload } from '../../../testing/uploads.ts'
import { indexDocumentJob } from '../job-kinds.ts'

const app = await sharedTestApp()
const oldText = `The warranty lasts two years.\n\n${'Old filler about nothing in particular. '.repeat(200)}`
const newText = 'The warranty lasts five years.'

const replace = (call: CallAs, id: string, file: Upload['file'], fileName = 'warranty.txt', headers = {}) =>
  upload(call, `knowledge-base/${id}/replace`, { ...(file !== undefined && { file }), fileName }, headers)
const get = async (call: CallAs, id: string) => (await call('GET', `knowledge-base/${id}`)).body
const settled = (call: CallAs, id: string) =>
  until(async () => (await get(call, id)).replacement?.status !== 'processing')
const warranty = async (call: CallAs, mode = 'hybrid'): Promise<string> => {
  const { results } = (await call('POST', 'knowledge-base/search', { query: 'warranty lasts', mode })).body
  return results.map(({ text }: { text: string }) => text).join('\n')
}

test('a new version replaces the old one: every search finds one of the two', async () => {
  const { call } = await app.organization()
  const { id, uploaded_at } = await addDocument(call, oldText, 'warranty.txt')
  const answer = await replace(call, id, newText)
  assert.deepEqual([answer.status, answer.body.id], [200, id])
  await untilWithoutGap(async () => {
    let isNew = false
    for (const mode of ['hybrid', 'vector', 'keyword']) {
      const found = await warranty(call, mode)
      assert.match(found, /two years|five years/)
      isNew = found.includes('five years')
    }
    return isNew
  })
  await settled(call, id)
  const found = await warranty(call)
  assert.ok(!found.includes('two years'))
  const document = await get(call, id)
  assert.deepEqual(
    [document.status, document.replacement, document.chunk_count, document.size_bytes, document.uploaded_at],
    ['ready', null, 1, newText.length, uploaded_at],
  )
  assert.equal((await call('GET', `knowledge-base/${id}/download`)).text, newText)
  const types = (await call('GET', 'events')).body.data.map(({ type }: { type: string }) => type)
  assert.deepEqual(types, ['document.updated', 'document.ready', 'document.created'])
})

test('a version that cannot be read leaves the old one, and says why', async () => {
  const { call } = await app.organization()
  const { id } = await addDocument(call, oldText, 'warranty.txt')
  await replace(call, id, '')
  await settled(call, id)
  const failed = await get(call, id)
  assert.equal(failed.status, 'ready')
  assert.equal(failed.replacement.status, 'failed')
  assert.match(failed.replacement.error, /empty/)
  assert.match(await warranty(call), /two years/)
  // The next attempt takes its place.
  await replace(call, id, newText)
  await until(async () => (await get(call, id)).replacement === null)
  assert.match(await warranty(call), /five years/)
})

test('of several replacements the last one stays, also when it is the current version', async () => {
  const { call } = await app.organization()
  const { id } = await addDocument(call, oldText, 'warranty.txt')
  for (const years of ['three', 'four', 'six']) await replace(call, id, `The warranty lasts ${years} years.`)
  await until(async () => (await get(call, id)).replacement === null)
  assert.match(await warranty(call), /six years/)
  await replace(call, id, newText)
  // Read by then or not: the version before it comes back.
  await replace(call, id, 'The warranty lasts six years.')
  await until(async () => (await get(call, id)).replacement === null)
  assert.match(await warranty(call), /six years/)
})

test('a failed document is processed again with the new file', async () => {
  const { call } = await app.organization()
  const { id, status } = await addDocument(call, '', 'warranty.txt')
  assert.equal(status, 'failed')
  const { body } = await replace(call, id, newText)
  assert.deepEqual([body.status, body.error], ['processing', null])
  await until(async () => (await get(call, id)).status === 'ready')
  assert.match(await warranty(call), /five years/)
})

test('another kind of file makes the upload a source', async () => {
  const { call } = await app.organization()
  const { id } = await addDocument(call, oldText, 'warranty.txt')
  await replace(call, id, '# Warranty\n\nThe warranty lasts nine years.\n', 'warranty.md')
  await until(async () => (await get(call, id)).replacement === null)
  const { document_type, source, file_name } = await get(call, id)
  assert.deepEqual([document_type, source, file_name], ['txt', { kind: 'file', file_kind: 'md' }, 'warranty.md'])
})

test('a run whose worker was lost starts again; one that was overtaken changes nothing', async () => {
  const org = await app.organization()
  const { id } = await addDocument(org.call, oldText, 'warranty.txt')
  await replace(org.call, id, newText)
  await settled(org.call, id)
  const scope = { organizationId: org.id, livemode: false }
  // As a worker leaves it that was killed in the middle.
  const key = `${org.id}/test/documents/${newId()}`
  await app.files.write(
    key,
    (async function* () {
      yield Buffer.from('The warranty lasts eight years.')
    })(),
  )
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into document_replacements (document_id, id, document_type, file_name, file_key, size_bytes, sha256, attempts, run_id)
      values (${id}, ${newId()}, 'txt', 'warranty.txt', ${key}, 31, 'f00', 1, ${newId()})`,
  )
  assert.match(await warranty(org.call), /five years/)
  const payload = { organization_id: org.id, livemode: false, document_id: id }
  await app.database.inSystem((tx) => tx.enqueue(indexDocumentJob, payload))
  await until(async () => (await get(org.call, id)).replacement === null)
  assert.match(await warranty(org.call), /eight years/)
  const Left = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forSystem().one(Left)`
    select count(*)::integer as n from removed_files where key = ${key}`
  assert.equal(n, 0)
})

test('refusals: unknown documents, other tenants, FAQs, unsupported files, a missing file, a twin', async () => {
  const [org, other] = [await app.organization(), await app.organization()]
  const { id } = await addDocument(org.call, oldText, 'warranty.txt')
  const reader = app.as((await app.key(org.id, { scopes: ['knowledge:read'] })).secret)
  assert.equal((await replace(other.call, id, newText)).status, 404)
  assert.equal((await replace(org.call, newId(), newText)).status, 404)
  assert.equal((await replace(reader, id, newText)).status, 403)
  assert.equal((await replace(app.call, id, newText)).status, 401)
  assert.equal((await replace(org.call, id, 'MZ\u0090\u0000\u0003', 'setup.exe')).status, 400)
  assert.equal((await replace(org.call, id, undefined)).status, 422)
  assert.equal((await org.call('POST', `knowledge-base/${id}/replace`, {})).status, 415)
  const faq = (await org.call('POST', 'knowledge-base/faqs', { question: 'Q?', answer: 'A' })).body
  assert.equal((await replace(org.call, faq.id, newText)).status, 409)
  const twin = await addDocument(org.call, newText, 'twin.txt')
  const refused = await replace(org.call, id, newText, 'twin.txt')
  assert.deepEqual([refused.status, refused.body.existing_id], [409, twin.id])
  assert.equal((await get(org.call, id)).replacement, null)
  const headers = { 'idempotency-key': 'r1' }
  const first = await replace(org.call, id, newText, 'warranty.txt', headers)
  const replay = await replace(org.call, id, newText, 'warranty.txt', headers)
  assert.deepEqual([first.status, replay.headers['idempotent-replayed']], [200, 'true'])
})
