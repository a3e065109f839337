import { type CountryCode, getCountries, getCountryCallingCode, parsePhoneNumberWithError } from 'libphonenumber-js/min'

/** V8 uses old names, which PostgreSQL knows only where the operating system installs them. */
const currentNames: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
}

let zones: Record<string, string> | undefined

/**
 * Time zones by the first digits of a phone number (`49`, `1876`), for countries whose clocks all show the same time.
 * Numbers of other countries have no entry.
 */
export function zonesByPrefix(): Record<string, string> {
  zones ??= Object.fromEntries(
    [...prefixes()].flatMap(([prefix, countries]) => {
      const zone = commonZone(countries)
      return zone ? [[prefix, currentNames[zone] ?? zone]] : []
    }),
  )
  return zones
}

function prefixes(): Map<string, string[]> {
  const byCode = Map.groupBy<string, string>(getCountries(), (country) => getCountryCallingCode(country as CountryCode))
  // In North America the area code tells the country.
  for (let area = 200; area < 1000; area++) {
    const { country } = parsePhoneNumberWithError(`+1${area}2345678`)
    if (country) byCode.set(`1${area}`, [country])
  }
  return byCode
}

/** The first zone of the countries if all their zones agree for a year, judged at the first of each month. */
function commonZone(countries: string[]): string | undefined {
  const all = countries.flatMap((country) => new Intl.Locale(`und-${country}`).getTimeZones?.() ?? [])
  const [first] = all
  return first !== undefined && new Set(all.map(clockOf)).size === 1 ? first : undefined
}

function clockOf(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const year = new Date().getUTCFullYear()
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(year, month)).replace(/^.*GMT/, '')).join()
}
