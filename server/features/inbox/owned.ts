import type { Static, TObject } from 'typebox'
import type { TenantTx } from '../../platform/database.ts'
import { invalid } from '../../platform/errors.ts'
import { signalOf } from '../../platform/live-hints.ts'
import { emitWrite, type RecordEvents, type Write } from '../../platform/record-events.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

/** Saved replies and views are shared with all members, or private to one. Private ones of others do not exist. */
export const visibleTo = (memberId: string | null): Fragment => sql`(owner_id is null or owner_id = ${memberId})`

/** The owner of a record that is private or shared. */
export function ownerOf(isShared: boolean, memberId: string | null): string | null {
  if (isShared) return null
  if (memberId === null) throw invalid(['body', 'shared'], 'Only members have private ones: set shared to true')
  return memberId
}

/** How changes of such a record are announced. */
interface OwnedEvents<S extends TObject> {
  shared: RecordEvents<S>
  /** The type of the hint about a private one. */
  hint: string
}

/**
 * Events reach every member and every webhook, so private records have none: for others, a record that is shared is
 * created then, and one that stops being shared is deleted. A hint tells the owner's other browsers of a private one.
 */
export async function announceOwned<S extends TObject>(
  tx: TenantTx,
  { shared, hint: type }: OwnedEvents<S>,
  { before, after }: Write<Static<S> & { id: string; owner_id: string | null }>,
): Promise<void> {
  const sharedBefore = before?.owner_id === null ? before : undefined
  const sharedAfter = after?.owner_id === null ? after : undefined
  await emitWrite(tx, shared, { before: sharedBefore, after: sharedAfter })
  const { id, owner_id: userId } = after ?? before ?? {}
  if (userId) tx.signal(...signalOf({ ...tx.scope, type, requires: 'inbox:read', userId, object: { id } }))
}
