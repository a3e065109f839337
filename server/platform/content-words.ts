import { foldArabic } from './fold-arabic.ts'
import { idleWords } from './language-words.ts'
import { once } from './once.ts'

const idle = once(() => new Set(Object.values(idleWords).flatMap((words) => foldArabic(words).split(' '))))

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
      text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
        .normalize('NFC'),
    ).toLowerCase(),
  )

/** `dont` of "don't", in lower case. */
export const joinContractions = (text: string): string => text.replace(/(?<=\p{L})['’](?=(?:s|t|re|ve|ll|d|m)\b)/gu, '')

/** The words that a text is about, without their endings. */
export const contentWords = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !idle().has(word))
      .map(stem),
  )

/** Rough, but the same for a question and its answer. */
function stem(word: string): string {
  if (/^\p{Script=Arabic}/u.test(word)) return word.length > 4 ? word.replace(/^(?:[وبكف]?ال|لل)/u, '') : word
  if (/^\p{Script=Devanagari}/u.test(word))
    return word.length > 3 ? word.replace(/[\u093e-\u094c\u0901-\u0903]+$/u, '') : word
  if (/^\p{Script=Cyrillic}/u.test(word)) return word.length > 4 ? word.replace(cyrillicEnding, '') : word
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|en|er|em|e|os|as|o|a|i)$/, '') : word
}

/** Of nouns, adjectives and verbs, the longest first. `plain` has made и of й. */
const cyrillicEnding =
  /(?:ами|ями|ого|его|ому|ему|ыми|ими|ает|яет|ают|яют|ует|уют|ится|ются|ать|ять|ить|ах|ях|ов|ев|еи|ои|ыи|ии|ая|яя|ое|ее|ые|ие|ую|юю|ом|ем|ам|ям|ит|ет|ут|ют|ат|ят|а|я|о|е|ы|и|у|ю|ь)$/u
