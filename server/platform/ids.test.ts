import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, timeOfId } from './ids.ts'

test('ids sort in the order in which they were made', () => {
  const ids = Array.from({ length: 50_000 }, newId)
  assert.deepEqual(ids.toSorted(), ids)
})

test('a clock that is set back a little keeps the order, and one that is set back far is followed', (t) => {
  const now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: now + 3_600_000 })
  const ahead = newId()
  t.mock.timers.setTime(now + 3_600_000 - 600_000)
  assert.ok(newId() > ahead)
  t.mock.timers.setTime(now)
  assert.equal(timeOfId(newId()), now)
})
