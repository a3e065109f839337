import { joinContractions, plain } from './content-words.ts'
import { foldArabic } from './fold-arabic.ts'
import { idleWords, tellingSpellings, tellingWords, unknownWords } from './language-words.ts'
import { once } from './once.ts'
import { primaryLanguage } from './primary-language.ts'

/** Stands for all languages that have no row in the tables. */
const unknown = ''

const languagesOfWord = once(() => {
  const languages = new Map<string, string[]>()
  const rows = [...Object.entries(idleWords), ...Object.entries(tellingWords), [unknown, unknownWords] as const]
  for (const [language, words] of rows)
    for (const word of foldArabic(words).split(' ')) languages.set(word, [...(languages.get(word) ?? []), language])
  return languages
})

/** Scripts other than Latin and the languages that use them, the most common one first. */
const scripts: [script: RegExp, languages: string[]][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Han}/u, ['zh']],
  [/\p{Script=Devanagari}/u, ['hi']],
  [/\p{Script=Arabic}/u, ['ar', 'fa']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Cyrillic}/u, ['ru', 'uk']],
]

const inOtherScripts = new Set(scripts.flatMap(([, languages]) => languages))

/** Letters that tell the languages of one script apart. Urdu, Kurdish, Serbian, Belarusian and Kazakh are not known. */
const ownLetters: [language: string, letters: RegExp][] = [
  [unknown, /[ٹڈڑںےہھڕڵۆێە]|[ўђјљњћџѓќқғңөұүһә]/i],
  ['fa', /[پچژگیک]/],
  ['ar', /[ةأإ]/],
  ['uk', /[іїєґ]/i],
  ['ru', /[ыэъё]/i],
]

/** Only Spanish has these signs. */
const spanishSigns = /[¿¡]/
/** More than the words that a short question shares with neighbours of Spanish. */
const weightOfSigns = 3

/** Names and loanwords have foreign spellings, so one alone decides nothing. */
const weightOfSpelling = 0.5
const leastWeight = 0.5
/** Of a text's words. Sentences of other languages have a word or two of every neighbour. */
const leastShare = 0.15

type Votes = Map<string, number>

/**
 * The language of something as short as a question, as a code of two letters: by its script, its words and their spelling.
 * The fallback where two languages are equally likely, and where the language is not one of those in the tables.
 */
export function languageOf(text: string, fallback: string): string {
  const words = spelledWords(text)
  const votes = votesOf(text, words)
  const least = Math.max(leastWeight, leastShare * words.length)
  const [, languages] = scripts.find(([script]) => script.test(text)) ?? []
  const inLatin = likeliest(votes, least, (language) => !inOtherScripts.has(language))
  const own = primaryLanguage(fallback)
  const language = languages && !(inLatin && isMostlyLatin(text)) ? ofScript(text, { languages, votes, own }) : inLatin
  return language || own
}

/** A word that several languages have is a part of a vote for each. */
function votesOf(text: string, words: string[]): Votes {
  const votes: Votes = new Map()
  const vote = (languages: string[], weight: number) => {
    for (const each of languages) votes.set(each, (votes.get(each) ?? 0) + weight / languages.length)
  }
  if (spanishSigns.test(text)) vote(['es'], weightOfSigns)
  for (const word of words) {
    vote(languagesOfWord().get(plain(word)) ?? [], 1)
    for (const [all, spelling] of tellingSpellings) if (spelling.test(word)) vote(all.split(' '), weightOfSpelling)
  }
  return votes
}

/** A longer text has enough of them at its beginning. */
const mostWords = 100

/** No single consonants, such as units, apart from those of `l'orario`. */
const singleWord = /[\p{L}\p{M}]{2,}|[cdjlnst](?=['’]\p{L})|(?<!\p{L})[^\P{L}b-df-hj-np-tv-xz]/gu

/** With their accents, unlike `wordsOf`. */
const spelledWords = (text: string): string[] =>
  (joinContractions(text.normalize('NFC').toLowerCase()).match(singleWord) ?? []).slice(0, mostWords)

/** Undefined without enough votes, or where two have as many. */
function likeliest(votes: Votes, least: number, isPossible: (language: string) => boolean): string | undefined {
  const [first, second] = [...votes].filter(([language]) => isPossible(language)).sort(([, a], [, b]) => b - a)
  if (!first || first[1] <= least || first[1] - (second?.[1] ?? 0) < 0.01) return undefined
  return first[0]
}

/** "Do you have 拿铁?" is English. */
function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) > letters / 2
}

interface OfScript {
  languages: string[]
  votes: Votes
  /** Decides where the text does not. */
  own: string
}

function ofScript(text: string, { languages, votes, own }: OfScript): string | undefined {
  if (languages.length === 1) return languages[0]
  const byLetters = ownLetters.filter(([, letters]) => letters.test(text)).map(([language]) => language)
  if (byLetters.length === 1 || byLetters[0] === unknown) return byLetters[0]
  const likely = likeliest(votes, leastWeight, (language) => languages.includes(language))
  return likely ?? (languages.includes(own) ? own : languages[0])
}
