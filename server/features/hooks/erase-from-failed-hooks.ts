import { parseExactJson } from '../../platform/exact-json.ts'
import type { MentionsPage } from '../../platform/personal-data.ts'
import type { Sql } from '../../platform/sql.ts'
import { findNumbersOfOthers } from '../channels/numbers/find-numbers-of-others.ts'
import { idOf, type Part, partOf, partsOf } from './payloads/wire.ts'
import { deleteKeptHooks, listSharedHooksMentioning, replaceKeptHook } from './queries.ts'

/** Bodies have up to 4 MB. */
const mostAtOnce = 10

/**
 * Removes the changes that mention a person from failed webhooks of the installation’s app, except those about a number
 * of another organization, which may know the same person.
 */
export async function eraseFromFailedHooks(
  system: Sql,
  { scope, patterns, after }: MentionsPage,
): Promise<{ rows: number; last: string | null }> {
  const hooks = await listSharedHooksMentioning(system, patterns, { after, most: mostAtOnce })
  const mentions = (change: Part) => {
    const text = JSON.stringify(change)
    return patterns.some((pattern) => new RegExp(pattern).test(text))
  }
  let rows = 0
  for (const { id, body } of hooks) {
    const payload = partOf(parseExactJson(body.toString('utf8')))
    const entries = partsOf(payload.entry).map((entry) => ({ entry, changes: partsOf(entry.changes) }))
    const mentioning = entries.flatMap(({ changes }) => changes.filter(mentions))
    const numbers = mentioning.flatMap((change) => numberOf(change) ?? [])
    const others = await findNumbersOfOthers(system, scope, numbers)
    const erased = new Set(mentioning.filter((change) => !others.has(numberOf(change) ?? '')))
    if (erased.size === 0) continue
    rows++
    const entry = entries
      .map((each) => ({ ...each.entry, changes: each.changes.filter((change) => !erased.has(change)) }))
      .filter(({ changes }) => changes.length > 0)
    if (entry.length === 0) await deleteKeptHooks(system, [id])
    else await replaceKeptHook(system, id, Buffer.from(JSON.stringify({ ...payload, entry })))
  }
  return { rows, last: hooks.length < mostAtOnce ? null : (hooks.at(-1)?.id ?? null) }
}

const numberOf = (change: Part) => idOf(partOf(partOf(change.value).metadata).phone_number_id, 255)
