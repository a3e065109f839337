import type { TenantTx } from '../../../platform/database.ts'
import { findSenders, type Sender } from '../../contacts/senders/find-senders.ts'
import type { Receiving } from '../receiving/inbound-message.ts'
import { findErased } from '../receiving/new-messages.ts'
import { contactOf } from './app-message.ts'

/** A person in the address book of the WhatsApp Business app. */
export interface AppContact {
  contact: Sender
  /** When the app added the person, ISO 8601. */
  at: string
}

/** Adds people of the app's address book who are not contacts yet. A name that a contact has is kept. */
export async function addAppContacts(tx: TenantTx, given: AppContact[], { secrets }: Receiving): Promise<void> {
  if (given.length === 0) return
  const erased = await findErased(tx, secrets, given, contactOf)
  const people = given.filter((each) => !erased.has(each)).map(contactOf)
  await findSenders(tx, people, { keepsNumbers: true })
}
