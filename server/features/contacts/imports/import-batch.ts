import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { announceEvents } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { contactCreated } from '../events.ts'
import { tryAgainIfTaken } from '../identities/taken.ts'
import { insertImported } from './contact-queries.ts'
import { advanceImport, findTakenPhones, insertErrors, rememberPhones } from './queries.ts'
import type { ImportedContact } from './read-row.ts'
import { type Import, maxKeptErrors, type RowError } from './schema.ts'
import { updateFromRows } from './update-from-rows.ts'

/** Rows that are written and counted in one transaction. */
export interface Batch {
  /** Rows before these: the progress that the import must have. */
  behind: number
  /** Invalid rows before these. */
  invalidBehind: number
  rows: number
  contacts: ImportedContact[]
  errors: RowError[]
  readBytes: number
}

type Settings = Pick<Import, 'id' | 'dry_run' | 'on_conflict'>

/** Another worker has taken over this import: this worker's batch is rolled back, and it stops. */
class LostImport extends Error {}

/**
 * The progress commits with the rows that it counts, and only if no other worker has done them: however often workers
 * die, each row counts once and creates one contact.
 */
export async function importBatch(tx: TenantTx, settings: Settings, batch: Batch): Promise<void> {
  const { contacts, errors } = batch
  const { created, existing } = settings.dry_run
    ? await countContacts(tx, settings, contacts)
    : await writeContacts(tx, settings, contacts)
  const kept = errors.slice(0, Math.max(0, maxKeptErrors - batch.invalidBehind))
  const [advanced] = await Promise.all([
    advanceImport(tx, settings.id, {
      behind: batch.behind,
      rows: batch.rows,
      created,
      updated: settings.on_conflict === 'update' ? existing : 0,
      skipped: settings.on_conflict === 'skip' ? existing : 0,
      invalid: errors.length,
      readBytes: batch.readBytes,
    }),
    kept.length > 0 && insertErrors(tx, settings.id, kept),
  ])
  if (advanced === 0) throw new LostImport('another worker has taken over this import')
}

async function countContacts(tx: TenantTx, { id }: Settings, contacts: ImportedContact[]) {
  const phones = [...new Set(contacts.map(({ phone_number }) => phone_number))]
  if (phones.length === 0) return { created: 0, existing: 0 }
  const [firstMet, taken] = await Promise.all([rememberPhones(tx, id, phones), findTakenPhones(tx, phones)])
  const isTaken = new Set(taken.map(({ phone_number }) => phone_number))
  const created = firstMet.filter(({ phone_number }) => !isTaken.has(phone_number)).length
  return { created, existing: contacts.length - created }
}

async function writeContacts(tx: TenantTx, { on_conflict }: Settings, contacts: ImportedContact[]) {
  if (contacts.length === 0) return { created: 0, existing: 0 }
  const rows = onePerNumber(contacts, on_conflict).map((contact) => ({ ...contact, id: newId() }))
  const created = new Set(
    (await insertImported(tx, rows, contactCreated.type).catch(tryAgainIfTaken)).map(({ id }) => id),
  )
  if (created.size > 0) announceEvents(tx, contactCreated)
  const taken = rows.filter(({ id }) => !created.has(id))
  if (on_conflict === 'update' && taken.length > 0) {
    const found = await updateFromRows(tx, taken)
    // A contact was deleted between the two statements: its number is free again, so start over.
    if (found < taken.length) throw new TryAgain('a contact was deleted while its row was imported')
  }
  return { created: created.size, existing: contacts.length - created.size }
}

/** Of rows with the same number the first counts, or the later ones overwrite it. */
function onePerNumber(contacts: ImportedContact[], onConflict: Import['on_conflict']): ImportedContact[] {
  const byNumber = new Map<string, ImportedContact>()
  for (const contact of contacts) {
    const earlier = byNumber.get(contact.phone_number)
    if (!earlier) byNumber.set(contact.phone_number, contact)
    else if (onConflict === 'update') byNumber.set(contact.phone_number, overwritten(earlier, contact))
  }
  return [...byNumber.values()]
}

/** The second row's values, and the first one's where it has none. */
function overwritten(first: ImportedContact, second: ImportedContact): ImportedContact {
  return {
    phone_number: first.phone_number,
    name: second.name ?? first.name,
    first_name: second.first_name ?? first.first_name,
    tags: second.tags ?? first.tags,
    notes: second.notes ?? first.notes,
    stage: second.stage ?? first.stage,
    ai_handling: second.ai_handling ?? first.ai_handling,
    opted_out_at: first.opted_out_at ?? second.opted_out_at,
    time_zone: second.time_zone ?? first.time_zone,
    custom_fields: second.custom_fields ? { ...first.custom_fields, ...second.custom_fields } : first.custom_fields,
  }
}
