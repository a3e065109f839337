import type { PacedQueue } from './paced-queue.ts'

/**
 * What a feature provides so that the dispatcher can send its requests. The dispatcher owns worker leases, fairness between
 * queues, the number of requests in flight, batching and drain; the feature owns its SQL and the request itself.
 *
 * Terms
 *   item       one request to make: a campaign message, a webhook delivery.
 *   queue      the items of one destination in this worker's memory: a channel, an endpoint.
 *   source     a feature's side of the contract.
 *   lease      a row that says that this worker is alive. Claims carry the lease's id and are void once the row is gone.
 *   in flight  the request may have left this process; its outcome is not recorded yet.
 *
 * Life of an item: claimed → waiting → marked in flight → attempted → recorded. What a worker had claimed when it died goes
 * back to the queue. What it had marked in flight is for the source to judge: due again where repeats are allowed, `unknown`
 * where each request may go out only once.
 */
export interface Item {
  readonly id: string
  /** The lease under which it was claimed. A worker whose lease expired goes on under another id. */
  readonly workerId: string
  /** When it may go at the earliest, by `performance.now()`; 0 for at once. */
  dueAt: number
}

export interface Queue<I extends Item> {
  /** Names the destination; one queue per key. */
  readonly key: string
  /** In the order in which they go. */
  waiting: I[]
  /** Ids that this worker has claimed and not recorded yet: waiting, in flight, or waiting to be recorded. */
  readonly claimed: Set<string>
  /** Slots that it holds now. The scheduler keeps this. */
  inFlight: number
  /** Slots that it may hold at most. */
  limit: number
  /** Marked in flight and about to be sent at the queue's rate. Absent where requests go as fast as the destination answers. */
  leaving?: PacedQueue<I>
}

export interface Attempted<Q, I, R> {
  queue: Q
  item: I
  result: R
}

export interface Source<Q extends Queue<I>, I extends Item, R> {
  /** Claims items under this lease and puts them into queues. Answers after how many milliseconds to ask again. */
  claim(work: ClaimWork<Q, I>): Promise<number>
  /**
   * The last look before the request: answers which of these may go, and records that they are in flight. `inDoubt` when some
   * were not this worker's any more. Absent where a request may be repeated: there a claim is enough.
   */
  markInFlight?(taken: { queue: Q; item: I }[]): Promise<{ going: { queue: Q; item: I }[]; inDoubt: boolean }>
  /** Makes the request. Every failure is a result; undefined leaves the item to the next claim. */
  attempt(queue: Q, item: I): Promise<R | undefined>
  /** Results with the same group are recorded together, in one call of `record`. */
  groupOf(attempted: Attempted<Q, I, R>): string
  /** Writes these results; all of them belong to one group. Rejects if none was written. */
  record(attempted: Attempted<Q, I, R>[]): Promise<void>
  /** Returns items that were claimed and never marked in flight. */
  release(items: I[]): Promise<void>
  /**
   * A statement failed and may have taken effect nevertheless: brings the claims in the database in line with what this
   * worker knows of. Called before the next claim.
   */
  reconcile(work: ClaimWork<Q, I>): Promise<void>
  /** Whether the next request of a paced queue may leave now; if not, the source runs `queue.leaving` again later. */
  mayLeave?(queue: Q): boolean
  /** The result for an item that was marked in flight and is returned unsent: its queue is held, or the worker shuts down. */
  recalled?(why: 'held' | 'closing'): R
  /** Whether to claim at once, now that this queue has one item less. */
  isRunningLow?(queue: Q): boolean
  /** These are recorded, and no longer among the queue's claimed items. */
  recorded?(attempted: Attempted<Q, I, R>[], controls: { hold(queue: Q): Promise<void> }): Promise<void> | void
  /** Drain has timed out: ends the requests that are still in flight. */
  abort?(): Promise<void>
  /** Gives back what it holds besides items, before the lease is released. */
  close?(): Promise<void>
}

export interface ClaimWork<Q, I> {
  workerId: string
  /** How many more items this worker should hold at most. */
  room: number
  queues: ReadonlyMap<string, Q>
  /** Adds items to a queue, which becomes known to the scheduler if it was not. */
  add(queue: Q, items: I[]): void
  /** Makes it a paced queue, or changes its rate. */
  setRate(queue: Q, perSecond: number): void
  /** Forgets a queue with nothing claimed. */
  remove(queue: Q): void
}

export interface DispatchLimits {
  /** Requests in flight at once: to begin with, at least and at most. They grow while answers are quick and shrink when they are slow. */
  slots: { first: number; least: number; most: number }
  /** What a slot is held for: until the answer, or until the answer is recorded, which bounds what a crash leaves in doubt. */
  slotsHeldUntil: 'answered' | 'recorded'
  /** Requests of paced queues on the network at once: fewer than the HTTP client's connections, where they would wait unpaced. */
  maxOnWire: number
  maxWaiting: number
  /** Items marked in flight by one statement, and the least time between two such statements. */
  flushSize: number
  flushEveryMs: number
  claimAtMostEveryMs: number
  leaseSeconds: number
  /** How long requests in flight may take at shutdown. Supervisors send SIGKILL ten seconds after SIGTERM. */
  drainTimeoutMs: number
  record: RecordLimits
}

export interface RecordLimits {
  /** Results wait this long for others: a batch costs little more than a single row. */
  gatherMs: number
  maxBatch: number
  /** Transactions at once, in all and for one group. */
  maxWriters: number
  maxWritersOfGroup: number
}
