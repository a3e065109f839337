import { createRandom } from '../../server/testing/seeded-numbers.ts'

/** A Markov chain over the written passages: text that looks like them and means nothing. */
export function makeWordSoup(
  passages: string[],
  { documents, words, seed }: { documents: number; words: number; seed: number },
): string[] {
  const random = createRandom(seed)
  const followers = new Map<string, string[]>()
  const starts: string[] = []
  for (const passage of passages) {
    const row = passage.split(/\s+/)
    starts.push(row[0] as string)
    for (const [i, word] of row.entries()) {
      const next = row[i + 1]
      if (next) followers.set(word, [...(followers.get(word) ?? []), next])
      if (next && /[.?!]$/.test(word)) starts.push(next)
    }
  }
  const any = (from: string[]) => from[Math.floor(random() * from.length)] as string
  return Array.from({ length: documents }, () => {
    const text: string[] = []
    let word = any(starts)
    for (let i = 0; i < words; i++) {
      text.push(i % 60 === 59 ? `${word}\n\n` : word)
      const next = followers.get(word)
      word = next && !/[.?!]$/.test(word) ? any(next) : any(starts)
    }
    return text.join(' ')
  })
}
