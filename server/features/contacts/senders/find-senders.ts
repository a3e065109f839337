import type { TenantTx } from '../../../platform/database.ts'
import { announceEvents } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import type { PersonalTable } from '../../../platform/personal-data.ts'
import { contactCreated } from '../events.ts'
import { tryAgainIfTaken } from '../identities/taken.ts'
import { mergeProven } from '../merging/merge-contacts.ts'
import type { Contact, ContactSource } from '../schema.ts'
import { completeSenders, inOrderOfTime, isEarlier } from './complete-senders.ts'
import { lockPeople, type People } from './lock-people.ts'
import type { Sender } from './sender.ts'
import { spellingsOf } from './sender-numbers.ts'
import { insertSenders, type SenderRow } from './sender-queries.ts'

/** The first creates contacts, the second adds further user ids, the third creates again, the fourth only finds. */
const attempts = 4
const noSource: ContactSource = {
  source_type: null,
  source_id: null,
  source_headline: null,
  source_url: null,
  source_at: null,
}

export interface FindingSenders {
  /** Merges contacts that prove to be one person. */
  personalData?: PersonalTable[]
  /** For reports about a person by others, who may use a number that the person has given up. */
  keepsNumbers?: boolean
}

/**
 * The contact of each sender, in the order given, created if there is none. All of them are locked until the commit, in
 * the order of their ids. Missing facts are added: a name only if the contact has none, a newly known number, user id
 * or username. A fact that is older than a number, user id or username of the contact does not replace it and becomes
 * history. The number that a person writes from becomes the primary one, so that answers reach them there. The
 * earliest ad, by the time of its message, is the contact's source, in whatever order messages arrive.
 *
 * If number and user id belong to two contacts, the platform proves that they are one person: they are merged, if
 * `personalData` is given. If the contact with the number has another user id, or a merge is not possible now, the user id
 * decides and both stay unchanged.
 */
export async function findSenders(
  tx: TenantTx,
  senders: Sender[],
  { personalData = [], keepsNumbers = false }: FindingSenders = {},
): Promise<Contact[]> {
  if (senders.length === 0) return []
  for (let attempt = 1; ; attempt++) {
    const people = await lockMerged(tx, senders, personalData)
    const strangers = onePerPerson(senders.filter((sender) => !people.find(sender)))
    if (strangers.length === 0) return completeSenders(tx, senders, people, keepsNumbers)
    // Contacts that another transaction creates at this moment are found by the next attempt.
    if (attempt === attempts) throw new Error('a sender could neither be found nor made')
    // A contact is created with one user id: the others follow here, and the next attempt finds it by them.
    if (attempt === 2) {
      const found = senders.filter((sender) => people.find(sender))
      await completeSenders(tx, found, people, keepsNumbers)
      continue
    }
    const made = await insertSenders(tx, strangers.map(toRow), contactCreated.type).catch(tryAgainIfTaken)
    if (made > 0) announceEvents(tx, contactCreated)
  }
}

/** The existing contacts of these senders, without creating or changing any; locked as above. */
export async function findKnownSenders(tx: TenantTx, senders: Sender[]): Promise<(Contact | undefined)[]> {
  if (senders.length === 0) return []
  const people = await lockPeople(tx, senders)
  return senders.map((sender) => people.find(sender))
}

/** Does the same with existing contacts, without creating any. Their numbers stay. */
export async function completeKnownSenders(tx: TenantTx, senders: Sender[], tables: PersonalTable[]): Promise<void> {
  const people = await lockMerged(tx, senders, tables)
  const known = senders.filter((sender) => people.find(sender))
  await completeSenders(tx, known, people, true)
}

async function lockMerged(tx: TenantTx, senders: Sender[], tables: PersonalTable[]): Promise<People> {
  for (;;) {
    const people = await lockPeople(tx, senders)
    if (tables.length === 0 || (await mergeSenders(tx, senders, people, tables)) === 0) return people
  }
}

/** Merges contacts that a message proves to be one person, each at most once, and returns how many. */
async function mergeSenders(tx: TenantTx, senders: Sender[], people: People, tables: PersonalTable[]): Promise<number> {
  const merged = new Set<string>()
  for (const sender of senders) {
    const [account, owner] = [people.byUserId(sender.userId), people.byNumber(sender.phoneNumber, sender.at)]
    if (!account || !owner || account.id === owner.id || owner.whatsapp_user_id !== null) continue
    if (merged.has(account.id) || merged.has(owner.id)) continue
    if (await mergeProven(tx, [account, owner], tables)) merged.add(account.id).add(owner.id)
  }
  return merged.size
}

/**
 * Several messages of one unknown sender create one contact, with the newest of what they say about the person. A
 * number and a user id that came apart are one person if another message names both.
 */
function onePerPerson(senders: Sender[]): Sender[] {
  let people: { person: Sender; names: Set<string> }[] = []
  const known = new Map<string, (typeof people)[number]>()
  for (const sender of inOrderOfTime(senders).reverse()) {
    const { phoneNumber, userId } = sender
    const names = [phoneNumber && spellingsOf(phoneNumber).sort()[0], userId].flatMap((each) => each || [])
    const matching = [...new Set(names.flatMap((each) => known.get(each) ?? []))]
    const newestFirst = matching.length > 1 ? people.filter((each) => matching.includes(each)) : matching
    const [first = { person: { ...sender }, names: new Set<string>() }, ...others] = newestFirst
    if (matching.length === 0) people.push(first)
    for (const other of others) addTo(first.person, other.person)
    addTo(first.person, sender)
    for (const each of [...names, ...others.flatMap((other) => [...other.names])]) {
      first.names.add(each)
      known.set(each, first)
    }
    if (others.length > 0) people = people.filter((each) => !others.includes(each))
  }
  return people.map(({ person }) => person).reverse()
}

/** Adds what is missing, from a message that is not newer. */
function addTo(person: Sender, { phoneNumber, userId, name, username, at, source }: Sender): void {
  person.phoneNumber ??= phoneNumber
  person.userId ??= userId
  person.name ||= name
  person.username ??= username ?? null
  // Its addresses are dated by the earliest of them: one that is dated too late would keep newer ones out.
  if (at !== undefined) person.at = at
  if (isEarlier(source, person.source)) person.source = source
}

const toRow = ({ phoneNumber, userId, name, username = null, at, source }: Sender): SenderRow => ({
  ...(source ?? noSource),
  id: newId(),
  phone_number: phoneNumber ?? '',
  whatsapp_user_id: userId,
  username,
  name,
  identified_at: at ?? null,
})
