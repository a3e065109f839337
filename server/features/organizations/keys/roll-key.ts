import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { createKey } from '../create-key.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { KeyRoll } from '../schema.ts'
import { lockKey, revokeKeyRow } from './queries.ts'
import { modesOf } from './rules.ts'

/** Replaces a key by one with the same scopes and addresses; the old one works during the overlap and then ends. */
export async function rollKey(tx: TenantTx, principal: Principal, id: string, { overlap_seconds }: KeyRoll) {
  const modes = modesOf(principal)
  const old = found(await lockKey(tx, modes, id), 'Key')
  if (old.has_ended) throw conflict('This key has been revoked or has expired: create a new one')
  if (old.revoked_at) throw conflict('This key has been rolled already')
  await revokeKeyRow(tx, modes, id, overlap_seconds)
  tx.signal(credentialsChannel)
  return createKey(tx, {
    organizationId: tx.scope.organizationId,
    name: old.name,
    mode: old.mode,
    scopes: old.scopes,
    expiresAt: old.expires_at,
    createdBy: principal.actor.id,
    allowedIps: old.allowed_ips,
  })
}
