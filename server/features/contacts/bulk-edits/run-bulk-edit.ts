import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { deleteContact } from '../delete-contact.ts'
import { bulkEditCompleted } from '../events.ts'
import { listExported } from '../exports/export-queries.ts'
import { resolveHandling } from '../lists/resolve-handling.ts'
import { lockContact } from '../queries.ts'
import { changeContact } from '../update-contact.ts'
import { announceEnd } from './announce-end.ts'
import { lockRunning, recordProgress } from './queries.ts'
import type { BulkChanges } from './schema.ts'

/** Short transactions: members who edit one of these contacts wait for at most one batch. */
const batchSize = 100

/** Edits in batches. Each commits together with its progress, so a worker that takes over repeats nothing. */
export async function runBulkEdit(
  { database, phones }: { database: Database; phones: PhoneNumbers },
  scope: TenantScope,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const next = () =>
    database.inTenant(scope, async (tx) => {
      const edit = await lockRunning(tx, id)
      if (!edit) return false
      const filter = await resolveHandling(tx, edit.filter, edit.answering_channels)
      const found = await listExported(tx, filter, edit.last_id, batchSize)
      // Ids are in order of time: those that came after the edit was started are left alone.
      const contacts = found.filter((contact) => contact.id < id)
      const actor = { type: edit.actor_type, id: edit.actor_id }
      for (const contact of contacts) await editContact(tx, contact.id, edit.changes, { actor, phones })
      const isOver = contacts.length < batchSize
      const lastId = contacts.at(-1)?.id ?? edit.last_id
      const progress = await recordProgress(tx, id, { count: contacts.length, lastId, isOver })
      if (isOver) await announceEnd(tx, bulkEditCompleted, progress)
      return !isOver
    })
  while (await next()) signal.throwIfAborted()
}

async function editContact(
  tx: TenantTx,
  id: string,
  { delete: deletes, add_tags: added = [], remove_tags: removed = [], stage, ai_handling }: BulkChanges,
  options: { actor: Actor; phones: PhoneNumbers },
): Promise<void> {
  const current = await lockContact(tx, id)
  // Deleted or merged since the batch was read.
  if (!current) return
  if (deletes) return deleteContact(tx, id)
  const tags = [...current.tags.filter((tag) => !removed.includes(tag)), ...added]
  await changeContact(tx, id, { tags, stage, ai_handling }, options)
}
