import type { Database } from '../../platform/database.ts'
import { unauthorized } from '../../platform/errors.ts'
import { noOrganization, type Principal } from '../../platform/http/principal.ts'
import type { OperatorRule } from './credentials/queries.ts'
import { findKeyOfMe, findPersonOfMe } from './queries.ts'
import type { Me, Scope } from './schema.ts'
import { organizationsOfUser } from './sign-in/queries.ts'

/** What kind of credential it is, where it acts and what it may do there. */
export async function describeMe(database: Database, rule: OperatorRule, principal: Principal): Promise<Me> {
  const { scope, scopes, person, keyId } = principal
  const common = {
    mode: scope.livemode ? ('live' as const) : ('test' as const),
    livemode: scope.livemode,
    scopes: [...scopes] as Scope[],
  }
  if (person) {
    // Row-level security hides other organizations, so the person's own list is read as the system.
    const sql = database.forSystem()
    const [user, organizations] = await Promise.all([
      findPersonOfMe(sql, person.userId, rule),
      organizationsOfUser(sql, person.userId),
    ])
    const organization = organizations.find(({ id }) => id === scope.organizationId)
    if (!user || (!organization && scope.organizationId !== noOrganization)) throw unauthorized()
    return {
      ...common,
      organization: organization ? { id: organization.id, name: organization.name } : null,
      credential: 'person',
      key: null,
      user: {
        id: user.id,
        email: user.email,
        name: user.name,
        role: organization?.role ?? null,
        needs_second_factor: person.needsSecondFactor ?? false,
        has_password: user.has_password,
        uses_single_sign_on: person.usesSingleSignOn ?? false,
      },
      is_operator: user.is_operator,
      operator_needs_second_factor: user.is_operator && user.lacks_second_factor && !person.usesSingleSignOn,
      is_suspended: person.isSuspended ?? false,
      organizations,
    }
  }
  const key = await findKeyOfMe(database.forTenant(scope), keyId as string)
  if (!key) throw unauthorized()
  const organization = { id: scope.organizationId, name: key.organization_name }
  return {
    ...common,
    organization,
    credential: 'key',
    key: { id: key.id, name: key.name, expires_at: key.expires_at },
    user: null,
    is_operator: false,
    organizations: [{ ...organization, role: null }],
  }
}
