/** What is masked in transcripts before they are stored. */
export interface Masking {
  card_numbers: boolean
  /** `#` is a digit, `@` a letter, everything else itself; spaces and hyphens may stand anywhere. */
  patterns: string[]
}

export type Mask = (text: string) => string

export function createMask({ card_numbers, patterns }: Masking): Mask {
  const expressions = patterns.map(expressionOf)
  return (text) => {
    const masked = expressions.reduce((rest, expression) => rest.replace(expression, hide), text)
    return card_numbers ? masked.replace(digitRuns, hideCards) : masked
  }
}

const hide = (found: string) => found.replace(/[\p{L}\p{N}]/gu, '*')

/**
 * Each element is one character and may be followed by one separator, which no element matches: there is one way to
 * match, so the time grows with the length of the text alone, whatever an organization enters.
 */
function expressionOf(pattern: string): RegExp {
  const elements = [...pattern.replace(/[\s-]/g, '')].map((character) => {
    if (character === '#') return '\\d'
    if (character === '@') return '\\p{L}'
    return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  })
  return new RegExp(`(?<![\\p{L}\\p{N}])${elements.join('[ -]?')}(?![\\p{L}\\p{N}])`, 'giu')
}

/** Card numbers have 13 to 19 digits; a run may hold more, such as the date after the number. */
const digitRuns = /\d(?:[ -]?\d){12,}/g
const [shortest, longest] = [13, 19]

/** Hides all but the last four digits of each card number in a run of digits. */
function hideCards(run: string): string {
  const places = [...run.matchAll(/\d/g)].map(({ index }) => index)
  const characters = [...run]
  for (let start = 0; start + shortest <= places.length; start++) {
    for (let length = Math.min(longest, places.length - start); length >= shortest; length--) {
      const digits = places.slice(start, start + length)
      if (!isCardNumber(digits.map((place) => Number(run[place])))) continue
      for (const place of digits.slice(0, -4)) characters[place] = '*'
      start += length - 1
      break
    }
  }
  return characters.join('')
}

/** By the first digit of the networks (2 to 6) and the check digit (Luhn). */
function isCardNumber(digits: number[]): boolean {
  const [first = 0] = digits
  if (first < 2 || first > 6) return false
  const sum = digits.toReversed().reduce((total, digit, i) => {
    const counted = i % 2 === 0 ? digit : digit * 2
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}
