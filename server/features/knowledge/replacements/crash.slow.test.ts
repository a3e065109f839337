import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { endOfDocument } from '../../../testing/documents.ts'
import { databaseUrl, startProcess, until, untilWithoutGap } from '../../../testing/process.ts'
import { upload } from '../../../testing/uploads.ts'

test('a replacement whose worker is killed leaves the old version to answer, and is completed by the next worker', async () => {
  const app = await startTestApp({ settings: { ROLE: 'api' } })
  // That node only serves requests; the process that the test kills and the next worker share its file store.
  const folder = app.settings.DATA_DIR
  const owner = await connectOwner(app)
  const { call } = await app.organization()
  const env = {
    ROLE: 'worker',
    DATABASE_URL: databaseUrl(app.connection),
    SECRET_KEY: 'a secret key that only tests would use',
  }

  const doomed = await startProcess(folder, env)
  const oldText = 'The warranty lasts two years.'
  const { body } = await upload(call, 'knowledge-base/upload', { file: oldText, fileName: 'warranty.txt' })
  await endOfDocument(call, body.id)
  const newText = Array.from(
    { length: 90 },
    (_, i) => `The warranty of part ${i} lasts five years. ${'Pears and apples. '.repeat(60)}`,
  )
  // The worker gets as far as its last transaction, which waits for this one; searches go on.
  await owner.query('begin; lock table chunks in share mode')
  const waiting = `select 1 from pg_locks where not granted and relation = 'chunks'::regclass`
  await upload(call, `knowledge-base/${body.id}/replace`, { file: newText.join('\n\n'), fileName: 'warranty.txt' })
  const document = async () => (await call('GET', `knowledge-base/${body.id}`)).body
  const found = async (mode: string): Promise<string[]> => {
    const search = { query: 'How long is the warranty?', mode, top_k: 50 }
    const { results } = (await call('POST', 'knowledge-base/search', search)).body
    return results.map(({ text }: { text: string }) => (text.includes('two years') ? 'old' : 'new'))
  }
  const modes = ['hybrid', 'keyword', 'vector']
  await until(async () => (await owner.query(waiting)).rows.length > 0)
  await doomed.stop('SIGKILL')
  const half = await document()
  assert.deepEqual([half.status, half.chunk_count, half.replacement.status], ['ready', 1, 'processing'])
  for (const mode of modes) assert.deepEqual(await found(mode), ['old'], mode)

  await owner.query('rollback')
  // As if the time had passed after which a silent worker's job is retried.
  await owner.query(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const worker = await app.node({ ROLE: 'worker' })
  await untilWithoutGap(async () => {
    const isDone = (await document()).replacement === null
    for (const mode of modes)
      assert.equal(new Set(await found(mode)).size, 1, 'one of the two versions, never none or both')
    return isDone
  })
  await worker.close()
  const { status, chunk_count: n } = await document()
  assert.equal(status, 'ready')
  assert.ok(n > 1)
  for (const mode of modes) assert.deepEqual([...new Set(await found(mode))], ['new'], mode)
  const { rows } = await owner.query(
    `select (select count(*)::int from chunks) as chunks, (select count(distinct ordinal)::int from chunk_vectors) as vectors,
       (select chunk_count::int from knowledge_totals where chunk_count > 0) as total,
       (select count(*)::int from events where type = 'document.updated') as events`,
  )
  assert.deepEqual(rows, [{ chunks: n, vectors: n, total: n, events: 1 }])
})
