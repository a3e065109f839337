import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { UnreadableDocument } from './document.ts'
import { parseDocument } from './parse-document.ts'

const sample = (name: string) => join(import.meta.dirname, '../../../testing/files', name)
const ocrLanguages = ['eng']
const fails = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof UnreadableDocument && error.code === code && message.test(error.message)

test('with text recognition a scanned invoice is read, and a question finds it', async () => {
  const app = await startTestApp({ settings: { OCR: ocrLanguages } })
  const { call } = await app.organization()
  const file = new Uint8Array(await readFile(sample('scanned-invoice.pdf')))
  const document = await addDocument(call, file, 'scan.pdf')
  assert.deepEqual([document.status, document.error, document.language], ['ready', null, 'english'])
  const { body } = await call('POST', 'knowledge-base/search', { query: 'How much does the bicycle rental cost?' })
  assert.match(body.results[0].text, /Invoice number: 2027-0418.*Bicycle rental.*35\.50.*Total due: 293\.50/s)
  assert.equal(body.results[0].page, 1)
})

test('an image is read, and its large print is no heading', async () => {
  const { text, headings } = await parseDocument(sample('invoice.png'), { type: 'png', ocrLanguages })
  assert.match(text, /^Invoice\n\nHotel Seeblick, Lakeside Road 12, Lucerne\n/)
  assert.deepEqual(headings, [])
})

test('a page whose fonts name the wrong letters is recognized', async () => {
  const { text } = await parseDocument(sample('wrong-letters.pdf'), { type: 'pdf', ocrLanguages })
  assert.match(text, /^The guest may cancel the booking until noon of the day before arrival/)
})

test('a page with one line of text is not recognized into another order', async () => {
  const { text } = await parseDocument(sample('hebrew-notice.pdf'), { type: 'pdf', ocrLanguages })
  assert.equal(text, 'ארוחת הבוקר מוגשת משבע עד עשר.')
})

test('a cut-off image fails with the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recognition-test-'))
  after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cut.png')
  await writeFile(file, (await readFile(sample('invoice.png'))).subarray(0, 60))
  await assert.rejects(parseDocument(file, { type: 'png', ocrLanguages }), fails('damaged', /^The picture is damaged/))
})
