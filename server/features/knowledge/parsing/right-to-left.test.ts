import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pdfFile, pdfStream } from '../../../testing/pdf.ts'
import { parseBytes } from './parse-bytes.ts'
import { parseDocument } from './parse-document.ts'

/** PDFs as Chromium prints them: glyphs from left to right, named by the shapes of the letters. */

const parse = (name: string, engine: 'native' | 'javascript') =>
  parseDocument(join(import.meta.dirname, '../../../testing/files', `${name}.pdf`), { type: 'pdf', engine })

const arabic = [
  'سياسة الإرجاع والاستبدال',
  'يمكن للعملاء إرجاع أي منتج خلال ثلاثين يوما من تاريخ الشراء (مع الفاتورة). يتم رد المبلغ إلى البطاقة التي استخدمت في الدفع.',
  'مدة التوصيل',
  'يستغرق التوصيل 3 أيام أو 12.5 ساعة. الهاتف: +20 100 123 4567 أو support@example.com.',
  'المنتج | السعر',
  'كرسي مكتب | 1500 جنيه',
  'هاتف iPhone 15 | 2300 جنيه',
  'الدفع عند الاستلام متاح',
]
const hebrew = [
  'מדיניות החזרות',
  'לקוחות יכולים להחזיר כל מוצר תוך שלושים יום (עם החשבונית). ההחזר מתבצע לכרטיס Visa שבו בוצע התשלום.',
  'זמני אספקה',
  'המשלוח לתל אביב אורך 3 ימים. טלפון: 03-1234567 או support@example.com.',
  'מוצר | מחיר',
  'כיסא משרדי | 450 ש"ח',
]

for (const [name, lines] of Object.entries({ arabic, hebrew }))
  for (const engine of ['native', 'javascript'] as const)
    test(`words, letters, numbers and cells of ${name} keep their order, by the ${engine} reader`, async () => {
      const { text, headings } = await parse(name, engine)
      assert.deepEqual(text.split(/\n+/), lines)
      if (engine === 'native')
        assert.deepEqual(
          headings.map((heading) => heading.text),
          [lines[0], lines[2]],
        )
    })

/** The codes of Latin letters mean Arabic ones, and `L` is the glyph for lam and alef, as LibreOffice writes it. */
const alphabet = 'ابتثجحخدرزسشصطعفقكلمنهويء'
const characterMap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange ${alphabet.length + 1} beginbfchar <4C> <06440627>
${[...alphabet].map((letter, i) => `<${(0x61 + i).toString(16)}> <0${letter.charCodeAt(0).toString(16)}>`).join('\n')}
endbfchar 1 beginbfrange <20> <3A> <0020> endbfrange endcmap end end`
const codeOf = (letter: string): string => String.fromCharCode(0x61 + alphabet.indexOf(letter))
const drawn = (text: string): string =>
  [...text.replaceAll('لا', 'L')]
    .reverse()
    .map((letter) => (/[L ]/.test(letter) ? letter : codeOf(letter)))
    .join('')

test('a glyph for two letters, and spaces beside numbers that are not drawn, keep the order of words', async () => {
  // From the right, 7.2 points a letter: a word or a number, and a gap of 4 points.
  let right = 540
  const shown = ['سلام نزلاء', '11:00', 'كتب ملابس', '150', 'درهم السلك'].map((text) => {
    const isNumber = /\d/.test(text)
    const codes = isNumber ? text : drawn(text)
    const left = right - codes.length * 7.2
    right = left - 4
    return `BT /F1 12 Tf ${left.toFixed(1)} 700 Td (${codes}) Tj ET`
  })
  const pdf = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    pdfStream(shown.join('\n')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>',
    pdfStream(characterMap),
  ])
  for (const engine of ['native', 'javascript'] as const) {
    const { text } = await parseBytes(pdf, { type: 'pdf', characters: 1_000, engine, onProgress: () => {} })
    assert.equal(text, 'سلام نزلاء 11:00 كتب ملابس 150 درهم السلك', engine)
  }
})

test('single lines from the right on an English page are read from the right', async () => {
  const { text } = await parse('bilingual', 'native')
  for (const line of [
    'נא להתקלח לפני הכניסה לבריכה.',
    'يسبح الأطفال دون الثانية عشرة مع شخص بالغ.',
    'from 7 to 21, in winter',
  ])
    assert.ok(text.includes(line), text)
})

test('of a font that draws the dots of letters apart, most words are read', async () => {
  const { text } = await parse('arabic-dots-apart', 'native')
  const expected = arabic.join(' ').split(/\s+/)
  const found = new Set(text.split(/\s+/))
  const share = expected.filter((word) => found.has(word)).length / expected.length
  assert.ok(share > 0.75, `${share}`)
  assert.ok(text.includes('+20 100 123 4567 أو support@example.com'), text)
})
