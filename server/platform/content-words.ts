import { foldArabic } from './fold-arabic.ts'
import { idleWords } from './language-words.ts'
import { once } from './once.ts'

/** Japanese inflections are one or two syllables, and the segmenter cuts them in many ways. Some nouns of shops are as short. */
const isInflection = /^(?!ごみ|かぎ|すし|そば|いす|くつ|いぬ|ねこ|かさ)\p{Script=Hiragana}{1,2}$/u

const idle = once(() => new Set(Object.values(idleWords).flatMap((words) => foldHindi(foldArabic(words)).split(' '))))

/** Soft hyphens, zero-width spaces and marks of direction: they are never typed. */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff]/g

/** The dot below letters of foreign words is optional in Hindi, and so is the moon of the nasal sign. */
const foldHindi = (text: string): string => text.replaceAll('\u093c', '').replaceAll('\u0901', '\u0902')

/** Splits words by the rules of Unicode, and by dictionary in scripts without spaces. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/** Lower case, without accents and punctuation. Vowel signs of Indic scripts stay: without them words become others. */
export const wordsOf = (text: string): string[] =>
  Array.from(segmenter().segment(plain(text)))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])

/** Lower case, without accents. */
export const plain = (text: string): string =>
  joinContractions(
    foldArabic(
      foldHindi(
        text
          .replace(unseen, '')
          .normalize('NFKD')
          .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, ''),
      ).normalize('NFC'),
    ).toLowerCase(),
  )

/** `dont` of "don't", in lower case. */
export const joinContractions = (text: string): string => text.replace(/(?<=\p{L})['’](?=(?:s|t|re|ve|ll|d|m)\b)/gu, '')

/** The words that a text is about, without their endings. */
export const contentWords = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !idle().has(word) && !isInflection.test(word))
      .map((word) => stem(word.replaceAll('ß', 'ss'))),
  )

/**
 * Rough, but the same for a question and its answer. Japanese words lose what is written in syllables around them (`お支払い`,
 * `届き`), and `何時` becomes the `時` that its answer has. Short plurals lose only the s: `horas` is `hora`, and `casos` not `casa`.
 */
function stem(word: string): string {
  if (/^\p{Script=Arabic}/u.test(word)) return word.length > 4 ? word.replace(/^(?:[وبكف]?ال|لل)/u, '') : word
  if (/^\p{Script=Devanagari}/u.test(word))
    return word.length > 3 ? word.replace(/[\u093e-\u094c\u0901-\u0903]+$/u, '') : word
  if (/\p{Script=Han}/u.test(word))
    return word.replace(/^[おご何](?=\p{Script=Han})|(?<=\p{Script=Han})\p{Script=Hiragana}+$/gu, '')
  if (/^\p{Script=Cyrillic}/u.test(word)) return word.length > 4 ? word.replace(cyrillicEnding, '') : word
  if (/^.{2,3}[ao]s$/.test(word)) return word.slice(0, -1)
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|en|er|em|e|os|as|o|a|i)$/, '') : word
}

/** Of nouns, adjectives and verbs, the longest first. `plain` has made и of й. */
const cyrillicEnding =
  /(?:ами|ями|ого|его|ому|ему|ыми|ими|ает|яет|ают|яют|ует|уют|ится|ются|ать|ять|ить|ах|ях|ов|ев|еи|ои|ыи|ии|ая|яя|ое|ее|ые|ие|ую|юю|ом|ем|ам|ям|ит|ет|ут|ют|ат|ят|а|я|о|е|ы|и|у|ю|ь)$/u
