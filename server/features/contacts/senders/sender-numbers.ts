/**
 * The platform writes some numbers differently from the telephone network: Brazilian mobile numbers may lack their
 * ninth digit, Mexican ones have an obsolete 1 after the country code.
 */
const rules: [pattern: RegExp, other: string][] = [
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
  [/^\+55(\d{2})9([6-9]\d{7})$/, '+55$1$2'],
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+52([2-9]\d{9})$/, '+521$1'],
]

/** The number as given, and its other notations. */
export function spellingsOf(number: string): string[] {
  const others = rules.filter(([pattern]) => pattern.test(number))
  return [number, ...others.map(([pattern, other]) => number.replace(pattern, other))]
}
