import Type from 'typebox'
import type { Database, SystemTx } from './database.ts'
import {
  eventsChannel,
  isInRange,
  type Position,
  type RangeSubscription,
  StoredEvent,
  type Subscription,
} from './events.ts'
import { lowestId } from './ids.ts'
import type { Log } from './log.ts'
import { startLoop, untilWoken } from './loop.ts'
import type { Metrics } from './metrics.ts'
import { Nullable } from './schemas.ts'
import type { Signals } from './signals.ts'
import type { Sql } from './sql.ts'

/** Maximum number of events that one transaction reads. */
const batchSize = 500
/** All subscriptions are polled this often, for events whose announcement was lost. */
const pollEveryMs = 1_000
/** While events are announced all the time, one poll serves all that were announced since the last one. */
const minPollPauseMs = 10
/** Delay while an older transaction or another node keeps a subscription from reading what was announced. */
const retryAfterMs = 50

interface Subscriptions {
  /** Resolves when every subscription has its position: from then on it gets every new event. */
  ready: Promise<void>
  close(): Promise<void>
}

/**
 * Runs the subscriptions for as long as this node runs, beside other nodes: the lock on a subscription's position lets
 * one node read for it at a time.
 *
 * One poll serves all subscriptions: the announcement of an event starts it, and it wakes those that have something to
 * read. Each subscription reads in a loop of its own, so that none waits for another. An announced event cannot be read
 * while a transaction runs that began before it, because that one could still commit an earlier event: until then the
 * subscription stays announced, and only the poll asks.
 */
export function startSubscriptions(
  { database, signals, log, metrics }: { database: Database; signals: Signals; log: Log; metrics: Metrics },
  given: (Subscription | RangeSubscription)[],
): Subscriptions {
  const subscriptions = given.map((one) => ('processRange' in one ? one : toRangeSubscription(one)))
  const registered = Promise.withResolvers<void>()
  let isRegistered = false
  /**
   * Subscriptions with announced events that may be unread. They can be read when all transactions before this one have
   * ended: the next to begin when the first poll after the announcement ran. Null until that poll.
   */
  const announced = new Map<string, bigint | null>()
  let nextPollAt = 0
  let nextPollForAll = 0

  /** Starts the loop that reads for this subscription. */
  function follow(subscription: RangeSubscription) {
    const { name } = subscription
    const queue = queueOf(subscription)
    const fault = 'event subscription: failed, trying again'
    const onFault = { fault, fields: { subscription: name }, afterFailureMs: pollEveryMs }
    const follower = { name, isReading: false, read, close }
    const loop = startLoop(log, onFault, async () => {
      if (!isRegistered) return untilWoken
      follower.isReading = true
      try {
        const events = await database.inSystem((tx) => readNextRange(tx, subscription))
        metrics.countProcessed(queue, 'succeeded', events ?? 0)
        // The node that holds the position may have looked for events before the announced ones were readable.
        if (events === undefined) return retryAfterMs
        return events === subscription.maxEvents ? 0 : untilWoken
      } catch (error) {
        metrics.countProcessed(queue, 'failed')
        throw error
      } finally {
        follower.isReading = false
        if (announced.get(name) === null) polling.wake()
      }
    })
    function read(): void {
      follower.isReading = true
      loop.wake()
    }
    const stopListening = signals.on(eventsChannel, (type) => {
      if (type !== undefined && subscription.types?.includes(type) === false) return
      announced.set(name, null)
      if (!follower.isReading) polling.wake()
    })
    async function close(): Promise<void> {
      stopListening()
      await loop.close()
    }
    return follower
  }

  /** Wakes the subscriptions that have something to read: of all of them once a second, else of those announced. */
  async function poll(): Promise<number> {
    if (!isRegistered) await database.inSystem((tx) => register(tx, subscriptions))
    isRegistered = true
    registered.resolve()
    const now = performance.now()
    if (now < nextPollAt) return Math.ceil(nextPollAt - now)
    const isForAll = now >= nextPollForAll
    const asked = followers.filter(({ name, isReading }) => !isReading && (isForAll || announced.has(name)))
    if (isForAll) nextPollForAll = now + pollEveryMs
    if (asked.length > 0) {
      nextPollAt = now + minPollPauseMs
      await wakeThoseBehind(asked, isForAll)
    }
    return announced.size > 0 ? retryAfterMs : Math.ceil(nextPollForAll - performance.now())
  }

  async function wakeThoseBehind(asked: Follower[], isForAll: boolean): Promise<void> {
    const names = asked.map(({ name }) => name)
    const wasAnnounced = new Map(announced)
    for (const name of names) announced.delete(name)
    const state = await readStreamState(database.forSystem(), names).catch((error) => {
      for (const name of names) if (wasAnnounced.has(name)) announced.set(name, null)
      throw error
    })
    for (const name of names) {
      // Announced again since the statement began: the next poll sees it.
      if (!wasAnnounced.has(name) || announced.has(name)) continue
      const readableFrom = wasAnnounced.get(name) ?? BigInt(state.next_to_begin)
      if (BigInt(state.oldest_running) < readableFrom) announced.set(name, readableFrom)
    }
    const behind = new Set(state.behind)
    if (isForAll) await passOthers(behind, wasAnnounced)
    for (const follower of asked) if (behind.has(follower.name)) follower.read()
  }

  /** Moves subscriptions past events that do not concern them and removes those from `behind`. */
  async function passOthers(behind: Set<string>, wasAnnounced: ReadonlyMap<string, unknown>): Promise<void> {
    const withTypes = subscriptions.flatMap(({ name, types }) =>
      types && behind.has(name) && !wasAnnounced.has(name) ? [{ name, types }] : [],
    )
    if (withTypes.length === 0) return
    for (const { name, events } of await passOtherEvents(database.forSystem(), withTypes)) {
      metrics.countProcessed(queueOf({ name }), 'succeeded', events)
      behind.delete(name)
    }
  }

  type Follower = ReturnType<typeof follow>
  const followers = subscriptions.map(follow)
  const fault = 'event subscriptions: polling failed, trying again'
  const polling = startLoop(log, { fault, afterFailureMs: pollEveryMs }, poll)
  return {
    ready: registered.promise,
    async close() {
      await polling.close()
      await Promise.all(followers.map((follower) => follower.close()))
    },
  }
}

/** The name of the subscription as a queue, in metrics. */
const queueOf = ({ name }: { name: string }) => `events:${name}`

/** Reads the subscription's events of a range. Those of other types, which are nearly all, never leave the database. */
const toRangeSubscription = ({ name, types, react }: Subscription): RangeSubscription => ({
  name,
  types,
  maxEvents: batchSize,
  async processRange(range, tx) {
    const events = await tx.all(StoredEvent)`
      select organization_id, livemode, id, type, data, created_at, actor_id from events
      where ${isInRange(range)} and type = any(${types})
      order by events.transaction_id, events.id`
    if (events.length > 0) await react(events, tx)
  },
})

/** A subscription that has a position is left alone: the insert would wait for a node that reads for it. */
const register = (tx: SystemTx, subscriptions: RangeSubscription[]) =>
  tx.run`
    insert into event_subscriptions (name, transaction_id, event_id)
    select name, case when from_start then '0'::xid8 else event_horizon() end, ${lowestId}
    from unnest(${subscriptions.map(({ name }) => name)}::text[], ${subscriptions.map(({ fromStart }) => fromStart ?? false)}::boolean[])
      given (name, from_start)
    where not exists (select from event_subscriptions existing where existing.name = given.name)
    on conflict do nothing`

const storePosition = (tx: SystemTx, name: string, { transaction_id, event_id }: Position) =>
  tx.run`
    update event_subscriptions set transaction_id = ${transaction_id}::xid8, event_id = ${event_id}, updated_at = now()
    where name = ${name}`

const StreamState = Type.Object({
  behind: Type.Array(Type.String()),
  oldest_running: Type.String(),
  next_to_begin: Type.String(),
})

/** Which of these subscriptions have something to read, the oldest running transaction, and the next to begin. */
const readStreamState = (system: Sql, names: string[]) =>
  system.one(StreamState)`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest_running, pg_snapshot_xmax(pg_current_snapshot())::text as next_to_begin, array(
      select name from event_subscriptions subscription where name = any(${names}) and (
        select true from events
        where (events.transaction_id, events.id) > (subscription.transaction_id, subscription.event_id)
          and events.transaction_id < event_horizon()
        order by events.transaction_id, events.id limit 1)) as behind`

const Passed = Type.Object({ name: Type.String(), events: Type.Integer() })

/**
 * Moves subscriptions past events of other types, all in one statement: most events concern few of them. Those at the
 * same position share one read. A subscription that is further behind than one batch reads them itself.
 */
const passOtherEvents = (system: Sql, given: { name: string; types: string[] }[]) =>
  system.all(Passed)`
    with position as materialized (
      select name, transaction_id, event_id, types
      from event_subscriptions join jsonb_to_recordset(${JSON.stringify(given)}::jsonb) wanted (name text, types text[]) using (name)
      for update of event_subscriptions skip locked),
    passed as materialized (
      select start.transaction_id as from_transaction, start.event_id as from_event, last.*
      from (select distinct transaction_id, event_id from position) start cross join lateral (
        select count(*)::integer as events, array_agg(distinct type) as types,
          (array_agg(next.transaction_id order by next.transaction_id desc, id desc))[1] as transaction_id,
          (array_agg(id order by next.transaction_id desc, id desc))[1] as event_id
        from (
          select transaction_id, id, type from events
          where (events.transaction_id, events.id) > (start.transaction_id, start.event_id)
            and events.transaction_id < event_horizon()
          order by events.transaction_id, events.id limit ${batchSize}) next) last
      where events < ${batchSize})
    update event_subscriptions subscription
    set transaction_id = passed.transaction_id, event_id = passed.event_id, updated_at = now()
    from passed join position
      on (position.transaction_id, position.event_id) = (passed.from_transaction, passed.from_event)
        and not position.types && passed.types
    where subscription.name = position.name
    returning subscription.name, passed.events`

const NextRange = Type.Object({
  after_transaction_id: Type.String(),
  after_event_id: Type.String(),
  transaction_id: Nullable(Type.String()),
  event_id: Nullable(Type.String()),
  n: Type.Integer(),
})

/**
 * Locks the subscription's position and finds the range that follows it. No row while another node reads for it. The
 * range ends before the oldest running transaction, which could still commit an earlier event.
 */
const takeNextRange = (tx: SystemTx, { name, maxEvents }: RangeSubscription) =>
  tx.maybe(NextRange)`
    select position.transaction_id::text as after_transaction_id, position.event_id as after_event_id,
      last.transaction_id::text, last.id as event_id, coalesce(last.n, 0)::integer as n
    from (select transaction_id, event_id from event_subscriptions where name = ${name} for update skip locked) position
      left join lateral (
        select transaction_id, id, n from (
          select transaction_id, id, row_number() over (order by transaction_id, id) as n from events
          where (transaction_id, id) > (position.transaction_id, position.event_id) and transaction_id < event_horizon()
          order by transaction_id, id limit ${maxEvents}) next
        order by n desc limit 1) last on true`

/** Reads on from the subscription's position and returns how many events that were. Undefined while another node reads. */
async function readNextRange(tx: SystemTx, subscription: RangeSubscription): Promise<number | undefined> {
  const range = await takeNextRange(tx, subscription)
  if (!range) return undefined
  const { transaction_id, event_id } = range
  if (transaction_id !== null && event_id !== null) {
    const after = { transaction_id: range.after_transaction_id, event_id: range.after_event_id }
    const through = { transaction_id, event_id }
    await subscription.processRange({ after, through }, tx)
    await storePosition(tx, subscription.name, through)
  }
  return range.n
}
