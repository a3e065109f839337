import type { PacedQueue } from './paced-queue.ts'

/**
 * What a feature provides so that the dispatcher can send its requests. The dispatcher owns worker leases, fairness
 * between queues, the number of requests in flight, batching and drain; the feature owns its SQL and the request.
 * Campaign messages and webhook deliveries are sent this way (ADR 26).
 *
 * Terms
 *   item       one request to make: a campaign message, a webhook delivery.
 *   queue      the items of one destination in this worker's memory: a channel, an endpoint.
 *   source     a feature's side of the contract.
 *   lease      a row that says until when this worker is alive. Claims carry its id and are void once it has expired.
 *   in flight  the request may have left this process; its outcome is not recorded yet.
 *   slot       permission for one item to be in flight. A worker has a limited number, which its queues share.
 *   on wire    the request has been started and is not answered yet.
 *   paced      sent at a rate per second, as platforms demand for a channel. Other queues send as soon as they can.
 *
 * Life of an item: claimed → waiting → takes a slot → marked in flight → paced, if its queue is → attempted → recorded.
 * If a worker dies, the items that it had claimed are free to be claimed again. The source decides about those that were
 * in flight: they are due again where a request may be repeated, and `unknown` where it may be sent only once.
 *
 * Files, in reading order: `dispatcher.ts` moves items through these steps. It uses `worker-lease.ts` (alive or not),
 * `fair-scheduler.ts` (which queue sends next), `paced-queue.ts` and `pacer.ts` (at what time) and `batch-recorder.ts`
 * (writing results together).
 */

/** One request to make. */
export interface Item {
  readonly id: string
  /** The id of the lease under which it was claimed. A worker whose lease expired continues with a new one. */
  readonly workerId: string
  /** The earliest time it may be sent, by `performance.now()`; 0 for immediately. */
  dueAt: number
}

/** What this worker has claimed for one destination. */
export interface Queue<I extends Item> {
  /** Names the destination; one queue per key. */
  readonly key: string
  /** In sending order. */
  waiting: I[]
  /** Ids that this worker has claimed and not recorded yet: waiting, in flight, or waiting to be recorded. */
  readonly claimed: Set<string>
  /** Maintained by the scheduler. */
  slotsHeld: number
  /** The source may change it at any time. */
  maxSlots: number
  /** Items in flight that wait for their turn at the queue's rate. Absent where the rate is not limited. */
  paced?: PacedQueue<I>
}

/** An item that was taken from its queue, with a slot, to be sent. */
export interface Taken<Q, I> {
  queue: Q
  item: I
}

/** An item whose request has ended, or that was recalled before it. */
export interface Attempted<Q, I, R> extends Taken<Q, I> {
  result: R
}

/** `Q` and `I` are the source's queues and items, with what it needs to send them; `R` is the result of an attempt. */
export interface Source<Q extends Queue<I>, I extends Item, R> {
  /** Claims items and adds them to the worker's queues. Returns the number of milliseconds until the next claim. */
  claim(worker: ClaimingWorker<Q, I>): Promise<number>
  /** Whether to claim at once, because this queue has few items left. */
  isRunningLow?(queue: Q): boolean
  /**
   * The last check before the request: records that these are in flight and returns those that may be sent. `inDoubt`
   * when some no longer belonged to this worker. Absent where a request may be repeated: there a claim is enough.
   */
  markInFlight?(taken: Taken<Q, I>[]): Promise<{ marked: Taken<Q, I>[]; inDoubt: boolean }>
  /** Whether a paced queue may send its next item now. If not, the source calls `queue.paced.run()` once it may. */
  maySend?(queue: Q): boolean
  /**
   * Makes the request. Every failure is a result; undefined leaves the item to the next claim. The source calls
   * `onWritten` when the request is written to its connection: a paced queue counts its rate from these times.
   */
  attempt(queue: Q, item: I, onWritten: () => void): Promise<R | undefined>
  /** Whether the attempt counts as succeeded, in metrics. */
  isSuccess(result: R): boolean
  /** Results of the same group are recorded together, in one call of `record`. */
  groupOf(attempted: Attempted<Q, I, R>): string
  /** Writes these results, all of one group. Rejects if none was written. */
  record(attempted: Attempted<Q, I, R>[]): Promise<void>
  /** Called once these are recorded and no longer claimed. `hold` returns the queue's unsent items. */
  afterRecord?(attempted: Attempted<Q, I, R>[], controls: { hold(queue: Q): Promise<void> }): Promise<void> | void
  /** The result of an item that was marked in flight and not sent: its queue is on hold, or the worker shuts down. */
  recallResult?(why: 'held' | 'closing'): R
  /** Returns items that were claimed and never marked in flight. */
  release(items: I[]): Promise<void>
  /**
   * A statement failed but may have taken effect: reconciles the claims in the database with those that this worker
   * knows of. Called before the next claim.
   */
  reconcile(worker: ClaimingWorker<Q, I>): Promise<void>
  /** The drain timed out: aborts the requests that are still in flight. */
  abort?(): Promise<void>
  /** Releases what it holds besides items, before the lease is released. */
  close?(): Promise<void>
}

/** This worker, as a source sees it while it claims. Its functions change the worker's queues. */
export interface ClaimingWorker<Q, I> {
  /** The id of its lease. */
  id: string
  /** How many more items this worker should hold at most. */
  room: number
  queues: ReadonlyMap<string, Q>
  /** Adds items to a queue and registers the queue with the scheduler if it is new. */
  add(queue: Q, items: I[]): void
  /** Makes it a paced queue, or changes its rate. */
  setRate(queue: Q, perSecond: number): void
  /** Removes a queue that has nothing claimed. */
  remove(queue: Q): void
}

export interface DispatchLimits {
  slots: SlotLimits
  /**
   * When a slot is released: at the answer, or once the answer is recorded. The latter bounds how many items a crash
   * leaves `unknown`.
   */
  slotsHeldUntil: 'answered' | 'recorded'
  /**
   * Requests on the wire at once. Paced queues wait while there are so many. It must be less than the HTTP
   * client's connections: a request that waits for a connection is not sent at its time.
   */
  maxOnWire: number
  /** Items claimed and not yet taken to be sent, over all queues. */
  maxWaiting: number
  /** Items marked in flight by one statement, and the least time between two such statements. */
  flushSize: number
  flushEveryMs: number
  claimAtMostEveryMs: number
  leaseSeconds: number
  /** How long requests in flight may take at shutdown. Supervisors send SIGKILL 10 s after SIGTERM. */
  drainTimeoutMs: number
  record: RecordLimits
}

/** The number of slots grows while answers are fast and shrinks when they are slow. */
export interface SlotLimits {
  initial: number
  min: number
  max: number
}

export interface RecordLimits {
  /** How long a result waits for others: a batch costs little more than a single row. */
  gatherMs: number
  maxBatch: number
  /** Concurrent transactions, in total and per group. */
  maxWriters: number
  maxWritersOfGroup: number
}
