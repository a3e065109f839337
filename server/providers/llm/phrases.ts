/** Scripts that are written without spaces between words. */
const withoutSpaces = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Lower case, without accents and punctuation. */
export const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether the text contains the phrase as consecutive whole words. */
export function mentions(text: string, phrase: string): boolean {
  const wanted = plainWords(phrase).join(' ')
  if (wanted === '') return false
  const said = plainWords(text).join(' ')
  return withoutSpaces.test(wanted) ? said.includes(wanted) : ` ${said} `.includes(` ${wanted} `)
}

/** Whether the text contains all of the words, in any order. */
export function saysWords(text: string, words: string[]): boolean {
  const said = new Set(plainWords(text))
  const wanted = words.flatMap(plainWords)
  return wanted.length > 0 && wanted.every((word) => said.has(word))
}
