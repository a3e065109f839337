import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { violates } from '../../../platform/errors.ts'
import { emitMany } from '../../../platform/events.ts'
import { contactUpdated } from '../events.ts'
import type { Contact } from '../schema.ts'
import { differences } from '../update-contact.ts'
import { updateSenders } from './sender-queries.ts'

const unique = ['contacts_phone_is_unique', 'contacts_whatsapp_user_is_unique']

/** Writes what the platform reported about contacts that the caller has locked, and emits events for real changes. */
export async function changeSenders(
  tx: TenantTx,
  wanted: { before: Contact; after: Contact }[],
): Promise<Map<string, Contact>> {
  const previous = new Map(wanted.map(({ before, after }) => [after.id, differences(before, after)]))
  const changes = wanted.filter(({ after }) => Object.keys(previous.get(after.id) ?? {}).length > 0)
  if (changes.length === 0) return new Map()
  const written = await updateSenders(
    tx,
    changes.map(({ after }) => after),
  ).catch((error) => {
    // Another transaction took the number meanwhile: the next look finds its contact.
    throw unique.some((constraint) => violates(error, constraint)) ? new TryAgain(error) : error
  })
  await emitMany(
    tx,
    contactUpdated,
    written,
    written.map(({ id }) => previous.get(id) as Partial<Contact>),
  )
  return new Map(written.map((contact) => [contact.id, contact]))
}
