/**
 * The end of each version of the Graph API, from Meta's version calendar of October 2026; null if no date was set.
 * After its end the platform serves the oldest remaining version and says so only in a header.
 */
const endDates: Record<string, string | null> = {
  'v19.0': '2026-05-21',
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
  'v26.0': null,
}

export const recommendedVersion = 'v25.0'

const warnDaysBefore = 90

export interface ApiVersionFacts {
  asked: string
  /** The version that the platform last reported; null before the first live request. */
  served: string | null
  /** The end date of the serving version; null if unknown. */
  ends_on: string | null
  /** What to do, and by when; null if there is nothing to do. */
  warning: string | null
}

export function describeVersion(asked: string, served: string | null, now: Date): ApiVersionFacts {
  const today = now.toISOString().slice(0, 10)
  const hasEnded = (version: string) => (endDates[version] ?? today) < today
  const serving = served ?? (hasEnded(asked) ? (oldestLeft(hasEnded) ?? asked) : asked)
  const endsOn = endDates[serving] ?? null
  const facts = { asked, served, ends_on: endsOn }
  const remedy =
    daysUntil(endDates[recommendedVersion] ?? null, today) > warnDaysBefore
      ? `Set GRAPH_API_VERSION=${recommendedVersion}.`
      : 'Set GRAPH_API_VERSION to a newer version.'
  const until = endsOn === null ? '' : `, which ${endsOn < today ? 'ended' : 'ends'} on ${endsOn}`
  if (hasEnded(asked) && serving !== asked)
    return {
      ...facts,
      warning: `GRAPH_API_VERSION ${asked} ended on ${endDates[asked]}. WhatsApp ${served ? 'serves' : 'is expected to serve'} ${serving} instead${until}. ${remedy}`,
    }
  const daysLeft = daysUntil(endsOn, today)
  if (daysLeft <= warnDaysBefore)
    return {
      ...facts,
      warning: `The Graph API version ${serving} ${daysLeft < 0 ? 'ended' : 'ends'} on ${endsOn}. ${remedy}`,
    }
  if (serving !== asked) return { ...facts, warning: `WhatsApp serves ${serving}${until}, not ${asked} as asked for.` }
  return { ...facts, warning: null }
}

const oldestLeft = (hasEnded: (version: string) => boolean) =>
  Object.keys(endDates).find((version) => !hasEnded(version))

const daysUntil = (date: string | null, today: string): number =>
  date === null ? Number.POSITIVE_INFINITY : (Date.parse(date) - Date.parse(today)) / (24 * 3600 * 1000)
