import Type, { type Static, type TSchema } from 'typebox'
import type { Database, SystemTx, TenantTx } from './database.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import type { Signals } from './signals.ts'

/** A thing that can happen: its name, who may hear of it and what its event carries. */
export interface EventKind<S extends TSchema = TSchema> {
  type: string
  scope: string
  object: S
}

export function defineEvent<S extends TSchema>(type: string, scope: string, object: S): EventKind<S> {
  return { type, scope, object }
}

const channel = 'events'

/** For verbs that write their event in a statement of their own: wakes the subscribers after the commit. */
export const announceEvents = (tx: TenantTx) => tx.signal(channel)

/** Writes the event in the transaction of its change: it is heard of if, and only if, the change happened. */
export async function emit<S extends TSchema>(
  tx: TenantTx,
  kind: EventKind<S>,
  object: Static<S>,
  previous?: Partial<Static<S>>,
): Promise<void> {
  tx.signal(channel)
  const data = previous === undefined ? { object } : { object, previous }
  await tx.run`insert into events (id, type, data) values (${newId()}, ${kind.type}, ${data})`
}

/** The same for a set of changes, in one statement. */
export async function emitMany<S extends TSchema>(
  tx: TenantTx,
  kind: EventKind<S>,
  objects: Static<S>[],
  previous?: Partial<Static<S>>[],
): Promise<void> {
  if (objects.length === 0) return
  tx.signal(channel)
  const ids = objects.map(newId)
  const data = objects.map((object, i) => JSON.stringify({ object, previous: previous?.[i] }))
  await tx.run`
    insert into events (id, type, data)
    select id, ${kind.type}, data from unnest(${ids}::uuid[], ${data}::jsonb[]) e (id, data)`
}

export const StoredEvent = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  id: Type.String(),
  type: Type.String(),
  data: Type.Unsafe<{ object: unknown; previous?: unknown }>({ type: 'object' }),
  created_at: Type.String(),
})
export type StoredEvent = Static<typeof StoredEvent>

/**
 * A feature's reaction to what others did. It gets every event of its types, each at least once, in the order their
 * transactions began to write: a change that saw another one comes after it. What it writes through `tx` commits
 * together with its place in the stream, so for the database it is exactly once. It must not call out: it enqueues
 * jobs for that.
 */
export interface Subscription {
  name: string
  types: string[]
  react(events: StoredEvent[], tx: SystemTx): Promise<void>
}

const Position = Type.Object({ transaction_id: Type.String(), event_id: Type.String() })
const PositionedEvent = Type.Object({ ...StoredEvent.properties, transaction_id: Type.String() })
const batchSize = 200
const lookEveryMs = 1_000

/** Reads on where the subscription stopped; answers how many events it handed over. */
async function readOn(tx: SystemTx, subscription: Subscription): Promise<number> {
  // A new subscriber starts with what happens from now on.
  await tx.run`
    insert into event_subscriptions (name, transaction_id, event_id)
    values (${subscription.name}, pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000')
    on conflict do nothing`
  // One node at a time reads for a subscriber; the others leave it alone.
  const position = await tx.maybe(Position)`
    select transaction_id::text, event_id from event_subscriptions where name = ${subscription.name}
    for update skip locked`
  if (!position) return 0
  // Only what every running transaction is behind of: an older one could still commit an earlier event.
  const events = await tx.all(PositionedEvent)`
    select organization_id, livemode, id, type, data, created_at, transaction_id::text from events
    where (transaction_id, id) > (${position.transaction_id}::xid8, ${position.event_id}::uuid)
      and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by events.transaction_id, events.id
    limit ${batchSize}`
  const last = events.at(-1)
  if (!last) return 0
  const wanted = events.filter(({ type }) => subscription.types.includes(type))
  if (wanted.length > 0) await subscription.react(wanted, tx)
  await tx.run`
    update event_subscriptions
    set transaction_id = ${last.transaction_id}::xid8, event_id = ${last.id}, updated_at = now()
    where name = ${subscription.name}`
  return events.length
}

export interface Subscriptions {
  /** Resolves when the subscriber is ready to hear what happens from now on. */
  ready: Promise<void>
  close(): Promise<void>
}

export function startSubscriptions(
  database: Database,
  signals: Signals,
  log: Log,
  subscriptions: Subscription[],
): Subscriptions {
  const closing = new AbortController()
  const loops = subscriptions.map((subscription) => {
    let wake = () => {}
    const stopListening = signals.on(channel, () => wake())
    const firstRead = Promise.withResolvers<void>()
    const loop = async () => {
      while (!closing.signal.aborted) {
        let read = 0
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        try {
          read = await database.inSystem((tx) => readOn(tx, subscription))
          firstRead.resolve()
        } catch (error) {
          log.error({ err: error, subscription: subscription.name }, 'a subscriber failed and will try again')
        }
        // A full batch means there may be more.
        if (read >= batchSize) continue
        const timer = setTimeout(wake, lookEveryMs)
        if (!closing.signal.aborted) await woken
        clearTimeout(timer)
      }
      stopListening()
    }
    closing.signal.addEventListener('abort', () => wake())
    return { done: loop(), ready: firstRead.promise }
  })
  return {
    ready: Promise.all(loops.map(({ ready }) => ready)).then(() => {}),
    async close() {
      closing.abort()
      await Promise.all(loops.map(({ done }) => done))
    },
  }
}
