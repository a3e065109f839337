import { primaryLanguage } from '../../../../platform/primary-language.ts'
import { type SpokenWords, spokenWords } from './words.ts'

/** A text as a voice should get it, and where its words stand in the written text. */
interface SpokenText {
  text: string
  /** The end, in the written text, of what has been spoken up to this character of the spoken text. */
  writtenEnd(end: number): number
}

interface Rule {
  /** Global. */
  written: RegExp
  /** Undefined to leave it as it is. */
  say(match: RegExpExecArray, words: SpokenWords, language: string): string | undefined
  /** Voices of hosted providers read it well by themselves. */
  isPlain?: true
}

const firstOf = (alternatives: string): string => alternatives.split('/')[0] as string
const spelled = (digits: string): string => [...digits].join(' ')

/** Ends of addresses that are said without `www` or `https`. A missing space after a full stop must not be one. */
const topLevel = 'com|org|net|io|co|app|dev|info|eu|de|es|fr|pt|br|mx|uk'

/** Signs of an address as words. Digits stand apart, so that `ada42` is not spelled. */
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

/** A date, years, or a large number with points. */
const isOther = /^(?:\d{1,2}([-/.])\d{1,2}\1\d{2,4}|\d{4}[-/]\d{4}|\d{1,3}(?:\.\d{3})+)$/

const currencies: Record<string, string> = {
  $: 'USD',
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
const sign = String.raw`US\$|R\$|[$€£₹¥]|\bRp\b|\b(?:USD|EUR|GBP|INR|BRL|MXN|IDR|CHF)\b`
const amount = String.raw`\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?`

function money(written: string, currency: string | undefined, words: SpokenWords, language: string) {
  if (!currency) return undefined
  const [, whole = '', cents] = /^(.*?)(?:[.,](\d{2}))?$/.exec(written) ?? []
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
    ?.value.replace(/^US /, '')
  return `${units} ${name}${cents && cents !== '00' ? `${words.cents}${Number(cents)}` : ''}`
}

const rules: Rule[] = [
  {
    written: /(?<![\w.+@-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.\p{L}{2,}/gu,
    say: ([written], words) => address(written, words),
  },
  {
    written: new RegExp(
      String.raw`(?:https?:\/\/|\bwww\.)[^\s<>"]*[\w/]|(?<![\w@.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:${topLevel})(?:\/[\w./-]*\w)?(?![\w@])`,
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
    written: /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
    say([, year, month, day], _, language) {
      const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
      if (Number.isNaN(date.getTime())) return undefined
      return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' }).format(date)
    },
  },
  {
    written: new RegExp(`(${sign})\\s?(${amount})(?!\\d|[.,]\\d)`, 'gu'),
    say: ([, currency = '', written = ''], words, language) => money(written, currencies[currency], words, language),
    isPlain: true,
  },
  {
    written: new RegExp(`(?<![\\d.,])(${amount})\\s?(${sign})`, 'gu'),
    say: ([, written = '', currency = ''], words, language) => money(written, currencies[currency], words, language),
    isPlain: true,
  },
  {
    written:
      /(?<![\d:])([01]?\d|2[0-3])[:h]([0-5]\d)(?!:?\d)(?:\s?(?:Uhr|h\b|hs\b|horas\b|heures?\b))?(?!\s?[ap]\.?m)/giu,
    say: ([, hours, minutes], words) => words.time(Number(hours), Number(minutes)),
    isPlain: true,
  },
  {
    written: /(?<![\w.,])(\+?)((?:\(\d{1,4}\)|\d)(?:[\s().\-/]{0,2}\d){6,14})(?![\w]|[.,:]\d)/gu,
    say([, plus, number = ''], words) {
      if (isOther.test(number)) return undefined
      const groups = groupsOf(number).map(spelled)
      return [...(plus ? [`${firstOf(words.plus)} ${groups.shift()}`] : []), ...groups].join(', ')
    },
  },
]

const wordsOf = (language: string): SpokenWords | undefined => spokenWords[primaryLanguage(language)]

/**
 * Writes e-mail addresses, URLs, dates, times, money and telephone numbers the way that people say them. Voices read
 * these by the rules of English, digit by digit or not at all. `readsPlainNumbers`: the voice reads times and money well.
 */
export function speakSigns(text: string, language: string, readsPlainNumbers: boolean): SpokenText {
  const words = wordsOf(language)
  const parts: { from: number; to: number; said: string }[] = []
  if (words && /[\d@]|\.\p{L}/u.test(text)) {
    const found = rules
      .filter(({ isPlain }) => !(isPlain && readsPlainNumbers))
      .flatMap(({ written, say }) => [...text.matchAll(written)].map((match) => ({ match, say })))
    // The sort is stable: of two at one place, the one whose rule comes first is taken.
    for (const { match, say } of found.sort((a, b) => a.match.index - b.match.index)) {
      if (match.index < (parts.at(-1)?.to ?? 0)) continue
      const said = say(match, words, language)
      if (said !== undefined) parts.push({ from: match.index, to: match.index + match[0].length, said })
    }
  }
  let spoken = ''
  let at = 0
  const ends: { spokenFrom: number; spokenTo: number; from: number; to: number }[] = []
  for (const { from, to, said } of parts) {
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
