import { primaryLanguage } from '../../../platform/primary-language.ts'
import { commonWords, turnWords } from './turn-words.ts'

/** Rules of turn-taking that need only the transcript. All functions are pure. */

/** Lower-case words without punctuation, apostrophes and Arabic vowel marks. */
export const plainWords = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['’`\u064b-\u0652]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

interface Rules {
  backChannels: Set<string>
  stopWords: string[]
  openEndings: Set<string>
  maybeOpenEndings: Set<string>
}

const compiled = new Map<string, Rules>()

/** The rules of the language, or of English for a language without any. */
function rulesOf(language: string): Rules {
  const primary = primaryLanguage(language)
  const key = primary in turnWords ? primary : 'en'
  const known = compiled.get(key)
  if (known) return known
  const own = turnWords[key] as typeof commonWords
  const all = (name: keyof typeof commonWords) => [...commonWords[name], ...own[name]].map(joined)
  const rules = {
    backChannels: new Set(all('backChannels')),
    stopWords: all('stopWords'),
    openEndings: new Set(all('openEndings')),
    maybeOpenEndings: new Set(all('maybeOpenEndings')),
  }
  compiled.set(key, rules)
  return rules
}

const joined = (phrase: string): string => plainWords(phrase).join(' ')

/** Words in the longest listed phrase. */
const longestPhrase = 5

/** Sounds that recognizers spell in many ways: "mm", "mhm", "hmm", "uhum". */
const hum = /^(?:u?h*m+h*u?m*|a+h+a*|o+h+|u+h+|hu+h)$/

/** A back-channel such as "mhm": the caller signals attention and does not want to interrupt. */
export function isBackChannel(text: string, language: string): boolean {
  const words = plainWords(text)
  const { backChannels } = rulesOf(language)
  let at = 0
  while (at < words.length) {
    const length = lengthAt(words, at, backChannels) || (hum.test(words[at] as string) ? 1 : 0)
    if (length === 0) return false
    at += length
  }
  return words.length > 0
}

/** Words of the longest phrase of the set that starts here; 0 if there is none. */
function lengthAt(words: string[], at: number, phrases: Set<string>): number {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length--)
    if (phrases.has(words.slice(at, at + length).join(' '))) return length
  return 0
}

/** Whether the text contains a word that always interrupts: one of the language's or of the agent's own. */
export function hasStopWord(text: string, language: string, own: string[] = []): boolean {
  const padded = ` ${joined(text)} `
  return [...rulesOf(language).stopWords, ...own.map(joined)].some((word) => word && padded.includes(` ${word} `))
}

/**
 * Whether the text ends in the middle of a phrase, so that the caller will probably continue. `maybe_open`: words and
 * punctuation disagree. Recognizers put a full stop or a comma at a pause, whatever follows.
 */
export function endingOf(text: string, language: string): 'open' | 'maybe_open' | 'closed' {
  const trimmed = text.trim()
  if (/(?:[–—-]|\.{2,}|…)$/.test(trimmed)) return 'open'
  if (/[?!؟]$/.test(trimmed)) return 'closed'
  const { openEndings, maybeOpenEndings } = rulesOf(language)
  const words = plainWords(trimmed)
  const endsWith = (phrases: Set<string>) =>
    [1, 2, 3, 4, 5].some((length) => length <= words.length && phrases.has(words.slice(-length).join(' ')))
  if (endsWith(openEndings)) return 'open'
  if (!endsWith(maybeOpenEndings)) return /[,;،]$/.test(trimmed) ? 'maybe_open' : 'closed'
  return /[.।]$/.test(trimmed) ? 'maybe_open' : 'open'
}

/** An echo has at least this many words: callers repeat one or two words of the agent to confirm them. */
const minEchoWords = 3
/** The share of the heard words that the agent said in the same order; recognizers garble an echo. */
const minEchoShare = 0.75
/** An echo starts with one of the first words of `agentSaid`: lines return sound within half a second. */
const maxEchoStart = 4

/**
 * Whether what was heard is the agent's own speech, returned by the line. `agentSaid` begins at the moment when the
 * sound began: a caller who repeats an earlier word of the agent, such as one of several choices, is not an echo.
 */
export function isEcho(heard: string, agentSaid: string): boolean {
  const words = plainWords(heard)
  if (words.length < minEchoWords) return false
  const said = plainWords(agentSaid)
  return said.slice(0, maxEchoStart).some((_, start) => {
    const stretch = said.slice(start, start + words.length + 2)
    return commonInOrder(words, stretch) / words.length >= minEchoShare
  })
}

/** Length of the longest common subsequence. */
function commonInOrder(a: string[], b: string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const word of a) {
    const next = [0]
    for (const [i, other] of b.entries())
      next.push(word === other ? (row[i] as number) + 1 : Math.max(row[i + 1] as number, next[i] as number))
    row = next
  }
  return row[b.length] as number
}

/** Also for languages that are written without spaces. */
function countWords(text: string, language: string): number {
  const [known = 'en'] = Intl.Segmenter.supportedLocalesOf(primaryLanguage(language))
  const segments = new Intl.Segmenter(known, { granularity: 'word' }).segment(text)
  return [...segments].filter(({ isWordLike }) => isWordLike).length
}

type Sensitivity = 'low' | 'medium' | 'high'

interface Limits {
  /** Voiced speech that lowers the agent's voice. */
  lowerMs: number
  /** Voiced speech that pauses the agent. */
  pauseMs: number
  /** A shorter sound interrupts nothing, whatever its words. */
  burstMs: number
}

export const sensitivities: Record<Sensitivity, Limits> = {
  low: { lowerMs: 300, pauseMs: 800, burstMs: 900 },
  medium: { lowerMs: 180, pauseMs: 500, burstMs: 600 },
  high: { lowerMs: 120, pauseMs: 300, burstMs: 400 },
}

interface Overlap {
  /** What the recognizer heard while the agent was speaking. */
  text: string
  voicedMs: number
  /** From the moment when the caller's sound began. */
  agentSaid: string
  language: string
  minWords: number
  sensitivity: Sensitivity
  stopWords: string[]
}

export type Verdict = 'interrupts' | 'echo' | 'too_short' | 'back_channel' | 'too_few_words'

/** Whether speech over the agent's interrupts it, or why not. */
export function judgeOverlap({
  text,
  voicedMs,
  agentSaid,
  language,
  minWords,
  sensitivity,
  stopWords,
}: Overlap): Verdict {
  if (isEcho(text, agentSaid)) return 'echo'
  if (hasStopWord(text, language, stopWords)) return 'interrupts'
  if (voicedMs < sensitivities[sensitivity].burstMs) return 'too_short'
  if (isBackChannel(text, language)) return 'back_channel'
  return countWords(text, language) < minWords ? 'too_few_words' : 'interrupts'
}
