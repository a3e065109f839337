import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../testing/app.ts'
import { endOfDocument } from '../../../testing/documents.ts'
import { upload } from '../../../testing/uploads.ts'

const app = await sharedTestApp()
const path = 'knowledge-base/sources'
const prices = 'Product,Price\nBicycle,490\nHelmet,39\n'

test('a file of another kind is a document of the type txt that names its kind, and downloads as it came', async () => {
  const { call } = await app.organization()
  const { status, body } = await upload(call, path, { file: prices, fileName: 'prices.csv' })
  assert.equal(status, 201)
  assert.deepEqual(
    [body.kind, body.website, body.document.document_type, body.document.source, body.document.file_name],
    ['file', null, 'txt', { kind: 'file', file_kind: 'csv' }, 'prices.csv'],
  )
  const document = await endOfDocument(call, body.document.id)
  assert.equal(document.status, 'ready', document.error ?? '')
  const { results } = (await call('POST', 'knowledge-base/search', { query: 'price of a helmet' })).body
  assert.match(results[0].text, /Helmet/)
  const download = await call('GET', `knowledge-base/${document.id}/download`)
  assert.equal(download.text, prices)
  assert.match(String(download.headers['content-type']), /^text\/csv/)
  const again = await upload(call, path, { file: prices, fileName: 'prices.csv' })
  assert.deepEqual([again.status, again.body.document.id], [200, document.id])
  assert.deepEqual((await call('GET', 'knowledge-base')).body.documents, [document])
})

test('an FAQ is added as JSON; Idempotency-Key replays it', async () => {
  const { call } = await app.organization()
  const faq = { kind: 'faq', question: 'Open on Sunday?', answer: 'No.', variants: ['Sunday hours'] }
  const headers = { 'idempotency-key': 's1' }
  const first = await call('POST', path, faq, headers)
  assert.deepEqual([first.status, first.body.kind, first.body.document.source], [201, 'faq', { kind: 'faq' }])
  const replay = await call('POST', path, faq, headers)
  assert.deepEqual([replay.headers['idempotent-replayed'], replay.body], ['true', first.body])
  assert.equal((await call('POST', path, { ...faq, answer: 'Yes.' }, headers)).status, 409)
  assert.equal((await call('POST', path, faq)).status, 409)
})

test('refusals: unsupported and missing files, wrong types, missing scopes', async () => {
  const { call, id } = await app.organization()
  const refused = await upload(call, path, { file: 'MZ\u0090\u0000\u0003', fileName: 'setup.exe' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.detail, /setup\.exe is not PDF, Word/)
  const ole = Buffer.from('d0cf11e0a1b11ae1'.padEnd(2048, '0'), 'hex')
  for (const [fileName, advice] of [
    ['a.doc', /a\.doc has a binary format of Office before 2007.* Save it as \.docx/],
    ['Prices.XLS', /Prices\.XLS .* Save it as \.xlsx/],
    ['slides', /slides .* Save it as \.docx, \.xlsx or \.pptx/],
  ] as const) {
    const old = await upload(call, path, { file: new Uint8Array(ole), fileName })
    assert.equal(old.status, 400)
    assert.match(old.body.detail, advice)
  }
  assert.equal((await upload(call, path, { fields: { a: 'b' } })).status, 422)
  assert.equal((await call('POST', path, 'hello', { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await call('POST', path, '{', {})).status, 400)
  assert.equal((await call('POST', path, {})).status, 422)
  const reader = app.as((await app.key(id, { scopes: ['knowledge:read'] })).secret)
  assert.equal((await upload(reader, path, { file: prices, fileName: 'prices.csv' })).status, 403)
  assert.equal((await app.call('POST', path, {})).status, 401)
  // The upload keeps its formats.
  assert.equal((await upload(call, 'knowledge-base/upload', { file: prices, fileName: 'prices.csv' })).status, 400)
})
