import { lowerCaseWords } from '../../../platform/lower-case-words.ts'
import { byScore, type Hit } from './fuse-rankings.ts'

/** Words this far apart are unlikely to belong together. */
const reach = 8

/**
 * BM25 and vectors see a bag of words, but an answer has the words of the question side by side. Counts how close each
 * pair of them is in the passage; the passage where they are closest gains `counts` of the best score.
 */
export function preferNearWords<T extends Hit & { text: string }>(
  passages: T[],
  { lexemes, counts }: { lexemes: string[]; counts: number },
): T[] {
  if (lexemes.length < 2) return passages
  const nearness = passages.map(({ text }) => nearnessIn(text, lexemes))
  const most = Math.max(...nearness)
  if (most <= 0) return passages
  const gain = counts * Math.max(...passages.map(({ score }) => score))
  return passages
    .map((passage, i) => ({
      ...passage,
      score: (passage.score + gain * ((nearness[i] as number) / most)) / (1 + counts),
    }))
    .sort(byScore)
}

/** More words make a question no clearer, and every pair costs time. */
const maxLexemes = 32

function nearnessIn(text: string, lexemes: string[]): number {
  const places = placesOf(text, lexemes.slice(0, maxLexemes)).filter((each) => each.length > 0)
  let sum = 0
  for (let i = 0; i < places.length; i++)
    for (let j = i + 1; j < places.length; j++)
      sum += Math.exp(-distance(places[i] as number[], places[j] as number[]) / reach)
  return sum
}

/** The smallest distance between the two; both lists are ascending. */
function distance(a: number[], b: number[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const gap = (a[i] as number) - (b[j] as number)
    least = Math.min(least, Math.abs(gap))
    if (gap < 0) i++
    else j++
  }
  return Math.max(1, least)
}

function placesOf(text: string, lexemes: string[]): number[][] {
  const places: number[][] = lexemes.map(() => [])
  /** By first letter: most words of a passage begin like none of the question's. */
  const stems = Map.groupBy(
    lexemes.map((lexeme, i) => ({ ...stemOf(lexeme), places: places[i] as number[] })),
    ({ start }) => start.charAt(0),
  )
  let place = 0
  for (const word of lowerCaseWords(text)) {
    for (const { start, shortest, longest, places: known } of stems.get(word.charAt(0)) ?? [])
      if (word.length >= shortest && word.length <= longest && word.startsWith(start)) known.push(place)
    place++
  }
  return places
}

/**
 * Stemmers change the end of a word: words with the same beginning and nearly the same length count as equal, `polici`
 * and `policy`.
 */
function stemOf(lexeme: string) {
  const start = lexeme.length > 3 && /[ie]$/.test(lexeme) ? lexeme.slice(0, -1) : lexeme
  return { start, shortest: start.length, longest: lexeme.length > 2 ? lexeme.length + 4 : lexeme.length }
}
