import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { viewEvents } from '../events.ts'
import { announceOwned, ownerOf } from '../owned.ts'
import { countViews, deleteViewRow, insertView, lockView, updateViewRow } from './queries.ts'
import type { InboxView, InboxViewChanges, NewInboxView } from './schema.ts'

/** The list of views has no pages. */
const mostViews = 100

export async function createView(tx: TenantTx, memberId: string | null, given: NewInboxView): Promise<InboxView> {
  const { n, next } = await countViews(tx, memberId)
  if (n >= mostViews) throw conflict(`A member can see ${mostViews} views: delete one first`)
  const { filters, shared, position = next } = given
  checkFilters(filters)
  const after = await insertView(tx, newId(), {
    name: given.name.trim(),
    filters,
    position,
    ownerId: ownerOf(shared, memberId),
  })
  await announceOwned(tx, viewEvents, { after })
  return after
}

export async function updateView(
  tx: TenantTx,
  memberId: string | null,
  id: string,
  changes: InboxViewChanges,
): Promise<InboxView> {
  const before = found(await lockView(tx, memberId, id), 'View')
  const { name = before.name, filters = before.filters, position = before.position, shared = before.shared } = changes
  checkFilters(filters)
  const values = { name: name.trim(), filters, position, ownerId: ownerOf(shared, memberId) }
  const after = await updateViewRow(tx, id, values)
  await announceOwned(tx, viewEvents, { before, after })
  return after
}

export async function deleteView(tx: TenantTx, memberId: string | null, id: string): Promise<void> {
  const before = found(await lockView(tx, memberId, id), 'View')
  await deleteViewRow(tx, id)
  await announceOwned(tx, viewEvents, { before })
}

/** Refuses filters that the list refuses together. */
function checkFilters({ queue, status, sort = 'last_activity_at', search }: InboxView['filters']): void {
  if (queue && status === 'closed')
    throw invalid(['body', 'filters', 'queue'], 'Queues have open tickets only: remove status')
  if (sort === 'last_activity_at') return
  if (search || (status !== 'open' && !queue))
    throw invalid(
      ['body', 'filters', 'sort'],
      `Only open tickets, without a search, can be sorted by ${sort}: add status open or a queue`,
    )
}
