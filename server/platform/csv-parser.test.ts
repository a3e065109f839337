import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { numbersFrom } from '../testing/seeded-numbers.ts'
import { createCsvParser, detectDelimiter } from './csv-parser.ts'

/** Everything that the parser returns for a text that arrives in chunks. */
function cellsOf(text: string, pieces = text.length, delimiter = ','): string[][] {
  const parser = createCsvParser(delimiter)
  const records = []
  for (let at = 0; at < text.length; at += pieces) records.push(...parser.push(text.slice(at, at + pieces)))
  return [...records, ...parser.end()].map(({ cells }) => cells)
}

test('quotes, doubled quotes, line ends and delimiters inside cells are parsed', () => {
  const text = 'a,"b,1","say ""hi""","two\r\nlines"\r\n\r\nlast,,"",x'
  const expected = [
    ['a', 'b,1', 'say "hi"', 'two\r\nlines'],
    ['last', '', '', 'x'],
  ]
  for (let pieces = 1; pieces <= text.length; pieces++) assert.deepEqual(cellsOf(text, pieces), expected, `${pieces}`)
})

test('common violations of the standard lose no row', () => {
  assert.deepEqual(cellsOf('5" pipe,a "quoted" word\nx,y'), [
    ['5" pipe', 'a "quoted" word'],
    ['x', 'y'],
  ])
  assert.deepEqual(cellsOf('"Ada" Lovelace,b\nx,y'), [
    ['Ada Lovelace', 'b'],
    ['x', 'y'],
  ])
  assert.deepEqual(cellsOf('a\rb\rc'), [['a'], ['b'], ['c']])
})

test('an unclosed quote is reported with its row', () => {
  const parser = createCsvParser(',')
  assert.deepEqual(parser.push('a,b\n\n1,"2\n3,4\n'), [{ row: 1, cells: ['a', 'b'] }])
  const [record] = parser.end()
  assert.equal(record?.row, 3)
  assert.match(record?.problem ?? '', /never closed/)
})

test('the parser agrees with csv-parse on random files, however they are cut', () => {
  const parts = ['a', 'ü', '😀', ' ', '', ',', ';', '\n', '\r\n', '""', 'text', "'", '\t']
  const random = numbersFrom(7)
  for (let round = 0; round < 2_000; round++) {
    const rows = Array.from({ length: 1 + random(5) }, () =>
      Array.from({ length: 1 + random(5) }, () => {
        const content = Array.from({ length: random(4) }, () => parts[random(parts.length)]).join('')
        return /[",\r\n]/.test(content) ? `"${content}"` : content
      }).join(','),
    )
    const text = rows.join(random(2) ? '\n' : '\r\n') + (random(2) ? '\n' : '')
    const expected = parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] }).filter(
      (cells) => cells.length > 1 || cells[0] !== '',
    )
    assert.deepEqual(cellsOf(text, 1 + random(text.length + 1)), expected, JSON.stringify(text))
  }
})

test('the delimiter is the one that makes a table', () => {
  assert.equal(detectDelimiter('phone,name\n+1,Ada'), ',')
  assert.equal(detectDelimiter('phone;name, first;tags\n+1;Ada;a,b,c\n+2;Bob;d,e,f'), ';')
  assert.equal(detectDelimiter('phone\tname\n+1\tLovelace, Ada'), '\t')
  assert.equal(detectDelimiter('"a;b;c;d",phone\nx,y'), ',')
  assert.equal(detectDelimiter('phone\n+14155550100'), ',')
})
