import type { HealthFacts } from '../../channels/health/health-schema.ts'
import type { AccountHealthUpdate } from '../../channels/health/record-health.ts'
import { tierOf } from '../../channels/health/show-health.ts'
import { idOf, type Part, partOf, partsOf, textOf, timeOf } from './wire.ts'

/** An account's update about its limits, restrictions or one of its numbers; undefined for other fields and events. */
export function readHealthUpdate(field: string, value: Part, entry: Part, now: Date): AccountHealthUpdate | undefined {
  const businessAccountId = idOf(entry.id, 255)
  const at = timeOf(entry.time, now)
  const facts = factsIn(field, value, at)
  if (!facts || businessAccountId === null) return undefined
  const number =
    field === 'phone_number_quality_update' ? textOf(value.display_phone_number, 64).replace(/\D/g, '') : ''
  return { businessAccountId, number: number || null, at, facts }
}

function factsIn(field: string, value: Part, at: string): Partial<HealthFacts> | undefined {
  switch (field) {
    case 'phone_number_quality_update':
      return {
        ...(limitIn(value.max_daily_conversations_per_business) ?? limitIn(value.current_limit)),
        ...(value.event === 'THROUGHPUT_UPGRADE' && { throughput_level: 'HIGH' }),
      }
    case 'business_capability_update':
      return limitIn(value.max_daily_conversations_per_business) ?? limitIn(value.max_daily_conversation_per_phone)
    case 'account_review_update': {
      const account_review_status = textOf(value.decision, 64)
      return account_review_status ? { account_review_status } : undefined
    }
    case 'account_update':
      return factsOfAccount(value, at)
    default:
      return undefined
  }
}

/** `TIER_2K` or 2000: the platform documents the same member with both. */
function limitIn(value: unknown): Pick<HealthFacts, 'messaging_limit_tier'> | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value, 64)
  if (text.startsWith('TIER_')) return { messaging_limit_tier: text }
  return /^-?\d{1,15}$/.test(text) ? { messaging_limit_tier: tierOf(Number(text)) } : undefined
}

const banStates: Record<string, HealthFacts['account_status']> = {
  SCHEDULE_FOR_DISABLE: 'disable_scheduled',
  DISABLE: 'disabled',
  REINSTATE: 'active',
}

/** Whether messages can be sent is not known until the number is read. */
const freeAgain = { restrictions: [], messaging_status: null, messaging_problems: [] }

function factsOfAccount(value: Part, at: string): Partial<HealthFacts> | undefined {
  if (value.event === 'ACCOUNT_DELETED') return { account_status: 'disabled' }
  if (value.event === 'DISABLED_UPDATE') {
    const account_status = banStates[textOf(partOf(value.ban_info).waba_ban_state, 64)]
    return account_status && { account_status, ...(account_status === 'active' && freeAgain) }
  }
  if (value.event !== 'ACCOUNT_RESTRICTION' && value.event !== 'ACCOUNT_VIOLATION') return undefined
  const violation = textOf(partOf(value.violation_info).violation_type, 128)
  const account_violation = /_UNBAN$/.test(violation) ? null : { type: violation, at }
  // A warning has no list of restrictions, and changes none.
  const isList = value.event === 'ACCOUNT_RESTRICTION' && (Array.isArray(value.restriction_info) || !violation)
  const restrictions = partsOf(value.restriction_info).flatMap(({ restriction_type, expiration }) => {
    const type = textOf(restriction_type, 128)
    return type ? [{ type, until: endOf(expiration) }] : []
  })
  return {
    ...(violation && { account_violation }),
    ...(isList && { restrictions: restrictions.slice(0, 20) }),
  }
}

/** Unix seconds, as a number or in digits, or a date in words that JavaScript reads. */
function endOf(expiration: unknown): string | null {
  const text = textOf(expiration, 64)
  const isSeconds = typeof expiration === 'number' || /^\d+$/.test(text)
  const ms = isSeconds ? Number(expiration) * 1000 : Date.parse(text)
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : null
}
