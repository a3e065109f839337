import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/min'
import type { TenantSql } from './database.ts'
import { invalid } from './errors.ts'

export interface PhoneNumbers {
  /**
   * E.164, which has no extensions, or undefined when it cannot be a phone number. A number without + is read as a
   * national number of the country, or of the installation's default country.
   */
  normalize(text: string, country?: string | null): string | undefined
  /** The same for a member of a request and its organization: throws when it cannot be a phone number. */
  require(sql: TenantSql, text: string, loc: string[]): Promise<string>
  /** The organization's default country; null if it has none of its own. */
  countryOf(sql: TenantSql): Promise<string | null>
  /** Throws unless it is a country with phone numbers, such as US. */
  requireCountry<T extends string | null | undefined>(country: T, loc: string[]): T
}

export function createPhoneNumbers(
  defaultCountry: string | undefined,
  countryOf: (sql: TenantSql) => Promise<string | null> = async () => null,
): PhoneNumbers {
  const normalize: PhoneNumbers['normalize'] = (text, country) => {
    const trimmed = text.trim()
    const wanted = country ?? defaultCountry
    const number = parse(trimmed, wanted)
    // Most countries dial 00 before a country code; the library knows only what the given country dials.
    return number === undefined && wanted && trimmed.startsWith('00') ? parse(`+${trimmed.slice(2)}`, wanted) : number
  }
  return {
    normalize,
    countryOf,
    async require(sql, text, loc) {
      const country = text.trim().startsWith('+') ? null : await countryOf(sql)
      const number = normalize(text, country)
      if (number) return number
      const hint = (country ?? defaultCountry) ? '' : ': write it with + and its country code, or set a default country'
      throw invalid(loc, `Not a possible phone number${hint}`, 'phone_number')
    },
    requireCountry(country, loc) {
      if (!country || isSupportedCountry(country)) return country
      throw invalid(loc, 'Not a country with phone numbers: use its two letters, such as US', 'country')
    },
  }
}

function parse(text: string, country: string | undefined): string | undefined {
  // The library refuses all input for an unknown country, even numbers with +.
  const quick = country === undefined || isSupportedCountry(country) ? decideQuickly(text) : undefined
  if (quick !== undefined) return quick || undefined
  try {
    const number = parsePhoneNumberWithError(text, {
      ...(country && { defaultCountry: country as CountryCode }),
      // Without it the library would find a number inside any sentence.
      extract: false,
    })
    return number.isPossible() ? number.number : undefined
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
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
