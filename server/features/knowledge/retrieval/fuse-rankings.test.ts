import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuseRankings } from './fuse-rankings.ts'
import { keepNearest } from './keep-nearest.ts'
import { preferNearWords } from './near-words.ts'
import { phrasesOf, preferPhrases } from './phrases.ts'

const hits = (...scores: [string, number][]) =>
  scores.map(([document_id, score]) => ({ document_id, ordinal: 0, score }))
const order = (...rankings: Parameters<typeof fuseRankings>) =>
  fuseRankings(...rankings).map(({ document_id, score }) => [document_id, Number(score.toFixed(3))])

test('each ranking is scaled between its bounds before they are added', () => {
  const keyword = { hits: hits(['a', 30], ['b', 20], ['c', 15]), weight: 0.6, from: 0, to: 30 }
  const vector = { hits: hits(['b', 0.9], ['d', 0.8], ['a', 0.7]), weight: 0.4, from: 0.7, to: 0.9 }
  assert.deepEqual(order([keyword, vector]), [
    ['b', 0.8],
    ['a', 0.6],
    ['c', 0.3],
    ['d', 0.2],
  ])
})

test('the best of bad hits stays bad, and no score counts more than its weight or less than nothing', () => {
  const keyword = { hits: hits(['a', 1]), weight: 0.6, from: 0, to: 10 }
  const vector = { hits: hits(['b', 0.95], ['c', 0.05]), weight: 0.4, from: 0.1, to: 0.7 }
  assert.deepEqual(order([keyword, vector]), [
    ['b', 0.4],
    ['a', 0.06],
    ['c', 0],
  ])
})

test('a ranking of one, or of equals, counts in full', () => {
  assert.deepEqual(
    order([
      { hits: hits(['a', 3]), weight: 0.5, from: 3, to: 3 },
      { hits: [], weight: 0.5, from: 0, to: 0 },
    ]),
    [['a', 0.5]],
  )
  assert.deepEqual(order([{ hits: hits(['b', 3], ['a', 3]), weight: 1, from: 3, to: 3 }]), [
    ['a', 1],
    ['b', 1],
  ])
})

test('no ranking gives no result', () => {
  assert.deepEqual(order([]), [])
})

test('phrases are text in double quotes of any kind', () => {
  assert.deepEqual(phrasesOf('is "Net  30" the same as “thirty days” or „später“?'), [
    'net 30',
    'thirty days',
    'später',
  ])
  assert.deepEqual(phrasesOf('5" pipes and an apostrophe\'s "" end'), [])
})

test('passages with every phrase come first, in their previous order', () => {
  const passages = ['one', 'Payment terms:\nnet 30', 'net 30 from the invoice', 'net 45'].map((text) => ({ text }))
  assert.deepEqual(
    preferPhrases(passages, ['net 30']).map(({ text }) => text),
    ['Payment terms:\nnet 30', 'net 30 from the invoice', 'one', 'net 45'],
  )
})

test('passages where the question’s words are close together rank higher, in any inflection', () => {
  const passages = [
    'The policy of the house is old. There are many rooms in it, and guests come from everywhere to see the refunds desk.',
    'Our refund policies are short.',
    'Nothing of the kind.',
  ].map((text, i) => ({ text, score: 1 - i / 100, document_id: String(i), ordinal: 0 }))
  const order = (lexemes: string[], counts = 0.3) =>
    preferNearWords(passages, { lexemes, counts }).map(({ document_id }) => document_id)
  assert.deepEqual(order(['refund', 'polici']), ['1', '0', '2'])
  // Its full weight.
  assert.deepEqual(order(['refund', 'polici'], 0.001), ['0', '1', '2'])
  // One word has no distance; words that occur nowhere change nothing.
  assert.deepEqual(order(['refund']), ['0', '1', '2'])
  assert.deepEqual(order(['zebra', 'giraff']), ['0', '1', '2'])
})

test('the two nearest passages stay among the first five, and the order by score holds', () => {
  const ranked = hits(['a', 9], ['b', 8], ['c', 7], ['d', 6], ['e', 5], ['f', 4], ['g', 3], ['h', 2])
  const nearHits = (ids: string[]) => hits(...ids.map((id) => [id, 1] as [string, number]))
  const keep = (...nearest: string[]) => keepNearest(ranked, nearHits(nearest))
  const ids = (found: typeof ranked) => found.map(({ document_id }) => document_id).join('')
  assert.equal(ids(keep('h', 'g')), 'abcghdef')
  assert.equal(ids(keep('h', 'e')), 'abcehdfg')
  for (const nearest of [['a', 'e'], ['x'], []]) assert.equal(ids(keep(...nearest)), 'abcdefgh')
  const scores = keep('h', 'e').map(({ score }) => score)
  assert.deepEqual(scores, [9, 8, 7, 5, 5, 5, 4, 3])
})
