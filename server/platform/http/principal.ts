import type { FastifyRequest } from 'fastify'
import type { TenantScope } from '../database.ts'

/** Who did it, as timelines and tasks remember it. */
export interface Actor {
  type: 'user' | 'ai' | 'system'
  id: string | null
}

/** The caller: which organization and mode it acts in, and what it may do there. */
export interface Principal {
  /** Names the credential in rate limits and logs. */
  credential: string
  scope: TenantScope
  scopes: ReadonlySet<string>
  actor: Actor
  /** A person who signed in, or a key. */
  person?: { userId: string; sessionId: string | null; role: 'owner' | 'admin' | 'member' }
  keyId?: string
}

/** Tells who is calling, or throws. Given by the organizations feature: the platform knows no keys and no people. */
export type Authenticate = (request: FastifyRequest, options?: { organization: 'optional' }) => Promise<Principal>

/** Of a person who belongs to several organizations and named none, where that is allowed. No tenant statement runs under it. */
export const noOrganization = ''

export const fullAccess = 'full_access'

/** Scope names that open nothing in particular: any valid credential will do. */
export const anyScope = 'any'

export const may = (principal: Principal, scope: string): boolean => covers(principal.scopes, scope)

/** Whether a credential with these scopes has the one that is required. */
export function covers(scopes: ReadonlySet<string>, required: string): boolean {
  return required === anyScope || scopes.has(fullAccess) || scopes.has(required)
}
