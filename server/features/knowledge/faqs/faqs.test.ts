import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { type CallAs, ok, sharedTestApp } from '../../../testing/app.ts'
import { endOfDocument } from '../../../testing/documents.ts'
import { until, untilWithoutGap } from '../../../testing/process.ts'
import { upload } from '../../../testing/uploads.ts'
import { importFaqs } from './import-faqs.ts'

const app = await sharedTestApp()
const path = 'knowledge-base/faqs'
const refund = {
  question: 'How long does a refund take?',
  answer: 'Refunds arrive within 14 days.',
  variants: ['When do I get my money back?'],
}

const ready = async (call: CallAs, id: string) => {
  await until(async () => (await call('GET', `${path}/${id}`)).body.status === 'ready')
  return (await call('GET', `${path}/${id}`)).body
}
const search = async (call: CallAs, query: string): Promise<string[]> =>
  (await call('POST', 'knowledge-base/search', { query })).body.results.map(({ text }: { text: string }) => text)

const importCsv = (call: CallAs, file: string, headers = {}) =>
  upload(call, `${path}/import`, { file, fileName: 'faqs.csv' }, headers)

test('an FAQ is one chunk that its question, a variant and its answer find', async () => {
  const { call, id: organizationId } = await app.organization()
  const { status, body } = await call('POST', path, refund)
  assert.equal(status, 201)
  assert.deepEqual(
    { ...body, id: '', status: '', created_at: '', updated_at: '' },
    {
      id: '',
      organization_id: organizationId,
      ...refund,
      status: '',
      error: null,
      livemode: false,
      created_at: '',
      updated_at: '',
    },
  )
  await ready(call, body.id)
  const document = (await call('GET', `knowledge-base/${body.id}`)).body
  assert.deepEqual(
    [document.document_type, document.source, document.file_name, document.chunk_count],
    ['txt', { kind: 'faq' }, 'How long does a refund take.txt', 1],
  )
  for (const query of ['refund', 'money back', 'within 14 days'])
    assert.match((await search(call, query))[0] as string, /When do I get my money back\?\nRefunds arrive/)
  const download = await call('GET', `knowledge-base/${body.id}/download`)
  assert.equal(
    download.text,
    'Q: How long does a refund take?\nQ: When do I get my money back?\nA: Refunds arrive within 14 days.\n',
  )
})

test('the same question is one entry, in any case and spacing', async () => {
  const { call } = await app.organization()
  const first = (await call('POST', path, refund)).body
  const again = await call('POST', path, { ...refund, question: ' how long does a  refund take? ', answer: 'Other.' })
  assert.deepEqual([again.status, again.body.existing_id], [409, first.id])
  const both = await Promise.all([1, 2].map(() => call('POST', path, { question: 'Open?', answer: 'Yes.' })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  const other = (await call('POST', path, { question: 'Where?', answer: 'Here.' })).body
  assert.equal((await call('PATCH', `${path}/${other.id}`, { question: refund.question })).status, 409)
})

test('an edit replaces the text without a gap', async () => {
  const { call } = await app.organization()
  const { id } = (await call('POST', path, refund)).body
  await ready(call, id)
  const edited = await call('PATCH', `${path}/${id}`, { answer: 'Refunds arrive within 7 days.' })
  assert.deepEqual([edited.status, edited.body.answer], [200, 'Refunds arrive within 7 days.'])
  await untilWithoutGap(async () => {
    const [text = ''] = await search(call, 'refunds arrive')
    assert.match(text, /within (?:14|7) days/)
    return text.includes('7 days')
  })
  const last = await ready(call, id)
  assert.equal(last.answer, 'Refunds arrive within 7 days.')
  // Unchanged content is not indexed again.
  const same = (await call('PATCH', `${path}/${id}`, { answer: last.answer })).body
  assert.deepEqual([same.status, same.updated_at], ['ready', last.updated_at])
  // Several edits at once: the last one stays.
  for (const days of [3, 2, 1]) await call('PATCH', `${path}/${id}`, { answer: `Refunds arrive within ${days} days.` })
  await until(async () => (await search(call, 'refunds arrive'))[0]?.includes('1 days') ?? false)
  await ready(call, id)
})

test('the list is paged and searched; entries are deleted with their documents', async () => {
  const { call } = await app.organization()
  const ids: string[] = []
  for (const word of ['alpha', 'beta', 'gamma'])
    ids.unshift((await call('POST', path, { question: `What is ${word}?`, answer: `A ${word}.` })).body.id)
  const page = (await call('GET', `${path}?limit=2`)).body
  assert.deepEqual(
    [page.data.map((faq: { id: string }) => faq.id), page.has_more, page.total_count],
    [ids.slice(0, 2), true, 3],
  )
  const rest = (await call('GET', `${path}?limit=2&starting_after=${page.next_cursor}`)).body
  assert.deepEqual([rest.data.map((faq: { id: string }) => faq.id), rest.has_more], [ids.slice(2), false])
  const found = (await call('GET', `${path}?search=BETA`)).body
  assert.deepEqual([found.total_count, found.data[0].id], [1, ids[1]])
  assert.equal((await call('GET', `${path}?search=none`)).body.next_cursor, null)
  assert.equal((await call('DELETE', `${path}/${ids[0]}`)).status, 200)
  assert.equal((await call('GET', `knowledge-base/${ids[0]}`)).status, 404)
  assert.equal((await call('GET', path)).body.total_count, 2)
})

test('refusals: bad input, unknown ids, other tenants, missing scopes', async () => {
  const org = await app.organization()
  const { id } = (await org.call('POST', path, refund)).body
  const bad: [object, string][] = [
    [{ answer: 'x' }, 'question'],
    [{ question: ' ', answer: 'x' }, 'question'],
    [{ question: 'x', answer: 'y'.repeat(8001) }, 'answer'],
    [{ question: 'x', answer: 'y', variants: Array(21).fill('z') }, 'variants'],
  ]
  for (const [body, member] of bad) {
    const answer = await org.call('POST', path, body)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.detail[0].loc.slice(0, 2), ['body', member])
  }
  assert.equal((await org.call('PATCH', `${path}/${id}`, { answer: '' })).status, 422)
  const other = await app.organization()
  const reader = app.as((await app.key(org.id, { scopes: ['knowledge:read'] })).secret)
  const stranger = app.as((await app.key(org.id, { scopes: ['contacts:read'] })).secret)
  for (const [method, body] of [['GET'], ['PATCH', { answer: 'x' }], ['DELETE']] as [string, object?][]) {
    assert.equal((await other.call(method, `${path}/${id}`, body)).status, 404)
    assert.equal((await org.call(method, `${path}/${newId()}`, body)).status, 404)
    assert.equal((await app.call(method, `${path}/${id}`, body)).status, 401)
    assert.equal((await stranger(method, `${path}/${id}`, body)).status, 403)
    if (method !== 'GET') assert.equal((await reader(method, `${path}/${id}`, body)).status, 403)
  }
  for (const [method, url] of [
    ['GET', path],
    ['GET', `${path}/export`],
    ['POST', path],
    ['POST', `${path}/import`],
  ] as const) {
    assert.equal((await app.call(method, url)).status, 401)
    assert.equal((await stranger(method, url)).status, 403)
  }
  assert.equal((await reader('GET', path)).body.total_count, 1)
  assert.equal((await other.call('GET', path)).body.total_count, 0)
  // The document of an upload is no FAQ.
  const file = await upload(org.call, 'knowledge-base/upload', { file: 'hello', fileName: 'hello.txt' })
  assert.equal((await org.call('GET', `${path}/${file.body.id}`)).status, 404)
  assert.equal((await org.call('DELETE', `${path}/${file.body.id}`)).status, 404)
})

test('a CSV file adds questions and changes answers; an export can be imported again', async () => {
  const { call } = await app.organization()
  const first = (await call('POST', path, refund)).body
  const file =
    'Question,Answer,Variants\r\nHow long does a refund take?,"Seven days,\nat most.",\r\nDo you ship abroad?,=Yes,Delivery | Norway\r\n'
  const done = await importCsv(call, file, { 'idempotency-key': 'i1' })
  assert.deepEqual([done.status, done.body], [200, { created: 1, updated: 1, unchanged: 0 }])
  assert.equal((await importCsv(call, file, { 'idempotency-key': 'i1' })).headers['idempotent-replayed'], 'true')
  assert.equal((await ready(call, first.id)).answer, 'Seven days,\nat most.')
  const exported = await call('GET', `${path}/export`)
  assert.equal(
    exported.text,
    '\ufeffquestion,answer,variants\r\nHow long does a refund take?,"Seven days,\nat most.",\r\nDo you ship abroad?,\'=Yes,Delivery | Norway\r\n',
  )
  assert.deepEqual((await importCsv(call, exported.text)).body, { created: 0, updated: 0, unchanged: 2 })
  const changes = 'question,answer\r\nhow long does a refund take?,Nine days.\r\nDo you ship abroad?,No.\r\n'
  assert.deepEqual((await importCsv(call, changes)).body, { created: 0, updated: 2, unchanged: 0 })
  assert.equal(
    (await call('GET', `${path}/export`)).text,
    '\ufeffquestion,answer,variants\r\nHow long does a refund take?,Nine days.,\r\nDo you ship abroad?,No.,\r\n',
  )
})

test('an import that meets a question added meanwhile names no other question', async () => {
  const { id: organizationId } = await app.organization()
  // The second one is there by the time of the third, as if another request had added it.
  const faqs = ['First?', 'Second?', 'second?'].map((question, i) => ({ question, answer: `Answer ${i}` }))
  await assert.rejects(
    app.database.inTenant({ organizationId, livemode: false }, (tx) => importFaqs(tx, faqs)),
    { message: 'Another request added one of these questions meanwhile: import the file again' },
  )
})

test('a CSV file with faults imports nothing, and each fault is located', async () => {
  const { call } = await app.organization()
  const file = `question,answer\nOpen?,Yes\n,Nothing\nopen?,Again\nClosed?,\n${'x'.repeat(501)},Long\n`
  const { status, body } = await importCsv(call, file)
  assert.equal(status, 422)
  assert.deepEqual(
    body.detail.map(({ loc }: { loc: string[] }) => loc.slice(2)),
    [
      ['row 3', 'question'],
      ['row 4', 'question'],
      ['row 5', 'answer'],
      ['row 6', 'question'],
    ],
  )
  assert.equal((await call('GET', path)).body.total_count, 0)
  assert.deepEqual((await importCsv(call, 'a,b\n1,2\n')).body.detail[0].loc, ['body', 'file', 'row 1'])
  assert.equal((await importCsv(call, 'PK\u0003\u0004')).status, 400)
  assert.equal((await upload(call, `${path}/import`, {})).status, 422)
  assert.equal((await call('POST', `${path}/import`, {})).status, 415)
  assert.equal((await importCsv(call, `question,answer\n${'q,a\n'.repeat(1001)}`)).status, 422)
})

test('a test FAQ is promoted to live mode with its question', async () => {
  const org = await app.organization()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const { id } = (await org.call('POST', path, refund)).body
  await endOfDocument(org.call, id)
  const copy = ok(await live('POST', `knowledge-base/${id}/promote`), 201)
  assert.equal((await live('GET', `${path}/${copy.id}`)).body.question, refund.question)
  assert.equal((await live('POST', `knowledge-base/${id}/promote`)).status, 200)
  await org.call('PATCH', `${path}/${id}`, { answer: 'Other.' })
  await ready(org.call, id)
  assert.equal((await live('POST', `knowledge-base/${id}/promote`)).status, 409)
})
