/** A number of 16 digits or more where JSON allows one. It also matches inside strings, which only costs time. */
const longNumber = /(?:^|[:[,\s])-?\d{16}/

/**
 * Parses JSON without losing digits: an integer that a double cannot hold becomes the text that was sent, so that ids
 * of other systems survive. Everything else is parsed as by `JSON.parse`.
 */
export const parseExactJson = (text: string): unknown =>
  // A reviver costs several times as much as the parsing, and few documents need one.
  longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)

// The TypeScript library lacks the third argument: it holds the source text of the value.
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value
