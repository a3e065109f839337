import type { Database } from '../../platform/database.ts'
import { anyScope, fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { describeMe } from './describe-me.ts'
import { findOrganization, updateOrganization } from './queries.ts'
import { Me, Organization, OrganizationChanges } from './schema.ts'

const tag = 'Organization'

export function organizationRoutes(routes: Routes, { database }: { database: Database }): void {
  routes.stream({
    id: 'getMe',
    method: 'GET',
    url: '/me',
    tag,
    summary: 'Who am I?',
    description: 'The organization, mode and scopes of the credential, whichever it is.',
    scope: anyScope,
    response: Me,
    handler: ({ principal }) => describeMe(database, principal),
  })

  routes.read({
    id: 'getOrganization',
    method: 'GET',
    url: '/organization',
    tag,
    summary: 'Get the organization',
    scope: anyScope,
    response: Organization,
    handler: (sql) => findOrganization(sql),
  })

  routes.write({
    id: 'updateOrganization',
    method: 'PATCH',
    url: '/organization',
    tag,
    summary: 'Update the organization',
    scope: fullAccess,
    body: OrganizationChanges,
    response: Organization,
    handler: (tx, { body }) => updateOrganization(tx, body),
  })
}
