import { randomBytes } from 'node:crypto'
import { withoutInvisible } from '../../../platform/invisible.ts'

const names = ['knowledge', 'contact', 'notes', 'memory', 'conversation']

/**
 * What a model may read as the beginning of a mark: an angle bracket, something that looks like one, or its HTML entity;
 * then a word after any other signs. No two of these parts can match the same character, so the time stays linear.
 */
const mark =
  /(?:[<＜﹤‹〈⟨❬❮❰⧼˂ᐸ≺«《]|&(?:lt|#0*60|#x0*3c);?)([^\p{L}\p{M}\p{N}<＜﹤‹〈⟨❬❮❰⧼˂ᐸ≺«《]*)([\p{L}\p{M}\p{N}]+)/giu

/** Letters of other alphabets, small capitals and digits that look like letters of the names. */
const lookAlikes: Record<string, string> = {
  ...{
    а: 'a',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    і: 'i',
    к: 'k',
    ĸ: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    г: 'r',
    ѕ: 's',
    т: 't',
  },
  ...{ у: 'y', ѵ: 'v', ԝ: 'w', ѡ: 'w', α: 'a', ε: 'e', ι: 'i', κ: 'k', η: 'n', ο: 'o', ς: 's', τ: 't', γ: 'y', υ: 'y' },
  ...{ ν: 'v', ω: 'w', ց: 'g', ո: 'n', օ: 'o', ս: 'u', ı: 'i', ł: 'l', đ: 'd', ø: 'o', ŋ: 'n', ɡ: 'g', ʏ: 'y', ɪ: 'i' },
  ...{ ᴀ: 'a', ᴄ: 'c', ᴅ: 'd', ᴇ: 'e', ɢ: 'g', ᴋ: 'k', ʟ: 'l', ᴍ: 'm', ɴ: 'n', ᴏ: 'o', ʀ: 'r', ꜱ: 's', ᴛ: 't', ᴠ: 'v' },
  ...{ ᴡ: 'w', '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's' },
}

function looksLikeName(word: string): boolean {
  // Longer than any name is long enough: what follows does not matter.
  const letters = word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const plain = Array.from(letters.slice(0, 40), (letter) => lookAlikes[letter] ?? letter).join('')
  return names.some((name) => plain.startsWith(name))
}

/**
 * What chat models have between turns. A self-hosted server may read it in a text too, and take what follows for the
 * words of another speaker.
 */
const turnTokens =
  /<(?=[|｜])|<(?=\/?(?:s|bos|eos|(?:start|end)_of_turn)>)|<(?=<\/?SYS>>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/gi

/** A word that is new in every request, so that nothing that others wrote can imitate the marks. */
export const newFence = (): string => randomBytes(6).toString('hex')

/** Puts marks around what others wrote. */
export const enclosed = (name: string, fence: string, text: string): string =>
  `<${name} ${fence}>\n${withoutMarks(withoutInvisible(text))}\n</${name} ${fence}>`

const withoutMarks = (text: string): string =>
  text
    .replace(mark, (whole, between: string, word: string) => (looksLikeName(word) ? `‹${between}${word}` : whole))
    .replace(turnTokens, (sign) => (sign === '[' ? '(' : '‹'))
