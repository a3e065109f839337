import type { Database, SystemTx, TenantScope, TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { lowestId, lowestIdAt } from '../../../platform/ids.ts'
import type { Person, PersonalMentions, PersonalTable } from '../../../platform/personal-data.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { findPerson } from '../../contacts/find-person.ts'
import { contactErased } from '../events.ts'
import { type Digest, digestOf } from './erased-addresses.ts'
import { mentionsOf } from './mentions.ts'
import {
  addCount,
  blankRows,
  completeErasure,
  deleteRows,
  markErased,
  type Progress,
  postponeErasure,
  recordMergedErasures,
  startErasure,
  takeFiles,
} from './queries.ts'

export interface Erasing {
  database: Database
  files: FileStore
  secrets: Digest
  personalData: PersonalTable[]
  personalMentions: PersonalMentions[]
}

const pageSize = 5_000

/** Longer than any transaction: an event may become visible after events with higher ids. */
const overlapMs = 60_000

/**
 * Erases everything about a person. First what mentions them in long tables, page by page. Then, in one transaction with the
 * contact locked, all rows, and what has mentioned them since. Then the files. A worker that dies leaves either of
 * these done or not done, and the next one does the rest.
 */
export async function erasePerson(
  deps: Erasing,
  scope: TenantScope,
  erasureId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, files } = deps
  const progress = await startErasure(database.forTenant(scope), erasureId)
  if (!progress) return
  try {
    const keys = progress.erased_at ? progress.file_keys : await eraseRows(deps, scope, erasureId, progress, signal)
    for (const key of keys) await files.remove(key)
  } catch (error) {
    const reason = error instanceof Obstacle ? error.message : 'It failed and is tried again'
    await postponeErasure(database.forTenant(scope), erasureId, reason)
    throw error
  }
  await database.inTenant(scope, async (tx) => {
    const done = await completeErasure(tx, erasureId)
    if (done)
      await emit(tx, contactErased, { id: done.contact_id, erasure_id: done.id, erased_at: done.erased_at as string })
  })
}

export class Obstacle extends Error {}

async function eraseRows(
  deps: Erasing,
  scope: TenantScope,
  erasureId: string,
  { contact_id: contactId }: Progress,
  signal: AbortSignal,
): Promise<string[]> {
  const { database, personalData, personalMentions } = deps
  const startedAt = Date.now()
  // If the contact was deleted since, what still refers to its id is erased.
  const find = async (tx: TenantTx) =>
    (await findPerson(tx, contactId)) ?? { id: contactId, mergedIds: [], addresses: [] }
  const patterns = mentionsOf(await database.inTenant(scope, find))
  // Features are listed after those that they refer to: the last one goes first.
  const mentions = personalMentions.toReversed()
  for (const each of mentions)
    for (let after: string | null = lowestId; after !== null; ) {
      signal.throwIfAborted()
      const page = { scope, patterns, after, limit: pageSize }
      const erasePage = async (tx: TenantTx | SystemTx) => {
        const { rows, last } = await each.erase(tx, page)
        if (rows > 0) await addCount(tx, scope, erasureId, each.table, rows)
        return last
      }
      after = await (each.runsAs === 'system' ? database.inSystem(erasePage) : database.inTenant(scope, erasePage))
    }
  return database.inTenant(scope, async (tx) => {
    const person = await find(tx)
    const obstacle = await findObstacle(tx, person, personalData)
    if (obstacle) throw new Obstacle(obstacle)
    for (const held of personalData.toReversed()) {
      if ('exempt' in held) continue
      const { table, erase, hasFiles } = held
      const rows = held.rows(person)
      if (hasFiles) await takeFiles(tx, erasureId, table, rows)
      const count = erase === 'delete' ? await deleteRows(tx, table, rows) : await blankRows(tx, table, rows, erase)
      if (count > 0) await addCount(tx, scope, erasureId, table, count)
    }
    const recent = { scope, patterns: mentionsOf(person), after: lowestIdAt(new Date(startedAt - overlapMs)) }
    for (const each of mentions) {
      if (each.runsAs === 'system') continue
      const { rows } = await each.erase(tx, { ...recent, limit: 1_000_000 })
      if (rows > 0) await addCount(tx, scope, erasureId, each.table, rows)
    }
    if (person.mergedIds.length > 0) await recordMergedErasures(tx, erasureId, person.mergedIds)
    const digests = person.addresses.map((address) => digestOf(deps.secrets, scope, address))
    return (await markErased(tx, erasureId, digests)).file_keys
  })
}

export async function findObstacle(tx: TenantTx, person: Person, tables: PersonalTable[]): Promise<string | undefined> {
  for (const table of tables) {
    const found = 'obstacle' in table ? await table.obstacle?.(tx, person) : undefined
    if (found) return found
  }
  return undefined
}
