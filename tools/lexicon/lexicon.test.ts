import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf, readWords } from './read-words.ts'

const identifiersOf = (source: string) =>
  readWords(source, 'ts')
    .filter(({ kind }) => kind === 'identifier')
    .map(({ text }) => text)

test('comments are found with their line, also behind code', () => {
  const comments = readWords("const a = 'x // no'\nrun() // yes\n/** and\n this */", 'ts').filter(
    ({ kind }) => kind === 'comment',
  )
  assert.deepEqual(
    comments.map(({ text, line }) => [text, line]),
    [
      ['// yes', 2],
      ['/** and\n this */', 3],
    ],
  )
})

test('strings, templates and regular expressions are left out; code inside a template is read', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template literal is what is read here
  assert.deepEqual(identifiersOf('say(\'lane\', "lane", `lane ${queue.of({ a: `lane ${deep}` })} lane`)'), [
    'say',
    'queue',
    'of',
    'a',
    'deep',
  ])
  assert.deepEqual(identifiersOf('const found = /lane`/.test(text)'), ['const', 'found', 'test', 'text'])
})

test('SQL comments and names are read, quoted values are not', () => {
  const found = readWords("select a from b where c = 'lane' -- a lane", 'sql').map(({ text }) => text)
  assert.deepEqual(found, ['select', 'a', 'from', 'b', 'where', 'c', '-- a lane'])
})

test('identifiers are split into words', () => {
  assert.equal(partsOf('openLaneOfAPIKey'), 'open Lane Of API Key')
  assert.equal(partsOf('webhook_lanes'), 'webhook lanes')
})
