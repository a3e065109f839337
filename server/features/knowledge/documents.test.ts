import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../platform/ids.ts'
import { FileMissing, fileKey } from '../../providers/files/contract.ts'
import { createDiskFiles } from '../../providers/files/disk.ts'
import { type CallAs, ok, startTestApp, type TestOrganization } from '../../testing/app.ts'
import { addDocument, endOfDocument } from '../../testing/documents.ts'
import { textPdf, typeset } from '../../testing/pdf.ts'
import { until } from '../../testing/process.ts'
import { encodeForm, upload } from '../../testing/uploads.ts'
import { sweepFilesJob } from '../files/jobs.ts'

const app = await startTestApp({ settings: { MAX_UPLOAD_BYTES: 20_000 } })
const path = 'knowledge-base/upload'
const policy = 'Refunds are paid within 14 days.\n\nShipping to Norway takes three days.'
const send = (call: CallAs, file: string | Uint8Array<ArrayBuffer>, fileName: string, headers = {}) =>
  upload(call, path, { file, fileName }, headers)

const Count = Type.Object({ n: Type.Integer() })

/** Files that belong to no document yet and are not marked for removal. */
const announced = async (org: TestOrganization): Promise<number> =>
  (
    await app.database.forSystem().one(Count)`
      select count(*)::integer as n from removed_files
      where organization_id = ${org.id} and created_at > now() + interval '30 minutes'`
  ).n

test('an upload is answered at once, and the document becomes ready with its facts', async () => {
  const org = await app.organization()
  const { status, body } = await send(org.call, policy, ' policy.txt')
  assert.equal(status, 201)
  assert.deepEqual(
    { ...body, id: '', uploaded_at: '', updated_at: '' },
    {
      id: '',
      organization_id: org.id,
      document_type: 'txt',
      file_name: 'policy.txt',
      status: 'processing',
      error: null,
      progress: 0,
      size_bytes: policy.length,
      sha256: createHash('sha256').update(policy).digest('hex'),
      chunk_count: 0,
      language: null,
      embedding_model: null,
      source: null,
      replacement: null,
      collection_ids: [],
      livemode: false,
      uploaded_at: '',
      updated_at: '',
    },
  )
  const ready = await endOfDocument(org.call, body.id)
  const { chunk_count, language, embedding_model, progress, error } = ready
  assert.deepEqual(
    { status: ready.status, chunk_count, language, embedding_model, progress, error },
    {
      status: 'ready',
      chunk_count: 1,
      language: 'english',
      embedding_model: 'all-minilm-l6-v2',
      progress: 1,
      error: null,
    },
  )
  assert.deepEqual((await org.call('GET', 'knowledge-base')).body, { documents: [ready] })
  const { data } = (await org.call('GET', 'events')).body
  assert.deepEqual(
    data.map((event: { type: string; data: { object: { status: string } } }) => [event.type, event.data.object.status]),
    [
      ['document.ready', 'ready'],
      ['document.created', 'processing'],
    ],
  )
  assert.deepEqual(data[0].data.object, ready)
})

test('the list has all documents of the organization, newest first, and no other tenant’s', async () => {
  const [org, other] = [await app.organization(), await app.organization()]
  assert.deepEqual((await org.call('GET', 'knowledge-base')).body, { documents: [] })
  await send(other.call, policy, 'theirs.txt')
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await send(org.call, policy, name)
  const { documents } = (await org.call('GET', 'knowledge-base')).body
  assert.deepEqual(
    documents.map((document: { file_name: string }) => document.file_name),
    ['c.txt', 'b.txt', 'a.txt'],
  )
})

test('the same bytes under the same name are one document; another name or other bytes are another', async () => {
  const org = await app.organization()
  const first = await send(org.call, policy, 'policy.txt')
  const again = ok(await send(org.call, policy, 'policy.txt'))
  assert.equal(again.id, first.body.id)
  await endOfDocument(org.call, first.body.id)
  const later = await send(org.call, policy, 'policy.txt')
  assert.deepEqual([later.status, later.body.id, later.body.status], [200, first.body.id, 'ready'])
  assert.equal((await send(org.call, policy, 'other.txt')).status, 201)
  assert.equal((await send(org.call, `${policy}!`, 'policy.txt')).status, 201)
  assert.equal((await org.call('GET', 'knowledge-base')).body.documents.length, 3)
})

test('parallel uploads of the same bytes make one document and keep one file', async () => {
  const org = await app.organization()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(org.call, policy, 'policy.txt')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.equal(await announced(org), 0)
})

test('uploading a failed document again processes it again', async () => {
  const org = await app.organization()
  const { body } = await send(org.call, '', 'empty.txt')
  const failed = await endOfDocument(org.call, body.id)
  assert.deepEqual([failed.status, failed.chunk_count], ['failed', 0])
  assert.match(failed.error as string, /empty/)
  const again = await send(org.call, '', 'empty.txt')
  assert.deepEqual(
    [again.status, again.body.id, again.body.status, again.body.error],
    [200, body.id, 'processing', null],
  )
  assert.equal((await endOfDocument(org.call, body.id)).status, 'failed')
  const types = (await org.call('GET', 'events?type=document.failed')).body.data
  assert.equal(types.length, 2)
})

test('Idempotency-Key: the same upload is one document, another one under the same key is refused', async () => {
  const org = await app.organization()
  const headers = { 'idempotency-key': 'k1' }
  const first = await send(org.call, policy, 'policy.txt', headers)
  await org.call('DELETE', `knowledge-base/${first.body.id}`)
  const replay = await send(org.call, policy, 'policy.txt', headers)
  assert.deepEqual([replay.status, replay.headers['idempotent-replayed']], [201, 'true'])
  assert.deepEqual(replay.body, first.body)
  assert.equal((await send(org.call, policy, 'other.txt', headers)).status, 409)
  assert.equal((await send(org.call, `${policy}!`, 'policy.txt', headers)).status, 409)
  assert.deepEqual((await org.call('GET', 'knowledge-base')).body.documents, [])
})

test('a file that is not PDF, DOCX or TXT by name and content is refused with 400 and leaves nothing', async () => {
  const org = await app.organization()
  const png = Uint8Array.from(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  for (const [file, name] of [
    [policy, 'policy.csv'],
    [policy, 'policy'],
    [png, 'photo.png'],
    [png, 'photo.pdf'],
    [png, 'photo.txt'],
    [policy, 'policy.docx'],
  ] as const) {
    const { status, body } = await send(org.call, file, name)
    assert.equal(status, 400, name)
    assert.match(body.detail, /PDF, DOCX or TXT/)
  }
  assert.deepEqual((await org.call('GET', 'knowledge-base')).body.documents, [])
})

test('a form without a file or with two, or no form at all, is refused', async () => {
  const org = await app.organization()
  const missing = await upload(org.call, path, { fields: { note: 'x' } })
  assert.equal(missing.status, 422)
  assert.deepEqual(missing.body.detail[0].loc, ['body', 'file'])
  const form = new FormData()
  form.append('file', new Blob(['a']), 'a.txt')
  form.append('file', new Blob(['b']), 'b.txt')
  const two = await encodeForm(form)
  assert.equal((await org.call('POST', path, two.body, two.headers)).status, 422)
  assert.equal((await org.call('POST', path, { file: 'x' })).status, 415)
  const nothing = await org.call('POST', path)
  assert.equal(nothing.status, 422)
  // As a browser sends a form in which no file was chosen.
  assert.equal((await upload(org.call, path, { file: '', fileName: '' })).status, 422)
  assert.deepEqual(nothing.body.detail[0].loc, ['body', 'file'])
  assert.deepEqual((await org.call('GET', 'knowledge-base')).body.documents, [])
})

test('a file keeps its name, whatever is in it, without its folders', async () => {
  const org = await app.organization()
  for (const [given, kept] of [
    ['../../secrets/plan.txt', 'plan.txt'],
    ['C:\\Users\\me\\plan.txt', 'plan.txt'],
    ['a "quoted" name; with = signs.txt', 'a "quoted" name; with = signs.txt'],
    ['計画 – Ünïcode 😀.txt', '計画 – Ünïcode 😀.txt'],
    ['in\u202Evoice\u2066 1\u2069.txt', 'invoice 1.txt'],
    ['  spaces .txt  ', 'spaces .txt'],
    [`${'😀'.repeat(200)}.txt`, `${'😀'.repeat(125)}.txt`],
  ] as const) {
    const { status, body } = await send(org.call, `${policy} ${given}`, given)
    assert.equal(status, 201, given)
    assert.equal(body.file_name, kept)
  }
})

test('a file over the limit is 413, one at the limit is accepted', async () => {
  const org = await app.organization()
  assert.equal((await send(org.call, 'x'.repeat(20_001), 'large.txt')).status, 413)
  assert.equal((await send(org.call, 'word '.repeat(4_000), 'large.txt')).status, 201)
})

test('uploads have their own rate limit, answered as the contract says', async () => {
  const node = await app.node({ RATE_LIMIT_UPLOADS_PER_MINUTE: 2, ROLE: 'api' })
  const org = await node.organization()
  for (const name of ['a.txt', 'b.txt']) assert.equal((await send(org.call, policy, name)).status, 201)
  const { status, body, headers } = await send(org.call, policy, 'c.txt')
  assert.equal(status, 429)
  assert.equal(body.error, 'rate_limit_exceeded')
  assert.ok(body.retry_after >= 1 && body.retry_after <= 60)
  assert.equal(headers['retry-after'], String(body.retry_after))
  assert.equal((await org.call('GET', 'knowledge-base')).status, 200)
})

test('a client that disconnects during its upload leaves nothing behind', async () => {
  const org = await app.organization()
  const address = new URL(await app.server.listen({ host: '127.0.0.1', port: 0 }))
  const leaving = request({
    host: address.hostname,
    port: address.port,
    path: `/api/v1/${path}`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'multipart/form-data; boundary=xx',
      'content-length': 10_000,
    },
  })
  leaving.on('error', () => {})
  const head = '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  leaving.write(`${head}${'word '.repeat(500)}`)
  // The file is registered before its first byte is stored, and released when the client is gone.
  await until(async () => (await announced(org)) === 1)
  leaving.destroy()
  await until(async () => (await announced(org)) === 0)
  assert.deepEqual((await org.call('GET', 'knowledge-base')).body.documents, [])
})

test('a download returns the exact bytes under the original name, as an attachment', async () => {
  const org = await app.organization()
  const bytes = Uint8Array.from(Buffer.from('Stra\xdfe "14"', 'latin1'))
  const { body } = await send(org.call, bytes, 'Preis; „2026“.txt')
  const answer = await app.server.inject({
    url: `/api/v1/knowledge-base/${body.id}/download`,
    headers: { authorization: `Bearer ${org.key}` },
  })
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.rawPayload, Buffer.from(bytes))
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.match(String(answer.headers['content-type']), /^text\/plain/)
  const disposition = String(answer.headers['content-disposition'])
  assert.match(disposition, /^attachment; filename="Preis_ _2026_\.txt"/)
  assert.match(disposition, /filename\*=UTF-8''Preis%3B%20%E2%80%9E2026%E2%80%9C\.txt$/)
})

test('passages of a PDF have the heading of their page, and not the header above it', async () => {
  const org = await app.organization()
  const sections = ['Your arrival', 'Our breakfast', 'Swimming pool', 'Car park', 'Your departure']
  const pdf = textPdf(
    sections.map((section, i) => [
      { text: 'Hotel Miramar - guest handbook', x: 60, y: 800 },
      { text: section, x: 60, y: 750, size: 22 },
      ...typeset(`What guests ask about ${section.toLowerCase()} is answered here. `.repeat(5), { top: 700 }),
      { text: `Page ${i + 1} of 5`, x: 270, y: 30, size: 9 },
    ]),
  )
  const { status } = await addDocument(org.call, new Uint8Array(pdf), 'handbook.pdf')
  assert.equal(status, 'ready')
  for (const [i, section] of sections.entries()) {
    const { body } = await org.call('POST', 'knowledge-base/search', { query: section, mode: 'keyword' })
    const found = body.results.find(({ page }: { page: number }) => page === i + 1)
    assert.equal(found?.heading, section)
    assert.doesNotMatch(found.text, /Miramar|Page/)
  }
})

test('deleting a document deletes its bytes, chunks and vectors', async () => {
  const org = await app.organization()
  const { id } = await addDocument(org.call, policy)
  const { status, body } = await org.call('DELETE', `knowledge-base/${id}`)
  assert.deepEqual([status, body], [200, { message: 'Document deleted successfully' }])
  for (const [method, url] of [
    ['GET', `knowledge-base/${id}`],
    ['GET', `knowledge-base/${id}/download`],
    ['DELETE', `knowledge-base/${id}`],
  ] as const)
    assert.equal((await org.call(method, url)).status, 404, url)
  const system = app.database.forSystem()
  for (const table of ['documents', 'chunks', 'chunk_vectors', 'document_lexemes'] as const) {
    const { rows } = await system.raw(`select from ${table} where organization_id = $1`, [org.id])
    assert.equal(rows.length, 0, table)
  }
  await app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  const key = fileKey({ organizationId: org.id, livemode: false }, 'documents', id)
  const isGone = (error: unknown) => error instanceof FileMissing
  await until(() =>
    createDiskFiles(join(app.settings.DATA_DIR, 'files'))
      .read(key)
      .then((bytes) => !bytes.destroy(), isGone),
  )
  const types = (await org.call('GET', 'events')).body.data.map((event: { type: string }) => event.type)
  assert.equal(types[0], 'document.deleted')
  // The same file can be uploaded again, as a new document.
  const again = ok(await send(org.call, policy, 'document.txt'), 201)
  assert.notEqual(again.id, id)
})

test('an id that does not exist, is malformed or belongs to another tenant is not found', async () => {
  const [org, other] = [await app.organization(), await app.organization()]
  const { body } = await send(other.call, policy, 'policy.txt')
  const live = app.as((await app.key(other.id, { mode: 'live' })).secret)
  for (const id of [newId(), 'nonsense', body.id]) {
    for (const [method, url] of [
      ['GET', `knowledge-base/${id}`],
      ['GET', `knowledge-base/${id}/download`],
      ['DELETE', `knowledge-base/${id}`],
    ] as const) {
      const answer = await org.call(method, url)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Document not found' }], `${method} ${url}`)
    }
  }
  assert.equal((await live('GET', `knowledge-base/${body.id}`)).status, 404)
  assert.equal((await other.call('GET', `knowledge-base/${body.id}`)).status, 200)
})

test('reading and writing have separate scopes', async () => {
  const org = await app.organization()
  const { body } = await send(org.call, policy, 'policy.txt')
  const reader = app.as((await app.key(org.id, { scopes: ['knowledge:read'] })).secret)
  const writer = app.as((await app.key(org.id, { scopes: ['knowledge:write'] })).secret)
  const statuses = async (call: CallAs) => [
    (await call('GET', 'knowledge-base')).status,
    (await call('GET', `knowledge-base/${body.id}`)).status,
    (await call('GET', `knowledge-base/${body.id}/download`)).status,
    (await call('POST', 'knowledge-base/search', { query: 'refunds' })).status,
    (await send(call, policy, 'second.txt')).status,
    (await call('DELETE', `knowledge-base/${body.id}`)).status,
  ]
  assert.deepEqual(await statuses(reader), [200, 200, 200, 200, 403, 403])
  assert.deepEqual(await statuses(writer), [403, 403, 403, 403, 201, 200])
  assert.deepEqual(await statuses(app.call), [401, 401, 401, 401, 401, 401])
})
