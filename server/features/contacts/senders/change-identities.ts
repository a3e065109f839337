import type { TenantTx } from '../../../platform/database.ts'
import type { PersonalTable } from '../../../platform/personal-data.ts'
import { endIdentity, findPrimarySince, type KnownIdentity, replaceNumber } from '../identities/identity-queries.ts'
import { mergeProven } from '../merging/merge-contacts.ts'
import type { Contact } from '../schema.ts'
import { changeSenders } from './change-senders.ts'
import { lockPeople, type People } from './lock-people.ts'

interface Address {
  phoneNumber: string | null
  userId: string | null
}

/** The platform reports that a person has another number, another account, or both. */
export interface IdentityChange {
  from: Address
  to: Address
  /** The platform's time, ISO 8601. */
  at: string
}

/**
 * Applies changes in the order of their times, any number of times. If the old and the new address belong to two
 * contacts, they are one person and are merged. Returns the changes of people who are not known, because the change
 * that they follow may arrive later, and those that cannot be applied now.
 */
export async function changeIdentities(
  tx: TenantTx,
  changes: IdentityChange[],
  { personalData }: { personalData: PersonalTable[] },
): Promise<IdentityChange[]> {
  const left: IdentityChange[] = []
  for (const change of changes.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)))
    if (!(await applyChange(tx, change, personalData))) left.push(change)
  return left
}

async function applyChange(tx: TenantTx, change: IdentityChange, tables: PersonalTable[]): Promise<boolean> {
  const { from, to, at } = change
  for (;;) {
    const people = await lockPeople(
      tx,
      [from, to].map((address) => ({ ...address, at })),
    )
    const before = people.find({ ...from, at })
    const owner = people.byNumber(to.phoneNumber, at)
    // With an account of its own, the contact that has the new number is another person.
    const others = [people.byUserId(to.userId), owner?.whatsapp_user_id === null ? owner : undefined]
    const other = others.find((each) => each && each.id !== before?.id)
    const contact = before ?? other
    if (!contact) return false
    if (!before || !other) {
      await changeAddresses(tx, contact, change, people)
      return true
    }
    if (!(await mergeProven(tx, [before, other], tables))) return false
  }
}

async function changeAddresses(tx: TenantTx, contact: Contact, change: IdentityChange, people: People): Promise<void> {
  const { from, to, at } = change
  const number = newValue(contact, 'phone', to.phoneNumber, at, people)
  const account = newValue(contact, 'whatsapp_user_id', to.userId, at, people)
  const late = await findLate(tx, contact, change, people)
  const phone = late.phone ? undefined : number
  const userId = late.whatsapp_user_id ? undefined : account
  const after = {
    ...contact,
    ...(phone && { phone_number: phone }),
    ...(userId && { whatsapp_user_id: userId }),
  }
  const former = otherNumber(contact, from.phoneNumber, people)
  // A number that the contact already has becomes the primary one without ending the one before.
  if (phone && former && !people.currentNumber(contact.id, phone))
    await replaceNumber(tx, contact.id, { former, value: phone, at })
  await changeSenders(tx, [{ before: contact, after, at }])
  const ended = [
    { kind: 'phone' as const, value: from.phoneNumber, isReplaced: to.phoneNumber !== null },
    { kind: 'phone' as const, value: phone && contact.phone_number, isReplaced: !former },
    { kind: 'whatsapp_user_id' as const, value: from.userId, isReplaced: to.userId !== null },
    { kind: 'phone' as const, value: number, isReplaced: late.phone },
    { kind: 'whatsapp_user_id' as const, value: account, isReplaced: late.whatsapp_user_id },
    { kind: 'whatsapp_user_id' as const, value: userId && contact.whatsapp_user_id, isReplaced: true },
  ]
  for (const { kind, value, isReplaced } of ended)
    if (value && isReplaced) await endIdentity(tx, contact.id, { kind, value, at })
}

/** Whether a message showed another number or account of the contact after this change. */
async function findLate(
  tx: TenantTx,
  contact: Contact,
  { from, to, at }: IdentityChange,
  people: People,
): Promise<Record<KnownIdentity['kind'], boolean>> {
  const since = await findPrimarySince(tx, [contact.id])
  const isCurrent = (number: string | null) => number !== null && people.currentNumber(contact.id, number) !== undefined
  return {
    phone: !isCurrent(from.phoneNumber) && !isCurrent(to.phoneNumber) && at < since(contact.id, 'phone'),
    whatsapp_user_id:
      ![from.userId, to.userId].includes(contact.whatsapp_user_id) && at < since(contact.id, 'whatsapp_user_id'),
  }
}

/** The number that has changed, if the contact has it besides the primary one, such as after a merge. */
function otherNumber(contact: Contact, number: string | null, people: People): string | undefined {
  if (number === null) return undefined
  const known = people.currentNumber(contact.id, number) ?? people.identity(contact.id, 'phone', number)?.value
  return known === contact.phone_number ? undefined : known
}

/** The value to set; undefined if another contact has it, or if the contact has it or gave it up after this change. */
function newValue(
  contact: Contact,
  kind: KnownIdentity['kind'],
  value: string | null,
  at: string,
  people: People,
): string | undefined {
  if (value === null) return undefined
  const owner = kind === 'phone' ? people.byNumber(value) : people.byUserId(value)
  if (owner && owner.id !== contact.id) return undefined
  const known = people.identity(contact.id, kind, value)
  return known?.until && known.until >= at ? undefined : value
}
