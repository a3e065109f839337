import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '../../../platform/database.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import type { MergedPair, PersonalTable } from '../../../platform/personal-data.ts'
import { contactBlocked, contactDeleted, contactMerged, contactUpdated } from '../events.ts'
import { deleteContactRow, findContact } from '../queries.ts'
import type { Contact } from '../schema.ts'
import { uniqueTags } from '../tags.ts'
import { recordActivity } from '../timeline/record-activity.ts'
import { differences } from '../update-contact.ts'
import { missingContact } from './existing-contact.ts'
import { adoptAddresses, joinContacts, lockPair, moveIdentities, moveRows } from './merge-queries.ts'

interface Merging {
  actor: Actor
  /** What every feature holds about people, with the rules of its tables. */
  tables: PersonalTable[]
}

/** A member says that two contacts are one person. */
export async function mergeContacts(tx: TenantTx, pair: MergedPair, merging: Merging): Promise<Contact> {
  // All conversations of the contact move along, also those that the member does not see.
  await tx.liftLimit()
  if (pair.from === pair.into) throw invalid(['body', 'contact_id'], 'A contact cannot be merged with itself')
  const locked = await lockPair(tx, pair)
  for (const id of [pair.into, pair.from])
    if (!locked.some((contact) => contact.id === id)) await missingContact(tx, id)
  const obstacle = await findMergeObstacle(tx, pair, merging.tables)
  if (obstacle) throw conflict(obstacle)
  return joinPair(tx, pair, locked, merging)
}

/**
 * The platform proves that contacts, which the caller has locked, are one person: the younger is merged into the older.
 * Returns undefined, and changes nothing, if something is in the way.
 */
export async function mergeProven(tx: TenantTx, pair: [Contact, Contact], tables: PersonalTable[]) {
  const [into, from] = pair.map(({ id }) => id).sort() as [string, string]
  // Locks them against references too, which the deletion needs.
  const locked = await lockPair(tx, { from, into })
  if (locked.length < 2 || (await findMergeObstacle(tx, { from, into }, tables))) return undefined
  return joinPair(tx, { from, into }, locked, { actor: { type: 'system', id: null }, tables })
}

async function findMergeObstacle(tx: TenantTx, pair: MergedPair, tables: PersonalTable[]): Promise<string | undefined> {
  for (const table of tables) {
    const found = await table.mergeObstacle?.(tx, pair)
    if (found) return found
  }
  return undefined
}

/**
 * Runs in one transaction with both contacts locked: moves every reference from the merged contact to the remaining
 * one.
 */
async function joinPair(
  tx: TenantTx,
  pair: MergedPair,
  locked: Contact[],
  { actor, tables }: Merging,
): Promise<Contact> {
  const { from, into } = pair
  const [before, other] = [into, from].map((id) => locked.find((contact) => contact.id === id)) as [Contact, Contact]
  for (const { table, merge } of tables)
    if (merge === 'move') await moveRows(tx, table, pair)
    else await merge?.(tx, pair)
  await moveIdentities(tx, pair)
  await joinContacts(tx, pair, {
    tags: uniqueTags([...before.tags, ...other.tags]),
    custom_fields: { ...other.custom_fields, ...before.custom_fields },
  })
  await deleteContactRow(tx, from)
  const joined = await adoptAddresses(tx, into, other)
  await recordActivity(tx, { contactId: into, type: 'note_added', actor, payload: noteOf(joined, other) })
  const after = (await findContact(tx, into)) as Contact
  await emit(tx, contactUpdated, after, differences(before, after))
  if (before.blocked_at === null && after.blocked_at !== null)
    await emit(tx, contactBlocked, after, { blocked_at: null })
  await emit(tx, contactDeleted, other)
  await emit(tx, contactMerged, { ...after, merged_contact_id: from })
  return after
}

const compared = [
  'name',
  'first_name',
  'notes',
  'time_zone',
  'stage',
  'username',
  'whatsapp_user_id',
  'source_id',
  'source_headline',
] as const

/** Keeps the other contact's values that the remaining one does not show, for people and for programs. */
function noteOf(joined: Contact, other: Contact): Record<string, unknown> {
  const replaced = Object.fromEntries(
    compared.flatMap((name) => (other[name] && other[name] !== joined[name] ? [[name, other[name]]] : [])),
  )
  const fields = Object.fromEntries(
    Object.entries(other.custom_fields).filter(
      ([name, value]) => !isDeepStrictEqual(joined.custom_fields[name], value),
    ),
  )
  const called = other.name || other.phone_number || other.username || other.whatsapp_user_id || other.id
  const lines = Object.entries({ ...replaced, ...fields }).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return {
    note: [`Merged with ${called}`, ...(lines.length > 0 ? ['Values not kept:', ...lines] : [])].join('\n'),
    merged_contact: { id: other.id, created_at: other.created_at, ...replaced, custom_fields: fields },
  }
}
