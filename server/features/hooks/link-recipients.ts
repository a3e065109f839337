import type { TenantTx } from '../../platform/database.ts'
import { completeKnownSenders } from '../contacts/senders/find-senders.ts'
import { findPeople } from '../contacts/senders/lock-people.ts'
import type { Receiving } from '../inbox/receiving/inbound-message.ts'
import { findErased } from '../inbox/receiving/new-messages.ts'
import type { MessageStatus } from '../inbox/receiving/record-statuses.ts'

type Recipient = NonNullable<MessageStatus['recipient']>

/**
 * Recipients of whom the contacts do not show yet that number and user id are one person's. Every status may name both,
 * and most are known, so this reads without locks.
 */
export async function findUnlinked(tx: TenantTx, statuses: MessageStatus[]): Promise<Recipient[]> {
  const recipients = statuses.flatMap(({ recipient }) => recipient ?? [])
  if (recipients.length === 0) return []
  const people = await findPeople(tx, recipients)
  return recipients.filter(
    ({ phoneNumber, userId, at }) => people.byNumber(phoneNumber, at) !== people.byUserId(userId),
  )
}

/**
 * Gives the contact of a number its user id, and the contact of a user id its number, and merges them if they are two.
 * An opt-out by user id alone then reaches a contact that was imported with its number. Strangers stay strangers.
 */
export async function linkRecipients(
  tx: TenantTx,
  recipients: Recipient[],
  { secrets, personalData }: Receiving,
): Promise<void> {
  if (recipients.length === 0) return
  const erased = await findErased(tx, secrets, recipients, (recipient) => recipient)
  const living = recipients.filter((recipient) => !erased.has(recipient))
  await completeKnownSenders(tx, living, personalData)
}
