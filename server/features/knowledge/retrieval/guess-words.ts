/** Typing errors in the first two letters of a word are rare. */
const prefix = 2
/** A question with more unknown words than this is not misspelled but about something else. */
const mostWords = 6
/** Shorter parts of a compound are endings. */
const shortestPart = 4

type ListLike = (words: string[], prefix: number) => Promise<{ word: string; lexeme: string }[]>

/**
 * What may have been meant by words that no document has: the nearest spelling, else the parts of a compound or a word
 * with the same beginning. Short words get none: too many words are close to them.
 */
export async function guessWords(unknown: string[], listLike: ListLike): Promise<string[]> {
  const pairs = unknown.flatMap((word) => (isPair.test(word) ? [...word].filter((letter) => isHan.test(letter)) : []))
  const words = unknown.filter((word) => isLong.test(word)).slice(0, mostWords)
  if (words.length === 0) return [...new Set(pairs)]
  const like = Map.groupBy(await listLike(words, prefix), ({ word }) => word)
  const guesses = new Set(pairs)
  const rests: string[] = []
  for (const word of words) {
    const lexemes = (like.get(word) ?? []).map(({ lexeme }) => lexeme)
    const nearest = nearestSpelling(word, lexemes)
    const { first, related } = relatedTo(word, lexemes)
    if (nearest) guesses.add(nearest)
    else for (const lexeme of related) guesses.add(lexeme)
    if (!nearest && first) rests.push(...restsOf(word, first))
  }
  if (rests.length === 0) return [...guesses]
  const known = new Set((await listLike(rests, shortestPart)).map(({ lexeme }) => lexeme))
  return [...guesses, ...new Set(rests.filter((rest) => known.has(rest)))]
}

/** Five letters of a script with vowels; others write the same with fewer. */
const isLong = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{5,24}|[\p{L}\p{M}]{4,24})$/u
const isPair = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}$/u
const isHan = /\p{Script=Han}/u

function nearestSpelling(word: string, lexemes: string[]): string | undefined {
  let nearest: string | undefined
  let longest = word.length < 8 ? 1 : 2
  for (const lexeme of lexemes) {
    const distance = editDistance(word, lexeme, longest)
    if (distance > longest) continue
    nearest = lexeme
    longest = distance - 1
  }
  return nearest
}

/** Beyond this many, the common beginning says little. */
const mostRelated = 4

/** The longest lexeme that the word begins with, and those that begin as the word does for most of its length. */
function relatedTo(word: string, lexemes: string[]): { first: string | undefined; related: string[] } {
  const first = lexemes
    .filter((lexeme) => lexeme.length >= shortestPart && word.startsWith(lexeme))
    .sort((a, b) => b.length - a.length)[0]
  const beginning = word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)))
  const longer = word.length >= 5 ? lexemes.filter((lexeme) => lexeme.startsWith(beginning)).slice(0, mostRelated) : []
  return { first, related: [...new Set([...(first ? [first] : []), ...longer])] }
}

/** What follows the first part of a compound, also without the letters that join them in German. */
const restsOf = (word: string, first: string): string[] => {
  const rest = word.slice(first.length)
  return [rest, rest.replace(/^(?:s|n|en|es|er)/, '')].filter((part) => part.length >= shortestPart)
}

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
