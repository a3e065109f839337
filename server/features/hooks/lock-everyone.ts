import type { TenantTx } from '../../platform/database.ts'
import { findUnacceptedRecipients } from '../campaigns/deliveries/find-contacts-in-flight.ts'
import { lockContacts } from '../contacts/senders/lock-contacts.ts'
import type { Named } from '../contacts/senders/lock-people.ts'
import { findUnacceptedMessages } from '../inbox/receiving/find-unaccepted-messages.ts'

interface Updates {
  statuses: { callbackId: string | null }[]
  messages?: { sender: Named }[]
  reactions: { sender: Named }[]
  edits: { sender: Named }[]
  preferences?: { sender: Named }[]
  identities: { from: Named; to: Named }[]
  echoes: { contact: Named }[]
  history?: { contact: Named }[]
  appContacts?: { contact: Named }[]
  recipients?: Named[]
}

/**
 * Locks every known contact of these updates at once, in the order of ids, before anything else. Each step locks its own
 * contacts again: one after the other, without this, two transactions could lock the same contacts in different orders,
 * or a contact after deliveries. Updates of one kind do that by themselves.
 */
export async function lockEveryone(tx: TenantTx, updates: Updates): Promise<void> {
  const { statuses, reactions, edits, identities, echoes } = updates
  const { messages = [], preferences = [], history = [], appContacts = [], recipients: linked = [] } = updates
  const kinds = [messages, reactions, edits, statuses, identities, echoes, preferences, history, appContacts, linked]
  if (kinds.filter(({ length }) => length > 0).length < 2) return
  const ids = statuses.flatMap(({ callbackId }) => callbackId ?? [])
  const recipients =
    ids.length > 0 ? await Promise.all([findUnacceptedRecipients(tx, ids), findUnacceptedMessages(tx, ids)]) : []
  await lockContacts(
    tx,
    [
      ...[...messages, ...reactions, ...edits, ...preferences].map(({ sender }) => sender),
      ...[...echoes, ...history, ...appContacts].map(({ contact }) => contact),
      ...identities.flatMap(({ from, to }) => [from, to]),
      ...linked,
    ],
    recipients.flat(),
  )
}
