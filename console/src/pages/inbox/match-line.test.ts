import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt } from './match-line.ts'

test('the line of a match begins shortly before it, with a whole word', () => {
  const excerpt = '…Dr. Okafor. Please bring your insurance card.'
  assert.equal(lineAt(excerpt, ' Insurance '), '…bring your insurance card.')
  assert.equal(lineAt('I need it for my insurance', 'it for'), 'I need it for my insurance')
  assert.equal(lineAt('See https://example.com/prices/cleaning', 'cleaning'), '…cleaning')
  assert.equal(lineAt('Without it', 'other'), 'Without it')
})
