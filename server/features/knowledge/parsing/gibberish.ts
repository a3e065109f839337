import { commonWordShare } from './detect-language.ts'

const sampleLength = 30_000
const minLetters = 200

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * Whether a PDF's fonts map their glyphs to the wrong characters. Judges Latin letters alone: text in any language that
 * uses them has common words, and at least a third of its letters are vowels. Lists of codes have neither, but digits.
 */
export function isGibberish(text: string): boolean {
  if (unreadableShare(text) > 0.5) return true
  const sample = text.slice(0, sampleLength).normalize('NFD').toLowerCase()
  const letters = count(sample, /\p{L}/gu)
  const latin = count(sample, /\p{Script=Latin}/gu)
  if (letters < minLetters || latin < letters * 0.9) return false
  if (count(sample, /\d/g) > letters * 0.15) return false
  return count(sample, /[aeiouyæœøı]/g) < latin * 0.3 && commonWordShare(text.slice(0, sampleLength)) < 0.01
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
