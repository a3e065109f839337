import { found } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { cancelBulkEdit, createBulkEdit } from './create-bulk-edit.ts'
import { findBulkEdit } from './queries.ts'
import { BulkEdit, BulkEditPath, NewBulkEdit } from './schema.ts'

const tag = 'Contacts'

export function bulkEditRoutes(routes: Routes): void {
  routes.write({
    id: 'createBulkEdit',
    method: 'POST',
    url: '/contact-bulk-edits',
    tag,
    summary: 'Edit all contacts that match',
    description:
      'Adds or removes tags, sets the stage or who handles the contacts, or deletes them, in the background. Contacts created after the start are not changed. The filter is checked again for each batch: contacts that no longer match are left alone, and contacts that have come to match are changed too. `handled_by` is checked with the channels that an agent answered at the start. Each change is recorded and emits its events, as for a single contact.',
    scope: 'contacts:write',
    body: NewBulkEdit,
    response: BulkEdit,
    status: 202,
    handler: (tx, { body, principal: { actor } }) => createBulkEdit(tx, body, actor),
  })

  routes.read({
    id: 'getBulkEdit',
    method: 'GET',
    url: '/contact-bulk-edits/{bulk_edit_id}',
    tag,
    summary: 'Get a bulk edit',
    description: 'With its progress. Kept for 30 days.',
    scope: 'contacts:read',
    params: BulkEditPath,
    response: BulkEdit,
    handler: async (sql, { params }) => found(await findBulkEdit(sql, params.bulk_edit_id), 'Bulk edit'),
  })

  routes.write({
    id: 'cancelBulkEdit',
    method: 'POST',
    url: '/contact-bulk-edits/{bulk_edit_id}/cancel',
    tag,
    summary: 'Cancel a bulk edit',
    description: 'Contacts that are done stay as they are.',
    scope: 'contacts:write',
    params: BulkEditPath,
    response: BulkEdit,
    errors: [409],
    handler: (tx, { params }) => cancelBulkEdit(tx, params.bulk_edit_id),
  })
}
