import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { startTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { readQuestion } from '../retrieval/queries.ts'
import { createPostingsIndex, type PostingsIndex } from './postings-index.ts'

/** What the memory has is told apart from what the database has by changing the rows without a new version. */

const app = await startTestApp()
const log = pino({ level: 'silent' })

async function newOrganization(text: string) {
  const { id: organizationId, call } = await app.organization()
  await addDocument(call, text, 'words.txt')
  return app.database.forTenant({ organizationId, livemode: false })
}
type Sql = Awaited<ReturnType<typeof newOrganization>>

async function hits(index: PostingsIndex, sql: Sql, words: string): Promise<number | undefined> {
  const ranking = await index.rank(sql, await readQuestion(sql, words), { words, documentIds: null, limit: 10 })
  return ranking?.hits.length
}
const forget = (sql: Sql) => sql.run`delete from document_lexemes`
const bytesOf = async (sql: Sql) => {
  for (let maxBytes = 64; ; maxBytes *= 2)
    if ((await hits(createPostingsIndex({ maxBytes, log }), sql, 'lighthouse')) !== undefined) return maxBytes
}

test('copies answer without the database until the limit evicts the least recently used one', async () => {
  const text = 'The lighthouse keeper counts the ships that pass at night.'
  const [a, b] = [await newOrganization(text), await newOrganization(text)]
  const needed = await bytesOf(a)
  // Room for one of them, not for both: the size is doubled until it fits.
  const index = createPostingsIndex({ maxBytes: needed, log })
  assert.equal(await hits(index, a, 'lighthouse'), 1)
  const both = createPostingsIndex({ maxBytes: needed * 4, log })
  for (const sql of [a, b]) assert.equal(await hits(both, sql, 'lighthouse'), 1)
  await forget(a)
  assert.equal(await hits(index, a, 'lighthouse'), 1, 'from memory')
  assert.equal(await hits(index, b, 'lighthouse'), 1)
  assert.equal(await hits(index, a, 'lighthouse'), 0, 'evicted, so that it was read again')
  assert.equal(await hits(both, a, 'lighthouse'), 1, 'with room for both nothing is evicted')
})

test('what does not fit is left to the database, and tried again once it has changed', async () => {
  const { id: organizationId, call } = await app.organization()
  const long = await addDocument(call, Array.from({ length: 3000 }, (_, i) => `lighthouse word${i}`).join(' '), 'a.txt')
  await addDocument(call, 'A lighthouse.', 'b.txt')
  const sql = app.database.forTenant({ organizationId, livemode: false })
  const index = createPostingsIndex({ maxBytes: 4096, log })
  assert.equal(await hits(index, sql, 'lighthouse'), undefined)
  assert.equal(await hits(index, sql, 'lighthouse'), undefined)
  await call('DELETE', `knowledge-base/${long.id}`)
  assert.equal(await hits(index, sql, 'lighthouse'), 1)
})

test('searches find the same with little memory as with much', async () => {
  const node = await app.node({ ROLE: 'api', POSTINGS_MEMORY_BYTES: 2048 })
  const organizations = await Promise.all([1, 2, 3].map(() => app.organization()))
  const Row = Type.Object({ n: Type.Integer() })
  for (const { call } of organizations) await addDocument(call, 'The ferry leaves at noon and at six.', 'ferry.txt')
  for (let round = 0; round < 2; round++)
    for (const { key, id } of organizations) {
      const search = { query: 'ferry noon', mode: 'keyword' }
      const { body } = await node.as(key)('POST', 'knowledge-base/search', search)
      assert.equal(body.results.length, 1)
      const sql = app.database.forTenant({ organizationId: id, livemode: false })
      assert.deepEqual(
        await sql.one(Row)`select count(*)::integer as n from documents where id = ${body.results[0].document_id}`,
        { n: 1 },
      )
    }
})
