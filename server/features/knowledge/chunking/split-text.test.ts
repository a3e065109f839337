import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../testing/seeded-numbers.ts'
import { type Chunk, chunksAt, findCuts } from './split-text.ts'

const words = 'time person year day thing world life hand part child place work week case company number group'.split(
  ' ',
)
const sentence = (i: number, length = 14) =>
  `${Array.from({ length }, (_, k) => words[(i * 7 + k * 3) % words.length]).join(' ')}.`.replace(/^./, (first) =>
    first.toUpperCase(),
  )
const prose = (sentences: number) =>
  Array.from({ length: sentences }, (_, i) => sentence(i) + (i % 5 === 4 ? '\n\n' : ' ')).join('')

const splitText = (document: Parameters<typeof findCuts>[0], options?: Parameters<typeof findCuts>[1]) =>
  chunksAt(document.text, findCuts(document, options))

/** Holds for every text. */
function check(text: string, chunks: Chunk[]): void {
  const characters = Array.from(text)
  let last = 0
  for (const { start, end, text: slice, children } of chunks) {
    assert.ok(start >= last && end > start)
    assert.match(characters.slice(last, start).join(''), /^\s*$/)
    assert.equal(characters.slice(start, end).join(''), slice)
    assert.ok(slice.isWellFormed())
    assert.equal(children.map((child) => child.text).join(''), slice)
    assert.equal(children[0]?.start, start)
    assert.equal(children.at(-1)?.end, end)
    for (const [i, child] of children.entries()) {
      assert.equal(characters.slice(child.start, child.end).join(''), child.text)
      if (i > 0) assert.equal(child.start, children[i - 1]?.end)
    }
    last = end
  }
  assert.match(characters.slice(last).join(''), /^\s*$/)
}

test('prose becomes chunks of about four hundred tokens, cut between sentences, with two children each', () => {
  const text = prose(400)
  const chunks = splitText({ text, pages: [] })
  check(text, chunks)
  assert.equal(chunks.map((chunk) => chunk.text).join(''), text)
  for (const { text: slice, children, page } of chunks) {
    assert.match(slice, /^[A-Z].*\.\s*$/s)
    assert.equal(page, null)
    assert.ok(children.length <= 2)
    for (const child of children) assert.match(child.text, /\.\s*$/)
  }
  assert.ok(chunks.filter(({ children }) => children.length === 2).length >= chunks.length - 2)
  const lengths = chunks.map((chunk) => chunk.text.split(/\s+/).length)
  assert.ok(
    lengths.every((length) => length > 180 && length < 420),
    `${lengths}`,
  )
})

test('a short text is one chunk with one child, exactly as it is', () => {
  const text = '  Hello there.\n'
  assert.deepEqual(splitText({ text, pages: [] }), [
    { start: 0, end: 15, text, page: null, children: [{ start: 0, end: 15, text }] },
  ])
  assert.deepEqual(splitText({ text: ' \n ', pages: [] }), [])
})

test('no chunk crosses a page boundary', () => {
  const pageTexts = Array.from({ length: 9 }, (_, i) => `Page ${i + 1} begins. ${prose(6 + i * 12)}`.trim())
  let text = ''
  const pages = pageTexts.map((page, i) => {
    const start = text.length
    text += page
    const end = text.length
    text += '\n\n'
    return { number: i + 1, start, end }
  })
  const chunks = splitText({ text, pages })
  check(text, chunks)
  for (const { number } of pages)
    assert.equal(
      chunks
        .filter((chunk) => chunk.page === number)
        .map((chunk) => chunk.text)
        .join(''),
      pageTexts[number - 1],
    )
})

test('the last chunk is not a small leftover', () => {
  const text = prose(30)
  const chunks = splitText({ text, pages: [] })
  const lengths = chunks.map((chunk) => chunk.text.length)
  assert.equal(chunks.length, 2)
  assert.ok(Math.min(...lengths) > Math.max(...lengths) * 0.7, `${lengths}`)
})

test('a heading starts a chunk rather than ending one', () => {
  const sections = Array.from({ length: 12 }, (_, i) => ({
    title: `Section ${i}`,
    body: prose(21 + (i % 3)).trim(),
  }))
  let text = ''
  const headings = sections.map(({ title, body }) => {
    const offset = text.length
    text += `${title}\n\n${body}\n\n`
    return { offset, level: 1, text: title }
  })
  const chunks = splitText({ text, pages: [], headings })
  check(text, chunks)
  for (const chunk of chunks) assert.doesNotMatch(chunk.text, /Section \d+\s*$/)
  const begin = chunks.filter((chunk) => chunk.text.startsWith('Section ')).length
  assert.ok(begin >= 11, `${begin} of ${chunks.length} chunks begin with a heading`)
})

test('a title in plain text stays with its section', () => {
  const text = Array.from({ length: 14 }, (_, i) => `About thing ${i}\n\n${prose(10).trim()}\n\n`).join('')
  const chunks = splitText({ text, pages: [] })
  check(text, chunks)
  for (const chunk of chunks) assert.doesNotMatch(chunk.text, /About thing \d+\s*$/)
})

test('a full stop inside a sentence does not end it', () => {
  const text = 'We met at approx. ten and paid 3.50 for e.g. tea, then left for home. '.repeat(120)
  for (const { text: slice } of splitText({ text, pages: [] })) assert.match(slice, /^We.*home\. $/s)
})

test('degenerate texts are cut in linear time', () => {
  const odd: Record<string, string> = {
    'one word of five million letters': 'a'.repeat(5e6),
    'full stops': '.'.repeat(1e6),
    'white space with a word at its end': `${' \n'.repeat(1e6)}x`,
    emoji: '😀'.repeat(3e5),
    families: '👩‍👩‍👧‍👦'.repeat(5e4),
    'Japanese without spaces': '日本語の文章です。'.repeat(1e5),
    'accents upon accents': `a${'\u0301'.repeat(5e5)}`,
    'a line a word': 'word\n'.repeat(3e5),
  }
  for (const [name, text] of Object.entries(odd)) {
    const chunks = splitText({ text, pages: [] })
    assert.ok(chunks.length > 0, name)
    assert.ok(
      chunks.every((chunk) => chunk.text.length < 30_000),
      name,
    )
    assert.ok(
      chunks.every((chunk) => chunk.text.isWellFormed() && chunk.children.every((child) => child.text.isWellFormed())),
      name,
    )
    const last = chunks.at(-1) as Chunk
    const first = chunks[0] as Chunk
    const pairs = text.length - Array.from(text.matchAll(/[\u{10000}-\u{10ffff}]/gu)).length
    assert.ok(last.end <= pairs && first.start >= 0, name)
  }
})

test('random texts keep every invariant', () => {
  const alphabet = [
    'word ',
    'Word',
    '. ',
    '\n',
    '\n\n',
    ' ',
    '😀',
    'é',
    'ß',
    '日',
    '。',
    ', ',
    '"',
    ')',
    '-',
    '1.5',
    '\t',
    '\r\n',
    '\u200d',
    '\u0301',
  ]
  const random = createRandom(1)
  for (let round = 0; round < 150; round++) {
    const text = Array.from(
      { length: Math.floor(random() * 1500) },
      () => alphabet[Math.floor(random() * alphabet.length)],
    ).join('')
    const middle = Math.floor(text.length / 2)
    const isSplit = /[\udc00-\udfff]/.test(text[middle] ?? '')
    const pages =
      round % 2 || isSplit
        ? []
        : [
            { number: 1, start: 0, end: middle },
            { number: 2, start: middle, end: text.length },
          ]
    check(text, splitText({ text, pages, language: round % 3 ? 'english' : 'german' }, { tokens: 40, childTokens: 20 }))
  }
})
