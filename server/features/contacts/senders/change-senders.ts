import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { contactUpdated } from '../events.ts'
import { tryAgainIfTaken } from '../identities/taken.ts'
import type { Contact } from '../schema.ts'
import { differences } from '../update-contact.ts'
import { updateSenders } from './sender-queries.ts'

export interface SenderChange {
  before: Contact
  after: Contact
  /** The platform's time of what changes the addresses, ISO 8601. */
  at?: string | undefined
}

/** Writes what the platform reported about contacts that the caller has locked, and emits events for real changes. */
export async function changeSenders(tx: TenantTx, wanted: SenderChange[]): Promise<Map<string, Contact>> {
  const previous = new Map(wanted.map(({ before, after }) => [after.id, differences(before, after)]))
  const changes = wanted.filter(({ after }) => Object.keys(previous.get(after.id) ?? {}).length > 0)
  if (changes.length === 0) return new Map()
  const written = await updateSenders(
    tx,
    changes.map(({ after, at }) => ({ ...after, identified_at: at ?? null })),
  ).catch(tryAgainIfTaken)
  await emitMany(
    tx,
    contactUpdated,
    written,
    written.map(({ id }) => previous.get(id) as Partial<Contact>),
  )
  return new Map(written.map((contact) => [contact.id, contact]))
}
