import Type, { type Static, type TSchema } from 'typebox'
import type { SystemTx, TenantTx } from './database.ts'
import type { Requirement } from './http/principal.ts'
import { newId } from './ids.ts'
import type { MentionsPage } from './personal-data.ts'
import { Nullable } from './schemas.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Events: what happened, written in the transaction of its change. A feature defines its kinds, emits them in its verbs,
 * and reacts to those of other features with a subscription, which `event-subscriptions.ts` runs. Webhooks and open
 * streams read the same rows.
 *
 * Readers go through the events by position: the transaction that wrote an event, then the event's id. They read up to
 * the oldest running transaction, which could still commit an earlier event (`event_horizon()`), so that they miss none.
 */

/** A kind of event: its type, the scope needed to receive it and the shape of its payload. */
export interface EventKind<S extends TSchema = TSchema> extends Requirement {
  type: string
  object: S
}

export function defineEvent<S extends TSchema>(type: string, required: string | Requirement, object: S): EventKind<S> {
  return { type, ...(typeof required === 'string' ? { scope: required } : required), object }
}

/** Notifies readers of new events, with their type. A hint that may be lost: readers also poll. */
export const eventsChannel = 'events'

/** For verbs that insert their events in a statement of their own: wakes the subscribers after the commit. */
export const announceEvents = (tx: TenantTx, ...kinds: EventKind[]) => {
  for (const { type } of kinds) tx.signal(eventsChannel, type)
}

/** Inserts the event in the transaction of its change: it exists if, and only if, the change was committed. */
export const emit = <S extends TSchema>(
  tx: TenantTx,
  kind: EventKind<S>,
  object: Static<S>,
  previous?: Partial<Static<S>>,
): Promise<void> => emitAs(tx, newId(), kind, object, previous)

/** As `emit`, with an id that another record refers to. */
export async function emitAs<S extends TSchema>(
  tx: TenantTx,
  id: string,
  kind: EventKind<S>,
  object: Static<S>,
  previous?: Partial<Static<S>>,
): Promise<void> {
  announceEvents(tx, kind)
  const data = previous === undefined ? { object } : { object, previous }
  await tx.run`insert into events (id, type, data) values (${id}, ${kind.type}, ${data})`
}

/** As `emit`, for a set of changes in one statement. */
export async function emitMany<S extends TSchema>(
  tx: TenantTx,
  kind: EventKind<S>,
  objects: Static<S>[],
  previous?: Partial<Static<S>>[],
): Promise<void> {
  if (objects.length === 0) return
  announceEvents(tx, kind)
  const ids = objects.map(newId)
  // One JSON document takes half the time of an array of them, in which every quotation mark is escaped.
  const data = JSON.stringify(objects.map((object, i) => ({ object, previous: previous?.[i] })))
  await tx.run`
    insert into events (id, type, data)
    select id, ${kind.type}, data from rows from (unnest(${ids}::uuid[]), jsonb_array_elements(${data}::jsonb)) e (id, data)`
}

export const StoredEvent = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  id: Type.String(),
  type: Type.String(),
  data: Type.Unsafe<{ object: unknown; previous?: unknown }>({ type: 'object' }),
  created_at: Type.String(),
  /** The member or key whose request caused it; null for the service itself. */
  actor_id: Nullable(Type.String()),
})
export type StoredEvent = Static<typeof StoredEvent>

/**
 * A feature's reaction to events of other features. It gets every event of its types at least once, in the order in
 * which their transactions began to write: a change that saw another one comes after it. What it writes through `tx`
 * commits together with its position in the stream, so for the database it is exactly once. It must not call out: it
 * enqueues jobs for that.
 */
export interface Subscription {
  name: string
  types: string[]
  react(events: StoredEvent[], tx: SystemTx): Promise<void>
}

/**
 * A subscription of a feature that need not see each event: its SQL processes a whole range at once. Every event lies in
 * exactly one range, however many nodes read.
 */
export interface RangeSubscription {
  name: string
  /** Events of other types do not wake it: it reads past them with the next poll. By default all events do. */
  types?: string[]
  /** Maximum number of events in a range. */
  maxEvents: number
  /** Begins with the oldest event that is kept; otherwise with events from now on. */
  fromStart?: boolean
  processRange(range: EventRange, tx: SystemTx): Promise<void>
}

/** A position among the events. */
export const Position = Type.Object({ transaction_id: Type.String(), event_id: Type.String() })
export type Position = Static<typeof Position>

/** The events after one position, up to and including another. The range is complete: no event will be added to it. */
export interface EventRange {
  after: Position
  through: Position
}

/** Whether an event lies in the range, for statements that refer to the table by its own name. */
export const isInRange = ({ after, through }: EventRange) => sql`
  (events.transaction_id, events.id) > (${after.transaction_id}::xid8, ${after.event_id}::uuid)
  and (events.transaction_id, events.id) <= (${through.transaction_id}::xid8, ${through.event_id}::uuid)`

/** Deletes a batch of old events of these kinds: each kind is read from its own range of an index. */
export const deleteOldEvents = (kinds: EventKind[]) => (tx: TenantTx, oldestKept: string, batchSize: number) =>
  tx.run`
    delete from events where id = any(array(
      select old.id from unnest(${kinds.map(({ type }) => type)}::text[]) wanted (type) cross join lateral (
        select id from events where events.type = wanted.type and id < ${oldestKept} order by id limit ${batchSize}) old
      limit ${batchSize}))`

const Mentioning = Type.Object({ ids: Type.Array(Type.String()), last: Type.Unsafe<string | null>({}) })

/** Of the next events of the organization, those that mention a person. `last` is null when there are no more. */
export const findMentioningEvents = (tx: Sql, { patterns, after, limit }: MentionsPage) =>
  tx.one(Mentioning)`
    with page as materialized (select id, data from events where id > ${after} order by id limit ${limit})
    select array(select id from page where data::text ~ any (${patterns}::text[])) as ids,
      (select id from page order by id desc limit 1) as last`
