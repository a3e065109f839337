import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { answerFile } from '../../platform/http/file-answer.ts'
import { idempotencyKey } from '../../platform/http/idempotency.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { idempotently } from '../../platform/http/run-once.ts'
import { receiveFile } from '../../platform/http/upload.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { withinCollections } from './collections/find-collections.ts'
import { deleteDocument } from './delete-document.ts'
import { faqRoutes } from './faqs/routes.ts'
import { openDocumentFile } from './open-document-file.ts'
import { promoteDocument } from './promote-document.ts'
import { findDocument, listDocuments } from './queries.ts'
import type { Upload } from './receive-document.ts'
import { type Retrieval, searchKnowledge } from './retrieval/search-knowledge.ts'
import { Document, DocumentForm, DocumentList, DocumentPath, Search, SearchResults } from './schema.ts'
import { sourceRoutes } from './sources/routes.ts'
import { uploadDocument } from './upload-document.ts'
import { websiteRoutes } from './websites/routes.ts'
import type { WebsiteLimits } from './websites/write-website.ts'

const tag = 'Knowledge base'

export interface KnowledgeDependencies extends Retrieval {
  websiteLimits: WebsiteLimits
  database: Database
  files: FileStore
  maxUploadBytes: number
  uploadsPerMinute: number
}

export function knowledgeRoutes(routes: Routes, deps: KnowledgeDependencies): void {
  const { database, files } = deps

  routes.stream({
    id: 'uploadDocument',
    method: 'POST',
    url: '/knowledge-base/upload',
    tag,
    summary: 'Upload a document',
    description:
      'Returns as soon as the file is uploaded, with `status` `processing`; reading, splitting and indexing follow in the background. The same bytes under the same name return the existing document with 200; a failed document is then processed again.',
    scope: 'knowledge:write',
    form: DocumentForm,
    response: Document,
    status: 201,
    otherStatus: 200,
    idempotent: true,
    rateLimit: { name: 'uploads', perMinute: deps.uploadsPerMinute },
    handler: ({ request, reply, principal: { scope } }) => {
      const key = idempotencyKey(request)
      const receive: Upload<Document>['receive'] = (store) => receiveFile(request, deps.maxUploadBytes, store)
      return uploadDocument(deps, scope, {
        receive,
        commit: (last, bodyHash) =>
          key === undefined
            ? database.inTenant(scope, last)
            : idempotently(database, request, reply, key, { status: 201 }, last, bodyHash),
      })
    },
  })

  routes.read({
    id: 'listDocuments',
    method: 'GET',
    url: '/knowledge-base',
    tag,
    summary: 'List documents',
    description: 'Returns all documents, newest first, among them web pages and FAQs.',
    scope: 'knowledge:read',
    response: DocumentList,
    handler: async (sql) => ({ documents: await listDocuments(sql) }),
  })

  routes.read({
    id: 'searchKnowledge',
    method: 'POST',
    url: '/knowledge-base/search',
    tag,
    summary: 'Search documents',
    description:
      'Finds the passages that best answer a question: by keywords (BM25, in the language of each document), by meaning (vectors), or by both.',
    scope: 'knowledge:read',
    body: Search,
    response: SearchResults,
    errors: [502],
    handler: async (sql, { body }) => searchKnowledge(deps, sql.scope, await withinCollections(sql, body)),
  })

  routes.read({
    id: 'getDocument',
    method: 'GET',
    url: '/knowledge-base/{document_id}',
    tag,
    summary: 'Get a document',
    scope: 'knowledge:read',
    params: DocumentPath,
    response: Document,
    handler: async (sql, { params }) => found(await findDocument(sql, params.document_id), 'Document'),
  })

  routes.stream({
    id: 'downloadDocument',
    method: 'GET',
    url: '/knowledge-base/{document_id}/download',
    tag,
    summary: 'Download a document',
    description:
      'Returns the original bytes under the original name; of a web page or an FAQ its text. Supports `Range`.',
    scope: 'knowledge:read',
    params: DocumentPath,
    response: Type.String({ format: 'binary', description: 'The file' }),
    contentType: 'application/octet-stream',
    errors: [416],
    handler: async ({ params, request, reply, principal: { scope } }) =>
      answerFile(request, reply, await openDocumentFile(database.forTenant(scope), params.document_id, files)),
  })

  routes.write({
    id: 'deleteDocument',
    method: 'DELETE',
    url: '/knowledge-base/{document_id}',
    tag,
    summary: 'Delete a document',
    description: 'Deletes its file, chunks and vectors too, even while it is being processed.',
    scope: 'knowledge:write',
    params: DocumentPath,
    response: Deleted,
    handler: (tx, { params }) => deleteDocument(tx, params.document_id).then(() => deleted('Document')),
  })

  routes.callOut({
    id: 'promoteDocument',
    method: 'POST',
    url: '/knowledge-base/{document_id}/promote',
    tag,
    summary: 'Promote a document to live mode',
    description:
      'Copies a ready document from test mode. Use a live credential and the id of the test document. The copy has its own id and is ready at once; if live mode already has the same bytes under the same name, that document is returned with 200.',
    scope: 'knowledge:write',
    params: DocumentPath,
    response: Document,
    status: 201,
    otherStatus: 200,
    errors: [400],
    handler: ({ params, principal: { scope } }) => promoteDocument(deps, scope, params.document_id),
  })

  sourceRoutes(routes, deps)
  websiteRoutes(routes, deps.websiteLimits)
  faqRoutes(routes, deps)
}
