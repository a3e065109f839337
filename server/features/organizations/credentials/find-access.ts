import type { Database } from '../../../platform/database.ts'
import type { FindAccess } from '../../../platform/http/principal.ts'
import { isLimited, scopesOfMember } from '../roles/scopes-granted.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import { findKeyScopes, findPersonOfSession, findPersonOfUser } from './queries.ts'

/** Not cached: connections ask every few seconds, and there are few of them. */
export const createFindAccess =
  (database: Database, sessionLimits: SessionLimits): FindAccess =>
  async ({ organizationId, livemode, ...holder }) => {
    const sql = database.forAccess()
    const scope = { organizationId, livemode }
    if ('keyId' in holder) {
      const key = await findKeyScopes(sql, organizationId, holder.keyId)
      return key && { scope, scopes: new Set(key.scopes) }
    }
    const { userId, sessionId } = holder
    // The access token is renewed meanwhile: the end of the session decides.
    const person =
      sessionId === null
        ? await findPersonOfUser(sql, userId)
        : await findPersonOfSession(sql, sessionLimits, { sessionId, userId, expiresAt: Number.POSITIVE_INFINITY })
    const membership = person?.memberships[organizationId]
    if (!membership || membership.is_suspended || person.closed.includes(organizationId)) return undefined
    return {
      scope: { ...scope, ...(isLimited(membership) && { limitedTo: userId }) },
      scopes: scopesOfMember(membership),
    }
  }
