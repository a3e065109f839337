import type { TenantScope } from '../../../platform/database.ts'
import type { Item, Queue } from '../../../platform/dispatch/contract.ts'

/** A delivery that is due. */
export interface DueDelivery extends Item {
  type: string
  attempts: number
  step: number
  /** Null when its event is past its retention. */
  body: string | null
}

/** What this worker has to send to one endpoint, whose lease it holds. */
export interface EndpointQueue extends Queue<DueDelivery>, TenantScope {
  webhookId: string
  /** The worker lease under which this endpoint's lease was taken. */
  workerId: string
  url: string
  sign(id: string, at: Date, body: string): string
  /** Read in one statement with `url`: a new address never gets types that its webhook may not receive. */
  mayReceive(type: string): boolean
  failingSince: number | null
  failuresInARow: number
  /** Deliveries are read up to here; undefined before the first time. */
  cursor: { at: string; id: string } | undefined
  mayHaveMore: boolean
  /** Nothing further is sent; the lease is given back once nothing is in flight. */
  isStopped: boolean
  /** Another worker may hold the lease by now. */
  isLost: boolean
  pausedUntil: number | null
}

const maxLimit = 32
const firstLimit = 8

export const newEndpointQueue = (
  given: Pick<
    EndpointQueue,
    'organizationId' | 'livemode' | 'webhookId' | 'workerId' | 'url' | 'sign' | 'mayReceive' | 'failingSince'
  >,
): EndpointQueue => ({
  ...given,
  key: given.webhookId,
  waiting: [],
  claimed: new Set(),
  inFlight: 0,
  // An endpoint that failed the last time gets one request at a time until it answers.
  limit: given.failingSince === null ? firstLimit : 1,
  failuresInARow: 0,
  cursor: undefined,
  mayHaveMore: true,
  isStopped: false,
  isLost: false,
  pausedUntil: null,
})

/** A failing endpoint is left alone for a while instead of being asked over and over. */
const enoughFailures = 8
const restAfterFailuresMs = 5_000

/** Adapts to an answer: each success allows one more request at once, each failure halves them. */
export function heed(queue: EndpointQueue, isSuccess: boolean, retryAfterMs: number | null): void {
  queue.limit = isSuccess ? Math.min(maxLimit, queue.limit + 1) : Math.max(1, queue.limit >> 1)
  queue.failuresInARow = isSuccess ? 0 : queue.failuresInARow + 1
  const restMs =
    queue.failuresInARow >= enoughFailures ? Math.max(restAfterFailuresMs, retryAfterMs ?? 0) : retryAfterMs
  if (restMs === null) return
  queue.pausedUntil = Math.max(queue.pausedUntil ?? 0, Date.now() + restMs)
  stop(queue)
}

/** Sends nothing further: what waits is left to the next holder of the lease. */
export function stop(queue: EndpointQueue): void {
  queue.isStopped = true
  for (const { id } of queue.waiting.splice(0)) queue.claimed.delete(id)
}

export const isIdle = ({ claimed }: EndpointQueue): boolean => claimed.size === 0

export const needsReading = (queue: EndpointQueue): boolean =>
  !queue.isStopped && (isIdle(queue) || (queue.mayHaveMore && queue.waiting.length <= queue.limit))

/** Nothing is left to send: it was stopped, or read from the start and empty. */
export const isDone = (queue: EndpointQueue): boolean =>
  isIdle(queue) && (queue.isStopped || (queue.cursor === undefined && !queue.mayHaveMore))
