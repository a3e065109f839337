import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CountryCode, getCountries, getCountryCallingCode, parsePhoneNumberWithError } from 'libphonenumber-js/min'
import { numbersFrom } from '../testing/seeded-numbers.ts'
import { createPhoneNumbers } from './phone-numbers.ts'

/** The library alone, without our shortcuts. With a country, 00 may stand for +. */
function byLibrary(text: string, defaultCountry?: CountryCode): string | undefined {
  try {
    const number = parsePhoneNumberWithError(text.trim(), { ...(defaultCountry && { defaultCountry }), extract: false })
    if (number.isPossible()) return number.number
  } catch {}
  const international = defaultCountry && /^00(.*)$/s.exec(text.trim())
  return international ? byLibrary(`+${international[1]}`, defaultCountry) : undefined
}

test('the shortcut agrees with the library on numbers of every country and length', () => {
  const phones = createPhoneNumbers(undefined)
  const random = numbersFrom(1)
  const codes = [
    ...new Set(getCountries().map((country) => getCountryCallingCode(country))),
    '0',
    '210',
    '800',
    '870',
    '979',
    '999',
  ]
  for (const code of codes)
    for (let length = 0; length <= 19; length++)
      for (let first = 0; first <= 9; first++) {
        const rest = Array.from({ length }, (_, i) => (i === 0 ? first : random(10))).join('')
        const text = `+${code}${rest}`
        assert.equal(phones.normalize(text), byLibrary(text), text)
      }
})

test('the shortcut agrees with the library on every common notation', () => {
  const random = numbersFrom(2)
  const pieces = ['0', '1', '1', '2', '3', '4', '4', '5', '7', '8', '9', '9', '15', '00', '44', '49', '54', '55', '39']
  const between = [
    '',
    '',
    '',
    '',
    ' ',
    '-',
    '.',
    '(',
    ')',
    '/',
    '\u00a0',
    '+',
    'x',
    '#',
    ';',
    ',',
    'ext',
    '٣',
    '~',
    '\t',
  ]
  for (const country of [undefined, 'US', 'DE', 'BR', 'AR', 'XX' as CountryCode] as const) {
    const phones = createPhoneNumbers(country)
    for (let i = 0; i < 5_000; i++) {
      let text = ['+', '+', '+', '', ' +', '++', '('][random(7)] as string
      for (let n = random(14); n >= 0; n--)
        text += (pieces[random(pieces.length)] as string) + (random(4) === 0 ? between[random(between.length)] : '')
      assert.equal(phones.normalize(text), byLibrary(text, country), `${JSON.stringify(text)} in ${country}`)
    }
  }
})

test('an extension is not part of E.164', () => {
  for (const text of ['+1 415 555 0100 ext. 5', '+14155550100;ext=5', '+1 (415) 555-0100 x5'])
    assert.equal(createPhoneNumbers(undefined).normalize(text), '+14155550100', text)
})

test('an invalid number is refused with its location', () => {
  const phones = createPhoneNumbers(undefined)
  assert.equal(phones.normalize('+1 (415) 555-0100'), '+14155550100')
  assert.equal(phones.normalize('4155550100'), undefined)
  assert.equal(createPhoneNumbers('US').normalize('(415) 555-0100'), '+14155550100')
})

test('national numbers and the prefix 00 are read for a country', () => {
  const phones = createPhoneNumbers('US')
  for (const [text, country, number] of [
    ['(415) 555-0199', undefined, '+14155550199'],
    ['0049 30 1234567', undefined, '+49301234567'],
    ['011 49 30 1234567', undefined, '+49301234567'],
    ['0049 30 1234567', 'DE', '+49301234567'],
    ['030 1234567', 'DE', '+49301234567'],
    ['1234567', undefined, undefined],
  ] as const)
    assert.equal(phones.normalize(text, country), number, `${text} in ${country}`)
  assert.equal(createPhoneNumbers(undefined).normalize('0049 30 1234567'), undefined)
})
