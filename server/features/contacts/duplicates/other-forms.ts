/**
 * Countries whose mobile numbers are written with and without a digit after the country or area code: carriers and chat
 * platforms disagree, so one person can be two contacts.
 */
const forms: [long: RegExp, short: RegExp, digit: string][] = [
  // Mexico: +52 1 and ten digits.
  [/^(\+52)1(\d{10})$/, /^(\+52)(\d{10})$/, '1'],
  // Argentina: +54 9 and ten digits.
  [/^(\+54)9(\d{10})$/, /^(\+54)(\d{10})$/, '9'],
  // Brazil: the area code, 9 and eight digits.
  [/^(\+55\d{2})9(\d{8})$/, /^(\+55\d{2})([6-9]\d{7})$/, '9'],
]

/** The same number with or without that digit. */
export function otherForms(phoneNumber: string): string[] {
  return forms.flatMap(([long, short, digit]) =>
    long.test(phoneNumber)
      ? [phoneNumber.replace(long, '$1$2')]
      : short.test(phoneNumber)
        ? [phoneNumber.replace(short, (_, start: string, rest: string) => start + digit + rest)]
        : [],
  )
}
