import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentagesOf, percentOf } from './shares.ts'

test('percentages add up to 100', () => {
  assert.deepEqual(percentagesOf([1, 1, 1]), ['34%', '33%', '33%'])
  assert.deepEqual(percentagesOf([2, 1]), ['67%', '33%'])
  assert.deepEqual(percentagesOf([0, 0]), ['0%', '0%'])
  assert.deepEqual(percentagesOf([7, 0]), ['100%', '0%'])
  for (const counts of [
    [13, 29, 58, 2],
    [3, 3, 3, 3, 3, 3, 3],
  ])
    assert.equal(
      percentagesOf(counts).reduce((sum, share) => sum + Number.parseInt(share, 10), 0),
      100,
    )
})

test('a share is neither rounded to nothing nor to everything', () => {
  assert.deepEqual(
    [percentOf(0, 5), percentOf(1, 1000), percentOf(999, 1000), percentOf(5, 5), percentOf(1, 3), percentOf(0, 0)],
    ['0%', '< 1%', '> 99%', '100%', '33%', '–'],
  )
  assert.deepEqual(percentagesOf([1, 999]), ['< 1%', '> 99%'])
  assert.deepEqual(percentagesOf([1, 1, 398]), ['< 1%', '< 1%', '> 99%'])
})
