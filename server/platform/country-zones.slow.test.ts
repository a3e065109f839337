import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CountryCode, getCountries, getCountryCallingCode, parsePhoneNumberWithError } from 'libphonenumber-js/min'
import stored from './country-zones.json' with { type: 'json' }

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

/** Countries by the first digits of their numbers. In North America the area code tells the country. */
function prefixes(): Map<string, string[]> {
  const byCode = Map.groupBy<string, string>(
    getCountries(),
    (country) => `+${getCountryCallingCode(country as CountryCode)}`,
  )
  for (let area = 200; area < 1000; area++) {
    const { country } = parsePhoneNumberWithError(`+1${area}2345678`)
    if (country) byCode.set(`+1${area}`, [country])
  }
  return byCode
}

/** The first zone of the countries if all their zones agree for a year, judged at the first of each month. */
function commonZone(countries: string[]): string | undefined {
  const all = countries.flatMap((country) => new Intl.Locale(`und-${country}`).getTimeZones?.() ?? [])
  return new Set(all.map(clockOf)).size === 1 ? all[0] : undefined
}

const clocks = new Map<string, string>()

function clockOf(timeZone: string): string {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const clock = Array.from({ length: 12 }, (_, month) =>
    format.format(Date.UTC(2026, month)).replace(/^.*GMT/, ''),
  ).join()
  clocks.set(timeZone, clock)
  return clock
}

// Computed here and stored, because it takes seconds. If Node knows other zones, store what the difference shows.
test('the stored zones are those of countries whose clocks all show the same time', () => {
  const zones = [...prefixes()].flatMap(([prefix, countries]) => {
    const zone = commonZone(countries)
    return zone ? [[prefix, currentNames[zone] ?? zone] as const] : []
  })
  assert.deepEqual(stored, Object.fromEntries(zones))
})
