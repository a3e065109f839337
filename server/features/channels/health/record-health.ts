import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { channelHealthChanged } from '../events.ts'
import { type ChatHookSettings, showChannel } from '../hooks/chat-hook.ts'
import { enqueueHealthCheck } from '../job-kinds.ts'
import type { ChannelRow } from '../queries.ts'
import { lockChannelsOfAccount, lockHealth, saveHealth } from './health-queries.ts'
import { type HealthFacts, type HealthUpdate, nothingKnown, type StoredHealth } from './health-schema.ts'
import { showHealth } from './show-health.ts'

export interface ShowingChannels {
  secrets: SecretBox
  hooks: ChatHookSettings
}

/** A webhook about an account, or about one of its numbers. */
export interface AccountHealthUpdate extends HealthUpdate {
  businessAccountId: string
  /** Digits of the number that the facts are about; null if they are about all numbers of the account. */
  number: string | null
}

/** Facts of the account that a webhook about one number reports too. */
const ofAccount = ['messaging_limit_tier', 'account_status', 'restrictions'] as const

/** What the account may do: whether it can send is for the platform to say. */
const isOfAccount = ({ facts }: HealthUpdate) =>
  facts.account_status !== undefined || facts.restrictions !== undefined || facts.account_violation !== undefined

/**
 * Applies webhooks in any order and any number of times. Numbers that a webhook names, and all numbers of an account that
 * is restricted or free again, are read again afterwards.
 */
export async function recordAccountHealth(
  tx: TenantTx,
  updates: AccountHealthUpdate[],
  deps: ShowingChannels,
): Promise<void> {
  for (const { businessAccountId, number, ...update } of updates)
    for (const channel of await lockChannelsOfAccount(tx, businessAccountId)) {
      const isNamed = number !== null && channel.phone_number.replace(/\D/g, '') === number
      await apply(tx, channel, number === null || isNamed ? update : sharedPart(update), deps)
      if (isNamed || isOfAccount(update)) await enqueueHealthCheck(tx, channel.id)
    }
}

const sharedPart = ({ at, facts }: HealthUpdate): HealthUpdate => ({
  at,
  facts: Object.fromEntries(ofAccount.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]]))),
})

/**
 * Records what the platform answered, unless a later question has been answered already. Undefined if the channel was
 * deleted meanwhile.
 */
export async function recordNumberHealth(
  tx: TenantTx,
  channelId: string,
  { checkedAt, ...update }: HealthUpdate & { checkedAt: string },
  deps: ShowingChannels,
): Promise<ChannelRow | undefined> {
  const channel = await lockHealth(tx, channelId)
  if (!channel || checkedAt < (channel.health?.checked_at ?? '')) return channel
  const ended =
    update.facts.messaging_status === 'AVAILABLE' && channel.health ? endedFacts(channel.health, update.at) : {}
  return apply(tx, channel, { ...update, facts: { ...update.facts, ...ended } }, deps, checkedAt)
}

/** The platform's API may lag behind its webhooks. */
const lagMs = 3_600_000

/**
 * Messages can be sent: a ban, and restrictions without a known end, are over. Their webhook may have been lost, and
 * without it campaigns would be refused for ever.
 */
function endedFacts({ account_status, restrictions, said_at }: StoredHealth, at: string): Partial<HealthFacts> {
  const ending = restrictions.filter(({ until }) => until !== null)
  const isSettled = (saidAt: string | undefined) => Date.parse(saidAt ?? at) < Date.parse(at) - lagMs
  return {
    ...(account_status === 'disabled' && isSettled(said_at.account_status) && { account_status: 'active' }),
    ...(ending.length < restrictions.length && isSettled(said_at.restrictions) && { restrictions: ending }),
  }
}

async function apply(
  tx: TenantTx,
  channel: ChannelRow,
  { at, facts }: HealthUpdate,
  { secrets, hooks }: ShowingChannels,
  checkedAt?: string,
): Promise<ChannelRow> {
  const before = { ...nothingKnown, ...channel.health }
  const fresh = Object.fromEntries(
    Object.entries(facts).filter(([name]) => at >= (before.said_at[name as keyof HealthFacts] ?? '')),
  )
  const said_at = { ...before.said_at, ...Object.fromEntries(Object.keys(fresh).map((name) => [name, at])) }
  const health = { ...before, ...fresh, said_at, checked_at: checkedAt ?? before.checked_at }
  if (Object.keys(fresh).length === 0 && !checkedAt) return channel
  const saved = await saveHealth(tx, channel.id, health)
  const [old, shown] = [channel.health, health].map((each) => ({ ...showHealth(each), checked_at: null }))
  if (!isDeepStrictEqual(old, shown))
    await emit(tx, channelHealthChanged, showChannel(saved, secrets, hooks), { health: showHealth(channel.health) })
  return saved
}
