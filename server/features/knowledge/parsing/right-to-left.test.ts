import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
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
