import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'
import { endOfDocument } from '../../testing/documents.ts'
import { upload } from '../../testing/uploads.ts'

test('a web page, a spreadsheet, a scanned invoice and a Russian text in windows-1251 are found by a question', async () => {
  const app = await startTestApp({ settings: { OCR: ['eng'] } })
  const { call } = await app.organization()
  const sample = async (name: string) =>
    new Uint8Array(await readFile(join(import.meta.dirname, '../../testing/files', name)))
  const page = '<html><nav>Home</nav><main><h1>Parking</h1><p>The garage costs nine euros a day.</p></main></html>'
  // Letters of windows-1251 follow each other as in Unicode.
  const russian = 'Доставка по Москве занимает два рабочих дня. Возврат товара возможен в течение четырнадцати дней.'
  const cyrillic = Uint8Array.from(russian, (letter) => {
    const code = letter.charCodeAt(0)
    return code >= 0x410 ? code - 0x350 : code
  })
  for (const [path, fileName, file, question, answer] of [
    ['sources', 'parking.html', page, 'What does the garage cost?', /nine euros/],
    ['sources', 'rates.xlsx', await sample('rates.xlsx'), 'room rates', /\d/],
    ['upload', 'scan.pdf', await sample('scanned-invoice.pdf'), 'What does the bicycle rental cost?', /35\.50/],
    ['upload', 'dostavka.txt', cyrillic, 'Сколько дней занимает доставка?', /два рабочих дня/],
  ] as const) {
    const { status, body, text } = await upload(call, `knowledge-base/${path}`, { file, fileName })
    assert.equal(status, 201, text)
    const { id } = body.document ?? body
    assert.equal((await endOfDocument(call, id)).status, 'ready', fileName)
    const [best] = (await call('POST', 'knowledge-base/search', { query: question })).body.results
    assert.equal(best.document_id, id, fileName)
    assert.match(best.text, answer)
  }
})
