const beyondAscii = /[\u007f-\uffff]/g
const slash = /\//g

/** The platform's JSON: plain ASCII with \uXXXX escapes and escaped slashes, which re-serializing would lose. */
export const escaped = (json: string): string =>
  json
    .replace(slash, '\\/')
    .replace(beyondAscii, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const quoted = (text: string): string => escaped(JSON.stringify(text))

/** Ids may exceed the safe integer range: written as a number, digit by digit. */
export const bareNumber = (digits: string): string => (/^\d+$/.test(digits) ? digits : quoted(digits))
