import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMask } from './create-mask.ts'

const cards = createMask({ card_numbers: true, patterns: [] })

test('card numbers are masked up to the last four digits, in any grouping', () => {
  for (const [given, expected] of [
    ['My card is 4111 1111 1111 1111.', 'My card is **** **** **** 1111.'],
    ['4111111111111111', '************1111'],
    ['5500-0000-0000-0004, thanks', '****-****-****-0004, thanks'],
    ['378282246310005 is an Amex', '***********0005 is an Amex'],
    ['[keys: 4111111111111111#]', '[keys: ************1111#]'],
    ['4111 1111 1111 1111 12 27', '**** **** **** 1111 12 27'],
    ['4111111111111111 and 5500000000000004', '************1111 and ************0004'],
  ])
    assert.equal(cards(given as string), expected)
})

test('other numbers stay', () => {
  for (const text of ['Call +1 202 555 0142', '4111 1111 1111 1112', 'order 1234567890123', '2026-11-16', ''])
    assert.equal(cards(text), text)
  assert.equal(createMask({ card_numbers: false, patterns: [] })('4111111111111111'), '4111111111111111')
})

test('patterns of the organization are masked in any case, with or without separators', () => {
  const mask = createMask({ card_numbers: false, patterns: ['AB######', '@@@-##', '##.##*'] })
  assert.equal(mask('my id is ab 123-456, ok'), 'my id is ** ***-***, ok')
  assert.equal(mask('plate XYZ 12 and XYZ123'), 'plate *** ** and XYZ123')
  assert.equal(mask('12.34* or 12x34*'), '**.*** or 12x34*')
})

test('no text takes long, whatever the pattern', () => {
  const mask = createMask({
    card_numbers: true,
    patterns: [`${'#'.repeat(32)}@`, `${'@'.repeat(32)}#`, '@@@@@@@@@@@@#'],
  })
  const text = `${'1 '.repeat(20_000)}${'a-'.repeat(20_000)}`
  const before = process.cpuUsage().user
  mask(text)
  assert.ok(process.cpuUsage().user - before < 5_000_000)
})
