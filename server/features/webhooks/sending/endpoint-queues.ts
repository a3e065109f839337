import type { TenantScope } from '../../../platform/database.ts'
import type { Item, Queue } from '../../../platform/dispatch/contract.ts'
import type { EventBody } from './event-bodies.ts'

/** A delivery that is due. */
export interface DueDelivery extends Item {
  type: string
  /** Attempts so far, and the index of the next delay in the retry schedule. A manual retry resets only the latter. */
  attempts: number
  step: number
  /** Undefined if the event is past its retention. */
  event: EventBody | undefined
}

/** The due deliveries of one endpoint whose lease this worker holds. */
export interface EndpointQueue extends Queue<DueDelivery>, TenantScope {
  webhookId: string
  /** The id of the worker lease that holds the endpoint. */
  workerId: string
  url: string
  /** The same, parsed once for all deliveries; as it is if it cannot be parsed. */
  target: string | URL
  sign(id: string, at: Date, body: string): string
  /** Read together with `url`, so that a new address never receives types that its webhook may not receive. */
  mayReceive(type: string): boolean
  /** Every attempt since then has failed. */
  failingSince: number | null
  failuresInARow: number
  /** Deliveries up to here have been read; undefined before a read from the start. */
  cursor: { at: string; id: string } | undefined
  /** There may be due deliveries after the cursor. */
  mayHaveMore: boolean
  /** Nothing more is sent; the endpoint's lease is released once nothing is in flight. */
  isStopped: boolean
  /** Another worker may hold the endpoint's lease by now. */
  isLost: boolean
  /** Its lease is released with this pause. */
  pausedUntil: number | null
}

/** Slots of an endpoint at first, and at most. */
const firstSlots = 8
const mostSlots = 32

export const newEndpointQueue = (
  given: Pick<
    EndpointQueue,
    'organizationId' | 'livemode' | 'webhookId' | 'workerId' | 'url' | 'target' | 'sign' | 'mayReceive' | 'failingSince'
  >,
): EndpointQueue => ({
  ...given,
  key: given.webhookId,
  waiting: [],
  claimed: new Set(),
  slotsHeld: 0,
  // A failing endpoint gets one request at a time until it succeeds.
  maxSlots: given.failingSince === null ? firstSlots : 1,
  failuresInARow: 0,
  cursor: undefined,
  mayHaveMore: true,
  isStopped: false,
  isLost: false,
  pausedUntil: null,
})

/** After eight failures in a row the endpoint is paused for at least five seconds. */
const pauseAfterFailures = 8
const failurePauseMs = 5_000

/** A success gives the endpoint one more slot, a failure halves them. Failures in a row pause the endpoint. */
export function adaptToResult(queue: EndpointQueue, isSuccess: boolean, retryAfterMs: number | null): void {
  queue.maxSlots = isSuccess ? Math.min(mostSlots, queue.maxSlots + 1) : Math.max(1, queue.maxSlots >> 1)
  queue.failuresInARow = isSuccess ? 0 : queue.failuresInARow + 1
  const pauseMs =
    queue.failuresInARow >= pauseAfterFailures ? Math.max(failurePauseMs, retryAfterMs ?? 0) : retryAfterMs
  if (pauseMs === null) return
  queue.pausedUntil = Math.max(queue.pausedUntil ?? 0, performance.now() + pauseMs)
  stop(queue)
}

/** Sends nothing more. Waiting deliveries are left to the next holder of the endpoint's lease. */
export function stop(queue: EndpointQueue): void {
  queue.isStopped = true
  for (const { id } of queue.waiting.splice(0)) queue.claimed.delete(id)
}

/** Every delivery that was read is recorded. */
export const isIdle = ({ claimed }: EndpointQueue): boolean => claimed.size === 0

/** Whether more of its deliveries should be read: it has none, or little more than it may send at once. */
export const runsLow = (queue: EndpointQueue): boolean =>
  isIdle(queue) || (queue.mayHaveMore && queue.waiting.length <= queue.maxSlots)

/** Nothing is left to send: the queue was stopped, or a read from the start found nothing. */
export const isDone = (queue: EndpointQueue): boolean =>
  isIdle(queue) && (queue.isStopped || (queue.cursor === undefined && !queue.mayHaveMore))
