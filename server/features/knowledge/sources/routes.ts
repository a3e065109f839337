import type { Database } from '../../../platform/database.ts'
import { idempotencyKey } from '../../../platform/http/idempotency.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { idempotently } from '../../../platform/http/run-once.ts'
import { receiveFile } from '../../../platform/http/upload.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { Upload } from '../receive-document.ts'
import { replaceDocument } from '../replacements/replace-document.ts'
import { Document, DocumentPath } from '../schema.ts'
import type { WebsiteLimits } from '../websites/write-website.ts'
import { addFile, addSource } from './add-source.ts'
import { AddedSource, NewSource, ReplacementForm, SourceForm } from './schema.ts'

const tag = 'Knowledge base'

interface SourceDependencies {
  database: Database
  files: FileStore
  maxUploadBytes: number
  uploadsPerMinute: number
  websiteLimits: WebsiteLimits
}

export function sourceRoutes(routes: Routes, deps: SourceDependencies): void {
  const { database } = deps
  const rateLimit = { name: 'uploads', perMinute: deps.uploadsPerMinute }

  routes.stream({
    id: 'addSource',
    method: 'POST',
    url: '/knowledge-base/sources',
    tag,
    summary: 'Add a source of knowledge',
    description:
      'Send a form with a file of any supported kind, or JSON for web pages and FAQs. Returns at once; reading and indexing follow in the background. The same bytes under the same name return the existing document with 200. A question or an address that was added before is 409.',
    scope: 'knowledge:write',
    body: NewSource,
    form: SourceForm,
    response: AddedSource,
    status: 201,
    otherStatus: 200,
    idempotent: true,
    errors: [400, 409],
    rateLimit,
    handler: ({ request, reply, body, principal: { scope } }) => {
      const key = idempotencyKey(request)
      const commit: Upload<AddedSource>['commit'] = (last, bodyHash) =>
        key === undefined
          ? database.inTenant(scope, last)
          : idempotently(database, request, reply, key, { status: 201 }, last, bodyHash)
      if (!request.isMultipart() && body) {
        const add = (tx: Parameters<typeof addSource>[0]) => addSource(tx, deps.websiteLimits, body)
        return key === undefined
          ? database.inTenant(scope, add)
          : idempotently(database, request, reply, key, { status: 201 }, add)
      }
      return addFile(deps, scope, { receive: (store) => receiveFile(request, deps.maxUploadBytes, store), commit })
    },
  })

  routes.stream({
    id: 'replaceDocument',
    method: 'POST',
    url: '/knowledge-base/{document_id}/replace',
    tag,
    summary: 'Replace the file of a document',
    description:
      'The document keeps its id. Searches find the old version until the new one is ready; `replacement` shows how that goes. If the new file cannot be read, the old version stays and `replacement.error` says why. A second replacement takes the place of the first. FAQs and web pages cannot be replaced (409).',
    scope: 'knowledge:write',
    params: DocumentPath,
    form: ReplacementForm,
    response: Document,
    idempotent: true,
    errors: [400, 409],
    rateLimit,
    handler: ({ params, request, reply, principal: { scope } }) => {
      const key = idempotencyKey(request)
      return replaceDocument(deps, scope, params.document_id, {
        receive: (store) => receiveFile(request, deps.maxUploadBytes, store),
        commit: (last, bodyHash) =>
          key === undefined
            ? database.inTenant(scope, last)
            : idempotently(database, request, reply, key, { status: 200 }, last, bodyHash),
      })
    },
  })
}
