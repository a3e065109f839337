import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { demoData } from './demo-data.ts'

test('no demo contact has a number that the README or the API reference adds, so their commands work as printed', () => {
  const taken = new Set(demoData(new Date()).contacts.map(({ phone_number }) => phone_number))
  assert.equal(taken.size, 200)
  for (const file of ['README.md', 'docs/openapi.json']) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    const numbers = [...text.matchAll(/\+1[ \d]{10,13}/g)].map(([number]) => number.replaceAll(' ', ''))
    assert.ok(numbers.length > 0, file)
    for (const number of numbers) assert.ok(!taken.has(number), `${number} of ${file}`)
  }
})
