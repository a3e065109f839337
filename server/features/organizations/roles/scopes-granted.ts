import { fullAccess } from '../../../platform/http/principal.ts'
import { builtInRoles, isBuiltIn, type Role, type Scope, scopesOfRole } from '../schema.ts'

const builtIn = new Map(builtInRoles.map((role) => [role, new Set<string>(scopesOfRole[role])]))

/** What a role allows; the scopes of a custom role come from its row. */
export const scopesGranted = (role: Role, custom: readonly Scope[] | null): ReadonlySet<string> =>
  (isBuiltIn(role) && builtIn.get(role)) || new Set(custom)

/** Both would let a member pass on conversations that they cannot see, to a webhook or to a new member. */
const refusedToLimited: ReadonlySet<string> = new Set<Scope>(['members:manage', 'webhooks:admin'])

interface Membership {
  role: Role
  /** Those of a custom role. */
  scopes: readonly Scope[] | null
  is_limited: boolean
}

/** Full access is never limited. */
export const isLimited = ({ role, scopes, is_limited }: Membership): boolean =>
  is_limited && !scopesGranted(role, scopes).has(fullAccess)

/** What a member may do: what their role allows, less for one with limited access. */
export function scopesOfMember(member: Membership): ReadonlySet<string> {
  const granted = scopesGranted(member.role, member.scopes)
  return isLimited(member) ? new Set([...granted].filter((scope) => !refusedToLimited.has(scope))) : granted
}
