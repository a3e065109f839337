import { primaryLanguage } from '../../../../platform/primary-language.ts'
import { type SpokenWords, spokenWords } from './words.ts'

/** Shorter runs of digits are left as words: "one two" may be anything. */
const minDigits = 5
const topLevels = 'com|org|net|edu|gov|io|co|app|dev|info|eu|de|es|fr|it|pt|br|mx|in|id|uk'

/**
 * For the agent: writes digits and e-mail addresses that a recognizer wrote as words with their signs. Tools and
 * extraction need "4155550142" and "ada@example.com". The transcript keeps what was recognized.
 */
export function wordsToSigns(text: string, language: string): string {
  const reading = readingOf(language)
  if (!reading) return text
  const { digits, repeats, digitRun, address, notMailboxes, signs } = reading
  const written = (part: string) => signs.reduce((all, [said, sign]) => all.replaceAll(said, sign), part)
  return text
    .replaceAll(address, (said, local: string, domain: string) =>
      notMailboxes.has(local.toLowerCase()) ? said : `${written(local)}@${written(domain).replaceAll(' ', '')}`,
    )
    .replaceAll(digitRun, (run) => {
      if (/^(?:oh[ ,.-]*)+$/i.test(run)) return run
      let times = 1
      let all = ''
      for (const word of run.toLowerCase().split(/[ ,.-]+/)) {
        const repeated = repeats.get(word)
        if (repeated) times = repeated
        else {
          all += (digits.get(word) ?? word).repeat(times)
          times = 1
        }
      }
      return all
    })
}

/** The words of one language, compiled. */
interface Reading {
  digits: Map<string, string>
  repeats: Map<string, number>
  digitRun: RegExp
  address: RegExp
  notMailboxes: Set<string>
  signs: [RegExp, string][]
}

const compiled = new Map<string, Reading>()
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const anyOf = (alternatives: string) => `(?:${alternatives.split('/').map(escaped).join('|')})`

function readingOf(language: string): Reading | undefined {
  const primary = primaryLanguage(language)
  const known = compiled.get(primary)
  const words = spokenWords[primary]
  if (known || !words) return known
  const reading = compile(words)
  compiled.set(primary, reading)
  return reading
}

function compile(words: SpokenWords): Reading {
  const digits = new Map(
    words.digits.split(', ').flatMap((names, digit) => names.split('/').map((name) => [name, String(digit)] as const)),
  )
  const repeats = new Map([[words.double, 2] as const, [words.triple, 3] as const].filter(([word]) => word !== ''))
  const digit = `(?:${[...digits.keys(), '\\d'].map((word) => (word === '\\d' ? word : escaped(word))).join('|')})`
  const repeat = repeats.size > 0 ? `(?:(?:${[...repeats.keys()].map(escaped).join('|')})[ -])?` : ''
  const one = `${repeat}${digit}`
  // Not the point of `1.5`.
  const between = `(?:[ ,-]|(?<!\\d)\\.|\\.(?!\\d)){1,2}`
  const part = `[\\p{L}\\p{M}\\p{N}_+-]+`
  const [at, dot] = [anyOf(words.at), anyOf(words.dot)]
  const domainDot = `(?: ${dot} | ?\\.)`
  const within = `(?:${[words.dot, words.dash, words.underscore].map(anyOf).join('|')})`
  return {
    digits,
    repeats,
    digitRun: new RegExp(
      `(?<![\\p{L}\\p{M}\\p{N}]|\\d\\.)${one}(?:${between}${one}){${minDigits - 1},}(?![\\p{L}\\p{M}\\p{N}]|\\.\\d)`,
      'giu',
    ),
    address: new RegExp(
      `(?<![\\p{L}\\p{M}\\p{N}])(${part}(?: ${within} ${part})*) ${at} (${part}(?:${domainDot}${part})*${domainDot}(?:${topLevels}))(?![\\p{L}\\p{M}\\p{N}])`,
      'giu',
    ),
    notMailboxes: new Set(words.notMailboxes?.split('/')),
    signs: [
      [new RegExp(` ${anyOf(words.underscore)} `, 'giu'), '_'],
      [new RegExp(` ${anyOf(words.dash)} `, 'giu'), '-'],
      [new RegExp(` ${dot} `, 'giu'), '.'],
    ],
  }
}
