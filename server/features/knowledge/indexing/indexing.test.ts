import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import type { TenantScope } from '../../../platform/database.ts'
import { type Embedder, EmbeddingError } from '../../../providers/embeddings/contract.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { createDiskFiles } from '../../../providers/files/disk.ts'
import { startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { createScriptedEmbedder } from '../../../testing/embedders.ts'
import { upload } from '../../../testing/uploads.ts'
import { createEmbedders } from '../embedders.ts'
import { searchKnowledge } from '../retrieval/search-knowledge.ts'
import type { Document } from '../schema.ts'
import { createExactIndex } from '../vectors/exact-index.ts'
import { type Indexing, indexDocument } from './index-document.ts'
import { sweepDocuments } from './sweep-documents.ts'

/** This node only serves requests: the tests do the workers' work themselves. */
const app = await startTestApp({ settings: { ROLE: 'api' } })
const files = createDiskFiles(join(app.settings.DATA_DIR, 'files'))
const vectorIndex = createExactIndex({ maxBytes: 1 << 20 })
const log = pino({ level: 'silent' })
const system = app.database.forSystem()

const working = (embedder: Embedder, more: Partial<Indexing> & { hosted?: Embedder } = {}) => ({
  database: app.database,
  files,
  vectorIndex,
  log,
  keywordWeight: 0.65,
  embedders: createEmbedders({ local: embedder, ...(more.hosted && { hosted: more.hosted }) }),
  ...more,
})

const paragraph = (i: number) =>
  `Paragraph ${i} is about ${'apples pears plums cherries '.repeat(40)}and number ${i * 7}.`
const book = (paragraphs: number) => Array.from({ length: paragraphs }, (_, i) => paragraph(i)).join('\n\n')

async function send(org: TestOrganization, file: string, fileName = 'book.txt', call = org.call) {
  const { body, status } = await upload(call, 'knowledge-base/upload', { file, fileName })
  assert.equal(status, 201)
  const scope: TenantScope = { organizationId: org.id, livemode: body.livemode }
  const read = async (): Promise<Document> => (await call('GET', `knowledge-base/${body.id}`)).body
  const run = (deps: Indexing, signal = new AbortController().signal) =>
    indexDocument(deps, { scope, documentId: body.id, signal })
  return { id: body.id as string, scope, read, run }
}

const Row = Type.Object({ n: Type.Integer() })
const rowsOf = async (table: string, documentId: string) =>
  (await system.raw(`select from ${table} where document_id = $1`, [documentId])).rows.length

const eventsOf = async (org: TestOrganization) =>
  (await org.call('GET', 'events')).body.data.map((event: { type: string }) => event.type)

test('a stopped run releases the document, and the next run continues where it stopped', async () => {
  const org = await app.organization()
  const { id, run, read } = await send(org, book(60))
  const stopping = new AbortController()
  let batches = 0
  const first = createScriptedEmbedder({
    before: async () => {
      if (++batches === 2) stopping.abort(new Error('this node is stopping'))
    },
  })
  await assert.rejects(run(working(first), stopping.signal), /stopping/)
  const half = await read()
  assert.equal(half.status, 'processing')
  assert.ok(half.progress > 0.2 && half.progress < 1, `${half.progress}`)
  assert.deepEqual((await org.call('POST', 'knowledge-base/search', { query: 'cherries' })).body.results, [])
  const second = createScriptedEmbedder()
  await run(working(second))
  const ready = await read()
  assert.deepEqual([ready.status, ready.progress, ready.embedding_model], ['ready', 1, 'scripted'])
  assert.equal(await rowsOf('chunk_vectors', id), ready.chunk_count)
  assert.equal(await rowsOf('chunks', id), ready.chunk_count)
  // The first batch was kept, and the text was not read again: its chunks would have other ids.
  const kept = first.seen.slice(0, first.seen.length / 2)
  assert.ok(kept.length > 0)
  for (const text of kept) assert.ok(!second.seen.includes(text))
  const attempts = await system.one(Row)`select attempts as n from documents where id = ${id}`
  assert.equal(attempts.n, 0)
  assert.deepEqual(await eventsOf(org), ['document.ready', 'document.created'])
})

test('of two runs on one document the later one wins, and the other stops without harm', async () => {
  const org = await app.organization()
  const { id, run, read } = await send(org, book(60))
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let batches = 0
  const slow = createScriptedEmbedder({
    before: async () => {
      if (++batches !== 2) return
      reached.resolve()
      await goOn.promise
    },
  })
  const lost = run(working(slow))
  await reached.promise
  await run(working(createScriptedEmbedder()))
  goOn.resolve()
  await lost
  const { status, chunk_count } = await read()
  assert.equal(status, 'ready')
  assert.equal(await rowsOf('chunk_vectors', id), chunk_count)
  assert.deepEqual(await eventsOf(org), ['document.ready', 'document.created'])
})

test('a document that is deleted while it is processed stays deleted, at any point', async () => {
  const org = await app.organization()
  for (const batch of [1, 2, 3]) {
    const { id, run } = await send(org, book(120), `book-${batch}.txt`)
    let batches = 0
    const embedder = createScriptedEmbedder({
      before: async () => {
        if (++batches === batch) assert.equal((await org.call('DELETE', `knowledge-base/${id}`)).status, 200)
      },
    })
    await run(working(embedder))
    assert.equal((await org.call('GET', `knowledge-base/${id}`)).status, 404)
    for (const table of ['chunks', 'chunk_vectors', 'document_lexemes']) assert.equal(await rowsOf(table, id), 0, table)
  }
  const { n } = await system.one(Row)`
    select coalesce(sum(chunk_count), 0)::integer as n from knowledge_totals where organization_id = ${org.id}`
  assert.equal(n, 0)
})

test('a document deleted while its file is read leaves nothing behind', async () => {
  const org = await app.organization()
  const { id, run } = await send(org, book(5))
  const slowFiles: FileStore = {
    ...files,
    async read(key, range) {
      const bytes = await files.read(key, range)
      await org.call('DELETE', `knowledge-base/${id}`)
      return bytes
    },
  }
  await run(working(createScriptedEmbedder(), { files: slowFiles }))
  for (const table of ['chunks', 'chunk_vectors', 'document_lexemes']) assert.equal(await rowsOf(table, id), 0, table)
})

test('an internal error is retried three times without progress, then the document fails with a message', async () => {
  const org = await app.organization()
  const { run, read } = await send(org, book(3))
  const broken: FileStore = { ...files, read: () => Promise.reject(new Error('the disk is on fire')) }
  const deps = working(createScriptedEmbedder(), { files: broken })
  for (let attempt = 1; attempt <= 3; attempt++) {
    await assert.rejects(run(deps), /on fire/)
    assert.equal((await read()).status, 'processing')
  }
  await run(deps)
  const failed = await read()
  assert.equal(failed.status, 'failed')
  assert.match(failed.error as string, /fault of ours/)
  assert.ok(!failed.error?.includes('fire'))
  assert.deepEqual(await eventsOf(org), ['document.failed', 'document.created'])
  // A late job finds nothing to do.
  await run(working(createScriptedEmbedder()))
  assert.equal((await read()).status, 'failed')
})

test('an unreadable file fails at once, with the parser’s message', async () => {
  const org = await app.organization()
  const { id, run, read } = await send(org, ' \n\t ')
  await run(working(createScriptedEmbedder()))
  const failed = await read()
  assert.equal(failed.status, 'failed')
  assert.equal(failed.error, 'There is no text in the file.')
  assert.equal(await rowsOf('chunks', id), 0)
})

test('without its model a document is found by keywords, and gets vectors when the model is back', async () => {
  const org = await app.organization()
  const { scope, run, read } = await send(org, 'Kumquats are small.')
  const down = createScriptedEmbedder({
    before: () => Promise.reject(new EmbeddingError('fail', 'The model is not installed.')),
  })
  await run(working(down))
  const ready = await read()
  assert.deepEqual([ready.status, ready.embedding_model], ['ready', null])
  const search = (deps: ReturnType<typeof working>, mode: 'keyword' | 'vector' | 'hybrid' = 'hybrid') =>
    searchKnowledge(deps, scope, { query: 'kumquats', top_k: 5, mode })
  assert.equal((await search(working(down))).results.length, 1)
  assert.equal((await search(working(down), 'vector')).results.length, 0)
  await run(working(createScriptedEmbedder()))
  const { embedding_model, updated_at } = await read()
  assert.deepEqual([embedding_model, updated_at], ['scripted', ready.updated_at])
  assert.equal((await search(working(createScriptedEmbedder()), 'vector')).results.length, 1)
  // If the model goes down again, keywords still answer, and the answer says that it is partial.
  const partial = await search(working(down))
  assert.deepEqual([partial.results.length, partial.partial], [1, true])
  await assert.rejects(search(working(down), 'vector'), { status: 502 })
  assert.deepEqual(await eventsOf(org), ['document.ready', 'document.created'])
})

test('an unavailable model is retried, and skipped for now after three attempts', async () => {
  const org = await app.organization()
  const { run, read } = await send(org, 'Kumquats are small.')
  const down = createScriptedEmbedder({ before: () => Promise.reject(new EmbeddingError('retry', 'Try later.')) })
  // The first start made progress: the text was read. The three after it did not.
  for (let start = 1; start <= 4; start++) await assert.rejects(run(working(down)), /Try later/)
  assert.equal((await read()).status, 'processing')
  await run(working(down))
  const { status, embedding_model } = await read()
  assert.deepEqual([status, embedding_model], ['ready', null])
})

test('when the model changes, the old vectors answer until the new ones are complete', async () => {
  const org = await app.organization()
  const { id, scope, run, read } = await send(org, book(40))
  const old = createScriptedEmbedder({ model: 'old' })
  await run(working(old))
  const before = await read()
  const vectorSearch = (local: Embedder) =>
    searchKnowledge(working(local), scope, { query: 'plums', top_k: 3, mode: 'vector' })
  const answersOfOld = await vectorSearch(old)
  let batches = 0
  const changed = createScriptedEmbedder({
    model: 'new',
    dimensions: 48,
    before: async (texts) => {
      if (texts.length === 1) return
      batches++
      assert.deepEqual((await vectorSearch(old)).results, answersOfOld.results)
    },
  })
  await run(working(changed))
  assert.ok(batches > 1)
  const after = await read()
  assert.deepEqual(after, { ...before, embedding_model: 'new' })
  assert.equal(await rowsOf('chunk_vectors', id), after.chunk_count)
  assert.equal((await vectorSearch(changed)).results.length, 3)
  assert.deepEqual((await vectorSearch(old)).results, [])
  assert.deepEqual(await eventsOf(org), ['document.ready', 'document.created'])
})

test('test mode never calls the hosted model, live mode does, and neither sees the other’s documents', async () => {
  const org = await app.organization()
  const liveCall = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const [local, hosted] = [createScriptedEmbedder({ model: 'local' }), createScriptedEmbedder({ model: 'hosted' })]
  const deps = working(local, { hosted })
  const inTest = await send(org, 'Test kumquats.')
  const inLive = await send(org, 'Live kumquats.', 'live.txt', liveCall)
  await inTest.run(deps)
  await inLive.run(deps)
  for (const { scope } of [inTest, inLive])
    await searchKnowledge(deps, scope, { query: 'which kumquats?', top_k: 5, mode: 'hybrid' })
  assert.deepEqual(local.seen, ['book\nTest kumquats.', 'which kumquats?'])
  assert.deepEqual(hosted.seen, ['live\nLive kumquats.', 'which kumquats?'])
})

test('the sweep enqueues documents without a job and documents of another model, once', async () => {
  const org = await app.organization()
  const [lost, fresh, outdated] = [await send(org, 'a'), await send(org, 'b', 'b.txt'), await send(org, 'c', 'c.txt')]
  await outdated.run(working(createScriptedEmbedder({ model: 'old' })))
  const owner = await connectOwner(app)
  await owner.query(`delete from pgboss.job`)
  await owner.query(`update documents set updated_at = now() - interval '10 minutes' where id = '${lost.id}'`)
  const jobs = async () => {
    const { rows } = await system.raw(
      `select data ->> 'document_id' as id from pgboss.job
       where name = 'knowledge.index' and data ->> 'organization_id' = $1`,
      [org.id],
    )
    return rows.map((row) => row.id).sort()
  }
  const embedders = createEmbedders({ local: createScriptedEmbedder({ model: 'new' }) })
  await sweepDocuments(app.database, embedders)
  assert.deepEqual(await jobs(), [lost.id, outdated.id].sort())
  await sweepDocuments(app.database, embedders)
  assert.deepEqual(await jobs(), [lost.id, outdated.id].sort())
  assert.ok(fresh)
})

test('a note does not wait for a book: small and large documents of an organization are processed side by side', async () => {
  const [org, other] = [await app.organization(), await app.organization()]
  const groupOf = async (id: string): Promise<string> => {
    const { rows } = await system.raw(`select group_id from pgboss.job where data ->> 'document_id' = $1`, [id])
    return (rows[0] as { group_id: string }).group_id
  }
  const bookGroup = await groupOf((await send(org, book(60))).id)
  const noteGroup = await groupOf((await send(org, book(1), 'note.txt')).id)
  assert.notEqual(bookGroup, noteGroup)
  assert.equal(await groupOf((await send(org, book(2), 'second.txt')).id), noteGroup)
  assert.notEqual(await groupOf((await send(other, book(1), 'note.txt')).id), noteGroup)
})

test('a long document takes several jobs, so that the next one of the organization gets its turn', async () => {
  const org = await app.organization()
  const { id, run, read } = await send(org, book(1800))
  const jobs = async () => {
    const { rows } = await system.raw(
      `select group_id, priority from pgboss.job where data ->> 'document_id' = $1 order by created_on`,
      [id],
    )
    return rows
  }
  await run(working(createScriptedEmbedder()))
  const half = await read()
  assert.equal(half.status, 'processing')
  assert.ok(half.progress > 0.2 && half.progress < 1, String(half.progress))
  const [first, rest, ...more] = await jobs()
  assert.deepEqual([rest, more], [first, []])
  await run(working(createScriptedEmbedder()))
  const ready = await read()
  assert.equal(ready.status, 'ready')
  assert.equal(await rowsOf('chunk_vectors', id), ready.chunk_count)
  assert.equal((await jobs()).length, 2)
  // A new model takes as long, and people wait for none of it.
  await run(working(createScriptedEmbedder({ model: 'new' })))
  assert.deepEqual([(await read()).embedding_model, (await jobs()).at(-1)?.priority], ['scripted', -1])
  await run(working(createScriptedEmbedder({ model: 'new' })))
  assert.equal((await read()).embedding_model, 'new')
})

test('ranking statistics follow every change', async () => {
  const org = await app.organization()
  const Totals = Type.Object({ language: Type.String(), embedding_model: Type.String(), chunks: Type.Integer() })
  const totals = () => system.all(Totals)`
    select language, embedding_model, chunk_count::integer as chunks from knowledge_totals
    where organization_id = ${org.id} and chunk_count <> 0 order by 1, 2`
  const english = await send(org, 'The apples and the pears are in the basket of the house.')
  const german = await send(org, 'Die Äpfel und die Birnen sind in dem Korb und nicht auf dem Tisch.', 'korb.txt')
  assert.deepEqual(await totals(), [])
  for (const { run } of [english, german]) await run(working(createScriptedEmbedder()))
  assert.deepEqual(await totals(), [
    { language: 'english', embedding_model: 'scripted', chunks: 1 },
    { language: 'german', embedding_model: 'scripted', chunks: 1 },
  ])
  await org.call('DELETE', `knowledge-base/${german.id}`)
  await english.run(working(createScriptedEmbedder({ model: 'other' })))
  assert.deepEqual(await totals(), [{ language: 'english', embedding_model: 'other', chunks: 1 }])
})
