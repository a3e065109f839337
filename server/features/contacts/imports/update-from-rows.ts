import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { contactHandoff, contactStageChanged, contactUpdated } from '../events.ts'
import type { Contact } from '../schema.ts'
import { type ActivityToRecord, recordActivities } from '../timeline/record-activity.ts'
import { differences } from '../update-contact.ts'
import { lockContactsByPhone, updateImported } from './contact-queries.ts'
import type { ImportedContact } from './read-row.ts'

const actor = { type: 'system', id: null } as const

/** Updates the contacts of these rows, each with the timeline and event of a PATCH; returns how many exist. */
export async function updateFromRows(tx: TenantTx, rows: ImportedContact[]): Promise<number> {
  const byNumber = new Map(rows.map((row) => [row.phone_number, row]))
  const found = await lockContactsByPhone(tx, [...byNumber.keys()])
  // Rows with different numbers of one contact are applied one after the other.
  const changes = [...Map.groupBy(found, ({ id }) => id).values()]
    .map((owned) => {
      const [{ value: _, ...before }] = owned as [(typeof owned)[number]]
      const wanted = owned.reduce(
        (contact, { value }) => withRow(contact, byNumber.get(value) as ImportedContact),
        before,
      )
      return { before, wanted, previous: differences(before, wanted) }
    })
    .filter(({ previous }) => Object.keys(previous).length > 0)
  if (changes.length === 0) return found.length

  const isActive = ({ previous }: (typeof changes)[number]) =>
    previous.stage !== undefined || previous.ai_handling !== undefined
  const written = await updateImported(
    tx,
    changes.map((change) => ({ ...change.wanted, isActive: isActive(change) })),
  )
  const byId = new Map(written.map((contact) => [contact.id, contact]))
  const changed = changes.map(({ before, previous }) => ({ before, previous, after: byId.get(before.id) as Contact }))
  const staged = changed.filter(({ previous }) => previous.stage !== undefined)
  const handedOff = changed.filter(({ previous }) => previous.ai_handling !== undefined)
  await recordActivities(tx, [
    ...staged.map(
      ({ before, after }): ActivityToRecord => ({
        contactId: after.id,
        type: 'stage_changed',
        actor,
        payload: { old_stage: before.stage, new_stage: after.stage },
      }),
    ),
    ...handedOff.map(
      ({ after }): ActivityToRecord => ({
        contactId: after.id,
        type: after.ai_handling ? 'handoff_to_ai' : 'handoff_to_human',
        actor,
      }),
    ),
  ])
  const afterOf = ({ after }: { after: Contact }) => after
  await Promise.all([
    emitMany(
      tx,
      contactUpdated,
      changed.map(afterOf),
      changed.map(({ previous }) => previous),
    ),
    emitMany(
      tx,
      contactStageChanged,
      staged.map(afterOf),
      staged.map(({ before: { stage } }) => ({ stage })),
    ),
    emitMany(
      tx,
      contactHandoff,
      handedOff.map(afterOf),
      handedOff.map(({ before }) => ({ ai_handling: before.ai_handling })),
    ),
  ])
  return found.length
}

/** Only what the row says; custom fields are merged, and a contact is never opted back in. */
function withRow(before: Contact, row: ImportedContact): Contact {
  return {
    ...before,
    name: row.name ?? before.name,
    first_name: row.first_name ?? before.first_name,
    tags: row.tags ?? before.tags,
    notes: row.notes ?? before.notes,
    stage: row.stage ?? before.stage,
    ai_handling: row.ai_handling ?? before.ai_handling,
    opted_out_at: before.opted_out_at ?? row.opted_out_at ?? null,
    time_zone: row.time_zone ?? before.time_zone,
    custom_fields: { ...before.custom_fields, ...row.custom_fields },
  }
}
