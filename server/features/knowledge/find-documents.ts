import type { Database, TenantScope, TenantSql } from '../../platform/database.ts'
import { listKnownIds, listNamedFiles, listSameFiles } from './queries.ts'

/** Those of the ids that are no documents of the caller, in order. */
export async function unknownDocuments(sql: TenantSql, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const known = new Set((await listKnownIds(sql, ids)).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

interface PromotedDocuments {
  /** The copies in live mode, in the order of their originals. */
  ids: string[]
  /** Documents of test mode that have no copy yet. */
  missing: { id: string; file_name: string }[]
}

/**
 * Maps documents of test mode to their copies in live mode: a copy has the same bytes and the same name. Documents that
 * were deleted meanwhile are left out.
 */
export async function findPromotedDocuments(
  database: Database,
  { organizationId }: TenantScope,
  ids: string[],
): Promise<PromotedDocuments> {
  if (ids.length === 0) return { ids: [], missing: [] }
  const originals = await listNamedFiles(database.forTenant({ organizationId, livemode: false }), ids)
  const copies = await listSameFiles(database.forTenant({ organizationId, livemode: true }), originals)
  const copyOf = new Map(copies.map(({ id, sha256, file_name }) => [`${sha256} ${file_name}`, id]))
  const byId = new Map(originals.map((original) => [original.id, original]))
  const found: PromotedDocuments = { ids: [], missing: [] }
  for (const original of ids.flatMap((id) => byId.get(id) ?? [])) {
    const copy = copyOf.get(`${original.sha256} ${original.file_name}`)
    if (copy) found.ids.push(copy)
    else found.missing.push({ id: original.id, file_name: original.file_name })
  }
  return found
}
