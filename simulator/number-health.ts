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
    /** Of the account; sends a webhook and changes nothing else. */
    violation_type: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{1,64}$' })),
    /** Of the account. */
    review_status: Type.Optional(OneOf(['APPROVED', 'PENDING', 'REJECTED'] as const)),
    /** Why the account cannot send, such as an unpaid bill; empty if it can. */
    messaging_problem: Type.Optional(Type.String({ maxLength: 500 })),
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
  status: string
  health_status: object
}

interface AccountState {
  whatsapp_business_manager_messaging_limit: string
  restrictions: NonNullable<HealthChange['restrictions']>
  ban_state: string
  review_status: string
  messaging_problem: string
}

export interface NumberHealth {
  of(number: SimulatedNumber): Promise<HealthFields>
  /** How many people the account may reach in a day; a second-old answer will do. */
  peopleADay(number: SimulatedNumber): number | Promise<number>
  /** The fields of an account that the Graph API serves. */
  ofAccount(account: string): Promise<{ account_review_status: string }>
  change(number: SimulatedNumber, change: HealthChange): Promise<HealthFields>
}

const keptForMs = 90 * 24 * 3600 * 1000

export function createNumberHealth({ store, webhooks }: { store: SimulatorStore; webhooks: Webhooks }): NumberHealth {
  const read = async (id: string) => ((await store.find('health', id))?.data ?? {}) as Partial<HealthFields>
  const readAccount = async (account: string) => (await read(`account ${account}`)) as Partial<AccountState>
  const save = async (id: string, account: string, changes: Partial<HealthFields> | Partial<AccountState>) =>
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
    const account = await readAccount(number.account)
    return {
      quality_rating: 'GREEN',
      name_status: 'APPROVED',
      throughput: { level: 'STANDARD' },
      whatsapp_business_manager_messaging_limit: account.whatsapp_business_manager_messaging_limit ?? 'TIER_UNLIMITED',
      status: account.ban_state === 'DISABLE' ? 'BANNED' : 'CONNECTED',
      health_status: healthStatusOf(number, account),
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
    async ofAccount(account) {
      return { account_review_status: (await readAccount(account)).review_status ?? 'APPROVED' }
    },
    async change(number, change) {
      const { quality_rating, name_status, throughput, messaging_limit, restrictions, ban_state } = change
      const { review_status, violation_type, messaging_problem } = change
      await save(number.key, number.account, {
        ...(quality_rating && { quality_rating }),
        ...(name_status && { name_status }),
        ...(throughput && { throughput: { level: throughput } }),
      })
      await save(accountKey(number), number.account, {
        ...(messaging_limit && { whatsapp_business_manager_messaging_limit: messaging_limit }),
        ...(restrictions && { restrictions }),
        ...(ban_state && { ban_state, ...(ban_state === 'REINSTATE' && { restrictions: [] }) }),
        ...(review_status && { review_status }),
        ...(messaging_problem !== undefined && { messaging_problem }),
      })
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
      if (violation_type)
        tell(number, 'account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type } })
      if (review_status) tell(number, 'account_review_update', { decision: review_status })
      if (ban_state)
        tell(number, 'account_update', {
          event: 'DISABLED_UPDATE',
          ban_info: { waba_ban_state: ban_state, waba_ban_date: new Date().toDateString() },
        })
      return health
    },
  }
}

/** The parts of the platform that a message passes, and the worst of them. */
function healthStatusOf(number: SimulatedNumber, account: Partial<AccountState>): object {
  const isRestricted = account.restrictions?.some(
    ({ restriction_type, expiration }) =>
      restriction_type !== 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' && (expiration ?? Infinity) * 1000 > Date.now(),
  )
  const problem =
    account.ban_state === 'DISABLE'
      ? { error_code: 131031, error_description: 'The business account has been locked.' }
      : account.messaging_problem && { error_code: 141006, error_description: account.messaging_problem }
  const can_send_message = problem ? 'BLOCKED' : isRestricted ? 'LIMITED' : 'AVAILABLE'
  const waba = {
    entity_type: 'WABA',
    id: number.business_account_id,
    can_send_message,
    ...(problem && { errors: [{ ...problem, possible_solution: 'Change the health of the simulated number.' }] }),
    ...(!problem && isRestricted && { additional_info: ['The business account is restricted.'] }),
  }
  return {
    can_send_message,
    entities: [{ entity_type: 'PHONE_NUMBER', id: number.phone_number_id, can_send_message: 'AVAILABLE' }, waba],
  }
}

/** As `business_capability_update` gives it: -1 for unlimited. */
function peopleOf(tier: string): number {
  const [, digits, thousand] = /^TIER_(\d+)(K?)$/.exec(tier) ?? []
  return digits === undefined ? -1 : Number(digits) * (thousand ? 1000 : 1)
}
