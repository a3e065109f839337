import type { Database } from '../../platform/database.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { anyScope, fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { changeOrganization } from './change-organization.ts'
import type { OperatorRule } from './credentials/queries.ts'
import { describeMe } from './describe-me.ts'
import { findOrganization, type LimitedOrganization, renamePerson } from './queries.ts'
import { type Installation, Me, MyChanges, Organization, OrganizationChanges } from './schema.ts'

const tag = 'Organization'

interface OrganizationDependencies {
  database: Database
  phones: PhoneNumbers
  operatorRule: OperatorRule
  /** What the API tells organizations about this installation. */
  installation: () => Promise<Installation>
}

export function organizationRoutes(
  routes: Routes,
  { database, phones, operatorRule, installation }: OrganizationDependencies,
): void {
  /** A cached credential may outlive its deleted organization for a moment. */
  const present = async (organization: LimitedOrganization | undefined) => {
    if (!organization) throw notFound('Organization')
    const { requests_per_minute, calls_at_once, ...shown } = organization
    const { limits, ...rest } = await installation()
    return {
      ...shown,
      ...rest,
      limits: {
        ...limits,
        requests_per_minute: requests_per_minute ?? limits.requests_per_minute,
        calls_at_once: calls_at_once ?? limits.calls_at_once,
      },
    }
  }

  routes.stream({
    id: 'getMe',
    method: 'GET',
    url: '/me',
    tag,
    summary: 'Get the current identity',
    description:
      'Returns the organization, mode and scopes of any credential. For a person who belongs to several organizations and names none, `organization` is null, `scopes` is empty, and `organizations` lists the choices for the header `organization_id`.',
    scope: anyScope,
    organization: 'optional',
    response: Me,
    handler: ({ principal }) => describeMe(database, operatorRule, principal),
  })

  routes.stream({
    id: 'updateMe',
    method: 'PATCH',
    url: '/me',
    tag,
    summary: 'Update your name',
    description: 'Colleagues see the name in every organization that you belong to.',
    scope: anyScope,
    peopleOnly: true,
    body: MyChanges,
    response: Me,
    errors: [403],
    handler: async ({ body, principal }) => {
      const { person } = principal
      if (!person)
        throw new AppError(403, 'Only members can change their name: a key keeps the one it was created with')
      const name = body.name?.trim()
      if (name !== undefined) await database.inSystem((tx) => renamePerson(tx, person.userId, name))
      return describeMe(database, operatorRule, principal)
    },
  })

  routes.read({
    id: 'getOrganization',
    method: 'GET',
    url: '/organization',
    tag,
    summary: 'Get the organization',
    description:
      'Includes the limits, retention times and rates that the operator of this service has set, for all organizations or for yours.',
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
    handler: async (tx, { body, principal }) => present(await changeOrganization(tx, principal, body, phones)),
  })
}
