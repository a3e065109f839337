import type { TenantTx } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { parseInstant } from '../../../platform/instants.ts'
import { createKey } from '../create-key.ts'
import type { NewKey } from '../schema.ts'
import { checkAddresses, mayMint } from './rules.ts'

/** Creates a key for a caller, who cannot grant more than they have. */
export function mintKey(tx: TenantTx, principal: Principal, { name, mode, scopes, expires_at, allowed_ips }: NewKey) {
  mayMint(principal, mode)
  const expiresAt = expires_at === undefined ? null : parseInstant(expires_at)
  if (expiresAt && Date.parse(expiresAt) <= Date.now())
    throw invalid(['body', 'expires_at'], 'expires_at must be in the future')
  checkAddresses(allowed_ips)
  return createKey(tx, {
    organizationId: tx.scope.organizationId,
    name,
    mode,
    scopes,
    expiresAt,
    createdBy: principal.actor.id,
    allowedIps: allowed_ips,
  })
}
