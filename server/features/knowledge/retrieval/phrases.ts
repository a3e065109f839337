/** Text in double quotes, straight or typographic; after a number they are inches. */
export const phrasesOf = (query: string): string[] =>
  [...query.matchAll(/(?<![\p{L}\p{N}])"([^"]*)"|“([^”“]*)[”“]|„([^“”]*)[“”]|«([^»]*)»/gu)]
    .map(([, ...inside]) => plain(inside.find((each) => each !== undefined) ?? ''))
    .filter((phrase) => phrase.includes(' ') || phrase.length > 1)

/** Those with every phrase come first; otherwise the order stays. */
export function preferPhrases<T extends { text: string }>(passages: T[], phrases: string[]): T[] {
  if (phrases.length === 0) return passages
  const [having, others]: [T[], T[]] = [[], []]
  for (const passage of passages) {
    const text = plain(passage.text)
    ;(phrases.every((phrase) => text.includes(phrase)) ? having : others).push(passage)
  }
  return [...having, ...others]
}

/** Case, line breaks and the kind of apostrophe do not matter for a phrase. */
const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim()
