import Type from 'typebox'
import type { SystemTx } from '../../platform/database.ts'
import { Id } from '../../platform/schemas.ts'
import { hashToken } from '../../platform/secrets.ts'
import { createKey } from './create-key.ts'
import { createOrganization } from './create-organization.ts'

const Found = Type.Object({ id: Id })

/**
 * Registers exactly this key, with full access, for the oldest organization, and creates one if there is none. A key
 * that was registered before stays unchanged, so a revoked one stays revoked. Returns whether it is new.
 */
export async function registerBootstrapKey(tx: SystemTx, token: string): Promise<boolean> {
  // All nodes of an installation may start concurrently, and the first start creates an organization too.
  await tx.run`select pg_advisory_xact_lock(hashtextextended('first start', 0))`
  const known = await tx.maybe(Found)`select id from keys where token_hash = ${hashToken(token)}`
  if (known) return false
  const oldest = await tx.maybe(Found)`select id from organizations order by created_at, id limit 1`
  const organizationId = oldest?.id ?? (await createOrganization(tx, { name: 'My organization' })).organization.id
  const mode = token.startsWith('svc_sk_live_') ? 'live' : 'test'
  await createKey(tx, { organizationId, name: 'Bootstrap key', mode, scopes: ['full_access'] }, token)
  return true
}
