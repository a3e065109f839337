import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/min'
import { invalid } from './errors.ts'

export interface PhoneNumbers {
  /** E.164, which has no extensions, or undefined when it cannot be a phone number. */
  normalize(text: string): string | undefined
  /** The same for a member of a request: throws when it cannot be a phone number. */
  require(text: string, loc: string[]): string
}

export function createPhoneNumbers(defaultCountry: string | undefined): PhoneNumbers {
  // The library refuses all input for an unknown country, even numbers with +.
  const mayBeQuick = defaultCountry === undefined || isSupportedCountry(defaultCountry)
  const normalize = (text: string): string | undefined => {
    const trimmed = text.trim()
    const quick = mayBeQuick ? decideQuickly(trimmed) : undefined
    if (quick !== undefined) return quick || undefined
    try {
      const number = parsePhoneNumberWithError(trimmed, {
        ...(defaultCountry && { defaultCountry: defaultCountry as CountryCode }),
        // Without it the library would find a number inside any sentence.
        extract: false,
      })
      return number.isPossible() ? number.number : undefined
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

/** Number lengths that all countries of one calling code share. */
interface NumberingPlan {
  /** Numbers of the calling code that may lose or gain digits when parsed: those are left to the library. */
  rewritten: RegExp | undefined
  possibleInAll: ReadonlySet<number>
  possibleInSome: ReadonlySet<number>
}

const plans = readPlans()
const international = /^\+[1-9][\d ().-]{2,40}$/
const punctuation = /[ ().-]+/g

/**
 * The library takes up to 60 µs per number, which adds up in an import of 100,000 rows. For a number with + and its
 * country code that no national prefix rule applies to, only the length matters; the result is the same as the
 * library's. Empty means that the number is impossible, undefined that only the library can decide.
 */
function decideQuickly(text: string): string | undefined {
  if (!international.test(text)) return undefined
  const number = text.replace(punctuation, '')
  const codeEnd = plans.has(number.slice(1, 2)) ? 2 : plans.has(number.slice(1, 3)) ? 3 : 4
  const plan = plans.get(number.slice(1, codeEnd))
  if (!plan) return undefined
  const national = number.slice(codeEnd)
  if (national.length < 2 || plan.rewritten?.test(national)) return undefined
  if (plan.possibleInAll.has(national.length)) return number
  return plan.possibleInSome.has(national.length) ? undefined : ''
}

function readPlans(): Map<string, NumberingPlan> {
  const countriesByCode = Map.groupBy(getCountries(), (country) => getCountryCallingCode(country))
  const metadata = new Metadata()
  const planOf = (countryOrCode: string) => {
    metadata.selectNumberingPlan(countryOrCode as CountryCode)
    // The library's types omit the rule that its parser uses.
    return metadata.numberingPlan as unknown as {
      possibleLengths(): number[]
      nationalPrefixForParsing(): string | undefined
    }
  }
  return new Map(
    [...countriesByCode].map(([code, countries]) => {
      const prefix = planOf(code).nationalPrefixForParsing()
      const lengths = countries.map((country) => new Set(planOf(country).possibleLengths()))
      return [
        code,
        {
          rewritten: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
          possibleInAll: lengths.reduce((all, each) => all.intersection(each)),
          possibleInSome: lengths.reduce((some, each) => some.union(each)),
        },
      ]
    }),
  )
}
