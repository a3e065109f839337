import type { TenantTx } from '../../../platform/database.ts'
import { AppError, conflict, found, notFound, violates } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAction } from '../../audit/record-action.ts'
import { collectionCreated, collectionDeleted, collectionUpdated } from '../events.ts'
import { unknownDocuments } from '../find-documents.ts'
import {
  addDocuments,
  countCollections,
  deleteCollectionRow,
  findCollection,
  insertCollection,
  lockCollection,
  removeDocument,
  updateCollectionRow,
} from './queries.ts'
import type { Collection, CollectionChanges, NewCollection } from './schema.ts'

const mostCollections = 1_000

export async function createCollection(
  tx: TenantTx,
  { name, description, document_ids = [] }: NewCollection,
): Promise<Collection> {
  const { n } = await countCollections(tx)
  if (n >= mostCollections) throw conflict(`An organization can have ${mostCollections} collections: delete one first`)
  const unknown = await unknownDocuments(tx, document_ids)
  if (unknown.length > 0) throw new AppError(404, `No such document: ${unknown.join(', ')}`)
  const id = newId()
  await insertCollection(tx, id, { name: name.trim(), description: description.trim() }).catch((error) =>
    nameIsTaken(error, name),
  )
  await addDocuments(tx, id, document_ids).catch(missing)
  const created = found(await findCollection(tx, id), 'Collection')
  await emit(tx, collectionCreated, created)
  return created
}

export async function updateCollection(tx: TenantTx, id: string, changes: CollectionChanges): Promise<Collection> {
  const before = found(await lockCollection(tx, id), 'Collection')
  const { name = before.name, description = before.description } = changes
  const wanted = { name: name.trim(), description: description.trim() }
  if (wanted.name === before.name && wanted.description === before.description) return before
  const after = await updateCollectionRow(tx, id, wanted).catch((error) => nameIsTaken(error, name))
  const previous = {
    ...(before.name !== after.name && { name: before.name }),
    ...(before.description !== after.description && { description: before.description }),
  }
  await emit(tx, collectionUpdated, after, previous)
  return after
}

/** Its documents stay. Agents that name it read the rest of their documents. */
export async function deleteCollection(tx: TenantTx, id: string): Promise<void> {
  const collection = found(await deleteCollectionRow(tx, id), 'Collection')
  await emit(tx, collectionDeleted, collection)
}

/** Puts a document into a collection or takes it out. Idempotent. */
export async function setMembership(
  tx: TenantTx,
  { collectionId, documentId, isMember }: { collectionId: string; documentId: string; isMember: boolean },
): Promise<Collection> {
  found(await findCollection(tx, collectionId), 'Collection')
  if ((await unknownDocuments(tx, [documentId])).length > 0) throw notFound('Document')
  const changed = isMember
    ? await addDocuments(tx, collectionId, [documentId]).catch(missing)
    : await removeDocument(tx, collectionId, documentId)
  const collection = found(await findCollection(tx, collectionId), 'Collection')
  if (changed > 0) {
    await emit(tx, collectionUpdated, collection)
    const details = { document_id: documentId }
    await recordAction(tx, isMember ? 'collection.document_added' : 'collection.document_removed', {
      id: collectionId,
      details,
    })
  }
  return collection
}

/** The collection or a document was deleted between the check and the insert. */
function missing(error: unknown): never {
  if (violates(error, 'collection_documents_collection_exists')) throw notFound('Collection')
  throw violates(error, 'collection_documents_document_exists') ? notFound('Document') : error
}

function nameIsTaken(error: unknown, name: string): never {
  throw violates(error, 'collections_name_is_unique')
    ? conflict(`There is a collection called ${name.trim()} already`)
    : error
}
