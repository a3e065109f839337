import { type TenantTx, TryAgain } from '../../../platform/database.ts'
import { type Addresses, findIdentities, type KnownIdentity } from '../identities/identity-queries.ts'
import type { Contact } from '../schema.ts'
import { spellingsOf } from './sender-numbers.ts'
import { lockSenders } from './sender-queries.ts'

/** Numbers and accounts to look for. */
export interface Named {
  phoneNumber: string | null
  userId: string | null
  at?: string
}

export interface People<C = Contact> {
  /** Looks for the account first, which never changes hands, then for the number. */
  find(named: Named): C | undefined
  /** The contact that has the number now. With a time, the one that had it then, if it gave it up since. */
  byNumber(number: string | null, at?: string): C | undefined
  /** The contact that has or had the account. */
  byUserId(userId: string | null): C | undefined
  /** The number as this contact has it now. */
  currentNumber(contactId: string, number: string): string | undefined
  identity(contactId: string, kind: KnownIdentity['kind'], value: string): KnownIdentity | undefined
}

const attempts = 5

/** With every notation of the numbers. */
export const namedAddresses = (named: Named[]): Addresses => ({
  phoneNumbers: [...new Set(named.flatMap(({ phoneNumber }) => (phoneNumber ? spellingsOf(phoneNumber) : [])))],
  userIds: [...new Set(named.flatMap(({ userId }) => userId ?? []))],
})

/**
 * Locks the contacts that have or had these numbers and accounts. Identities change only while their contact is locked.
 * If one now belongs to a contact that is not locked here, a merge committed while this waited for a lock: the next
 * attempt locks the right contact.
 */
export async function lockPeople(tx: TenantTx, named: Named[]): Promise<People> {
  const addresses = namedAddresses(named)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const [contacts, identities] = await Promise.all([lockSenders(tx, addresses), findIdentities(tx, addresses)])
    const byId = new Map(contacts.map((contact) => [contact.id, contact]))
    if (identities.every(({ contact_id }) => byId.has(contact_id))) return peopleOf(byId, identities)
  }
  throw new TryAgain('identities went from contact to contact')
}

/** The ids of the contacts that have or had these numbers and accounts, without locks. */
export async function findPeople(tx: TenantTx, named: Named[]): Promise<People<string>> {
  const identities = await findIdentities(tx, namedAddresses(named))
  return peopleOf(new Map(identities.map(({ contact_id }) => [contact_id, contact_id])), identities)
}

function peopleOf<C>(contacts: Map<string, C>, identities: KnownIdentity[]): People<C> {
  const keyOf = (kind: KnownIdentity['kind'], value: string) => `${kind} ${value}`
  const byValue = Map.groupBy(identities, ({ kind, value }) => keyOf(kind, value))
  const current = (all: KnownIdentity[]) => all.find(({ until }) => until === null)
  const ofNumber = (number: string) =>
    spellingsOf(number).flatMap((spelling) => byValue.get(keyOf('phone', spelling)) ?? [])
  const contactOf = (identity: KnownIdentity | undefined) => identity && contacts.get(identity.contact_id)

  const byUserId = (userId: string | null) => {
    const all = (userId && byValue.get(keyOf('whatsapp_user_id', userId))) || []
    return contactOf(current(all) ?? all[0])
  }
  const byNumber = (number: string | null, at?: string) => {
    if (number === null) return undefined
    const all = ofNumber(number)
    const [then] = all
      .filter(({ until }) => at !== undefined && until !== null && until >= at)
      .sort((a, b) => ((a.until as string) < (b.until as string) ? -1 : 1))
    return contactOf(then ?? current(all))
  }
  return {
    byUserId,
    byNumber,
    find: ({ phoneNumber, userId, at }) => byUserId(userId) ?? byNumber(phoneNumber, at),
    currentNumber: (contactId, number) =>
      ofNumber(number).find(({ contact_id, until }) => contact_id === contactId && until === null)?.value,
    identity: (contactId, kind, value) =>
      byValue.get(keyOf(kind, value))?.find(({ contact_id }) => contact_id === contactId),
  }
}
