import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText, getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { Report } from '../report.ts'
import { renderReport } from './render-report.ts'

/** What programs read out of the report: search, screen readers, copy and paste. */

const reportOf = (name: string): Report => ({
  id: '0199b2a4-5c1e-7c3a-9e61-6f4f1f3f2b10',
  name,
  organization: 'Acme',
  isTest: true,
  status: { word: 'Completed', tone: 'good', sentence: 'Everything was sent.' },
  asOf: '1 November 2026, 12:00',
  timezone: 'UTC',
  facts: [{ label: 'Audience', value: 'All contacts' }],
  preview: null,
  previewNote: '',
  funnel: [{ label: 'Recipients', count: 7, part: 1, share: '100%', ofPrevious: '' }],
  remainder: '',
  buttons: '',
  links: '',
  chart: null,
  failures: [],
  otherFailures: 0,
})

const open = async (name: string) =>
  getDocumentProxy(new Uint8Array(await renderReport(reportOf(name))), { verbosity: 0 })

type Matrix = [number, number, number, number, number, number]
const product = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  a * A + c * B,
  b * A + d * B,
  a * C + c * D,
  b * C + d * D,
  a * E + c * F + e,
  b * E + d * F + f,
]

/**
 * Positions of text spans as a PDF reader computes them, from the coordinates and the font in effect at their end, and
 * the positions of their letters.
 */
async function spansOf(name: string) {
  const { OPS } = await getResolvedPDFJS()
  const page = await (await open(name)).getPage(1)
  const { fnArray, argsArray } = await page.getOperatorList()
  let state = { ctm: [1, 0, 0, 1, 0, 0] as Matrix, hasFont: false }
  const saved: (typeof state)[] = []
  const marked: string[] = []
  let letters: Matrix | undefined
  const spans: { letters: Matrix | undefined; end: Matrix; hasFont: boolean }[] = []
  for (const [i, operator] of fnArray.entries()) {
    const args = argsArray[i]
    if (operator === OPS.save) saved.push(state)
    else if (operator === OPS.restore) state = saved.pop() as typeof state
    else if (operator === OPS.transform) state = { ...state, ctm: product(state.ctm, [...args] as Matrix) }
    else if (operator === OPS.setFont) state = { ...state, hasFont: true }
    else if (operator === OPS.showText) letters = state.ctm
    else if (operator === OPS.beginMarkedContent || operator === OPS.beginMarkedContentProps) marked.push(args[0])
    else if (operator === OPS.endMarkedContent && marked.pop() === 'Span')
      spans.push({ letters, end: state.ctm, hasFont: state.hasFont })
  }
  return spans
}

test('a title with an alternative text is positioned where it is drawn, and is read in that order', async () => {
  for (const name of [
    'नमस्ते दुनिया',
    'ข่าวดี Sale 50%',
    'Hello 🎉 friends',
    'வணக்கம் friends',
    'Frühling 2026 – 春の news – Весна',
  ]) {
    const spans = await spansOf(name)
    assert.ok(spans.length > 0, name)
    for (const { letters, end, hasFont } of spans) {
      assert.deepEqual(end, letters, name)
      assert.ok(hasFont, name)
    }
  }
})

test('a title that runs from right to left is read in its order, and has no alternative text', async () => {
  for (const name of ['חדשות האביב', 'مبيعات الربيع الكبرى', 'سلام لا إله']) {
    assert.deepEqual(await spansOf(name), [], `readers reverse an alternative text: ${name}`)
    const { text } = await extractText(await open(name), { mergePages: true })
    assert.ok(text.includes(name), `${name}: ${text}`)
  }
})

test('a letter is extracted correctly after any other report, and the dots of Arabic letters are not extracted', async () => {
  // The ü is drawn with the shape of u.
  for (const name of ['Frühling', 'Until it is used up', 'طلب رقم 12345 جاهز']) {
    const { text } = await extractText(await open(name), { mergePages: true })
    assert.ok(text.replace(/\s+/g, '').includes(name.split(' ')[0] as string), `${name}: ${text}`)
    assert.ok(!text.includes('\u200b'), name)
  }
})
