import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { endOfDocument } from '../../../testing/documents.ts'
import { holdWrites } from '../../../testing/hold-writes.ts'
import { databaseUrl, startProcess } from '../../../testing/process.ts'
import { upload } from '../../../testing/uploads.ts'
import { chunksAtOnce } from './embed-chunks.ts'

test('a document whose worker is killed still becomes ready, once and complete', async () => {
  const app = await startTestApp({ settings: { ROLE: 'api' } })
  // That node only serves requests; the process that the test kills and the next worker share its file store.
  const folder = app.settings.DATA_DIR
  const owner = await connectOwner(app)
  const org = await app.organization()
  const text = Array.from({ length: 90 }, (_, i) => `Fact ${i} is about ${'apples and pears '.repeat(30)}${i}.`).join(
    '\n\n',
  )
  const { body } = await upload(org.call, 'knowledge-base/upload', { file: text, fileName: 'facts.txt' })
  const progress = async () => (await org.call('GET', `knowledge-base/${body.id}`)).body.progress as number

  const env = {
    ROLE: 'worker',
    DATABASE_URL: databaseUrl(app.connection),
    SECRET_KEY: 'a secret key that only tests would use',
  }
  // The worker writes the vectors of its first batch, and waits with the second one.
  const hold = await holdWrites(app, `insert on chunk_vectors for each row when (new.ordinal = ${chunksAtOnce})`)
  const doomed = await startProcess(folder, env)
  await hold.reached().catch((error) => {
    throw new Error(`the worker got no further:\n${doomed.output()}`, { cause: error })
  })
  await doomed.stop('SIGKILL')
  await hold.release()
  const half = await progress()
  assert.ok(half > 0.2 && half < 1, String(half))
  // As if the time had passed after which a silent worker's job is retried.
  await owner.query(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const worker = await app.node({ ROLE: 'worker' })
  const ready = await endOfDocument(org.call, body.id)
  await worker.close()
  assert.equal(ready.status, 'ready', ready.error ?? '')
  const { rows } = await owner.query(
    `select (select count(*)::int from chunks) as chunks, (select count(distinct ordinal)::int from chunk_vectors) as vectors,
       (select sum(cardinality(postings))::int from document_lexemes where lexeme = 'appl') as postings,
       (select chunk_count::int from knowledge_totals) as total,
       (select count(*)::int from events where type = 'document.ready') as events`,
  )
  const { chunk_count: n } = ready
  assert.deepEqual(rows, [{ chunks: n, vectors: n, postings: n, total: n, events: 1 }])
})
