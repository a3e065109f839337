import { found } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { findCollection, listCollections } from './queries.ts'
import {
  Collection,
  CollectionChanges,
  CollectionFilter,
  CollectionPage,
  CollectionPath,
  MembershipPath,
  NewCollection,
} from './schema.ts'
import { createCollection, deleteCollection, setMembership, updateCollection } from './write-collection.ts'

const tag = 'Knowledge base'

export function collectionRoutes(routes: Routes): void {
  routes.read({
    id: 'listCollections',
    method: 'GET',
    url: '/knowledge-base/collections',
    tag,
    summary: 'List collections',
    description: 'Newest first.',
    scope: 'knowledge:read',
    query: CollectionFilter,
    response: CollectionPage,
    handler: (sql, { query }) => listCollections(sql, query),
  })

  routes.write({
    id: 'createCollection',
    method: 'POST',
    url: '/knowledge-base/collections',
    tag,
    summary: 'Create a collection',
    description: 'Names are unique; case is ignored (409). An unknown document returns 404.',
    scope: 'knowledge:write',
    body: NewCollection,
    response: Collection,
    status: 201,
    errors: [404, 409],
    handler: (tx, { body }) => createCollection(tx, body),
  })

  routes.read({
    id: 'getCollection',
    method: 'GET',
    url: '/knowledge-base/collections/{collection_id}',
    tag,
    summary: 'Get a collection',
    scope: 'knowledge:read',
    params: CollectionPath,
    response: Collection,
    handler: async (sql, { params }) => found(await findCollection(sql, params.collection_id), 'Collection'),
  })

  routes.write({
    id: 'updateCollection',
    method: 'PATCH',
    url: '/knowledge-base/collections/{collection_id}',
    tag,
    summary: 'Update a collection',
    scope: 'knowledge:write',
    params: CollectionPath,
    body: CollectionChanges,
    response: Collection,
    errors: [409],
    handler: (tx, { params, body }) => updateCollection(tx, params.collection_id, body),
  })

  routes.write({
    id: 'deleteCollection',
    method: 'DELETE',
    url: '/knowledge-base/collections/{collection_id}',
    tag,
    summary: 'Delete a collection',
    description: 'Its documents stay. Agents that name it skip it.',
    scope: 'knowledge:write',
    params: CollectionPath,
    response: Deleted,
    handler: (tx, { params }) => deleteCollection(tx, params.collection_id).then(() => deleted('Collection')),
  })

  for (const [method, isMember] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    routes.write({
      id: isMember ? 'addDocumentToCollection' : 'removeDocumentFromCollection',
      method,
      url: '/knowledge-base/collections/{collection_id}/documents/{document_id}',
      tag,
      summary: isMember ? 'Add a document to a collection' : 'Remove a document from a collection',
      description: isMember
        ? 'A document may be in several collections. Nothing changes if it is in this one already.'
        : 'The document itself stays. Nothing changes if it is not in the collection.',
      scope: 'knowledge:write',
      params: MembershipPath,
      response: Collection,
      handler: (tx, { params: { collection_id: collectionId, document_id: documentId } }) =>
        setMembership(tx, { collectionId, documentId, isMember }),
    })
}
