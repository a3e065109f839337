import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, invalid } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { bulkEditCancelled } from '../events.ts'
import { findAnsweringChannels } from '../lists/conditions.ts'
import { readContacts } from '../lists/read-contacts.ts'
import { dependsOnAgents } from '../lists/resolve-handling.ts'
import { announceEnd } from './announce-end.ts'
import { bulkEditJob } from './jobs.ts'
import { cancelRunning, findBulkEdit, insertBulkEdit } from './queries.ts'
import type { BulkEdit, NewBulkEdit } from './schema.ts'

/**
 * Starts to edit all contacts that match; those that are added later stay as they are. Each batch checks the filter
 * again, but with the channels that agents answered at the start: an agent that is turned off halfway would otherwise
 * change who matches by the thousand.
 */
export async function createBulkEdit(tx: TenantTx, input: NewBulkEdit, actor: Actor): Promise<BulkEdit> {
  const { filter, ...changes } = input
  const { delete: deletes, ...others } = changes
  if (Object.keys(others).length === 0 && !deletes)
    throw invalid(['body', 'add_tags'], 'Give add_tags, remove_tags, stage, ai_handling or delete', 'missing')
  if (deletes && Object.keys(others).length > 0)
    throw invalid(['body', 'delete'], 'delete cannot be used together with other changes')
  const { total_count: total } = await readContacts(tx, { ...filter, limit: 1 })
  const answering = dependsOnAgents(filter) ? await findAnsweringChannels(tx) : null
  const edit = await insertBulkEdit(tx, { id: newId(), filter, changes, total, answering, actor })
  const { organizationId, livemode } = tx.scope
  await tx.enqueue(bulkEditJob, { organizationId, livemode, bulkEditId: edit.id }, { group: { id: organizationId } })
  return edit
}

/** Contacts that were edited already stay edited. */
export async function cancelBulkEdit(tx: TenantTx, id: string): Promise<BulkEdit> {
  const cancelled = await cancelRunning(tx, id)
  if (cancelled) {
    await announceEnd(tx, bulkEditCancelled, cancelled)
    return cancelled
  }
  const { state } = found(await findBulkEdit(tx, id), 'Bulk edit')
  throw conflict(`This bulk edit is ${state} already`)
}
