import { AppError, conflict, insufficientScope, unauthorized } from '../../../platform/errors.ts'
import { covers, fullAccess, type Principal } from '../../../platform/http/principal.ts'
import { scopesGranted, scopesOfMember } from '../roles/scopes-granted.ts'
import type { Role, Scope } from '../schema.ts'

/** A role and, if it is a custom one, the scopes of its row. */
export interface GivenRole {
  role: Role
  scopes: Scope[] | null
}

/** What a caller may give away and take away: at most what they hold themselves. */
interface Manager {
  isOwner: boolean
  scopes: ReadonlySet<string>
}

export const managerWith = ({ role, scopes, is_limited = false }: GivenRole & { is_limited?: boolean }): Manager => ({
  isOwner: role === 'owner',
  scopes: scopesOfMember({ role, scopes, is_limited }),
})

/** The caller by their current role, not the cached one. A key with full access manages members like an admin. */
export function managerOf(principal: Principal, members: ({ id: string; is_limited: boolean } & GivenRole)[]): Manager {
  if (principal.person) {
    const own = members.find(({ id }) => id === principal.person?.userId)
    if (!own) throw unauthorized()
    return managerWith(own)
  }
  const manager = { isOwner: false, scopes: principal.scopes }
  mayManage(manager)
  // A new member also gets access to live mode, which a test key must not grant.
  if (!principal.scope.livemode) throw new AppError(403, 'People cannot be managed with a test key')
  return manager
}

const missingFor = ({ scopes }: Manager, given: GivenRole) =>
  [...scopesGranted(given.role, given.scopes)].find((scope) => !covers(scopes, scope))

export const exceeds = (manager: Manager, given: GivenRole): boolean =>
  (given.role === 'owner' && !manager.isOwner) || missingFor(manager, given) !== undefined

/** No member manages, promotes to, invites to or defines a role above their own. */
export function mayManage(manager: Manager, ...touched: GivenRole[]): void {
  if (!covers(manager.scopes, 'members:manage')) throw insufficientScope(fullAccess)
  for (const given of touched) {
    const missing = missingFor(manager, given)
    if (missing) throw new AppError(403, `You cannot manage or give a role that allows more than your own: ${missing}`)
    if (exceeds(manager, given)) throw new AppError(403, 'An admin cannot manage or make an owner')
  }
}

/** An organization without an owner could not be repaired through the API. */
export function keepAnOwner(members: { id: string; role: Role }[], leaving: string): void {
  const remains = members.some(({ id, role }) => role === 'owner' && id !== leaving)
  if (!remains) throw conflict('An organization needs an owner: make another member an owner first')
}
