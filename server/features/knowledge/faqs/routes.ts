import { createHash } from 'node:crypto'
import Type from 'typebox'
import type { Database, TenantTx } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { answerCsv } from '../../../platform/http/file-answer.ts'
import { idempotencyKey } from '../../../platform/http/idempotency.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { idempotently } from '../../../platform/http/run-once.ts'
import { receiveFile } from '../../../platform/http/upload.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { recordAction } from '../../audit/record-action.ts'
import { createFaq } from './create-faq.ts'
import { deleteFaq } from './delete-faq.ts'
import { exportFaqs } from './export-faqs.ts'
import { importFaqs, maxImportBytes, readFaqs } from './import-faqs.ts'
import { findFaq, listFaqs } from './queries.ts'
import { Faq, FaqChanges, FaqFilter, FaqImport, FaqImportForm, FaqPage, FaqPath, NewFaq } from './schema.ts'
import { updateFaq } from './update-faq.ts'

const tag = 'FAQs'
const reading = { tag, scope: 'knowledge:read' }
const writing = { tag, scope: 'knowledge:write' }

export function faqRoutes(routes: Routes, { database }: { database: Database }): void {
  routes.read({
    ...reading,
    id: 'listFaqs',
    method: 'GET',
    url: '/knowledge-base/faqs',
    summary: 'List FAQs',
    description: 'Newest first.',
    query: FaqFilter,
    response: FaqPage,
    handler: (sql, { query }) => listFaqs(sql, query),
  })

  routes.write({
    ...writing,
    id: 'createFaq',
    method: 'POST',
    url: '/knowledge-base/faqs',
    summary: 'Create an FAQ',
    description:
      'Searches find it as soon as it is `ready`, a moment later. A question that already exists returns 409.',
    body: NewFaq,
    response: Faq,
    status: 201,
    errors: [409],
    handler: (tx, { body }) => createFaq(tx, body),
  })

  routes.stream({
    ...writing,
    id: 'importFaqs',
    method: 'POST',
    url: '/knowledge-base/faqs/import',
    summary: 'Import FAQs from a CSV file',
    description:
      'Adds new questions and changes the answers of those that exist, up to 1,000 rows at a time. Imports all rows or none. Each error names its row and column.',
    form: FaqImportForm,
    response: FaqImport,
    idempotent: true,
    errors: [400, 409],
    handler: async ({ request, reply, principal: { scope } }) => {
      const key = idempotencyKey(request)
      const chunks: Buffer[] = []
      await receiveFile(request, maxImportBytes, async (bytes) => {
        for await (const chunk of bytes) chunks.push(chunk)
      })
      const bytes = Buffer.concat(chunks)
      const faqs = await readFaqs(bytes)
      const work = (tx: TenantTx) => importFaqs(tx, faqs)
      if (key === undefined) return database.inTenant(scope, work)
      const hash = createHash('sha256').update(bytes).digest()
      return idempotently(database, request, reply, key, { status: 200 }, work, hash)
    },
  })

  routes.stream({
    ...reading,
    id: 'exportFaqs',
    method: 'GET',
    url: '/knowledge-base/faqs/export',
    summary: 'Export FAQs as CSV',
    description: 'Oldest first. You can import the file again.',
    response: Type.String({ description: 'A header row, then one row per FAQ' }),
    contentType: 'text/csv',
    handler: async ({ reply, principal: { scope } }) => {
      await recordAction(database.forTenant(scope), 'faq.exported')
      return answerCsv(reply, 'faqs', exportFaqs(database.forTenant(scope)))
    },
  })

  routes.read({
    ...reading,
    id: 'getFaq',
    method: 'GET',
    url: '/knowledge-base/faqs/{faq_id}',
    summary: 'Get an FAQ',
    params: FaqPath,
    response: Faq,
    handler: async (sql, { params }) => found(await findFaq(sql, params.faq_id), 'FAQ'),
  })

  routes.write({
    ...writing,
    id: 'updateFaq',
    method: 'PATCH',
    url: '/knowledge-base/faqs/{faq_id}',
    summary: 'Update an FAQ',
    description: 'Searches find the previous text until the new one is ready, a moment later.',
    params: FaqPath,
    body: FaqChanges,
    response: Faq,
    errors: [409],
    handler: (tx, { params, body }) => updateFaq(tx, params.faq_id, body),
  })

  routes.write({
    ...writing,
    id: 'deleteFaq',
    method: 'DELETE',
    url: '/knowledge-base/faqs/{faq_id}',
    summary: 'Delete an FAQ',
    params: FaqPath,
    response: Deleted,
    handler: (tx, { params }) => deleteFaq(tx, params.faq_id).then(() => deleted('FAQ')),
  })
}
