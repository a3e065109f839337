import type { TenantScope } from '../../../platform/database.ts'
import type { Item, Queue } from '../../../platform/dispatch/contract.ts'
import type { ChatConnection } from '../../channels/chat-connections.ts'
import type { TemplateVariables } from '../../templates/schema.ts'
import type { Outcome } from '../judge-failure.ts'

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery extends Item {
  campaignId: string
  contactId: string
  phone_number: string
  whatsapp_user_id: string | null
  variables: TemplateVariables
  attempts: number
}

/** What this worker has to send on one channel. */
export interface SendQueue extends Queue<ClaimedDelivery> {
  scope: TenantScope
  channelId: string
  connection: ChatConnection
  /** Whether other workers may send on this channel too: a missed sending time then belongs to them. */
  isShared: boolean
  /** Whether new sending times are being reserved for those that were missed. */
  isReserving: boolean
  /** Refusals in a row that concerned the whole channel, as far as this worker knows. */
  refusals: number
  /** Sends in a row after which it is unknown whether the platform accepted the message. */
  unclear: number
}

/** After this many unclear sends in a row the platform counts as down. */
const outageAfter = 5
/** Requests at once until the platform has proven to be up again. */
const maxProbes = 2
/** Other workers may claim the channel's next messages when this worker is this late. */
const lateAfterMs = 500
/** A missed sending time is given up after this: a twentieth of a second's worth. */
const missedAfterMs = 50
/** The pace looks back one second: a queue is kept for longer than that. */
const keepForMs = 2_000

export const newSendQueue = (key: string, scope: TenantScope, connection: ChatConnection): SendQueue => ({
  key,
  scope,
  channelId: connection.channelId,
  connection,
  waiting: [],
  claimed: new Set(),
  inFlight: 0,
  limit: Number.POSITIVE_INFINITY,
  isShared: false,
  isReserving: false,
  refusals: 0,
  unclear: 0,
})

/** Whether the last sends suggest that the platform is down. After a refusal one unclear send is enough. */
export const suggestsOutage = ({ unclear, refusals }: SendQueue): boolean => unclear >= (refusals > 0 ? 1 : outageAfter)

/** While the platform may be down, a few probes are sent instead of the whole queue. */
export function setLimit(queue: SendQueue): void {
  queue.limit = queue.refusals > 0 || suggestsOutage(queue) ? maxProbes : Number.POSITIVE_INFINITY
}

export function countOutcome(queue: SendQueue, { kind }: Outcome): void {
  queue.unclear = kind === 'unknown' ? queue.unclear + 1 : 0
  setLimit(queue)
}

export const isLate = ({ waiting: [first] }: SendQueue, now: number): boolean =>
  first !== undefined && first.dueAt < now - lateAfterMs

export const hasMissedItsTimes = ({ isShared, leaving }: SendQueue, now: number): boolean =>
  isShared && (leaving?.firstDueAt ?? Number.POSITIVE_INFINITY) < now - missedAfterMs

export const isIdle = ({ claimed, leaving }: SendQueue, now: number): boolean =>
  claimed.size === 0 && (leaving?.lastSentAt ?? 0) < now - keepForMs
