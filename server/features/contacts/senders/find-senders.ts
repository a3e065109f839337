import type { TenantTx } from '../../../platform/database.ts'
import { announceEvents } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { contactCreated } from '../events.ts'
import type { Contact } from '../schema.ts'
import { changeSenders } from './change-senders.ts'
import { spellingsOf } from './sender-numbers.ts'
import { insertSenders, lockSenders, type SenderRow } from './sender-queries.ts'

/** The sender of an incoming message: identified by a number, by the platform's id of the person, or by both. */
export interface Sender {
  /** E.164, or null for people who hide their number. */
  phoneNumber: string | null
  userId: string | null
  /** The person's profile name on the platform; may be empty. */
  name: string
}

const attempts = 3

/**
 * The contact of each sender, in the order given, created if there is none. All of them are locked until the commit, in
 * the order of their ids. Missing facts are added: a name only if the contact has none, a newly known number or user
 * id. If number and user id belong to two contacts, the number decides and both stay unchanged.
 */
export async function findSenders(tx: TenantTx, senders: Sender[]): Promise<Contact[]> {
  if (senders.length === 0) return []
  for (let attempt = 1; ; attempt++) {
    const people = await lockPeople(tx, senders)
    const strangers = onePerPerson(senders.filter((sender) => !people.find(sender)))
    if (strangers.length === 0) return completed(tx, senders, people)
    // Contacts that another transaction creates at this moment are found by the next attempt.
    if (attempt === attempts) throw new Error('a sender could neither be found nor made')
    const made = await insertSenders(tx, strangers.map(toRow), contactCreated.type)
    if (made > 0) announceEvents(tx)
  }
}

/** The existing contacts of these senders, without creating or changing any; locked as above. */
export async function findKnownSenders(tx: TenantTx, senders: Sender[]): Promise<(Contact | undefined)[]> {
  if (senders.length === 0) return []
  const people = await lockPeople(tx, senders)
  return senders.map((sender) => people.find(sender))
}

interface People {
  find(sender: Sender): Contact | undefined
  byNumber(number: string): Contact | undefined
  byUserId(userId: string): Contact | undefined
}

async function lockPeople(tx: TenantTx, senders: Sender[]): Promise<People> {
  const contacts = await lockSenders(tx, {
    phoneNumbers: [...new Set(senders.flatMap(({ phoneNumber }) => (phoneNumber ? spellingsOf(phoneNumber) : [])))],
    userIds: [...new Set(senders.flatMap(({ userId }) => userId ?? []))],
  })
  const numbers = new Map(contacts.map((contact) => [contact.phone_number, contact]))
  const userIds = new Map(contacts.map((contact) => [contact.whatsapp_user_id, contact]))
  const byNumber = (number: string) => spellingsOf(number).flatMap((spelling) => numbers.get(spelling) ?? [])[0]
  const byUserId = (userId: string) => userIds.get(userId)
  return {
    byNumber,
    byUserId,
    find: ({ phoneNumber, userId }) =>
      (phoneNumber ? byNumber(phoneNumber) : undefined) ?? (userId ? byUserId(userId) : undefined),
  }
}

/** Several messages of one unknown sender create one contact, with everything they say about the person. */
function onePerPerson(senders: Sender[]): Sender[] {
  const people = new Set<Sender>()
  const known = new Map<string, Sender>()
  for (const { phoneNumber, userId, name } of senders) {
    const names = [phoneNumber && spellingsOf(phoneNumber).sort()[0], userId].flatMap((each) => each || [])
    const person = names.flatMap((each) => known.get(each) ?? [])[0] ?? { phoneNumber, userId, name }
    person.phoneNumber ??= phoneNumber
    person.userId ??= userId
    person.name ||= name
    people.add(person)
    for (const each of names) known.set(each, person)
  }
  return [...people]
}

const toRow = ({ phoneNumber, userId, name }: Sender): SenderRow => ({
  id: newId(),
  phone_number: phoneNumber ?? '',
  whatsapp_user_id: userId,
  name,
})

/** Adds what the senders reveal about their contacts, and returns the updated contacts. */
async function completed(tx: TenantTx, senders: Sender[], people: People): Promise<Contact[]> {
  const wanted = new Map<string, { before: Contact; after: Contact }>()
  const ids = senders.map((sender) => {
    const before = people.find(sender) as Contact
    const present = wanted.get(before.id)?.after ?? before
    wanted.set(before.id, { before, after: withSenderDetails(present, sender, people) })
    return before.id
  })
  const changed = await changeSenders(tx, [...wanted.values()])
  return ids.map((id) => changed.get(id) ?? (wanted.get(id)?.before as Contact))
}

function withSenderDetails(contact: Contact, { phoneNumber, userId, name }: Sender, people: People): Contact {
  // Found by its user id, the person writes from another number: that is their current number.
  const isMoved = phoneNumber !== null && !people.byNumber(phoneNumber)
  const isLinked = userId !== null && contact.whatsapp_user_id === null && !people.byUserId(userId)
  return {
    ...contact,
    ...(contact.name === '' && name !== '' && { name }),
    ...(isMoved && { phone_number: phoneNumber }),
    ...(isLinked && { whatsapp_user_id: userId }),
  }
}
