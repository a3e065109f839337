import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuseRankings } from './fuse-rankings.ts'
import { preferNearWords } from './near-words.ts'
import { phrasesOf, preferPhrases } from './phrases.ts'

const hits = (...scores: [string, number][]) =>
  scores.map(([document_id, score]) => ({ document_id, ordinal: 0, score }))
const order = (...rankings: Parameters<typeof fuseRankings>) =>
  fuseRankings(...rankings).map(({ document_id, score }) => [document_id, Number(score.toFixed(3))])

test('each ranking is stretched between its worst and its best before they are added', () => {
  const keyword = { hits: hits(['a', 30], ['b', 20], ['c', 10]), weight: 0.6, trust: 1 }
  const vector = { hits: hits(['b', 0.9], ['d', 0.8], ['a', 0.7]), weight: 0.4, trust: 1 }
  // Their sum, and a fifth more for the better of the two.
  assert.deepEqual(order([keyword, vector]), [
    ['b', Number(((0.3 + 0.4 + 0.2) / 1.2).toFixed(3))],
    ['a', Number(((0.6 + 0 + 0.2) / 1.2).toFixed(3))],
    ['d', Number(((0 + 0.2 + 0.1) / 1.2).toFixed(3))],
    ['c', 0],
  ])
})

test('a ranking of one, or of equals, counts in full', () => {
  assert.deepEqual(
    order([
      { hits: hits(['a', 3]), weight: 0.5, trust: 1 },
      { hits: [], weight: 0.5, trust: 1 },
    ]),
    [['a', 0.583]],
  )
  assert.deepEqual(order([{ hits: hits(['b', 3], ['a', 3]), weight: 1, trust: 1 }]), [
    ['a', 1],
    ['b', 1],
  ])
})

test('what a ranking puts first counts as much as the ranking is trusted', () => {
  const [first, second] = [hits(['a', 2], ['b', 1]), hits(['b', 2], ['a', 1])]
  const order = (trust: number) =>
    fuseRankings([
      { hits: first, weight: 0.5, trust },
      { hits: second, weight: 0.5, trust: 0.5 },
    ]).map(({ document_id }) => document_id)
  assert.deepEqual(order(1), ['a', 'b'])
  assert.deepEqual(order(0), ['b', 'a'])
})

test('no ranking at all is no result', () => {
  assert.deepEqual(order([]), [])
})

test('phrases are what stands in double quotes of any kind', () => {
  assert.deepEqual(phrasesOf('is "Net  30" the same as “thirty days” or „später“?'), [
    'net 30',
    'thirty days',
    'später',
  ])
  assert.deepEqual(phrasesOf('5" pipes and an apostrophe\'s "" end'), [])
})

test('what has every phrase comes first, in the order it had', () => {
  const passages = ['one', 'Payment terms:\nnet 30', 'net 30 from the invoice', 'net 45'].map((text) => ({ text }))
  assert.deepEqual(
    preferPhrases(passages, ['net 30']).map(({ text }) => text),
    ['Payment terms:\nnet 30', 'net 30 from the invoice', 'one', 'net 45'],
  )
})

test('where the words of the question stand together counts for more, in whatever form they stand', () => {
  const passages = [
    'The policy of the house is old. There are many rooms in it, and guests come from everywhere to see the refunds desk.',
    'Our refund policies are short.',
    'Nothing of the kind.',
  ].map((text, i) => ({ text, score: 1 - i / 100, document_id: String(i), ordinal: 0 }))
  const order = (lexemes: string[]) => preferNearWords(passages, lexemes).map(({ document_id }) => document_id)
  assert.deepEqual(order(['refund', 'polici']), ['1', '0', '2'])
  // One word is near to nothing; words that are nowhere change nothing.
  assert.deepEqual(order(['refund']), ['0', '1', '2'])
  assert.deepEqual(order(['zebra', 'giraff']), ['0', '1', '2'])
})
