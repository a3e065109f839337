import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from './guess-words.ts'

test('letters added, left out, changed or swapped count one each, up to the limit', () => {
  for (const [a, b, distance] of [
    ['refund', 'refund', 0],
    ['refnud', 'refund', 1],
    ['refun', 'refund', 1],
    ['reffund', 'refund', 1],
    ['rafund', 'refund', 1],
    ['rafnud', 'refund', 2],
    ['', 'ab', 2],
  ] as const) {
    assert.equal(editDistance(a, b, 2), distance, `${a} ${b}`)
    assert.equal(editDistance(b, a, 2), distance, `${b} ${a}`)
  }
  assert.ok(editDistance('invoice', 'refund', 2) > 2)
  assert.ok(editDistance('refund', 'refundable', 2) > 2)
})
