import { primaryLanguage } from '../../../../platform/primary-language.ts'
import { type SpokenWords, spokenWords } from './words.ts'

/** A text as a voice gets it, and where its words are in the written text. */
export interface SpokenText {
  text: string
  /** The end, in the written text, of what has been spoken up to this character of the spoken text. */
  writtenEnd(end: number): number
}

/**
 * For a voice: writes e-mail addresses, URLs, dates, times, money and telephone numbers the way that people say them.
 * Voices read these by the rules of English, digit by digit or not at all. `readsPlainNumbers`: the voice reads times
 * and money well.
 */
export function signsToWords(text: string, language: string, readsPlainNumbers: boolean): SpokenText {
  const words = wordsOf(language)
  const taken: { from: number; to: number; said: string | undefined }[] = []
  if (words && /[\d@]|\.\p{L}/u.test(text)) {
    for (const { written, say, isPlain } of rules)
      for (const match of text.matchAll(written)) {
        const [from, end] = [match.index, match.index + match[0].length]
        if (taken.some((other) => from < other.to && other.from < end)) continue
        taken.push({ from, to: end, said: isPlain && readsPlainNumbers ? undefined : say(match, words, language) })
      }
    taken.sort((a, b) => a.from - b.from)
  }
  let spoken = ''
  let at = 0
  const ends: { spokenFrom: number; spokenTo: number; from: number; to: number }[] = []
  for (const { from, to, said } of taken) {
    if (said === undefined) continue
    spoken += text.slice(at, from)
    ends.push({ spokenFrom: spoken.length, spokenTo: spoken.length + said.length, from, to })
    spoken += said
    at = to
  }
  return {
    text: spoken + text.slice(at),
    writtenEnd(end) {
      const before = ends.findLast(({ spokenFrom }) => spokenFrom < end)
      if (!before) return end
      // What is half spoken was not heard.
      return end < before.spokenTo ? before.from : before.to + (end - before.spokenTo)
    },
  }
}

/** How one kind of text with signs is said. Earlier rules come first where two match the same text. */
interface Rule {
  /** Global. */
  written: RegExp
  /** Undefined to leave it as it is. The rules below do not get it either. */
  say(match: RegExpExecArray, words: SpokenWords, language: string): string | undefined
  /** Voices of hosted providers read it well by themselves. */
  isPlain?: true
}

const firstOf = (alternatives: string): string => alternatives.split('/')[0] as string
const spelled = (digits: string): string => [...digits].join(' ')

/** Ends of addresses that are said without `www` or `https`. A missing space after a full stop must not be one. */
const topLevel = 'com|org|net|io|co|app|dev|info|eu|de|es|fr|it|pt|br|mx|in|id|uk'

/** Signs of an address as words. Digits get spaces around them, so that `ada42` is not spelled. */
function address(written: string, words: SpokenWords): string {
  const signs: Record<string, string> = {
    '@': words.at,
    '.': words.dot,
    '-': words.dash,
    _: words.underscore,
    '/': words.slash,
    '+': words.plus,
  }
  return written
    .replaceAll(/[@.\-_/+]/g, (sign) => ` ${firstOf(signs[sign] as string)} `)
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .replaceAll(/(\d)(\p{L})/gu, '$1 $2')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Groups as they are written; 3-3-4 in North America, otherwise threes with a rest of up to four. */
function groupsOf(number: string): string[] {
  const written = number.split(/[\s().\-/]+/).filter(Boolean)
  if (written.length > 1) return written
  const [digits = ''] = written
  const american = /^1?(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (american) return [...(digits.length === 11 ? ['1'] : []), ...american.slice(1)]
  return digits.match(/\d{3}(?=\d{2})|\d{1,4}$/g) ?? [digits]
}

/** Numbers of seven digits or more that are not spelled, unless they begin with a plus. */
const isOther = new RegExp(
  [
    // Dates, also before a time; days of a month with the year; two years.
    String.raw`\d{1,2}([-/.])\d{1,2}\1(?:\d{4}(?!\d)|\d{2,4}$)`,
    String.raw`\d{1,2}\/\d{1,2}\/\d{2}\s`,
    String.raw`\d{4}([-/.])\d{1,2}\2\d{1,2}(?!\d)`,
    String.raw`\d{1,2}-\d{1,2} \d{4}(?!\d)`,
    String.raw`\d{4}[-/]\d{4}$`,
    // Large numbers in groups of three. `912 345 678` may be a telephone number.
    String.raw`[1-9]\d?(?:\s\d{3})+$`,
    String.raw`[1-9]\d\d(?:\s\d{3})*\s000$`,
    // Versions and IP addresses, but not `202.555.0142`.
    String.raw`(?!(?:1\.)?\d{3}\.\d{3}\.\d{4}$)[1-9].*\.`,
    // Digits that have spaces between them already.
    String.raw`\d(?:\D+\d)+$`,
  ]
    .map((other) => `^${other}`)
    .join('|'),
)

const currencies: Record<string, string> = {
  US$: 'USD',
  R$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '¥': 'JPY',
  Rp: 'IDR',
  USD: 'USD',
  EUR: 'EUR',
  GBP: 'GBP',
  INR: 'INR',
  BRL: 'BRL',
  MXN: 'MXN',
  IDR: 'IDR',
  CHF: 'CHF',
}
/** What `$` means in a region. */
const dollars: Record<string, string> = {
  AR: 'ARS',
  AU: 'AUD',
  CA: 'CAD',
  CL: 'CLP',
  CO: 'COP',
  DO: 'DOP',
  EC: 'USD',
  HK: 'HKD',
  MX: 'MXN',
  NZ: 'NZD',
  PR: 'USD',
  SG: 'SGD',
  SV: 'USD',
  US: 'USD',
  UY: 'UYU',
}
const sign = String.raw`(?<!\p{L})(?:US\$|R\$|[$€£₹¥]|Rp(?!\p{L})|(?:USD|EUR|GBP|INR|BRL|MXN|IDR|CHF)\b)`
const amount = String.raw`\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?`
/** `$5 million`, `$10k`, `$5-10`, `$5 CAD`: the name of the currency does not belong right after the digits. */
const scales =
  'k|m|mn|mm|b|bn|tn|thousand|grand|[mbt]illions?|lakhs?|crores?|mil|mi|bi|milh(?:ão|ões)|bilh(?:ão|ões)|mill(?:ón|ones)|mille|mila|' +
  'milion[ei]|miliard[oi]|milliards?|Tsd|Tausend|Mio|Millionen|Mrd|Milliarden?|ribu|juta|miliar|triliun|' +
  'हज़ार|हजार|लाख|करोड़|ألف|آلاف|مليون|ملايين|مليار'
const codes = [...new Set([...Object.values(currencies), ...Object.values(dollars)])].join('|')
const continued = String.raw`[\s-]?(?:${scales}|${codes})(?![\p{L}\p{M}])|\p{L}|[-–]\d`

function currencyOf(written: string, language: string): string | undefined {
  if (written !== '$') return currencies[written]
  const region = /[-_]([a-z]{2})(?![a-z\d])/i.exec(language)?.[1]?.toUpperCase() ?? ''
  return dollars[region] ?? (primaryLanguage(language) === 'en' ? 'USD' : undefined)
}

function money(written: string, currencySign: string, words: SpokenWords, language: string): string | undefined {
  const currency = currencyOf(currencySign, language)
  const decimal = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal')?.value
  // `3.499` is three thousand only where the comma is the decimal sign.
  const between = decimal === ',' ? '[.\u00a0\u202f ]' : '[,\u00a0\u202f]'
  const parts = new RegExp(`^(\\d+|[1-9]\\d{0,2}(?:${between}\\d{3})+)(?:[.,](\\d{2}))?$`).exec(written)
  if (!currency || !parts) return undefined
  const [, whole = '', cents] = parts
  const units = Number(whole.replaceAll(/\D/g, ''))
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    maximumFractionDigits: 0,
  })
  const name = format
    .formatToParts(units)
    .find(({ type }) => type === 'currency')
    ?.value.replace(currencySign === '$' ? /^.+ (?=dollars?$)/ : /^US /, '')
  return `${units} ${name}${cents && cents !== '00' ? `${words.cents}${Number(cents)}` : ''}`
}

/** `1:10` after one of these is not a time. */
const ratio =
  'ratio|odds|score|scale|Verhältnis|Maßstab|proporción|escala|rapport|échelle|rapporto|scala|proporção|rasio|skala'

const rules: Rule[] = [
  {
    written: /(?<![\w.+@-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.\p{L}{2,}/gu,
    say: ([written], words) => address(written, words),
  },
  {
    written: new RegExp(
      String.raw`(?:https?:\/\/|\bwww\.)[^\s<>"]*[\w/]|(?<![\w@.-])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:${topLevel})(?:\/[\w./-]*\w)?(?![\w@])`,
      'gu',
    ),
    say: ([written], words) =>
      address(
        written
          .replace(/^https?:\/\//, '')
          .replace(/^www\./, '')
          .replace(/[?#].*$/, '')
          .replace(/\/$/, ''),
        words,
      ),
  },
  {
    written: /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\dT-])/g,
    say([, year, month, day], _, language) {
      const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
      // February 31 becomes March 3.
      if (date.getUTCDate() !== Number(day)) return undefined
      return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' }).format(date)
    },
  },
  {
    // An IBAN; ten digits, so that words in capitals are not spelled.
    written: /(?<!\w)(?=(?:[A-Z ]*\d){10})[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})(?!\w)/g,
    say: ([written]) =>
      written
        .replaceAll(' ', '')
        .match(/.{1,4}/g)
        ?.map(spelled)
        .join(', '),
  },
  {
    written: new RegExp(`(${sign})\\s?(${amount})(?!\\d|[.,]\\d)(${continued})?`, 'giu'),
    say: ([, currency = '', written = '', more], words, language) =>
      more ? undefined : money(written, currency, words, language),
    isPlain: true,
  },
  {
    written: new RegExp(`(?<![\\d.,])(${amount})\\s?(${sign})(?![\\p{L}\\d])`, 'gu'),
    say: ([, written = '', currency = ''], words, language) => money(written, currency, words, language),
    isPlain: true,
  },
  {
    written: new RegExp(
      String.raw`(?<![\p{L}\d:]|(?:${ratio})(?:\s\p{L}{1,3})?\s)([01]?\d|2[0-3])([:h])([0-5]\d)(?!:?\d)(?:\s?(?:Uhr|h|hs|horas|heures?)\b)?(?!\p{L}|\s?[ap]\.?m(?!\p{L}))`,
      'giu',
    ),
    // `2h30` is a duration in English.
    say: ([, hours, separator, minutes], words, language) =>
      separator !== ':' && primaryLanguage(language) === 'en' ? undefined : words.time(Number(hours), Number(minutes)),
    isPlain: true,
  },
  {
    written: /(?<![\w.,])(\+?)((?:\(\d{1,4}\)|\d)(?:(?:[\s()\-/]|\.(?!\s)){0,2}\d){6,33})(?![\w]|[.,:]\d)/gu,
    say([, plus, number = ''], words) {
      if (!plus && isOther.test(number)) return undefined
      const groups = groupsOf(number).map(spelled)
      return [...(plus ? [`${firstOf(words.plus)} ${groups.shift()}`] : []), ...groups].join(', ')
    },
  },
]

const wordsOf = (language: string): SpokenWords | undefined => spokenWords[primaryLanguage(language)]
