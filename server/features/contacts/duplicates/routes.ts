import type { Routes } from '../../../platform/http/routes.ts'
import { ContactPath } from '../schema.ts'
import { dismissDuplicate, listDuplicates } from './list-duplicates.ts'
import { DismissedDuplicate, Duplicates } from './schema.ts'

const tag = 'Contacts'

export function duplicateRoutes(routes: Routes): void {
  routes.read({
    id: 'listContactDuplicates',
    method: 'GET',
    url: '/contacts/{contact_id}/duplicates',
    tag,
    summary: 'List likely duplicates of a contact',
    description: 'Contacts that are probably the same person. Merge one, or dismiss it.',
    scope: 'contacts:read',
    params: ContactPath,
    response: Duplicates,
    handler: (sql, { params }) => listDuplicates(sql, params.contact_id),
  })

  routes.write({
    id: 'dismissContactDuplicate',
    method: 'POST',
    url: '/contacts/{contact_id}/duplicates/dismiss',
    tag,
    summary: 'Dismiss a likely duplicate',
    description:
      'Records that two contacts are different people: neither is suggested for the other again. Returns the remaining suggestions.',
    scope: 'contacts:write',
    params: ContactPath,
    body: DismissedDuplicate,
    response: Duplicates,
    handler: (tx, { params, body }) => dismissDuplicate(tx, params.contact_id, body.contact_id),
  })
}
