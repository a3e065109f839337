import { AppError, conflict, insufficientScope, unauthorized } from '../../../platform/errors.ts'
import { fullAccess, may, type Principal } from '../../../platform/http/principal.ts'
import { type Role, roles } from '../schema.ts'

type Ranked = { id: string; role: Role }[]

/** The caller's current role. A key with full access manages members like an admin. */
export function rankOf(principal: Principal, members: Ranked): Role {
  if (principal.person) {
    const own = members.find(({ id }) => id === principal.person?.userId)
    if (!own) throw unauthorized()
    return own.role
  }
  if (!may(principal, fullAccess)) throw insufficientScope(fullAccess)
  // A new member also gets access to live mode, which a test key must not grant.
  if (!principal.scope.livemode) throw new AppError(403, 'People cannot be managed with a test key')
  return 'admin'
}

export const rolesAbove = (role: Role): readonly Role[] => roles.slice(0, roles.indexOf(role))

/** Owners and admins manage members; no member manages, promotes to or invites to a role above their own. */
export function mayManage(manager: Role, ...touched: Role[]): void {
  if (manager === 'member') throw insufficientScope(fullAccess)
  if (touched.some((role) => rolesAbove(manager).includes(role)))
    throw new AppError(403, `An ${manager} cannot manage or make an owner`)
}

/** An organization without an owner could not be repaired through the API. */
export function keepAnOwner(members: Ranked, leaving: string): void {
  const remains = members.some(({ id, role }) => role === 'owner' && id !== leaving)
  if (!remains) throw conflict('An organization needs an owner: make another member an owner first')
}
