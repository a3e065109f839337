import { found } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { findView, listViews } from './queries.ts'
import { InboxView, InboxViewChanges, InboxViewPath, InboxViews, NewInboxView } from './schema.ts'
import { createView, deleteView, updateView } from './write-view.ts'

const tag = 'Inbox'

export function viewRoutes(routes: Routes): void {
  routes.read({
    id: 'listInboxViews',
    method: 'GET',
    url: '/inbox/views',
    tag,
    summary: 'List saved views',
    description: 'Shared ones and your own, by position. Use the `filters` of a view as parameters of the ticket list.',
    scope: 'inbox:read',
    response: InboxViews,
    handler: async (sql, { principal: { actor } }) => ({ data: await listViews(sql, actor.id) }),
  })

  routes.write({
    id: 'createInboxView',
    method: 'POST',
    url: '/inbox/views',
    tag,
    summary: 'Save a view',
    scope: 'inbox:write',
    body: NewInboxView,
    response: InboxView,
    status: 201,
    errors: [409],
    handler: (tx, { body, principal: { actor } }) => createView(tx, actor.id, body),
  })

  routes.read({
    id: 'getInboxView',
    method: 'GET',
    url: '/inbox/views/{view_id}',
    tag,
    summary: 'Get a saved view',
    scope: 'inbox:read',
    params: InboxViewPath,
    response: InboxView,
    handler: async (sql, { params, principal: { actor } }) =>
      found(await findView(sql, actor.id, params.view_id), 'View'),
  })

  routes.write({
    id: 'updateInboxView',
    method: 'PATCH',
    url: '/inbox/views/{view_id}',
    tag,
    summary: 'Update a saved view',
    description: 'A view that stops being shared becomes yours.',
    scope: 'inbox:write',
    params: InboxViewPath,
    body: InboxViewChanges,
    response: InboxView,
    handler: (tx, { params, body, principal: { actor } }) => updateView(tx, actor.id, params.view_id, body),
  })

  routes.write({
    id: 'deleteInboxView',
    method: 'DELETE',
    url: '/inbox/views/{view_id}',
    tag,
    summary: 'Delete a saved view',
    scope: 'inbox:write',
    params: InboxViewPath,
    response: Deleted,
    handler: (tx, { params, principal: { actor } }) =>
      deleteView(tx, actor.id, params.view_id).then(() => deleted('View')),
  })
}
