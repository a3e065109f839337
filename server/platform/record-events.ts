import { isDeepStrictEqual } from 'node:util'
import type { Static, TSchema } from 'typebox'
import type { TenantTx } from './database.ts'
import { defineEvent, type EventKind, emit } from './events.ts'

/** The events of a record that is created, updated and deleted. */
export interface RecordEvents<S extends TSchema = TSchema> {
  created: EventKind<S>
  updated: EventKind<S>
  deleted: EventKind<S>
}

export const defineRecordEvents = <S extends TSchema>(noun: string, scope: string, object: S): RecordEvents<S> => ({
  created: defineEvent(`${noun}.created`, scope, object),
  updated: defineEvent(`${noun}.updated`, scope, object),
  deleted: defineEvent(`${noun}.deleted`, scope, object),
})

/** A new record has no `before`, a deleted one no `after`. */
export interface Write<T> {
  before?: T | undefined
  after?: T | undefined
}

/** Emits the event of a write in its transaction. None if the write changed nothing. */
export async function emitWrite<S extends TSchema>(
  tx: TenantTx,
  { created, updated, deleted }: RecordEvents<S>,
  { before, after }: Write<Static<S>>,
  emitOne = emit,
): Promise<void> {
  if (after === undefined) return before === undefined ? undefined : emitOne(tx, deleted, before)
  if (before === undefined) return emitOne(tx, created, after)
  await emitChange(tx, updated, { before, after }, emitOne)
}

/** Emits this event with the previous values of what changed. None if nothing did. */
export async function emitChange<S extends TSchema>(
  tx: TenantTx,
  kind: EventKind<S>,
  { before, after }: { before: Static<S>; after: Static<S> },
  emitOne = emit,
): Promise<void> {
  const previous = differences(before as object, after as object) as Partial<Static<S>>
  if (Object.keys(previous).length > 0) await emitOne(tx, kind, after, previous)
}

/**
 * For records that both modes share, such as teams: streams and webhooks of each mode get an event of their own,
 * whichever mode the change was made in.
 */
export async function emitInBothModes<S extends TSchema>(
  tx: TenantTx,
  kind: EventKind<S>,
  object: Static<S>,
  previous?: Partial<Static<S>>,
): Promise<void> {
  const { livemode } = tx.scope
  // Issued in one tick, so no other statement of the transaction runs in between, in the other mode.
  await Promise.all([
    enterMode(tx, !livemode),
    emit(tx, kind, object, previous),
    enterMode(tx, livemode),
    emit(tx, kind, object, previous),
  ])
}

const enterMode = (tx: TenantTx, livemode: boolean) =>
  tx.run`select set_config('frontdesk.livemode', ${livemode ? 'on' : 'off'}, true)`

/** The previous values of what changed. */
export const differences = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => name !== 'updated_at' && !isDeepStrictEqual(value, after[name as keyof T]),
    ),
  ) as Partial<T>
