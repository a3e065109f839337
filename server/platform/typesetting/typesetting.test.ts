import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut, type Run } from './text-layout.ts'

const at = (width: number, more: object = {}) => ({ width, size: 10, ...more })
const oneLine = (text: string) => {
  const [line, ...more] = layOut([{ text }], at(10_000))
  assert.ok(line && more.length === 0, text)
  return line
}
const fromTheLeft = (runs: Run[]) => runs.toSorted((one, other) => one.x - other.x).map(({ text }) => text)

const samples = {
  Latin: 'Frühling über Łódź',
  Greek: 'Καλημέρα κόσμε',
  Cyrillic: 'Доброе утро',
  Arabic: 'طلب رقم جاهز',
  Hebrew: 'חדשות האביב',
  Devanagari: 'नमस्ते दुनिया',
  Thai: 'ข่าวดีวันนี้',
  Han: '春天的好消息',
  Kana: 'こんにちは',
  Hangul: '좋은 소식입니다',
}

test('each script is drawn by a face that has its letters, and no letter is lost', () => {
  for (const [script, text] of Object.entries(samples)) {
    const line = oneLine(text)
    assert.equal(line.text, text, script)
    for (const { drawnBy } of line.runs) assert.equal(typeof drawnBy, 'object', script)
  }
})

test('lines fit their width and together say the whole text, in every script', () => {
  for (const [script, sample] of Object.entries(samples)) {
    const text = Array.from({ length: 12 }, () => sample).join(' ')
    const lines = layOut([{ text }], at(120))
    assert.ok(lines.length > 3, script)
    for (const { width } of lines) assert.ok(width <= 120, script)
    assert.equal(
      lines
        .map((line) => line.text)
        .join('')
        .replaceAll(' ', ''),
      text.replaceAll(' ', ''),
      script,
    )
  }
})

test('a word that is wider than a line is broken', () => {
  const lines = layOut([{ text: 'x'.repeat(200) }], at(100))
  assert.ok(lines.length > 5)
  for (const { width } of lines) assert.ok(width <= 100)
})

test('a line of Chinese ends anywhere, but never before closing punctuation', () => {
  for (let width = 60; width < 140; width += 5)
    for (const { text } of layOut([{ text: '今天开门，明天休息。欢迎光临！谢谢您的支持。' }], at(width)))
      assert.doesNotMatch(text, /^[，。！]/)
})

test('mixed directions are placed as they are read', () => {
  const hebrew = oneLine('שלום Acme להתראות')
  assert.equal(hebrew.isRightToLeft, true)
  const places = fromTheLeft(hebrew.runs)
  const [first, last] = [places[0] as string, places.at(-1) as string]
  assert.ok(!first.includes('Acme') && !last.includes('Acme') && places.join('').includes('Acme'))
  const english = oneLine('Sale עכשיו today')
  assert.equal(english.isRightToLeft, false)
  assert.match(fromTheLeft(english.runs)[0] as string, /^Sale/)
})

test('text beyond the last line ends in an ellipsis that still fits', () => {
  const lines = layOut([{ text: 'All of this will never fit into two short lines of text' }], at(80, { maxLines: 2 }))
  assert.equal(lines.length, 2)
  assert.match(lines[1]?.text as string, /…$/)
  assert.ok((lines[1]?.width as number) <= 80)
})

test('emoji and scripts without a face are drawn as placeholders', () => {
  assert.deepEqual(
    oneLine('Hi 🎉').runs.map(({ drawnBy }) => (typeof drawnBy === 'string' ? drawnBy : 'face')),
    ['face', 'emoji'],
  )
  assert.ok(oneLine('வணக்கம்').runs.every(({ drawnBy }) => drawnBy === 'foreign'))
})
