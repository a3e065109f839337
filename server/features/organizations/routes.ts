import type { Database } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
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
    handler: async (sql) => present(await findOrganization(sql)),
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
    handler: async (tx, { body }) => present(await updateOrganization(tx, body)),
  })
}

/** A credential is remembered for a moment longer than an organization that is removed. */
function present(organization: Organization | undefined): Organization {
  if (!organization) throw notFound('Organization')
  return organization
}
