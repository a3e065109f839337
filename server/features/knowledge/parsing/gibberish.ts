import { addresses, commonWordShare } from './detect-language.ts'

const sampleLength = 30_000
/** Fewer pairs of letters tell nothing. */
const leastPairs = 40
/** 60 languages stay below this, also in lists of names; of texts with exchanged letters, nine in ten are above it. */
const mostRarePairs = 0.15
/** Vietnamese has the most letters beyond ASCII: fewer than half. */
const mostAccents = 0.6

/** After the first letter, those that follow it in fewer than 0.15 % of the pairs of each of 60 languages. */
const rarePairs: Record<string, string> = {
  b: 'cdfgkmnpqvxz',
  c: 'bdfgmnpqvwx',
  d: 'bcfglmpqtvwx',
  f: 'bcdgjklmnpqvwxyz',
  g: 'cfkmp',
  h: 'bcfghjpqsvxz',
  j: 'bcdfghlmnpqrwxz',
  k: 'bcdfgjmnpqvxz',
  l: 'cmpqrvwxz',
  m: 'cdfgjlqvxz',
  n: 'bprx',
  o: 'h',
  p: 'bcdgjkmnqvxz',
  q: 'bcdefgjklmnpqrstwxyz',
  r: 'q',
  s: 'dgmnqx',
  t: 'bdfgjklmnpq',
  v: 'bcdfghklmnpqtvwxz',
  w: 'bdfgjkmpqtvwxz',
  x: 'bdfgjklmnpqrstvwxyz',
  y: 'bfhmpqvwxz',
  z: 'bfgmpqrvxz',
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * Whether a PDF's fonts map their glyphs to the wrong characters. Judges Latin letters alone, by the pairs that they
 * form. Lists of codes have such pairs, but digits as well.
 */
export function isGibberish(text: string): boolean {
  if (unreadableShare(text) > 0.5) return true
  const sample = text.slice(0, sampleLength)
  const letters = count(sample, /\p{L}/gu)
  const latin = count(sample, /\p{Script=Latin}/gu)
  if (latin < letters * 0.9 || count(sample, /\d/g) > letters * 0.15) return false
  if (letters > leastPairs && count(sample, /(?!\p{ASCII})\p{Script=Latin}/gu) > letters * mostAccents) return true
  return hasRarePairs(sample) && commonWordShare(sample) < 0.2
}

function hasRarePairs(text: string): boolean {
  const plain = text.replace(addresses, ' ').replace(abbreviations, ' ').normalize('NFD').replace(/\p{M}/gu, '')
  const words = new Set(plain.toLowerCase().match(/\p{Script=Latin}{2,}/gu))
  let [pairs, rare] = [0, 0]
  for (const word of words)
    for (let i = 1; i < word.length; i++) {
      pairs++
      if (rarePairs[word[i - 1] as string]?.includes(word[i] as string)) rare++
    }
  return pairs >= leastPairs && rare > pairs * mostRarePairs
}

const abbreviations = /\b[A-Z]{1,4}\b/g

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
