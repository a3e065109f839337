/**
 * The platform writes some numbers otherwise than the telephone network: Brazilian mobiles may lack their ninth digit,
 * Mexican ones have a 1 behind the country code that nobody dials any more.
 */
const rules: [pattern: RegExp, other: string][] = [
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
  [/^\+55(\d{2})9([6-9]\d{7})$/, '+55$1$2'],
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+52([2-9]\d{9})$/, '+521$1'],
]

/** The number as given, and other ways in which the same one is written. */
export function spellingsOf(number: string): string[] {
  const others = rules.filter(([pattern]) => pattern.test(number))
  return [number, ...others.map(([pattern, other]) => number.replace(pattern, other))]
}
