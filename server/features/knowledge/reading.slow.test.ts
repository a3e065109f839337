import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'
import { addDocument, endOfDocument } from '../../testing/documents.ts'
import { wordFile } from '../../testing/docx.ts'
import { hostileFiles } from '../../testing/hostile-files.ts'
import { textPdf, typeset } from '../../testing/pdf.ts'
import { upload } from '../../testing/uploads.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_UPLOADS_PER_MINUTE: 1000 } })

test('one sentence on page 211 of a 300-page book is found, with its page', async () => {
  const org = await app.organization()
  const pages = Array.from({ length: 300 }, (_, i) =>
    typeset(
      i === 210
        ? 'The lighthouse keeper of Skagen hid the silver astrolabe beneath the seventh stair.'
        : `Chapter ${i + 1}. Nothing of note happened on day ${i + 1} of the voyage, and the crew mended sails.`,
    ),
  )
  const book = await addDocument(org.call, Uint8Array.from(textPdf(pages)), 'voyage.pdf')
  assert.equal(book.status, 'ready', String(book.error))
  for (const mode of ['hybrid', 'keyword', 'vector']) {
    const { body } = await org.call('POST', 'knowledge-base/search', { query: 'Where was the astrolabe hidden?', mode })
    assert.equal(body.results[0].page, 211, mode)
    assert.match(body.results[0].text, /beneath the seventh stair/)
  }
})

test('a Word document is found with the headings above the passage', async () => {
  const org = await app.organization()
  const file = wordFile([
    { heading: 'Handbook', level: 1 },
    { heading: 'Holidays', level: 2 },
    'Everybody has thirty days a year. '.repeat(30),
    'Whoever is ill calls before nine. '.repeat(60),
  ])
  const { id } = await addDocument(org.call, Uint8Array.from(file), 'handbook.docx')
  const { body } = await org.call('POST', 'knowledge-base/search', { query: 'Whom do I call when I am ill?' })
  const [first] = body.results
  assert.deepEqual([first.document_id, first.page], [id, null])
  assert.match(first.text, /calls before nine/)
  assert.equal(first.heading, 'Handbook › Holidays')
})

test('hostile files are refused or fail with a sentence, and the server keeps working', async () => {
  const org = await app.organization()
  // Files built to take all available time run in hostile-files.faults.test.ts; parse-document.test.ts tests the limits.
  const files = hostileFiles().filter(({ greedy, refused }) => !greedy && refused)
  const some = files.filter((_, i) => i % Math.ceil(files.length / 12) === 0)
  assert.ok(some.length >= 8)
  const ends = await Promise.all(
    some.map(async ({ name, type, bytes }, i) => {
      const fileName = `${i}-${name.replaceAll(/\W+/g, '-')}.${type}`
      const answer = await upload(org.call, 'knowledge-base/upload', { file: Uint8Array.from(bytes), fileName })
      if (answer.status === 400) return { name, error: answer.body.detail }
      assert.equal(answer.status, 201, answer.text)
      const { status, error } = await endOfDocument(org.call, answer.body.id)
      assert.equal(status, 'failed', name)
      return { name, error }
    }),
  )
  for (const { name, error } of ends) assert.match(error, /^[A-Z].{10,300}$/, name)
  assert.ok(ends.some(({ error }) => !error.startsWith('Unsupported')))
  assert.equal((await addDocument(org.call, 'All is well.', 'well.txt')).status, 'ready')
})
