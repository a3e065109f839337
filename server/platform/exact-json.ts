/** A number of sixteen digits or more where JSON may have one. Inside a text it matches too, which only costs time. */
const longNumber = /(?:^|[:[,\s])-?\d{16}/

/**
 * Parses JSON without losing digits: an integer that a double cannot hold comes back as the text that was sent, so that
 * the ids of other systems survive. Everything else is as `JSON.parse` has it.
 */
export const parseExactJson = (text: string): unknown =>
  // A reviver costs several times as much as the parsing, and few documents need one.
  longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)

// The third argument is younger than the library types: it holds the very text of the value.
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value
