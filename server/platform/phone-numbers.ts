import { type CountryCode, ParseError, parsePhoneNumberWithError } from 'libphonenumber-js/min'
import { invalid } from './errors.ts'

export interface PhoneNumbers {
  /** E.164, or undefined when it cannot be a phone number. */
  normalize(text: string): string | undefined
  /** The same for a member of a request: what cannot be a number is the caller's mistake. */
  require(text: string, loc: string[]): string
}

export function createPhoneNumbers(defaultCountry: string | undefined): PhoneNumbers {
  const normalize = (text: string): string | undefined => {
    try {
      const number = parsePhoneNumberWithError(text.trim(), {
        ...(defaultCountry && { defaultCountry: defaultCountry as CountryCode }),
        // Without it a number would be found inside any sentence.
        extract: false,
      })
      return number.isPossible() && !number.ext ? number.number : undefined
    } catch (error) {
      if (error instanceof ParseError) return undefined
      throw error
    }
  }
  return {
    normalize,
    require(text, loc) {
      const number = normalize(text)
      if (number) return number
      const hint = defaultCountry ? '' : ', written with + and its country code'
      throw invalid(loc, `Not a possible phone number${hint}`, 'phone_number')
    },
  }
}
