import type { Database, TenantScope, TenantSql, TenantTx } from '../../../platform/database.ts'
import { findPromotedDocuments } from '../find-documents.ts'
import type { Search } from '../schema.ts'
import {
  addDocuments,
  findCollectionNamed,
  listDocumentsIn,
  listKnownCollections,
  listNamedCollections,
} from './queries.ts'
import { createCollection } from './write-collection.ts'

/** Those of the ids that are no collections of the caller, in order. */
export async function unknownCollections(sql: TenantSql, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const known = new Set((await listKnownCollections(sql, ids)).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** The named documents and those of the collections, each once. */
export async function documentsOf(sql: TenantSql, chosen: { documentIds: string[]; collectionIds: string[] }) {
  if (chosen.collectionIds.length === 0) return chosen.documentIds
  const members = await listDocumentsIn(sql, chosen.collectionIds)
  return [...new Set([...chosen.documentIds, ...members.map(({ document_id }) => document_id)])]
}

/** The search with its collections replaced by their documents. */
export async function withinCollections(sql: TenantSql, { collection_ids, ...search }: Search): Promise<Search> {
  if (!collection_ids) return search
  const chosen = { documentIds: search.document_ids ?? [], collectionIds: collection_ids }
  return { ...search, document_ids: await documentsOf(sql, chosen) }
}

interface PromotedCollection {
  name: string
  description: string
  documentIds: string[]
}

/** Collections of test mode with the live copies of their documents, and the documents that have no copy. */
export async function findPromotedCollections(database: Database, scope: TenantScope, ids: string[]) {
  const test = database.forTenant({ ...scope, livemode: false })
  const collections: PromotedCollection[] = []
  const missing: { id: string; file_name: string }[] = []
  for (const { id, name, description } of ids.length === 0 ? [] : await listNamedCollections(test, ids)) {
    const members = (await listDocumentsIn(test, [id])).map(({ document_id }) => document_id)
    const documents = await findPromotedDocuments(database, scope, members)
    collections.push({ name, description, documentIds: documents.ids })
    missing.push(...documents.missing)
  }
  return { collections, missing }
}

/** The live collections of these names. Missing ones are created, and the documents are added. */
export async function takePromotedCollections(tx: TenantTx, collections: PromotedCollection[]): Promise<string[]> {
  const ids: string[] = []
  for (const { name, description, documentIds } of collections) {
    const { id } = (await findCollectionNamed(tx, name)) ?? (await createCollection(tx, { name, description }))
    await addDocuments(tx, id, documentIds)
    ids.push(id)
  }
  return ids
}
