import type { TenantTx } from '../../../platform/database.ts'
import type { Contact } from '../../contacts/schema.ts'
import { findSenders } from '../../contacts/senders/find-senders.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import { setFirstNames } from '../../contacts/senders/set-first-names.ts'
import type { Receiving } from '../receiving/inbound-message.ts'
import { findErased } from '../receiving/new-messages.ts'
import { contactOf } from './app-message.ts'

/** A person in the address book of the WhatsApp Business app. */
export interface AppContact {
  contact: Sender
  /** May be empty. */
  firstName: string
  /** When the app added the person, ISO 8601. */
  at: string
}

/** Adds people of the app's address book who are not contacts yet. The names that a contact has are kept. */
export async function addAppContacts(tx: TenantTx, given: AppContact[], { secrets }: Receiving): Promise<void> {
  if (given.length === 0) return
  const erased = await findErased(tx, secrets, given, contactOf)
  const people = given.filter((each) => !erased.has(each))
  const contacts = await findSenders(tx, people.map(contactOf), { keepsNumbers: true })
  const firstNames = new Map<string, string>()
  for (const [i, { firstName, contact: sender }] of people.entries()) {
    const contact = contacts[i] as Contact
    // Without a first name of its own, a contact is addressed by the first word of its name.
    const isNews = firstName !== '' && firstName !== sender.name.split(' ', 1)[0]
    if (!isNews || contact.first_name !== null || contact.name !== sender.name || firstNames.has(contact.id)) continue
    firstNames.set(contact.id, firstName)
  }
  await setFirstNames(tx, firstNames)
}
