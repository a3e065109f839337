import Type, { type Static } from 'typebox'
import { OneOf } from '../server/platform/schemas.ts'
import type { SimulatedNumber } from './numbers.ts'
import type { SimulatorStore } from './store.ts'
import type { Webhooks } from './webhooks.ts'

const tiers = ['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'] as const

/** Changes to the health of a number, or of its account. Each sends the webhook that the platform sends for it. */
export const HealthChange = Type.Object(
  {
    quality_rating: Type.Optional(OneOf(['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const)),
    name_status: Type.Optional(Type.String({ pattern: '^[A-Z_]{1,64}$' })),
    throughput: Type.Optional(OneOf(['STANDARD', 'HIGH'] as const)),
    /** Of the account: all its numbers share it. */
    messaging_limit: Type.Optional(OneOf(tiers)),
    /** Of the account. */
    restrictions: Type.Optional(
      Type.Array(
        Type.Object({
          restriction_type: Type.String({ pattern: '^[A-Z_]{1,64}$' }),
          /** Unix seconds. */
          expiration: Type.Optional(Type.Integer()),
        }),
        { minItems: 1, maxItems: 10 },
      ),
    ),
    ban_state: Type.Optional(OneOf(['SCHEDULE_FOR_DISABLE', 'DISABLE', 'REINSTATE'] as const)),
  },
  { additionalProperties: false },
)
export type HealthChange = Static<typeof HealthChange>

/** The fields of a number that the Graph API serves. */
interface HealthFields {
  quality_rating: string
  name_status: string
  throughput: { level: string }
  whatsapp_business_manager_messaging_limit: string
}

export interface NumberHealth {
  of(number: SimulatedNumber): Promise<HealthFields>
  /** How many people the account may reach in a day; a second-old answer will do. */
  peopleADay(number: SimulatedNumber): number | Promise<number>
  change(number: SimulatedNumber, change: HealthChange): Promise<HealthFields>
}

const keptForMs = 90 * 24 * 3600 * 1000

export function createNumberHealth({ store, webhooks }: { store: SimulatorStore; webhooks: Webhooks }): NumberHealth {
  const read = async (id: string) => ((await store.find('health', id))?.data ?? {}) as Partial<HealthFields>
  const save = async (id: string, account: string, changes: Partial<HealthFields>) =>
    store.save({
      kind: 'health',
      id,
      account,
      data: { ...(await read(id)), ...changes },
      expiresAt: Date.now() + keptForMs,
    })
  const people = new Map<string, { most: number; until: number }>()
  const accountKey = ({ account }: SimulatedNumber) => `account ${account}`

  async function of(number: SimulatedNumber): Promise<HealthFields> {
    return {
      quality_rating: 'GREEN',
      name_status: 'APPROVED',
      throughput: { level: 'STANDARD' },
      whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED',
      ...(await read(accountKey(number))),
      ...(await read(number.key)),
    }
  }

  function tell(number: SimulatedNumber, field: string, value: object): void {
    webhooks.push(number, { part: field, json: JSON.stringify(value), time: Math.floor(Date.now() / 1000) })
  }

  async function look(number: SimulatedNumber): Promise<number> {
    const limit = peopleOf((await of(number)).whatsapp_business_manager_messaging_limit)
    const most = limit < 0 ? Infinity : limit
    people.set(number.account, { most, until: store.shared ? Date.now() + 1_000 : Infinity })
    return most
  }

  return {
    of,
    peopleADay(number) {
      const known = people.get(number.account)
      return known && known.until > Date.now() ? known.most : look(number)
    },
    async change(number, { quality_rating, name_status, throughput, messaging_limit, restrictions, ban_state }) {
      await save(number.key, number.account, {
        ...(quality_rating && { quality_rating }),
        ...(name_status && { name_status }),
        ...(throughput && { throughput: { level: throughput } }),
      })
      if (messaging_limit)
        await save(accountKey(number), number.account, { whatsapp_business_manager_messaging_limit: messaging_limit })
      people.delete(number.account)
      const health = await of(number)
      const limit = health.whatsapp_business_manager_messaging_limit
      if (messaging_limit)
        tell(number, 'business_capability_update', {
          max_daily_conversations_per_business: peopleOf(limit),
          max_phone_numbers_per_business: 20,
        })
      if (throughput ?? quality_rating)
        tell(number, 'phone_number_quality_update', {
          display_phone_number: number.display_phone_number.replace(/\D/g, ''),
          event: throughput === 'HIGH' ? 'THROUGHPUT_UPGRADE' : quality_rating === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
          current_limit: limit,
          max_daily_conversations_per_business: limit,
        })
      if (restrictions) tell(number, 'account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: restrictions })
      if (ban_state)
        tell(number, 'account_update', {
          event: 'DISABLED_UPDATE',
          ban_info: { waba_ban_state: ban_state, waba_ban_date: new Date().toDateString() },
        })
      return health
    },
  }
}

/** As `business_capability_update` gives it: -1 for unlimited. */
function peopleOf(tier: string): number {
  const [, digits, thousand] = /^TIER_(\d+)(K?)$/.exec(tier) ?? []
  return digits === undefined ? -1 : Number(digits) * (thousand ? 1000 : 1)
}
