import { type Health, nothingKnown, type StoredHealth } from './health-schema.ts'

/** Health as responses and events show it: restrictions that have ended are left out. */
export function showHealth(stored: StoredHealth | null): Health | null {
  if (!stored) return null
  const now = new Date()
  const { said_at, restrictions, ...health } = { ...nothingKnown, ...stored }
  return {
    ...health,
    restrictions: restrictions.filter(({ until }) => until === null || new Date(until) > now),
    messaging_limit: limitOf(health.messaging_limit_tier),
  }
}

/** `TIER_2K` → 2000; null for `TIER_UNLIMITED` and values that are no number. */
function limitOf(tier: string | null): number | null {
  const [, digits, thousand] = /^TIER_(\d+)(K?)$/.exec(tier ?? '') ?? []
  return digits === undefined ? null : Number(digits) * (thousand ? 1000 : 1)
}

/** The platform gives limits as numbers too, -1 for unlimited. */
export function tierOf(limit: number): string {
  if (limit < 0) return 'TIER_UNLIMITED'
  return limit >= 1000 && limit % 1000 === 0 ? `TIER_${limit / 1000}K` : `TIER_${limit}`
}

/** The platform's explanation, to follow a clause. */
export const reasonOf = ({ messaging_problems: [problem] }: Health): string => (problem ? `: ${problem}` : '')

/** Why the platform would refuse a campaign on this number that starts then; undefined if it would not. */
export function whyBlocked(health: Health | null, startsAt: Date): string | undefined {
  if (!health) return undefined
  if (health.account_status === 'disabled') return 'WhatsApp has disabled the business account of this channel'
  if (health.account_review_status === 'REJECTED') return 'WhatsApp has rejected the business account of this channel'
  const restriction = health.restrictions.find(
    ({ type, until }) =>
      type === 'RESTRICTED_BIZ_INITIATED_MESSAGING' && (until === null || new Date(until) > startsAt),
  )
  if (!restriction && health.messaging_status === 'BLOCKED')
    return `WhatsApp does not let this channel send messages${reasonOf(health)}`
  if (!restriction) return undefined
  const until = restriction.until ? ` until ${restriction.until}` : ''
  return `WhatsApp does not let the business account of this channel start conversations${until}`
}
