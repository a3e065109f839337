import { addresses, commonWordShare } from './detect-language.ts'

const sampleLength = 30_000
/** Fewer pairs of letters tell nothing. */
const leastPairs = 30
/**
 * Of 59,000 pieces of program messages in 150 languages, which 80 letters or more have, none has more; of texts with
 * exchanged letters, nine in ten do from 150 letters on.
 */
const mostRarePairs = 0.15
/** Fewer words with signs tell nothing. */
const leastWords = 12
/** Of 5,400 files of program code and configuration, seven have more and hardly any common word. */
const mostWordsWithSigns = 0.3
/** Vietnamese has the most letters beyond ASCII: fewer than half. */
const mostAccents = 0.6

/**
 * After the first letter, those that follow it in fewer than 0.15 % of the pairs of any language: counted in the words of
 * translated programs (50 languages with Latin letters), names of countries and currencies (60), and lists of names.
 */
const rarePairs: Record<string, string> = {
  b: 'cdfgknpqvxz',
  c: 'bdfgmpqvwx',
  d: 'bcfmqvx',
  f: 'cdgjkmpqvwxz',
  g: 'fm',
  h: 'bcfghjpqsvxz',
  j: 'bcdfgmpqrwxz',
  k: 'bcdfmqvxz',
  l: 'cfpqrxz',
  m: 'cdfgqtvxz',
  n: 'brx',
  p: 'bcdgjkmnqvxz',
  q: 'bcdfgjkmnpqrstwxyz',
  r: 'q',
  s: 'bqx',
  t: 'bfpq',
  v: 'bcdfghkmpqtvwxz',
  w: 'bdfgjkmpqtvwxz',
  x: 'dfgjklnpqrsvwxyz',
  y: 'bqvxz',
  z: 'bfgmpqrx',
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * Whether a PDF's fonts map their glyphs to the wrong characters. Judges words by the scripts of their letters, and Latin
 * letters by the pairs that they form and by signs within words. Lists of codes have such pairs, but digits as well.
 */
export function isGibberish(text: string): boolean {
  if (unreadableShare(text) > 0.5) return true
  const sample = text.slice(0, sampleLength).normalize('NFKC')
  if (mixesScripts(sample)) return true
  const letters = count(sample, /\p{L}/gu)
  const latin = count(sample, /\p{Script=Latin}/gu)
  if (latin < letters * 0.9) return false
  if (hasSignsInWords(sample) && commonWordShare(sample) < 0.05) return true
  if (count(sample, /\p{Nd}/gu) > letters * 0.15) return false
  if (letters > leastPairs && count(sample, /(?!\p{ASCII})\p{Script=Latin}/gu) > letters * mostAccents) return true
  return hasRarePairs(sample) && commonWordShare(sample) < 0.2
}

/** Letters that stand in words of every script, such as "הAPI" and "βカロテン". */
const anywhere = /[\p{ASCII}ª-ÿ\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const scripts = ['Latin', 'Cyrillic', 'Hebrew', 'Arabic', 'Armenian', 'Georgian', 'Devanagari', 'Bengali', 'Thai'].map(
  (name) => new RegExp(`\\p{Script_Extensions=${name}}`, 'u'),
)
/** A typing error is one word: some letters look alike in Latin and Cyrillic. */
const mostMixedWords = { number: 1, share: 0.02 }

/** Letters without an entry in the font's map are read by their numbers, and so as letters of any script. */
function mixesScripts(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}]+/gu) ?? []
  const mixed = words.filter((word) => {
    const letters = [...word].filter((letter) => /\p{L}/u.test(letter) && !anywhere.test(letter))
    const script = scripts.find((pattern) => pattern.test(letters[0] ?? '')) ?? notListed
    return letters.some((letter) => !script.test(letter))
  })
  return mixed.length > mostMixedWords.number && mixed.length > words.length * mostMixedWords.share
}
const notListed = new RegExp(`^(?!${scripts.map(({ source }) => source).join('|')})`, 'u')

/** Where fonts number their glyphs, words look like `o"6P>C6N`. */
function hasSignsInWords(text: string): boolean {
  const words = text
    .replace(addresses, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{Nd}]+|[^\p{L}\p{Nd}]+$/gu, ''))
    .filter((word) => word.length >= 4)
  const withSigns = words.filter((word) => /[!"#$%*;?@[\]^\\`|~]/.test(word))
  return words.length >= leastWords && withSigns.length > words.length * mostWordsWithSigns + 1
}

/** Shorter words are often abbreviations, and a letter in a row is a field to fill in. */
function hasRarePairs(text: string): boolean {
  const plain = text.replace(addresses, ' ').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const words = new Set(plain.match(/\p{Script=Latin}{4,}/gu)?.filter((word) => !/(.)\1\1/.test(word)))
  let [pairs, rare] = [0, 0]
  for (const word of words)
    for (let i = 1; i < word.length; i++) {
      pairs++
      if (rarePairs[word[i - 1] as string]?.includes(word[i] as string)) rare++
    }
  return pairs >= leastPairs && rare > pairs * mostRarePairs + 1
}

/** Private-use characters mean nothing outside the font they came from. */
export function unreadableShare(text: string): number {
  let meant = 0
  let unknown = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 32) meant++
    if ((code >= 0xe000 && code <= 0xf8ff) || code === 0xfffd) unknown++
  }
  return meant === 0 ? 0 : unknown / meant
}
