import type { TenantTx } from '../../../platform/database.ts'
import {
  addPastIdentity,
  findPrimarySince,
  type IdentityKind,
  type KnownIdentity,
} from '../identities/identity-queries.ts'
import type { Contact, ContactSource } from '../schema.ts'
import { changeSenders, type SenderChange } from './change-senders.ts'
import type { People } from './lock-people.ts'
import type { Sender } from './sender.ts'

/** A number, account or username that a message or status shows as the contact's. */
interface Fact {
  contact: Contact
  kind: IdentityKind
  value: string
  at: string | undefined
  /** The contact has it. One of several current numbers becomes the primary one. */
  isKnown: boolean
}

const columnOf = { phone: 'phone_number', whatsapp_user_id: 'whatsapp_user_id', username: 'username' } as const

/** Without a time, it is of now. */
const timeOf = ({ at }: { at?: string | undefined }) => at ?? '9999'

export const inOrderOfTime = <T extends { at?: string | undefined }>(items: T[]): T[] =>
  items.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))

export function isEarlier(
  source: ContactSource | null | undefined,
  than: ContactSource | null | undefined,
): source is ContactSource {
  if (!source?.source_at) return false
  return !than?.source_at || source.source_at < than.source_at
}

/**
 * Adds what the senders reveal about their contacts, and returns the updated contacts. In whatever order facts arrive,
 * the newest is the primary one, and the others are the contact's history.
 */
export async function completeSenders(
  tx: TenantTx,
  senders: Sender[],
  people: People,
  keepsNumbers: boolean,
): Promise<Contact[]> {
  const contacts = new Map(senders.map((sender) => [sender, people.find(sender) as Contact]))
  const ordered = inOrderOfTime(senders)
  const facts = ordered.flatMap((sender) => factsOf(contacts.get(sender) as Contact, sender, people, keepsNumbers))
  const usable = keepsNumbers ? firstNumbers(facts) : facts
  const accepted = await withoutLate(tx, usable)
  const wanted = new Map<string, SenderChange>()
  for (const sender of ordered) {
    const before = contacts.get(sender) as Contact
    const present = wanted.get(before.id)?.after ?? before
    const { name, source } = sender
    const after = {
      ...present,
      ...(present.name === '' && name !== '' && { name }),
      ...(isEarlier(source, present) && source),
    }
    wanted.set(before.id, { before, after })
  }
  for (const { contact, kind, value, at, isKnown } of accepted) {
    const change = wanted.get(contact.id) as SenderChange
    change.after = { ...change.after, [columnOf[kind]]: value }
    // Of several facts the earliest: a value that is dated too late would keep newer ones out.
    if (!isKnown && (change.at === undefined || timeOf({ at }) < change.at)) change.at = at
  }
  const changed = await changeSenders(tx, [...wanted.values()])
  for (const { contact, kind, value, at, isKnown } of usable)
    if (!isKnown && at !== undefined && wanted.get(contact.id)?.after[columnOf[kind]] !== value)
      await addPastIdentity(tx, contact.id, { kind, value, at })
  return senders.map((sender) => {
    const { id } = contacts.get(sender) as Contact
    return changed.get(id) ?? (contacts.get(sender) as Contact)
  })
}

function factsOf(
  contact: Contact,
  { phoneNumber, userId, username, at }: Sender,
  people: People,
  isByOthers: boolean,
): Fact[] {
  const facts: Fact[] = []
  const add = (kind: IdentityKind, value: string, isKnown = false) => facts.push({ contact, kind, value, at, isKnown })
  if (phoneNumber !== null) {
    const other = at === undefined ? undefined : people.currentNumber(contact.id, phoneNumber)
    // In the notation that the contact has it in.
    if (other !== undefined) add('phone', other, true)
    // Found by its user id, the person writes from another number: that is their current number.
    else if (!people.byNumber(phoneNumber, at)) add('phone', phoneNumber)
  }
  // The account at this number, or a new one at the same number.
  if (userId !== null && !people.byUserId(userId)) add('whatsapp_user_id', userId)
  else if (userId !== null && userId === contact.whatsapp_user_id) add('whatsapp_user_id', userId, true)
  // A contact that writes from an account that it had given up uses it again.
  else if (userId !== null && !isByOthers && isPastAt(people.identity(contact.id, 'whatsapp_user_id', userId), at))
    add('whatsapp_user_id', userId)
  if (username) add('username', username, username === contact.username)
  return facts
}

const isPastAt = (identity: KnownIdentity | undefined, at: string | undefined): boolean =>
  Boolean(identity?.until && at !== undefined && identity.until < at)

/** A report by another person can give a contact its first number, but never replaces one. */
function firstNumbers(facts: Fact[]): Fact[] {
  const given = new Set<string>()
  return facts.filter(({ kind, contact }) => {
    if (kind !== 'phone') return true
    const isFirst = contact.phone_number === '' && !given.has(contact.id)
    given.add(contact.id)
    return isFirst
  })
}

/** Drops facts that are older than the value that they would replace. */
async function withoutLate(tx: TenantTx, facts: Fact[]): Promise<Fact[]> {
  const replaces = ({ contact, kind, isKnown }: Fact) => !isKnown && Boolean(contact[columnOf[kind]])
  const ids = facts.filter(replaces).map(({ contact }) => contact.id)
  if (ids.length === 0) return facts
  const since = await findPrimarySince(tx, ids)
  const isLate = ({ contact, kind, at }: Fact) => at !== undefined && at < since(contact.id, kind)
  return facts.filter((fact) => !(replaces(fact) && isLate(fact)))
}
