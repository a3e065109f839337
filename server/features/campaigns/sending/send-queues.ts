import type { TenantScope } from '../../../platform/database.ts'
import type { Item, Queue } from '../../../platform/dispatch/contract.ts'
import type { ChatConnection } from '../../channels/connections/chat-connections.ts'
import type { TemplateVariables } from '../../templates/schema.ts'
import type { SendOutcome } from '../deliveries/judge-failure.ts'

/** A delivery that this worker has claimed. Its `dueAt` is the time that was reserved for it on the channel. */
export interface ClaimedDelivery extends Item {
  campaignId: string
  contactId: string
  phone_number: string
  whatsapp_user_id: string | null
  variables: TemplateVariables
  /** Before this one. */
  attempts: number
}

/**
 * The deliveries that this worker has claimed on one channel. Each claim reserves times on the channel, one per delivery
 * at the channel's rate, so that all workers together keep that rate.
 */
export interface SendQueue extends Queue<ClaimedDelivery> {
  scope: TenantScope
  channelId: string
  connection: ChatConnection
  /** Other workers may send on this channel too, so this worker must not send later than its reserved times. */
  isShared: boolean
  /** Set while new times are being reserved. Nothing is sent meanwhile. */
  isReserving: boolean
  /** Consecutive refusals that concerned the whole channel, as far as this worker knows. */
  refusals: number
  /** Consecutive requests after which it is unknown whether the platform accepted the message. */
  unknownInARow: number
}

/** After this many unknown outcomes in a row the platform is taken to be down. */
const outageAfter = 5
/** Requests in flight at once until the platform is known to be up again. */
const maxProbes = 2
/** A worker whose first waiting delivery is this late claims no more on the channel and leaves it to other workers. */
const lateAfterMs = 500
/** Times missed by more than this are given up: 5 % of a second, by which the rate may be exceeded. */
const missedAfterMs = 50
/** New times take a moment to be reserved: what is due until then is missed as well. */
const reservingMs = 50
/** The pacer looks back one second, so a queue must outlive its last request by more than that. */
const keepForMs = 2_000

export const newSendQueue = (key: string, scope: TenantScope, connection: ChatConnection): SendQueue => ({
  key,
  scope,
  channelId: connection.channelId,
  connection,
  waiting: [],
  claimed: new Set(),
  slotsHeld: 0,
  maxSlots: Number.POSITIVE_INFINITY,
  isShared: false,
  isReserving: false,
  refusals: 0,
  unknownInARow: 0,
})

/** Whether the last outcomes suggest that the platform is down. After a refusal one unknown outcome is enough. */
export const suggestsOutage = ({ unknownInARow, refusals }: SendQueue): boolean =>
  unknownInARow >= (refusals > 0 ? 1 : outageAfter)

/** While the platform may be down, a few requests probe it instead of the whole queue being sent. */
export function updateMaxSlots(queue: SendQueue): void {
  queue.maxSlots = queue.refusals > 0 || suggestsOutage(queue) ? maxProbes : Number.POSITIVE_INFINITY
}

export function countOutcome(queue: SendQueue, { kind }: SendOutcome): void {
  queue.unknownInARow = kind === 'unknown' ? queue.unknownInARow + 1 : 0
  updateMaxSlots(queue)
}

export const isLate = ({ waiting: [first] }: SendQueue, now: number): boolean =>
  first !== undefined && first.dueAt < now - lateAfterMs

export const hasMissedTimes = ({ isShared, paced }: SendQueue, now: number): boolean =>
  isShared && (paced?.items[0]?.dueAt ?? Number.POSITIVE_INFINITY) < now - missedAfterMs

const unsentIn = ({ paced, waiting }: SendQueue): ClaimedDelivery[] => [...(paced?.items ?? []), ...waiting]

export const missedDeliveries = (queue: SendQueue, now: number): ClaimedDelivery[] =>
  unsentIn(queue).filter(({ dueAt }) => dueAt < now + reservingMs)

/**
 * Gives these deliveries new times. Then all unsent ones share their times out again in sending order, so that none is
 * overtaken.
 */
export function replaceTimes(queue: SendQueue, missed: ClaimedDelivery[], timeOf: (position: number) => number): void {
  for (const [position, item] of missed.entries()) item.dueAt = timeOf(position)
  const unsent = unsentIn(queue)
  const times = unsent.map(({ dueAt }) => dueAt).sort((a, b) => a - b)
  for (const [position, item] of unsent.entries()) item.dueAt = times[position] as number
}

/** Nothing is claimed, and the pacer needs its last sends no longer. */
export const isUnused = ({ claimed, paced }: SendQueue, now: number): boolean =>
  claimed.size === 0 && (paced?.lastSentAt ?? 0) < now - keepForMs
