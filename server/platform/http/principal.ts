import type { FastifyRequest } from 'fastify'
import type { TenantScope } from '../database.ts'
import { AppError } from '../errors.ts'

/** The actor as timelines and tasks store it. */
export interface Actor {
  type: 'user' | 'ai' | 'system'
  id: string | null
}

/** The caller: which organization and mode it acts in, and what it may do there. */
export interface Principal {
  /** Identifies the credential in rate limits and logs. */
  credential: string
  scope: TenantScope
  scopes: ReadonlySet<string>
  actor: Actor
  /** The organization's own limit, in place of the setting. */
  requestsPerMinute?: number | null
  /** A person who signed in, or an API key. */
  person?: {
    userId: string
    sessionId: string | null
    /** Their provider decides how they sign in. */
    usesSingleSignOn?: boolean
    role: string
    /** The organization requires a second factor, which the person has not set up: only their own account is open. */
    needsSecondFactor?: boolean
    /** The organization is suspended: only their own account is open. */
    isSuspended?: boolean
  }
  keyId?: string
}

/**
 * Identifies the caller, or throws. Provided by the organizations feature: the platform knows neither keys nor people.
 */
export type Authenticate = (request: FastifyRequest, options?: { organization: 'optional' }) => Promise<Principal>

/** Who holds a credential: for a connection that outlives the request it was opened with. */
export type CredentialHolder = { organizationId: string; livemode: boolean } & (
  | { keyId: string }
  | { userId: string; sessionId: string | null }
)

export function holderOf({ scope: { organizationId, livemode }, keyId, person }: Principal): CredentialHolder {
  if (keyId !== undefined) return { organizationId, livemode, keyId }
  if (!person) throw new Error('a principal has neither a key nor a person')
  return { organizationId, livemode, userId: person.userId, sessionId: person.sessionId }
}

/** What the holder of a credential may do as of now; undefined once the credential has ended. */
export type FindAccess = (holder: CredentialHolder) => Promise<Pick<Principal, 'scope' | 'scopes'> | undefined>

/**
 * For a person who belongs to several organizations and named none, where the operation allows that. No tenant
 * statement runs under it.
 */
export const noOrganization = ''

export const fullAccess = 'full_access'

/** Held by operators of the installation alone: no key and no role of an organization has it. */
export const operatorScope = 'operator'

/** Scope names that any valid credential satisfies. */
export const anyScope = 'any'

export const may = (principal: Pick<Principal, 'scopes'>, scope: string): boolean => covers(principal.scopes, scope)

/** What an operation, an event or a tool requires of a credential. */
export interface Requirement {
  scope: string
  /** A scope that opens this besides the wider one. Refusals name `scope`. */
  narrowerScope?: string
}

export const meets = (principal: Principal, { scope, narrowerScope = scope }: Requirement): boolean =>
  may(principal, scope) || may(principal, narrowerScope)

/** Whether a credential with these scopes has the required one. */
export function covers(scopes: ReadonlySet<string>, required: string): boolean {
  return required === anyScope || (scopes.has(fullAccess) && required !== operatorScope) || scopes.has(required)
}

/** For settings that both modes share: a key of test mode must not change what holds for live mode. */
export function refuseTestKey({ person, scope }: Principal, why: string): void {
  if (!person && !scope.livemode) throw new AppError(403, `${why}: they cannot be changed with a test key`)
}
