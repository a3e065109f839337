import { foldArabic, unifyArabic } from '../../platform/fold-arabic.ts'
import { withoutQuestionWords } from './question-words.ts'

/**
 * The words of a text, for chunks and questions alike. PostgreSQL's own parser takes `iPhone/iPad` for a path and
 * `12-34` for twelve and minus 34, glues typographic quotes to words, and sees one word in a sentence of Chinese. So it
 * gets only letters and digits, with a space between words.
 */
export const searchableWords = (text: string): string => wordsOf(text, pairsAndSingles)

/** For a question: where a text was cut into pairs, pairs decide; a single character is looked up as such. */
export const wordsOfQuestion = (query: string): string => wordsOf(withoutQuestionWords(query), pairsOrSingle)

function wordsOf(text: string, cut: (run: string) => string): string {
  const words: string[] = []
  for (const [thing] of text.normalize('NFKC').replace(unheard, '').matchAll(things)) {
    if (isPlain.test(thing)) words.push(thing)
    else if (unspaced.test(thing)) words.push(thing.replace(unspacedRuns, cut).replace(signs, ' '))
    else words.push(...formsOf(thing))
  }
  return words.join(' ')
}

/**
 * Soft hyphens, joiners and marks of direction are never typed, and the English genitive is not part of a name. In
 * Persian a non-joiner stands between the parts of a word, where others type a space or nothing.
 */
const unheard =
  /\u200d|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|(?<!\p{Script=Arabic})\u200c|\u200c(?!\p{Script=Arabic})|['’]s(?![\p{L}\p{N}])/gu

/** Words, and what a sign joins without a space: `AT&T`, `ISO-9001`, `v2.1`, `3,000`, `O'Brien`. */
const things = /[\p{L}\p{N}\p{M}]+(?:[-‐‑.,/_&+'’:@#\u066b\u066c\u200c][\p{L}\p{N}\p{M}]+)*/gu
const signs = /[-‐‑.,/_&+'’:@#\u066b\u066c\u200c]/g
const isPlain = /^[A-Za-z0-9]+$/

/** Scripts without spaces between words, and Korean, whose endings no stemmer here removes. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspacedLetters = scripts.map((script) => `\\p{Script=${script}}`).join('')
const unspaced = new RegExp(`[${unspacedLetters}]`, 'u')
const unspacedRuns = new RegExp(`[${unspacedLetters}ー]+`, 'gu')

/** Longer ones are addresses, which are not searched as one word. */
const longestTogether = 40

/** A joined word is found by its parts and as a whole, each also without its accents. */
function formsOf(thing: string): string[] {
  const parts = thing.split(signs)
  const together = parts.length > 1 && thing.length <= longestTogether ? [parts.join('')] : []
  return [...parts, ...together].flatMap((word) => [...new Set([word, withoutAccents(word), ...otherSpelling(word)])])
}

/** Umlauts as two letters; Arabic words in the letters of Arabic keyboards, with the endings that their stemmer knows. */
function otherSpelling(word: string): string[] {
  if (/[äöü]/i.test(word)) return [withTwoLetters(word)]
  return /[\u0600-\u06ff]/.test(word) ? [unifyArabic(word)] : []
}

/** People leave accents out when they type, and replace letters that their keyboard lacks. */
function withoutAccents(word: string): string {
  if (/[\u0600-\u06ff]/.test(word)) return plainDigits(foldArabic(word))
  // Hindi: the dot below letters of foreign words, and the nasal sign with a moon.
  if (/[\u0900-\u097f]/.test(word)) return plainDigits(word.replaceAll('\u093c', '').replaceAll('\u0901', '\u0902'))
  if (!/[\u00c0-\u024f\u1e00-\u1eff]/.test(word)) return word
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[øłđðıßæœ]/gi, (letter) => plainLetters[letter.toLowerCase()] ?? letter)
}

/** Arabic, Persian and Hindi have digits of their own, and use those of English too. */
const plainDigits = (word: string): string =>
  word
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))

/** On a keyboard without umlauts. */
const withTwoLetters = (word: string): string => word.replace(/[äöü]/gi, (letter) => `${letter.normalize('NFD')[0]}e`)

const plainLetters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' }

/** All pairs of neighbours: this finds a word of such a script without a dictionary. */
function pairsOf(characters: string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

function pairsAndSingles(run: string): string {
  const characters = [...run]
  return ` ${[...pairsOf(characters), ...characters].join(' ')} `
}

function pairsOrSingle(run: string): string {
  const characters = [...run]
  return ` ${(characters.length > 1 ? pairsOf(characters) : characters).join(' ')} `
}
