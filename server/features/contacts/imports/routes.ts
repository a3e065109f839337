import type { Database } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { idempotencyKey } from '../../../platform/http/idempotency.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { idempotently } from '../../../platform/http/run-once.ts'
import { receiveFile } from '../../../platform/http/upload.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { findImport, listImports } from './queries.ts'
import { receiveImport, type Upload } from './receive-import.ts'
import { Import, ImportFilter, ImportForm, ImportOptions, ImportPage, ImportPath, ImportReport } from './schema.ts'

const tag = 'Contacts'

export function importRoutes(
  routes: Routes,
  { database, phones, maxImportBytes }: { database: Database; phones: PhoneNumbers; maxImportBytes: number },
): void {
  routes.stream({
    id: 'importContacts',
    method: 'POST',
    url: '/contacts/imports',
    tag,
    summary: 'Import contacts from a CSV file',
    description:
      'Returns as soon as the file is uploaded; the import then runs in the background. You can also send the parameters as form fields, before the file.',
    scope: 'contacts:write',
    query: ImportOptions,
    form: ImportForm,
    response: Import,
    status: 202,
    idempotent: true,
    handler: ({ request, reply, query, principal: { scope } }) => {
      const key = idempotencyKey(request)
      const receive: Upload['receive'] = (store) => receiveFile(request, maxImportBytes, store)
      return receiveImport(database, scope, { receive, options: query, phones }, (queue, bodyHash) =>
        key === undefined
          ? database.inTenant(scope, queue)
          : idempotently(database, request, reply, key, { status: 202 }, queue, bodyHash),
      )
    },
  })

  routes.read({
    id: 'listContactImports',
    method: 'GET',
    url: '/contacts/imports',
    tag,
    summary: 'List imports',
    scope: 'contacts:read',
    query: ImportFilter,
    response: ImportPage,
    handler: (sql, { query }) => listImports(sql, query),
  })

  routes.read({
    id: 'getContactImport',
    method: 'GET',
    url: '/contacts/imports/{import_id}',
    tag,
    summary: 'Get an import',
    scope: 'contacts:read',
    params: ImportPath,
    response: ImportReport,
    handler: async (sql, { params }) => found(await findImport(sql, params.import_id), 'Import'),
  })
}
