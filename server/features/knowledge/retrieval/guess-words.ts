import type { TenantSql } from '../../../platform/database.ts'
import { listLexemesLike } from './queries.ts'

/** Typing errors in the first two letters of a word are rare. */
const prefix = 2
const mostLexemes = 3000
/** A question with more unknown words than this is not misspelled but about something else. */
const mostWords = 4

/** Guesses for words that no document has. Short words get none: too many words are close to them. */
export async function guessWords(sql: TenantSql, unknown: string[]): Promise<string[]> {
  const words = unknown.filter((word) => /^\p{L}{5,24}$/u.test(word)).slice(0, mostWords)
  if (words.length === 0) return []
  const nearest = new Map<string, { lexeme: string; distance: number }>()
  for (const { word, lexeme } of await listLexemesLike(sql, words, { prefix, limit: mostLexemes })) {
    const longest = Math.min(allowedDistance(word), (nearest.get(word)?.distance ?? Number.POSITIVE_INFINITY) - 1)
    const distance = editDistance(word, lexeme, longest)
    if (distance <= longest) nearest.set(word, { lexeme, distance })
  }
  return [...nearest.values()].map(({ lexeme }) => lexeme)
}

const allowedDistance = (word: string) => (word.length < 8 ? 1 : 2)

/** Letters to add, leave out, change or swap with their neighbour; anything above `most` when there are more. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + change,
        isSwap ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] as number
}
