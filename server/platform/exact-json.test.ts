import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactJson } from './exact-json.ts'

test('integers that a double cannot hold are returned as the text that was sent', () => {
  assert.deepEqual(parseExactJson('{"id":12345678901234567890,"list":[-9007199254740993, 9007199254740992]}'), {
    id: '12345678901234567890',
    list: ['-9007199254740993', '9007199254740992'],
  })
  assert.equal(parseExactJson('810200300400500600'), '810200300400500600')
  assert.deepEqual(parseExactJson('{"a":\n\t10000000000000001}'), { a: '10000000000000001' })
})

test('numbers that a double holds stay numbers, strings stay strings', () => {
  const text = '{"safe":9007199254740991,"text":"12345678901234567890","fraction":1234567890123456.5,"big":1e21,"n":-1}'
  assert.deepEqual(parseExactJson(text), JSON.parse(text))
  assert.deepEqual(parseExactJson('[1,2.5,true,null,"x",{"a":[]}]'), [1, 2.5, true, null, 'x', { a: [] }])
})

test('invalid JSON is refused whether or not it contains a long number', () => {
  assert.throws(() => parseExactJson('{"id":12345678901234567890'), SyntaxError)
  assert.throws(() => parseExactJson('<html>'), SyntaxError)
})
