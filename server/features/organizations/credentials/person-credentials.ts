import { decodeJwt } from 'jose'
import type { Database } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import type { Signals } from '../../../platform/signals.ts'
import { isLimited, scopesOfMember } from '../roles/scopes-granted.ts'
import type { Role } from '../schema.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import { linkIdentity } from '../sign-in/link-identity.ts'
import { type Credential, createCredentialCache } from './credential-cache.ts'
import { createUseNotes } from './note-uses.ts'
import { findPersonOfIdentity, findPersonOfSession, type MembershipRow, noteSessions } from './queries.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { TrustedIssuer } from './trusted-issuer.ts'

interface Membership {
  role: Role
  scopes: ReadonlySet<string>
  /** Sees the conversations of some channels and teams only. */
  isLimited: boolean
  isSuspended: boolean
  requestsPerMinute: number | null
}

/** A person who signed in, and their role in each of their organizations. */
export interface Person {
  userId: string
  /** Null with a token of the trusted issuer. */
  sessionId: string | null
  usesSingleSignOn: boolean
  memberships: ReadonlyMap<string, Membership>
  /** Organizations that require a second factor, which this person has not set up. */
  closed: ReadonlySet<string>
}

export interface PersonCredentials {
  identify(token: string): Promise<Person>
  close(): Promise<void>
}

/** Tokens are verified, and their session and memberships read, at most every few seconds. */
export function createPersonCredentials(
  database: Database,
  signals: Signals,
  {
    ours,
    trusted,
    sessionLimits,
  }: { ours: SigningKeys; trusted: TrustedIssuer | undefined; sessionLimits: SessionLimits },
): PersonCredentials {
  async function bySession(token: string): Promise<Credential<Person> | undefined> {
    const claims = await ours.verify(token)
    const found = await findPersonOfSession(database.forAccess(), sessionLimits, claims)
    return found && { value: personOf(found, claims.sessionId), msLeft: found.ms_left }
  }

  async function byIdentity(token: string, { verify }: TrustedIssuer): Promise<Credential<Person>> {
    const identity = await verify(token)
    const find = () => findPersonOfIdentity(database.forAccess(), identity.issuer, identity.subject)
    let found = await find()
    if (!found) {
      await database.inSystem((tx) => linkIdentity(tx, identity))
      found = await find()
    }
    if (!found) throw unauthorized()
    return { value: personOf(found, null), msLeft: identity.msLeft }
  }

  const cache = createCredentialCache(signals, async (token) => {
    const issuer = issuerOf(token)
    return trusted && issuer === trusted.issuer && issuer !== ours.issuer
      ? byIdentity(token, trusted)
      : bySession(token)
  })

  const uses = createUseNotes<true>((used) => noteSessions(database.forSystem(), [...used.keys()]))

  return {
    async identify(token) {
      const person = await cache.get(token)
      if (!person) throw unauthorized()
      if (person.sessionId !== null) uses.note(person.sessionId, true)
      return person
    },
    async close() {
      cache.close()
      await uses.close()
    },
  }
}

/** The unverified issuer claim: it only selects the keys that must verify the token. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    throw unauthorized()
  }
}

const personOf = (
  found: {
    user_id: string
    memberships: Record<string, MembershipRow>
    closed?: string[]
    uses_single_sign_on?: boolean
  },
  sessionId: string | null,
): Person => ({
  userId: found.user_id,
  sessionId,
  usesSingleSignOn: found.uses_single_sign_on ?? true,
  memberships: new Map(
    Object.entries(found.memberships).map(([id, membership]) => [
      id,
      {
        role: membership.role,
        scopes: scopesOfMember(membership),
        isLimited: isLimited(membership),
        isSuspended: membership.is_suspended,
        requestsPerMinute: membership.requests_per_minute,
      },
    ]),
  ),
  closed: new Set(found.closed),
})
